// A company's own record: its owners change what is theirs, and nobody else does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const path = '/v1/company'

/** A company and its owner's calls about it. */
async function owned() {
  const company = await service.company()
  const place = { companyId: company.id }
  const owner = await person(service, place)
  return { company, place, call: owner.about(place) }
}

test('an owner changes the details of the company, and its keys and other owners read them', async () => {
  const { company, call } = await owned()
  const before = (await call('GET', path)).body
  const address = { address1: '2 High Street', city: 'Graz' }
  const sent = {
    name: 'Corner',
    email: 'c@shop.example',
    phone: '1',
    country: 'AT',
    currency: 'CHF',
    dayStartHour: 4,
    address,
    taxId: 'ATU1',
  }
  const changed = await call('PATCH', path, { ...sent, timezone: 'Europe/Vienna', industry: 'food' })
  assert.equal(changed.status, 200, changed.text)
  const { updatedAt, ...rest } = changed.body
  const { updatedAt: past, ...unchanged } = before
  assert.deepEqual(rest, { ...unchanged, ...sent, timezone: 'Europe/Vienna', industry: 'food' })
  assert.ok(updatedAt > past)
  const read = await company.call('GET', path)
  assert.deepEqual([read.text, read.headers.get('etag')], [changed.text, changed.headers.get('etag')])
  const wrong = await call('PATCH', path, { dayStartHour: 24 })
  assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/dayStartHour'])
  const cleared = (await call('PATCH', path, { phone: null, address: null, currency: null, dayStartHour: null })).body
  for (const member of ['phone', 'address', 'dayStartHour']) assert.ok(!(member in cleared), member)
  assert.equal(cleared.currency, 'USD', 'a company always has a currency')
})

test('what is the organization’s to change is ignored: plan, status, the reason of a suspension and its own id', async () => {
  const { call } = await owned()
  const before = await call('GET', path)
  const theirs = { planId: 'f'.repeat(24), status: 'suspended', suspendedReason: 'x', externalId: 'y', id: 'z' }
  const same = await call('PATCH', path, { ...before.body, ...theirs })
  assert.deepEqual([same.status, same.text], [200, before.text])
})

test('only an owner changes a company: neither a key, an admin, a viewer, nor the owner of another company', async () => {
  const { company, place, call } = await owned()
  const other = await owned()
  const name = { name: 'Taken' }
  assertProblem(await company.call('PATCH', path, name), 403, 'permission_denied')
  for (const role of ['admin', 'viewer'] as const)
    assertProblem(await (await person(service, place, role)).about(place)('PATCH', path, name), 403)
  const stranger = await person(service, other.place)
  const refused = await stranger.about(place)('PATCH', path, name)
  assert.ok([403, 404].includes(refused.status), refused.text)
  assert.notEqual((await call('GET', path)).body.name, 'Taken')
})

test('a wrong member is named, an unknown one is refused, and a stale version is 412; nothing is changed', async () => {
  const { call } = await owned()
  const before = await call('GET', path)
  for (const [body, pointer] of [
    [{ name: null }, '/name'],
    [{ name: ' ' }, '/name'],
    [{ currency: 'euro' }, '/currency'],
    [{ timezone: 'Moon/Base' }, '/timezone'],
    [{ country: 'ZZ' }, '/country'],
    [{ address: [] }, '/address'],
    [{ nickname: 'x' }, '/nickname'],
  ] as const) {
    const reply = await call('PATCH', path, body)
    assertProblem(reply, 400)
    assert.deepEqual(
      reply.body.errors.map((error: any) => error.pointer),
      [pointer],
    )
  }
  const stale = { 'if-match': '"0123456789abcdef"' }
  assertProblem(await call('PATCH', path, { name: 'Late' }, stale), 412)
  assert.equal((await call('GET', path)).text, before.text)
  const fresh = { 'if-match': String(before.headers.get('etag')) }
  assert.equal((await call('PATCH', path, { name: 'In time' }, fresh)).status, 200)
})

test('of two owners who change one version at once, one gets 412', async () => {
  const { place, call } = await owned()
  const second = (await person(service, place)).about(place)
  const etag = { 'if-match': String((await call('GET', path)).headers.get('etag')) }
  const replies = await Promise.all([
    call('PATCH', path, { name: 'One' }, etag),
    second('PATCH', path, { name: 'Two' }, etag),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
})

test('a change that is tried first says what it would change, and changes nothing', async () => {
  const { call } = await owned()
  const before = await call('GET', path)
  const tried = await call('PATCH', `${path}?dryRun=true`, { name: 'Tried' })
  assert.deepEqual([tried.status, tried.body.name, tried.headers.get('dry-run')], [200, 'Tried', 'true'])
  assert.equal((await call('GET', path)).text, before.text)
})
