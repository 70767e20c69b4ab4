// A second factor that a company requires holds in its organization too: people of an organization can open all of its
// companies. Also what the log says about it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import pino from 'pino'
import { resetPassword, resetSecondFactor } from '../src/features/people/operator.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import { join, newUser, person, signIn } from './support/people.ts'
import { assertProblem } from './support/problem.ts'
import { turnOn } from './support/second-factor.ts'
import { testService } from './support/service.ts'

const lines: string[] = []
const service = testService({ log: pino({}, { write: (line) => void lines.push(line) }) })
const rules = '/v1/sign-in-rules'
const on = { requiresSecondFactor: true }

/** A company that requires a second factor, another one of the same organization, and an owner who has one. */
async function ruled() {
  const owned = { name: 'Acme', ownerEmail: 'owner@example.com' }
  const { organizationId } = await createOrganization(service.database, owned)
  const make = async () => {
    const { companyId } = await createCompany(service.database, { name: 'Shop', currency: 'EUR', organizationId })
    return { companyId }
  }
  const place = await make()
  const sibling = await make()
  const owner = await person(service, place)
  await turnOn(owner)
  assert.equal((await owner.about(place)('PATCH', rules, on)).status, 200)
  return { place, sibling, organization: { organizationId }, owner }
}

const memberId = async (userId: string) =>
  (await service.database.query('select id from members where user_id = $1 limit 1', [userId]))[0]?.[0]

test('without it, people of the organization make no key of the company, change nothing of it, and invite nobody', async () => {
  const { place, sibling, organization } = await ruled()
  const bare = await person(service, organization)
  const call = bare.about(organization)
  const company = `/v1/organization-api/companies/${place.companyId}`
  for (const [method, path, body] of [
    ['POST', `${company}/keys`, { name: 'Back door', permissions: ['read'] }],
    ['PATCH', company, { status: 'suspended' }],
    ['POST', '/v1/organization-api/members', { email: 'mine@people.example', role: 'owner' }],
    ['PATCH', '/v1/organization-api/sign-in-rules', { requiresSecondFactor: false }],
    ['GET', company, undefined],
  ] as const)
    assertProblem(await call(method, path, body), 403, 'second_factor_missing')
  assert.equal((await bare.about(sibling)('GET', '/v1/products')).status, 200)
  await turnOn(bare)
  assert.equal((await call('GET', company)).status, 200)
})

test('without it, an owner makes no link for a person who opens such a company, and adds no such account by id', async () => {
  const { place, sibling, organization } = await ruled()
  const bare = await person(service, organization)
  const both = await newUser(service, sibling, 'admin')
  const other = await newUser(service, sibling, 'admin')
  const link = async ({ id }: { id: string }) => bare.about(sibling)('POST', `/v1/members/${await memberId(id)}/link`)
  assert.equal((await link(other)).status, 201)
  await join(service, both.id, place, 'admin')
  assertProblem(await link(both), 403, 'permission_denied')
  const { id, email } = await newUser(service, place, 'admin')
  const added = bare.about(sibling)('POST', `/v1/members?existing=${id}`, { email, role: 'admin' })
  assertProblem(await added, 409, 'conflict')
})

test('the log says who switched the requirement on or off, and where', async () => {
  const { place, owner } = await ruled()
  const switched = lines.map((line) => JSON.parse(line)).filter(({ companyId }) => companyId === place.companyId)
  assert.deepEqual(
    switched.map(({ userId, msg }) => [userId, msg]),
    [[owner.userId, 'required second factor switched on']],
  )
})

test('a reset by the operator says that one is required, and that the person has none any more', async () => {
  const { place } = await ruled()
  const { email } = await newUser(service, place, 'viewer')
  await turnOn(await signIn(service, email))
  assert.equal((await resetPassword(service.database, email)).lacksFactor, false)
  assert.equal((await resetSecondFactor(service.database, email)).lacksFactor, true)
})

test('after the update, sign-ins of people who had a second factor on before count as made with one, and no others', async () => {
  const { place } = await ruled()
  const protected_ = await person(service, place, 'viewer')
  const without = await person(service, place, 'viewer')
  await turnOn(protected_)
  const file = new URL('../src/database/migrations/0054_required_second_factors.sql', import.meta.url)
  const marking = (await readFile(file, 'utf8')).split(';').find((part) => part.includes('update sign_ins'))
  await service.database.query('update sign_ins set has_second_factor = false')
  await service.database.query(marking as string)
  assert.equal((await protected_.about(place)('GET', '/v1/products')).status, 200)
  assertProblem(await without.about(place)('GET', '/v1/products'), 403, 'second_factor_missing')
})
