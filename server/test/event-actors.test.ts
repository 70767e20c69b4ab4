// Who made a write: each event names the key or the user, in the feed and in calls of webhooks, and never another company's.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Scope } from '../src/core/scope.ts'
import { operations } from '../src/engine/operations.ts'
import { category } from '../src/resources/category.ts'
import type { Body } from './support/contract.ts'
import { person } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.0/8'], webhooks: {} })

const eventsOf = async (call: Caller): Promise<Body[]> => (await call('GET', '/v1/events?limit=100')).body.data

test('events of creates, updates, deletes, bulk and custom events name the key, the user or the operator', async () => {
  const { id: companyId, call } = await service.company()
  const key = await service.keyFor(companyId)
  const browser = await person(service, { companyId })
  const asUser = browser.about({ companyId })
  const write = async (by: Caller, name: string) => {
    const { body, text } = await by('POST', '/v1/category', { name })
    assert.ok(body.id, text)
    await by('PATCH', `/v1/category/${body.id}`, { name: `${name} 2` })
    await by('DELETE', `/v1/category/${body.id}`)
    const { body: bulk } = await by('POST', '/v1/categories', { items: [{ name }] })
    await by('PATCH', '/v1/categories', { items: [{ id: bulk.results[0].data.id, name: `${name} 2` }] })
    await by('POST', '/v1/events/custom', { name: 'shift.ended', data: {} })
  }
  const before = (await eventsOf(call)).length
  await write(key.call, 'by key')
  await write(asUser, 'by user')
  await operations(category, service.database).create({ scope: Scope.grant(companyId), value: { name: 'by operator' } })
  const actors = (await eventsOf(call)).slice(before).map(({ actor }) => actor)
  const six = (actor: object) => Array.from({ length: 6 }, () => actor)
  const [user] = actors.filter(({ type }) => type === 'user')
  assert.match(user.id, /^[0-9a-f]{24}$/)
  assert.deepEqual(actors, [...six({ type: 'key', id: key.id }), ...six(user), { type: 'operator' }])
})

test('events of an onboarding name the key of the organization', async () => {
  const { organizationId, call } = await service.company()
  const { body } = await call('POST', '/v1/organization-api/company/company-workflow/onboard', { name: 'Shop' })
  const [row] = await service.database.query('select id from api_keys where organization_id = $1', [organizationId])
  const actors = await service.database.query('select distinct actor::text from events where company_id = $1', [
    body.id,
  ])
  assert.deepEqual(actors, [[`{"type":"key","id":"${row?.[0]}"}`]])
})

test('calls of webhooks name the actor, with records and without; events from before have none', async () => {
  const { id: companyId, call } = await service.company()
  const key = await service.keyFor(companyId)
  const blind = await service.keyFor(companyId, ['create', 'update'])
  const bodies: Body[] = []
  const { url } = await receiver({ after: (end) => after(end as () => void) }, ({ text }, response) => {
    bodies.push(JSON.parse(text))
    response.writeHead(204).end()
  })
  for (const by of [call, blind.call])
    assert.equal(
      (await by('POST', '/v1/automation-trigger', { triggerType: 'category.*', triggerUrl: url })).status,
      201,
    )
  await key.call('POST', '/v1/category', { name: 'Tea' })
  await until('both calls', () => bodies.length === 2)
  for (const { actor } of bodies) assert.deepEqual(actor, { type: 'key', id: key.id })

  await service.database.query('update events set actor = null where company_id = $1', [companyId])
  for (const event of await eventsOf(call)) assert.ok(!('actor' in event))
})

test('people read the names of their own company’s keys and people, keys none, and nobody those of another company', async () => {
  const company = await service.company()
  const other = await service.company()
  const key = await service.keyFor(company.id)
  await service.keyFor(other.id)
  const viewer = await person(service, { companyId: company.id }, 'viewer')
  const owner = await person(service, { organizationId: company.organizationId })
  await person(service, { companyId: other.id })
  const { status, body } = await viewer.about({ companyId: company.id })('GET', '/v1/console/actors')
  assert.equal(status, 200)
  const named: Body[] = body.data
  assert.deepEqual(
    named
      .filter(({ type }) => type === 'user')
      .map(({ id }) => id)
      .sort(),
    [viewer.userId, owner.userId].sort(),
  )
  const keys = named.filter(({ type }) => type === 'key')
  assert.ok(keys.some(({ id, name }) => id === key.id && typeof name === 'string'))
  const own = await service.database.query(
    'select id, organization_id from api_keys where company_id = $1 or organization_id = $2',
    [company.id, company.organizationId],
  )
  assert.deepEqual(keys.map(({ id }) => id).sort(), own.map(([id]) => id).sort())
  // Addresses, and names of the organization's keys, are for admins, as in the lists of members and keys.
  const admin = await person(service, { companyId: company.id }, 'admin')
  const all: Body[] = (await admin.about({ companyId: company.id })('GET', '/v1/console/actors')).body.data
  assert.ok(all.every(({ name }) => typeof name === 'string'))
  assert.deepEqual(
    named
      .filter(({ name }) => name === undefined)
      .map(({ id }) => id)
      .sort(),
    [viewer.userId, owner.userId, ...own.flatMap(([id, organizationId]) => (organizationId ? [id] : []))].sort(),
  )
  await service.database.query("update api_keys set delete_at = now() - interval '1 minute' where id = $1", [key.id])
  const rest: Body[] = (await admin.about({ companyId: company.id })('GET', '/v1/console/actors')).body.data
  assert.ok(!rest.some(({ id }) => id === key.id))
  await service.database.query('update api_keys set delete_at = null where id = $1', [key.id])
  assertProblem(await key.call('GET', '/v1/console/actors'), 403, 'permission_denied')
  assertProblem(await viewer.about({ companyId: other.id })('GET', '/v1/console/actors'), 404, 'not_found')
})
