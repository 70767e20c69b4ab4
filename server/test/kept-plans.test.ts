// Statements of many items finish in time, even if the database kept a plan from when the table was small.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from './support/service.ts'

const service = testService()
const upTo = (end: number) => Array.from({ length: end }, (_, n) => n)

test('a statement planned for few items in an empty table serves thousands in a full one', async () => {
  await service.database.transaction(async (transaction) => {
    await transaction.query('create temp table grown (company_id text, place text) on commit drop')
    await transaction.query('create index on grown (company_id)')
    const find = (count: number) =>
      transaction.query(
        {
          name: 'grown_find',
          text: `
          select grown.place from unnest($1::text[], $2::text[]) as item(company_id, place)
          join grown on grown.company_id = item.company_id and grown.place = item.place`,
        },
        [upTo(count).map(() => 'one'), upTo(count).map(String)],
      )
    for (let n = 0; n < 6; n++) assert.deepEqual(await find(10), [])
    const [kept] = await transaction.query(
      `select generic_plans > 0 from pg_prepared_statements where name = 'grown_find'`,
    )
    assert.deepEqual(kept, [true])
    await transaction.query(`insert into grown select 'one', n from generate_series(1, 20000) as n`)
    assert.equal((await find(20_000)).length, 19_999)
  })
})
