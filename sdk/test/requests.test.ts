// Requests through the SDK: their answers, their errors by class, and what is sent again after which failure.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedService } from '../../server/test/support/service.ts'
import * as sdk from '../src/index.ts'
import { clientOf } from './support.ts'

const service = sharedService()

test('a record is created, read, updated and deleted, and its amounts stay strings', async () => {
  const client = clientOf(service, await service.company())
  const created = await client.customers.create({ firstName: 'Ann', totalSpent: '10.00' })
  assert.equal(created.totalSpent, '10.00')
  const { data, etag, requestId, status } = await client.customers.get(created.id).withResponse()
  assert.deepEqual([data, status], [created, 200])
  assert.match(etag ?? '', /^".+"$/)
  assert.ok(requestId)
  const updated = await client.customers.update(created.id, { lastName: 'Archer' }, { ifMatch: etag })
  assert.equal(updated.lastName, 'Archer')
  assert.equal((await client.customers.delete(created.id)).statusCode, 200)
  assert.equal((await client.customers.restore(created.id)).isDeleted, false)
})

test('an error is of the class of its code, with the pointers of the wrong members and the id of the request', async () => {
  const client = clientOf(service, await service.company())
  await assert.rejects(client.customers.create({ email: 'no address' }), (error) => {
    assert.ok(error instanceof sdk.ValidationFailedError && error instanceof sdk.ApiError)
    assert.deepEqual([error.name, error.status, error.code], ['ValidationFailedError', 400, 'validation_failed'])
    assert.deepEqual(
      error.errors.map(({ pointer, code }) => [pointer, code]),
      [['/email', 'format']],
    )
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
    assert.equal(error.attempts, 1)
    return true
  })
  const { id } = await client.customers.create({ firstName: 'Ann' })
  await assert.rejects(client.customers.update(id, { lastName: 'B' }, { ifMatch: '"old"' }), sdk.VersionMismatchError)
  await assert.rejects(client.customers.get('6740a1f2c3d4e5f6a7b8c9d0'), sdk.NotFoundError)
  await assert.rejects(clientOf(service, { key: 'posk_no' }).customers.list().page(), sdk.InvalidKeyError)
  const key = { idempotencyKey: 'once' }
  await client.customers.create({ firstName: 'Ann' }, key)
  await assert.rejects(client.customers.create({ firstName: 'Bob' }, key), sdk.IdempotencyConflictError)
  // What only people may do is refused as such, not as a missing key.
  await assert.rejects(client.keys.create({ name: 'Till', permissions: ['read'] }), sdk.PermissionDeniedError)
  const reader = await service.keyFor((await client.service.whoami()).company.id, ['read'])
  await assert.rejects(
    clientOf(service, { key: reader.value }).customers.create({ firstName: 'Ann' }),
    sdk.PermissionDeniedError,
  )
})

test('files are sent as text and as bytes, CSV comes back as text, and an organization has its own key', async () => {
  const company = await service.company()
  const client = clientOf(service, company, { organizationKey: service.organizationKey })
  const csv = 'ID,Email,First name\n7,ann@example.com,Ann\n'
  for (const file of [csv, new TextEncoder().encode(csv), new Blob([csv])]) {
    const { id, fileName } = await client.imports.create(file, { fileName: 'tea.csv' })
    assert.equal(fileName, 'tea.csv')
    assert.equal((await client.imports.get(id)).id, id)
  }
  assert.match(await client.reports.taxes({ format: 'csv', from: '2026-01-01', to: '2026-01-31' }), /^\S+/)
  const names = (await client.companies.list({ limit: 1000 }).toArray()).map(({ id }) => id)
  assert.ok(names.includes(company.id))
  assert.equal((await client.organization.get()).id, company.organizationId)
  assert.equal((await client.company.get()).id, company.id)
})

test('a header replaces the one of the same name in any case, and a query parameter that is null is not sent', async () => {
  const company = await service.company()
  const client = clientOf(service, { key: 'posk_no' }, { headers: { 'X-Api-Key': company.key } })
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' }
  const { id } = await client.products.create({ name: 'Tea' }, { headers })
  assert.equal((await client.products.create({ name: 'Tea' }, { headers })).id, id)
  // @ts-expect-error: JavaScript has null where a value is missing.
  assert.equal((await client.products.list({ sku: null }).page()).count, 1)
  // A program that has not read anything yet has no cursor.
  // @ts-expect-error: it is undefined in TypeScript.
  assert.equal((await client.products.list({ cursor: null }).page()).count, 1)
  // @ts-expect-error: the same.
  assert.equal(client.events.follow(null).cursor, undefined)
})

test('what JSON cannot express is refused before it is sent: NaN would be null, which clears a member', async () => {
  const client = clientOf(service, await service.company())
  const { id } = await client.products.create({ name: 'Tea', minPrice: 3 })
  for (const minPrice of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const message = `minPrice must be a finite number, not ${minPrice}.`
    await assert.rejects(client.products.update(id, { minPrice }), { name: 'TypeError', message })
    await assert.rejects(client.products.updateMany([{ id, minPrice }]), { name: 'TypeError', message })
  }
  assert.equal((await client.products.get(id)).minPrice, 3)
})

test('a baseUrl without http:// or https:// is refused when the client is made', () => {
  const others = [undefined, new URL('http://127.0.0.1:8080')] as unknown as string[]
  for (const baseUrl of ['localhost:8080', '127.0.0.1:8080', ...others])
    assert.throws(() => new sdk.Cashwrap({ baseUrl, apiKey: 'posk_1' }), {
      name: 'TypeError',
      message: 'baseUrl must be the address of the service, such as http://127.0.0.1:8080.',
    })
})
