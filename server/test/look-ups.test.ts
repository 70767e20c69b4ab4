// Lists by the value of one member, such as a barcode, are answered like any other list, although lists that wait at
// the same time share one statement.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { succeeded } from './support/custom-tables.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** Creates customers with an external id; returns their ids in order. */
async function customers(call: Caller, externalId: string, count: number, more: object = {}): Promise<string[]> {
  if (count === 0) return []
  const items = Array.from({ length: count }, (_, n) => ({ externalId, firstName: `No. ${n}`, ...more }))
  const { results } = succeeded(await call('POST', '/v1/customers', { items }))
  return results.map((result: any) => result.data.id)
}

/** The ids of a list, its count, and the cursor of its next page. */
async function listed(call: Caller, query: string) {
  const { data, meta } = succeeded(await call('GET', `/v1/customers?${query}`))
  return { ids: data.map(({ id }: { id: string }) => id), count: meta.count, next: meta.nextCursor }
}

test('a look-up has the records of its value in the order of their creation, their exact count, and pages', async () => {
  const { call } = await service.company()
  for (const count of [0, 1, 2, 10, 11, 30]) {
    const value = `many-${count}`
    const ids = await customers(call, value, count)
    // The same records by two filters, which is no look-up.
    const plain = await listed(call, `externalId=${value}&createdAt[gte]=2000-01-01T00:00:00Z`)
    assert.deepEqual([...plain.ids].sort(), [...ids].sort())
    const whole = await listed(call, `externalId=${value}`)
    assert.deepEqual(whole, { ids: plain.ids, count, next: undefined })
    if (count < 2) continue
    const first = await listed(call, `externalId=${value}&limit=1`)
    assert.deepEqual([first.ids, first.count], [plain.ids.slice(0, 1), count])
    const second = await listed(call, `externalId=${value}&limit=1&cursor=${first.next}`)
    assert.deepEqual(second.ids, plain.ids.slice(1, 2))
    const skipped = await listed(call, `externalId=${value}&skip=1`)
    assert.deepEqual([skipped.ids, skipped.count], [plain.ids.slice(1), count])
    const last = await listed(call, `externalId=${value}&sortOrder=desc`)
    assert.deepEqual(last.ids, plain.ids.toReversed())
  }
})

test('a look-up shows what was written before it, and no deleted record unless it asks for those', async () => {
  const { call } = await service.company()
  const [id = ''] = await customers(call, 'one', 1)
  assert.deepEqual((await listed(call, 'externalId=one')).ids, [id])
  succeeded(await call('PATCH', `/v1/customer/${id}`, { externalId: 'other' }))
  assert.deepEqual((await listed(call, 'externalId=one')).ids, [])
  assert.deepEqual((await listed(call, 'externalId=other')).ids, [id])
  succeeded(await call('DELETE', `/v1/customer/${id}`))
  assert.deepEqual(await listed(call, 'externalId=other'), { ids: [], count: 0, next: undefined })
  assert.deepEqual((await listed(call, 'externalId=other&includeDeleted=true')).ids, [id])
})

test('look-ups of many companies at once each find the records of their own company', async () => {
  const companies = await Promise.all(Array.from({ length: 6 }, () => service.company()))
  const own = await Promise.all(companies.map(({ call }, n) => customers(call, 'shared', n)))
  const lists = await Promise.all(
    Array.from({ length: 60 }, (_, n) => listed((companies[n % 6] as (typeof companies)[0]).call, 'externalId=shared')),
  )
  for (const [n, { ids, count }] of lists.entries()) {
    assert.deepEqual([...ids].sort(), [...(own[n % 6] as string[])].sort())
    assert.equal(count, n % 6)
  }
})

test('a look-up whose records are too long for one statement is answered like any list, and so are those beside it', async () => {
  const { call } = await service.company()
  const notes = [{ message: 'x'.repeat(900_000), createdAt: '2026-11-02T08:15:00.000Z' }]
  const ids = await customers(call, 'long', 4, { notes })
  await customers(call, 'short', 1)
  const [long, short] = await Promise.all(['long', 'short'].map((value) => listed(call, `externalId=${value}`)))
  assert.deepEqual([[...(long?.ids ?? [])].sort(), long?.count], [[...ids].sort(), 4])
  assert.equal(short?.count, 1)
})
