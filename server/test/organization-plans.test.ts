// Plans of an organization: they are created, changed and deactivated, one is the default, and no organization can
// change shared ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Queryable } from '../src/database/connect.ts'
import { changePlan } from '../src/features/tenants/plans.ts'
import { sessions } from './support/nodes.ts'
import { names, onboard, organizationsOf, root } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { type Reply, sharedService } from './support/service.ts'

const service = sharedService()
const { organization, onboarded } = organizationsOf(service)

test('plans are created, listed, read, changed and deactivated; a company keeps its plan when it is deactivated', async () => {
  const { call, planId, id: organizationId } = await organization()
  const limits = { users: 5, outlets: 0, products: 1_000_000_000 }
  const made = await call('POST', `${root}/plans`, { name: 'Small', limits })
  assert.equal(made.status, 201)
  const { id, createdAt } = made.body
  assert.deepEqual(made.body, {
    id,
    organizationId,
    name: 'Small',
    limits,
    status: 'active',
    isDefault: false,
    createdAt,
    updatedAt: createdAt,
  })
  const path = `${root}/plans/${id}`
  const read = await call('GET', path)
  assert.deepEqual([read.text, read.headers.get('etag')], [made.text, made.headers.get('etag')])
  assert.equal((await call('PATCH', path, read.body)).text, read.text)
  const company = await onboarded(call, { planId: (await call('POST', `${root}/plans`, { name: 'Big' })).body.id })
  const changed = await call('PATCH', `${root}/plans/${company.planId}`, {
    status: 'inactive',
    limits: { stations: 3 },
  })
  assert.deepEqual([changed.body.status, changed.body.limits], ['inactive', { stations: 3 }])
  assert.equal((await call('GET', `${root}/companies/${company.id}`)).body.planId, company.planId)
  assert.equal((await call('PATCH', `${root}/companies/${company.id}`, { name: 'Still' })).status, 200)
  assertProblem(await call('POST', onboard, { name: 'a', planId: company.planId }), 400, 'validation_failed')
  assert.deepEqual(
    (await call('PATCH', `${root}/plans/${company.planId}`, { limits: null, status: null })).body.limits,
    {},
  )
  assert.deepEqual(names(await call('GET', `${root}/plans?sortBy=name`)), ['Big', 'Small', 'Unlimited'])
  assert.equal((await call('GET', `${root}/plans?status=inactive`)).body.meta.count, 0)
  assert.deepEqual((await call('GET', `${root}/plans/${planId}`)).body.limits, {})
  assertProblem(await call('PATCH', path, { name: 'a' }, { 'if-match': '"x"' }), 412, 'version_mismatch')
})

test('no company gets a plan that is deactivated at the same moment, as the named, changed or default plan', async () => {
  const { call, id, planId: first } = await organization()
  const company = await onboarded(call)
  /** A request during an uncommitted change of plans is answered after the commit. */
  async function during(change: (transaction: Queryable) => Promise<unknown>, ask: () => Promise<Reply>) {
    let isAnswered = false
    const { reply } = await service.database.transaction(async (transaction) => {
      await change(transaction)
      const reply = ask().finally(() => {
        isAnswered = true
      })
      for (let waiting = 0; waiting === 0 && !isAnswered; )
        waiting = (
          await service.database.query(
            `select from ${sessions} where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length
      return { reply }
    })
    return reply
  }
  const off = (planId: string) => (transaction: Queryable) =>
    changePlan(transaction, id, planId, { status: 'inactive' })
  const made = async () => (await call('POST', `${root}/plans`, { name: 'Off' })).body.id
  const one = await made()
  const two = await made()
  const next = await made()
  const named = await during(off(one), () => call('POST', onboard, { name: 'Shop', planId: one }))
  assertProblem(named, 400, 'validation_failed')
  const path = `${root}/companies/${company.id}`
  assertProblem(await during(off(two), () => call('PATCH', path, { planId: two })), 400, 'validation_failed')
  const change = async (transaction: Queryable) => {
    await changePlan(transaction, id, next, { isDefault: true })
    await off(first)(transaction)
  }
  const unnamed = await during(change, () => call('POST', onboard, { name: 'Shop' }))
  assert.equal(unnamed.status, 200, unnamed.text)
  assert.equal((await call('GET', `${root}/companies/${unnamed.body.id}`)).body.planId, next)
})

test('an invalid plan is refused, also a misspelt limit, with a suggestion', async () => {
  const { call } = await organization()
  for (const [body, pointer] of [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'a', limits: { outlets: -1 } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: 1.5 } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: '1' } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: null } }, '/limits/outlets'],
    [{ name: 'a', limits: { outlets: 1e10 } }, '/limits/outlets'],
    [{ name: 'a', limits: [] }, '/limits'],
    [{ name: 'a', limits: { outlet: 1 } }, '/limits/outlet'],
    [{ name: 'a', status: 'off' }, '/status'],
    [{ name: 'a', isDefault: 'yes' }, '/isDefault'],
    [{ name: 'a', price: 1 }, '/price'],
  ] as const) {
    const refused = assertProblem(
      await call('POST', `${root}/plans`, body),
      400,
      'validation_failed',
      JSON.stringify(body),
    )
    assert.equal(refused.errors[0].pointer, pointer)
    if (pointer === '/limits/outlet') assert.match(refused.message, /did you mean outlets\?/)
  }
  assert.equal((await call('GET', `${root}/plans`)).body.meta.count, 1)
})

test('an organization has one default plan, which is active, under any concurrent changes', async () => {
  const { call, planId } = await organization()
  const make = (body: object) => call('POST', `${root}/plans`, { name: 'Plan', ...body })
  const first = `${root}/plans/${planId}`
  for (const [member, value] of Object.entries({ status: 'inactive', isDefault: false })) {
    const { errors } = assertProblem(await call('PATCH', first, { [member]: value }), 409, 'conflict')
    assert.equal(errors[0].pointer, `/${member}`)
  }
  assertProblem(await call('PATCH', first, { isDefault: null }), 409, 'conflict')
  assertProblem(await make({ isDefault: true, status: 'inactive' }), 409, 'conflict')
  const ids: string[] = [planId]
  for (let n = 0; n < 6; n++) ids.push((await make({})).body.id)
  const replies = await Promise.all([
    ...ids.map((id) => call('PATCH', `${root}/plans/${id}`, { isDefault: true })),
    ...Array.from({ length: 4 }, () => make({ isDefault: true })),
    ...Array.from({ length: 4 }, () => onboarded(call)),
  ])
  for (const reply of replies.slice(0, -4)) assert.ok(reply.status < 300, reply.text)
  const all = (await call('GET', `${root}/plans`)).body.data
  assert.equal(all.length, 11)
  const [own, ...others] = all.filter(({ isDefault }: any) => isDefault)
  assert.deepEqual([own.status, others], ['active', []])
  assert.equal((await onboarded(call)).planId, own.id)
  if (own.id !== planId) assert.equal((await call('PATCH', first, { status: 'inactive' })).status, 200)
})

test('a shared plan can be seen and used by each organization, and changed by none', async () => {
  const { call, id: organizationId } = await organization()
  const id = '00000000000000000000aaaa'
  await service.database.query(
    "insert into plans (id, organization_id, name, created_at, updated_at) values ($1, null, 'Shared', now(), now())",
    [id],
  )
  const { body } = await call('GET', `${root}/plans/${id}`)
  assert.deepEqual([body.name, 'organizationId' in body], ['Shared', false])
  assert.ok(names(await call('GET', `${root}/plans`)).includes('Shared'))
  assert.equal((await onboarded(call, { planId: id })).planId, id)
  assertProblem(await call('PATCH', `${root}/plans/${id}`, { name: 'Mine' }), 403, 'permission_denied')
  assert.equal((await call('GET', `${root}/plans/${id}`)).body.name, 'Shared')
  // Other files share the service, and their lists of plans would have it.
  await service.database.query('update plans set organization_id = $2 where id = $1', [id, organizationId])
})
