// A company that is onboarded on a plan is limited by it from the first moment, and by changes of the plan at once, on every server (decisions §10).
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { startService } from '../src/service.ts'
import { testConnection } from './support/database.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { type Caller, type Reply, sharedService, testSettings } from './support/service.ts'

const service = sharedService()
const root = '/v1/organization-api'

/** An organization and two servers. `made` returns the record that its key creates, `shop` a company's callers. */
async function twoServers(t: TestContext) {
  const [row] = await service.database.query('select current_database()')
  const second = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
  t.after(() => second.close())
  const urls = [service.url, second.url]
  const { apiKey } = await createOrganization(service.database, { name: 'Chain', ownerEmail: 'boss@chain.example' })
  const [organization, elsewhere] = urls.map((url) => service.caller({ 'x-org-api-key': apiKey }, url)) as Two
  const made = async (path: string, body: object) => {
    const reply = await organization('POST', root + path, body)
    assert.ok(reply.status === 200 || reply.status === 201, reply.text)
    return reply.body
  }
  const shop = async (body: object) => {
    const { id } = await made('/company/company-workflow/onboard', { name: 'Shop', ...body })
    const { apiKey: key } = await made(`/companies/${id}/keys`, { name: 'Till', permissions: ['read', 'create'] })
    const [here, there] = urls.map((url) => service.caller({ 'x-api-key': key }, url)) as Two
    return { id, here, there }
  }
  return { organization, elsewhere, made, shop }
}
type Two = [Caller, Caller]

const outlet = (call: Caller) => call('POST', '/v1/outlet', { name: 'Another' })
const count = async (call: Caller) => (await call('GET', '/v1/outlets')).body.meta.count

function assertRefused(reply: Reply, limit: number, count: number): void {
  const [error] = assertProblem(reply, 403, 'plan_limit').errors
  assert.deepEqual([error.resource, error.limit, error.count], ['outlets', limit, count])
}

test('a company onboarded on a plan with one outlet gets it, and no second one singly, in bulk or in either style, on either server', async (t) => {
  const { made, shop } = await twoServers(t)
  const { id: planId } = await made('/plans', { name: 'Small', limits: { outlets: 1, users: 1 } })
  const { here, there } = await shop({ planId })
  for (const call of [here, there]) {
    assertRefused(await outlet(call), 1, 1)
    assertRefused(await call('POST', '/v1/api/outlet', { name: 'Another' }), 1, 1)
    const { results } = (await call('POST', '/v1/outlets', [{ name: 'a' }, { name: 'b' }])).body
    assert.deepEqual(
      results.map(({ error }: any) => error.code),
      ['plan_limit', 'plan_limit'],
    )
    // Its account is the one user that the plan allows.
    assertProblem(await call('POST', '/v1/account', { email: 'second@shop.example' }), 403, 'plan_limit')
    assert.equal(await count(call), 1)
  }
})

test('a company’s first records are created even on a plan that allows none of them, and count', async (t) => {
  const { made, shop } = await twoServers(t)
  await made('/plans', { name: 'Nothing', limits: { outlets: 0, users: 0 }, isDefault: true })
  const { here, there } = await shop({})
  for (const call of [here, there]) {
    assertRefused(await outlet(call), 0, 1)
    assert.equal((await call('GET', '/v1/accounts')).body.meta.count, 1)
  }
})

test('changed limits, and another plan of the company, apply at once on both servers, a new limit as soon as they are notified', async (t) => {
  const { organization, elsewhere, made, shop } = await twoServers(t)
  const { id: small } = await made('/plans', { name: 'Small', limits: { outlets: 1 } })
  const { id: large } = await made('/plans', { name: 'Large', limits: { outlets: 3 } })
  const { id: free } = await made('/plans', { name: 'Free' })
  const { id, here, there } = await shop({ planId: small })
  const changed = async (call: Caller, path: string, body: object) =>
    assert.equal((await call('PATCH', root + path, body)).status, 200)
  // Both have cached the company.
  for (const call of [here, there]) assertRefused(await outlet(call), 1, 1)

  await changed(organization, `/plans/${small}`, { limits: { outlets: 2 } })
  assert.equal((await outlet(there)).status, 201)
  for (const call of [here, there]) assertRefused(await outlet(call), 2, 2)

  await changed(elsewhere, `/companies/${id}`, { planId: large })
  assert.equal((await outlet(here)).status, 201)
  for (const call of [there, here]) assertRefused(await outlet(call), 3, 3)

  await changed(organization, `/companies/${id}`, { planId: small })
  for (const call of [there, here]) assertRefused(await outlet(call), 2, 3)

  await changed(organization, `/companies/${id}`, { planId: free })
  for (const call of [there, here, there, here]) assert.equal((await outlet(call)).status, 201)

  // A server with a cached absence of a limit learns of it from a notification that is sent while the change is answered.
  const both = (reply: Caller[]) => Promise.all(reply.map(async (call) => (await outlet(call)).status === 403))
  await changed(elsewhere, `/companies/${id}`, { planId: small })
  await until('both servers have heard of the plan', async () => !(await both([here, there])).includes(false))
  const present = await count(here)
  for (const call of [there, here]) assertRefused(await outlet(call), 2, present)

  await changed(organization, `/plans/${small}`, { limits: {} })
  for (const call of [there, here, there, here]) assert.equal((await outlet(call)).status, 201)
  await changed(organization, `/plans/${small}`, { limits: { outlets: 5 } })
  await until('both servers have heard of the limit', async () => !(await both([here, there])).includes(false))
  assertRefused(await outlet(there), 5, await count(here))
})

test('the server that answers a change of a plan, or of a company’s plan, applies it to the very next create', async (t) => {
  const { organization, made, shop } = await twoServers(t)
  const plan = await made('/plans', { name: 'Changing' })
  const none = await made('/plans', { name: 'None', limits: { outlets: 0 } })
  const { id, here } = await shop({ planId: plan.id })
  const change = async (path: string, body: object) => {
    const reply = await organization('PATCH', root + path, body)
    assert.equal(reply.status, 200, reply.text)
    return outlet(here)
  }
  for (let n = 0; n < 60; n++) {
    assertProblem(await change(`/plans/${plan.id}`, { limits: { outlets: 0 } }), 403, 'plan_limit', `round ${n}`)
    assert.equal((await change(`/plans/${plan.id}`, { limits: null })).status, 201)
    assert.equal((await outlet(here)).status, 201)
    assertProblem(await change(`/companies/${id}`, { planId: none.id }), 403, 'plan_limit', `round ${n}`)
    assert.equal((await change(`/companies/${id}`, { planId: plan.id })).status, 201)
    assert.equal((await outlet(here)).status, 201)
  }
})
