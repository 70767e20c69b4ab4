// An import that is in progress when its server is killed is finished by another one, with the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectedCopy } from '../support/database.ts'
import { csvOf, mugs, reached, sent } from '../support/imports.ts'
import { serve, until, urlOf } from '../support/program.ts'
import type { Caller } from '../support/service.ts'

const rows = 3_000

test('a server that is killed while it runs an import leaves it to another one, which finishes it with nothing twice', async (t) => {
  const { connection, database } = await connectedCopy(t, 1)
  const environment = { DATABASE_URL: urlOf(connection) }
  const first = await serve(t, environment)
  const callAt =
    (url: string): Caller =>
    async (method, path, body, headers) => {
      const own = { 'x-api-key': first.said.companyKey, ...headers }
      const response = await fetch(url + path, { method, headers: own, body: body as string })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
    }
  const { id } = await sent(callAt(first.url), csvOf(mugs(rows)), 'run=true')
  const count = async () => (await database.query('select count(*)::int from products'))[0]?.[0] as number
  await until('some of it is written', async () => (await count()) > 0)
  await first.stop('SIGKILL')
  const left = await count()
  assert.ok(left < rows, 'it was killed too late to show anything')
  const second = await serve(t, environment)
  const done = await reached(callAt(second.url), id, 'done')
  assert.deepEqual(
    [done.summary.products, done.summary.variants, done.summary.stockSet, done.rowsRefused],
    [{ created: rows, updated: 0, unchanged: 0 }, { created: rows, updated: 0, unchanged: 0 }, rows, 0],
  )
  const doubles = await database.query(
    `select count(*)::int, count(distinct external_id)::int from products
     union all select count(*)::int, count(distinct external_id)::int from variants
     union all select count(*)::int, count(distinct variant_id)::int from inventories`,
  )
  assert.deepEqual(doubles, Array(3).fill([rows, rows]))
})
