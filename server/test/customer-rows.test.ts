// A customer shows exactly the content of the rows that belong to it, for every kind of write and under concurrency (decisions §7).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import { showRows } from '../src/features/custom-tables/customer-rows.ts'
import { holdCustomers } from '../src/features/custom-tables/locks.ts'
import { startService } from '../src/service.ts'
import { type MadeTable, makeTable, oid, succeeded } from './support/custom-tables.ts'
import { testConnection } from './support/database.ts'
import { feed } from './support/feed.ts'
import { blocking } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()

const link = { type: 'string', referenceLinkedCollection: 'customers' }
const field = '/v1/api/custom-table-field'
const value = '/v1/api/custom-table-value'

/** Columns by name, of each table by the field that refers to the customer. */
type Shown = Readonly<Record<string, Readonly<Record<string, unknown>>>> | null

/** What each customer shows, by id. */
async function shownBy(companyId: string): Promise<Record<string, Shown>> {
  const rows = await service.database.query('select id, shown from customers where company_id = $1', [companyId])
  return Object.fromEntries(rows.map(([id, shown]) => [id, byLink(JSON.parse(shown))]))
}

/** Of `{"link shape,link shape": [columns, columns]}`. */
function byLink(shown: Record<string, Record<string, unknown>[]> | null): Shown {
  if (shown === null) return null
  const [[head, columns]] = Object.entries(shown) as [[string, Record<string, unknown>[]]]
  return Object.fromEntries(head.split(',').map((part, n) => [part.split(' ')[0], columns[n] ?? {}]))
}

/** Compares what each customer shows with the live rows that belong to it, and returns it. */
async function checkShown(companyId: string): Promise<Record<string, Shown>> {
  const shown = await shownBy(companyId)
  const expected: Record<string, Shown> = Object.fromEntries(Object.keys(shown).map((id) => [id, null]))
  const rows = await service.database.query(
    `select linked_id, linked_by, cells from custom_table_rows
     where company_id = $1 and linked_by is not null and not is_deleted`,
    [companyId],
  )
  const fields = await service.database.query(
    `select id, name, body ->> 'type' from custom_table_fields where company_id = $1`,
    [companyId],
  )
  for (const [id, by, cells] of rows) {
    const stored: Record<string, string> = JSON.parse(cells)
    const columns = fields.flatMap(([field, name, type]) =>
      field === by || stored[field] === undefined
        ? []
        : [[name, type === 'number' ? Number(stored[field]) : stored[field]]],
    )
    expected[id] = { ...expected[id], [by]: Object.fromEntries(columns) }
  }
  assert.deepEqual(shown, expected)
  return shown
}

const makeCustomers = (call: Caller, count: number): Promise<string[]> =>
  Promise.all(
    Array.from(
      { length: count },
      async (_, n) => succeeded(await call('POST', '/v1/customer', { phone: `${n}` }), 201).id,
    ),
  )
const extending = (call: Caller) => makeTable(call, { customer: link, tier: 'string', points: 'number' })
const nothingToPurge = (companyId: string) =>
  until(
    'all is purged',
    async () =>
      (await service.database.query('select from custom_purges where company_id = $1', [companyId])).length === 0,
  )
/** The id of the value in a column of a row. */
async function valueId(call: Caller, table: MadeTable, rowId: string, column: string): Promise<string> {
  const values = succeeded(await call('GET', `/v1/api/custom-table-values?rowId=${rowId}`))
  return values.find(({ fieldId }: any) => fieldId.$oid === table.fields[column])._id.$oid
}

test('a row written by column names shows in its customer: created, changed, moved to another, moved back and deleted', async () => {
  const { id: companyId, call } = await service.company()
  const table = await extending(call)
  const by = table.fields.customer as string
  const [ann = '', bea = ''] = await makeCustomers(call, 2)
  const before = succeeded(await call('GET', `/v1/customer/${ann}`))
  const version = async () =>
    (
      await service.database.query('select version from customers where company_id = $1 and id = $2', [companyId, ann])
    )[0]?.[0]
  const first = await version()

  const id = await table.row({ customer: ann, tier: 'gold' })
  assert.equal((await checkShown(companyId))[ann]?.[by]?.tier, 'gold')
  assert.ok((await version()) > first)
  succeeded(await call('PUT', `${table.path}/${id}`, { points: 3, tier: null }))
  assert.deepEqual((await checkShown(companyId))[ann]?.[by], { points: 3 })
  succeeded(await call('PUT', `${table.path}/${id}`, { customer: bea }))
  assert.deepEqual(Object.keys((await checkShown(companyId))[bea] ?? {}), [by])
  succeeded(await call('PUT', `${table.path}/${id}`, { customer: null }))
  assert.deepEqual(await checkShown(companyId), { [ann]: null, [bea]: null })
  succeeded(await call('PUT', `${table.path}/${id}`, { customer: ann }))
  await table.row({ points: 1 })
  succeeded(await call('DELETE', `${table.path}/${id}`))
  assert.deepEqual(await checkShown(companyId), { [ann]: null, [bea]: null })

  assert.ok(succeeded(await call('GET', `/v1/customer/${ann}`)).updatedAt > before.updatedAt)
  assert.deepEqual((await feed(service, companyId, ann)).map(({ type }) => type), ['customer.created', ...new Array(5).fill('customer.updated')]) // biome-ignore format: one thought
})

test('a value written as a record shows in the customer of its row, also the value that refers to the customer', async () => {
  const { id: companyId, call } = await service.company()
  const table = await extending(call)
  const by = table.fields.customer as string
  const [ann = '', bea = ''] = await makeCustomers(call, 2)
  const rowId = await table.row({ tier: 'gold' })
  const spot = { tableId: table.id, rowId }
  assert.deepEqual(await checkShown(companyId), { [ann]: null, [bea]: null })

  const linking = succeeded(await call('POST', value, { ...spot, fieldId: by, value: ann }), 201)._id.$oid
  assert.deepEqual((await checkShown(companyId))[ann]?.[by], { tier: 'gold' })
  const points = succeeded(await call('POST', value, { ...spot, fieldId: table.fields.points, value: '7' }), 201)
  succeeded(await call('PUT', `${value}/${await valueId(call, table, rowId, 'tier')}`, { value: 'silver' }))
  assert.equal((await checkShown(companyId))[ann]?.[by]?.tier, 'silver')
  succeeded(await call('PUT', `${value}/${linking}`, { value: bea }))
  assert.equal((await checkShown(companyId))[ann], null)
  succeeded(await call('DELETE', `${value}/${points._id.$oid}`))
  assert.deepEqual((await checkShown(companyId))[bea]?.[by], { tier: 'silver' })
  succeeded(await call('DELETE', `${value}/${linking}`))
  assert.deepEqual(await checkShown(companyId), { [ann]: null, [bea]: null })
})

test('a customer shows a row of each table; deleting a row as a record leaves the others, and a refused write changes nothing', async () => {
  const { id: companyId, call } = await service.company()
  const loyalty = await extending(call)
  const pets = await extending(call)
  const [ann = '', bea = ''] = await makeCustomers(call, 2)
  const rowId = await loyalty.row({ customer: ann, tier: 'gold' })
  const pet = await pets.row({ customer: ann, points: 4 })
  const other = await pets.row({ customer: bea, points: 5 })
  assert.equal(Object.keys((await checkShown(companyId))[ann] ?? {}).length, 2)
  assertProblem(await call('PUT', `${pets.path}/${other}`, { customer: ann }), 409, 'conflict')
  assertProblem(await call('POST', loyalty.path, { customer: ann }), 409, 'conflict')
  await checkShown(companyId)
  for (let n = 0; n < 2; n++) {
    succeeded(await call('DELETE', `/v1/api/custom-table-row/${rowId}`))
    assert.deepEqual(Object.keys((await checkShown(companyId))[ann] ?? {}), [pets.fields.customer])
  }
  succeeded(await call('DELETE', `/v1/customer/${ann}`))
  succeeded(await call('PUT', `${pets.path}/${pet}`, { points: 6 }))
  await checkShown(companyId)
})

test('a row that would make its customer show more than a record may hold is 413; a row that makes it shorter is accepted', async () => {
  const { id: companyId, call } = await service.company()
  const one = await extending(call)
  const two = await extending(call)
  const [ann = ''] = await makeCustomers(call, 1)
  const long = 'x'.repeat(1_048_576)
  const id = await one.row({ customer: ann, tier: long })
  const { detail } = assertProblem(await call('POST', two.path, { customer: ann, tier: long }), 413)
  assert.equal(detail, 'The customer, with its columns in all tables, would be longer than 2097152 characters.')
  const row = await two.row({ customer: ann, tier: long.slice(2_000) })
  assertProblem(await call('PUT', `${two.path}/${row}`, { tier: long }), 413, 'payload_too_large')
  await checkShown(companyId)
  succeeded(await call('PUT', `${one.path}/${id}`, { tier: 'gold' }))
  succeeded(await call('PUT', `${two.path}/${row}`, { tier: long }))
  await checkShown(companyId)
})

test('fifty writers at two servers, of rows, values and customers, leave each customer with the content of its rows, and see no fault', async (t) => {
  const { id: companyId, call, key } = await service.company()
  const [name] = (await service.database.query('select current_database()'))[0] as [string]
  const second = await startService({ ...testConnection(), database: name }, testSettings)
  t.after(() => second.close())
  const elsewhere = service.caller({ 'x-api-key': key }, second.url)
  const tables = [await extending(call), await extending(call)]
  const people = await makeCustomers(call, 5)
  const rows = await Promise.all(
    tables.map((table) => Promise.all(people.slice(0, 4).map((customer, n) => table.row({ customer, points: n })))),
  )

  async function some(n: number) {
    const at = n % 2 ? call : elsewhere
    const table = tables[(n >> 1) % 2] as MadeTable
    const rowId = rows[(n >> 1) % 2]?.[(n * 7) % 4] as string
    const customer = people[(n * 3) % 5] as string
    const path = `${table.path}/${rowId}`
    const spot = { tableId: table.id, rowId }
    switch (n % 9) {
      case 0:
      case 1:
        return at('PUT', path, { customer, points: n })
      case 2:
        return at('PUT', path, { tier: `${n}`, ...(n % 4 === 0 && { customer: null }) })
      case 3:
        return at('POST', value, { ...spot, fieldId: table.fields.customer, value: customer })
      case 4: {
        const values = succeeded(await at('GET', `/v1/api/custom-table-values?rowId=${rowId}`))
        const own = values.find(({ fieldId }: any) => fieldId.$oid === table.fields.customer)
        return own && at('PUT', `${value}/${own._id.$oid}`, { value: customer })
      }
      case 5: {
        const values = succeeded(await at('GET', `/v1/api/custom-table-values?rowId=${rowId}`))
        return values[0] && at('DELETE', `${value}/${values[0]._id.$oid}`)
      }
      case 6: {
        const made = await at('POST', table.path, { customer, tier: 'new' })
        return made.status === 201 ? at('DELETE', `/v1/api/custom-table-row/${made.body.rowId.$oid}`) : made
      }
      case 7:
        return at('PATCH', `/v1/customer/${customer}`, { firstName: `${n}` })
      default:
        return at('PUT', path, { points: 'wrong' })
    }
  }
  const statuses = new Set<number>()
  for (let round = 0; round < 4; round++) {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => some(n + round * 50)))
    for (const reply of replies) {
      if (!reply) continue
      assert.ok(reply.status < 500, reply.text)
      statuses.add(reply.status)
    }
    await checkShown(companyId)
  }
  for (const status of [200, 400, 409]) assert.ok(statuses.has(status), `none was answered ${status}`)
})

test('a write of a row waits for its customer before it locks the row, also if the row moves to the customer meanwhile', async () => {
  const { id: companyId, call } = await service.company()
  const { database } = service
  const table = await extending(call)
  const by = table.fields.customer as string
  const [ann = '', bea = ''] = await makeCustomers(call, 2)
  /** Whether a statement waits for a lock of a transaction. */
  const isWaitedFor = async (transaction: Queryable): Promise<() => Promise<boolean>> => {
    const [row] = await transaction.query(`select ${blocking.session}`)
    return async () => {
      const [waiting] = await database.query(`select count(*) from ${blocking.waiting}`, [row?.[0]])
      return waiting?.[0] > 0
    }
  }
  const writers: [string, (rowId: string) => Promise<() => Promise<Reply>>][] = [
    ['update by name', async (id) => () => call('PUT', `${table.path}/${id}`, { points: 2 })],
    ['delete by name', async (id) => () => call('DELETE', `${table.path}/${id}`)],
    ['delete of the row', async (id) => () => call('DELETE', `/v1/api/custom-table-row/${id}`)],
    [
      'update of a value',
      async (id) => {
        const path = `${value}/${await valueId(call, table, id, 'tier')}`
        return () => call('PUT', path, { value: 'silver' })
      },
    ],
    [
      'delete of a value',
      async (id) => {
        const path = `${value}/${await valueId(call, table, id, 'tier')}`
        return () => call('DELETE', path)
      },
    ],
  ]
  for (const [name, writer] of writers) {
    const id = await table.row({ customer: ann, tier: 'gold' })
    const write = await writer(id)
    // Released at once: locking the row before the customers would be the wrong order.
    const isFree = () =>
      database.query('select from custom_table_rows where company_id = $1 and id = $2 for update nowait', [
        companyId,
        id,
      ])
    const { reply } = await database.transaction(async (later) => {
      await holdCustomers(later, [{ companyId, id: bea }])
      const writing = await database.transaction(async (first) => {
        await holdCustomers(first, [{ companyId, id: ann }])
        const reply = write()
        await until(`the ${name} waits for the first`, await isWaitedFor(first))
        await isFree()
        await first.query(
          `update custom_table_rows set linked_id = $3, cells = (cells::jsonb || jsonb_build_object($4::text, $3::text))::json
           where company_id = $1 and id = $2`,
          [companyId, id, bea, by],
        )
        return { reply }
      })
      await until(`the ${name} waits for the other`, await isWaitedFor(later))
      await isFree()
      await showRows(later, [ann, bea].map((id) => ({ companyId, id }))) // biome-ignore format: one thought
      return writing
    })
    succeeded(await reply)
    assert.equal((await checkShown(companyId))[ann], null, name)
    assert.ok([200, 404].includes((await call('DELETE', `${table.path}/${id}`)).status))
    assert.deepEqual(await checkShown(companyId), { [ann]: null, [bea]: null })
  }
})

test('the columns of a deleted field or table leave the customers once it is purged, during concurrent writes', async () => {
  const { id: companyId, call } = await service.company()
  const loyalty = await extending(call)
  const pets = await extending(call)
  const people = await makeCustomers(call, 12)
  const rows = await Promise.all(people.map((customer, n) => loyalty.row({ customer, tier: 'gold', points: n })))
  await Promise.all(people.slice(6).map((customer) => pets.row({ customer, points: 1 })))
  const write = () => Promise.all(rows.map(async (id, n) => succeeded(await call('PUT', `${loyalty.path}/${id}`, { points: n * 2 })))) // biome-ignore format: one thought

  succeeded(await call('DELETE', `${field}/${loyalty.fields.tier}`))
  await write()
  await nothingToPurge(companyId)
  for (const [id, shown] of Object.entries(await checkShown(companyId)))
    assert.deepEqual(Object.keys(shown?.[loyalty.fields.customer as string] ?? {}).length, 1, id)

  // Half of the rows belong to another customer by a new field before the old field's links are removed.
  succeeded(await call('DELETE', `${field}/${loyalty.fields.customer}`))
  const made = { tableId: oid(loyalty.id), name: 'owner', ...link }
  const owner = succeeded(await call('POST', field, made), 201)._id.$oid
  await Promise.all(
    rows
      .slice(0, 6)
      .map(async (id, n) => succeeded(await call('PUT', `${loyalty.path}/${id}`, { owner: people[11 - n] }))),
  )
  await write()
  await nothingToPurge(companyId)
  const later = await checkShown(companyId)
  assert.deepEqual(people.slice(0, 6).map((id) => later[id]), people.slice(0, 6).map(() => null)) // biome-ignore format: one thought
  assert.deepEqual(Object.keys(later[people[11] as string] ?? {}).sort(), [owner, pets.fields.customer].sort())

  succeeded(await call('DELETE', `/v1/api/custom-table/${pets.id}`))
  await write()
  await nothingToPurge(companyId)
  assert.deepEqual(Object.keys((await checkShown(companyId))[people[11] as string] ?? {}), [owner])
  succeeded(await call('DELETE', `/v1/api/custom-table/${loyalty.id}`))
  await nothingToPurge(companyId)
  assert.deepEqual([...new Set(Object.values(await checkShown(companyId)))], [null])
})
