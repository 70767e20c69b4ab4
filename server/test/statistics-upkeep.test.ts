// PostgreSQL's statistics include a company with many records soon after it has listed them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listQuery, pageStatement } from '../src/engine/lists/list-query.ts'
import { StatisticsUpkeep } from '../src/engine/lists/statistics-upkeep.ts'
import { attachment } from '../src/resources/attachment.ts'
import { skipOnCluster } from './support/nodes.ts'
import { until } from './support/program.ts'
import { type Company, testService } from './support/service.ts'

const service = testService()
const MANY = 5_000

/** Gives a company attachments, each of an account of its own; PostgreSQL knows at once that the table has changed. */
const attach = ({ id }: Company, count: number) =>
  service.database.transaction(async (transaction) => {
    await transaction.query(
      `insert into attachments (company_id, id, body)
       select $1, id, json_build_object('id', id, 'name', 'a', 'accountId', id, 'createdAt', at, 'updatedAt', at)
       from (select lpad(n::text, 24, '0') as id, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series(1, $2::int) as n) as made`,
      [id, count],
    )
    await transaction.query('select pg_stat_force_next_flush()')
  })

const hasStatistics = async ({ id }: Company): Promise<boolean> => {
  const [row] = await service.database.query(
    `select $1 = any(most_common_vals::text::text[]) from pg_stats where tablename = 'attachments' and attname = 'company_id'`,
    [id],
  )
  return row?.[0]
}

/** The plan of a list of one record. */
async function planOf({ id }: Company): Promise<string> {
  const query = listQuery(attachment, id, { accountId: '7'.padStart(24, '0'), sortBy: 'name' })
  const rows = await service.database.query(
    `explain (analyze, costs off, timing off) ${pageStatement(attachment, query).text}`,
    query.page.values,
  )
  return rows.join('\n')
}

test('if the statistics lack a company with many records, its list renews them, and later lists no longer read all records', {
  skip: skipOnCluster,
}, async () => {
  const [known, few, many] = await Promise.all([service.company(), service.company(), service.company()])
  await attach(known, 6_000)
  await service.database.query('analyze attachments')
  await attach(few, MANY - 1)
  await attach(many, MANY)
  assert.match(await planOf(many), new RegExp(`Rows Removed by Filter: ${MANY - 1}`))
  for (const { id } of [known, few]) await new StatisticsUpkeep('attachments').look(service.database, id)
  assert.equal(await hasStatistics(few), false)
  assert.equal((await many.call('GET', '/v1/attachments?accountId=none')).status, 200)
  await until('the statistics list the company', () => hasStatistics(many))
  assert.doesNotMatch(await planOf(many), /Rows Removed by Filter/)
})
