// Restoring a deleted customer: POST /v1/customer/{id}/restore clears the flag, in both path styles, as an update.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertColumns } from './support/columns.ts'
import { makeTable, succeeded } from './support/custom-tables.ts'
import { feed } from './support/feed.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const paths = ['/v1/customer', '/v1/api/customer', '/v1/api/customers']

/** A deleted customer: its id, and its record. */
async function deleted(call: Caller, body: object = { firstName: 'Ann' }) {
  const { id } = succeeded(await call('POST', '/v1/customer', body), 201)
  succeeded(await call('DELETE', `/v1/customer/${id}`))
  const { body: record, headers } = await call('GET', `/v1/customer/${id}`)
  assert.equal(record.isDeleted, true)
  return { id: id as string, record, etag: headers.get('etag') as string }
}

test('a deleted customer is restored in each style: lists show it, updates reach it, and customer.updated is raised', async () => {
  const { id: companyId, call } = await service.company()
  for (const path of paths) {
    const { id, record } = await deleted(call)
    const reply = await call('POST', `${path}/${id}/restore`)
    const restored = succeeded(reply)
    assert.ok(restored.updatedAt >= record.updatedAt)
    assert.deepEqual(restored, { ...record, isDeleted: false, updatedAt: restored.updatedAt })
    const read = await call('GET', `/v1/customer/${id}`)
    assert.deepEqual([read.text, read.headers.get('etag')], [reply.text, reply.headers.get('etag')])
    const event = (await feed(service, companyId, id)).at(-1)
    assert.deepEqual([event?.type, event?.data, event?.previous?.isDeleted], ['customer.updated', restored, true])
    const { data } = succeeded(await call('GET', '/v1/customers?sortBy=updatedAt&sortOrder=desc'))
    assert.ok(data.some((one: { id: string }) => one.id === id))
    assert.equal(succeeded(await call('PATCH', `/v1/customer/${id}`, { lastName: 'B' })).lastName, 'B')
  }
})

test('a customer that is not deleted is returned unchanged, and raises no event', async () => {
  const { id: companyId, call } = await service.company()
  const made = await call('POST', '/v1/customer', { firstName: 'Ann' })
  const { id } = made.body
  for (const path of paths) assert.equal((await call('POST', `${path}/${id}/restore`)).text, made.text)
  assert.equal((await feed(service, companyId, id)).length, 1)
})

test('an unknown id, an invalid one, and another company’s are 404 and restore nothing', async () => {
  const { call } = await service.company()
  const other = await service.company()
  const { id } = await deleted(other.call)
  for (const path of paths)
    for (const wrong of [noId, 'x', id]) assertProblem(await call('POST', `${path}/${wrong}/restore`), 404, 'not_found')
  assert.equal(succeeded(await other.call('GET', `/v1/customer/${id}`)).isDeleted, true)
})

test('the permission update is required and sufficient', async () => {
  const { id: companyId, call } = await service.company()
  const { id } = await deleted(call)
  const others = await service.keyFor(companyId, ['read', 'create', 'delete'])
  const { message } = assertProblem(await others.call('POST', `/v1/customer/${id}/restore`), 403, 'permission_denied')
  assert.match(message, /permission to update/)
  const updating = await service.keyFor(companyId, ['update'])
  assert.equal(succeeded(await updating.call('POST', `/v1/customer/${id}/restore`)).isDeleted, false)
})

test('a body with members is refused, and so is another version in If-Match', async () => {
  const { call } = await service.company()
  const { id, etag } = await deleted(call)
  const path = `/v1/customer/${id}/restore`
  const { errors } = assertProblem(await call('POST', path, { firstName: 'B' }), 400, 'validation_failed')
  assert.equal(errors[0].pointer, '/firstName')
  assertProblem(await call('POST', path, undefined, { 'if-match': '"other"' }), 412, 'version_mismatch')
  assert.equal(succeeded(await call('GET', `/v1/customer/${id}`)).isDeleted, true)
  assert.equal(succeeded(await call('POST', path, {}, { 'if-match': etag })).isDeleted, false)
})

test('concurrent restores, separately and under one Idempotency-Key, raise one event', async () => {
  const { id: companyId, call } = await service.company()
  for (const headers of [{}, { 'idempotency-key': 'a' }]) {
    const { id } = await deleted(call)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', `/v1/customer/${id}/restore`, undefined, headers)),
    )
    for (const { status, body } of replies)
      if (status === 409) assert.equal(body.code, 'idempotency_in_progress')
      else assert.deepEqual([status, body.isDeleted], [200, false])
    assert.equal((await feed(service, companyId, id)).length, 3)
    const again = await call('POST', `/v1/customer/${id}/restore`, undefined, headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'idempotency-key' in headers ? 'true' : null)
    assert.equal(again.text, replies.find(({ status }) => status === 200)?.text)
  }
})

test('a customer with columns of a custom table is restored with them', async () => {
  const { call } = await service.company()
  const link = { type: 'string', required: true, referenceLinkedCollection: 'customers' }
  const table = await makeTable(call, { customer: link, tier: 'string' }, 'loyalty')
  const { id, record } = await deleted(call, { firstName: 'Ann', loyalty: { tier: 'gold' } })
  const restored = succeeded(await call('POST', `/v1/customer/${id}/restore`))
  assert.deepEqual(restored, { ...record, isDeleted: false, updatedAt: restored.updatedAt })
  assert.deepEqual(restored.loyalty, { tier: 'gold' })
  succeeded(await call('DELETE', `/v1/api/custom-table/${table.id}`))
  succeeded(await call('DELETE', `/v1/customer/${id}`))
  assert.equal(succeeded(await call('POST', `/v1/customer/${id}/restore`)).loyalty, undefined)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
