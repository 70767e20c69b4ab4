// Companies are onboarded while servers are killed: each client’s retry ends with one complete company, and no partial one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFindings } from '../../faults/findings.ts'
import { onboardThroughKills, settingsFor } from '../../faults/onboarding.ts'
import { checkOnboarded } from '../../faults/onboarding-check.ts'
import { startServers } from '../../faults/servers.ts'
import { connect } from '../../src/database/connect.ts'
import { copyDatabase } from '../support/database.ts'
import { urlOf } from '../support/program.ts'
import { type DoubleCustomer, stripeDouble } from '../support/stripe-double.ts'

test('sixty companies onboarded by eight clients through three kills each exist once, complete, with one customer, and replay the same response', async (t) => {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const database = connect(connection, { size: 2 })
  t.after(() => database.close())
  const processor = await stripeDouble(t)
  const servers = await startServers(t, { DATABASE_URL: urlOf(connection), ...settingsFor(processor) })
  const size = { companies: 60, clients: 8, kills: 3, waitsForLeases: false, withinMs: Number.POSITIVE_INFINITY }
  const scene = { database, servers, processor, seed: 1, withoutKeys: false, ...size }
  const { findings, works, seen } = await onboardThroughKills(scene)
  assert.deepEqual(findings, noFindings())
  assert.equal(works.length, 60)
  assert.ok(seen.broken > 0)

  // The check can fail.
  const [organization] = await database.query("select id from organizations where name = 'Platform'")
  const organizationId = organization?.[0]
  const { customers } = processor
  const found = async () => {
    const found = noFindings()
    await checkOnboarded(found, { database, organizationId, works: works as never, customers })
    return Object.values(found).map(({ length }) => length)
  }
  const { id } = JSON.parse(works[0]?.answer?.text ?? '')
  const second = { ...(customers.find(({ metadata }) => metadata.company_id === id) as DoubleCustomer), id: 'cus_2' }
  customers.push(second)
  assert.deepEqual(await found(), [0, 1, 0, 0])
  customers.splice(customers.indexOf(second), 1)
  const stranger = { ...second, metadata: { company_id: 'nobody' } }
  customers.push(stranger)
  assert.deepEqual(await found(), [0, 0, 0, 1])
  customers.splice(customers.indexOf(stranger), 1)
  await database.query('delete from roles where company_id = $1', [id])
  assert.deepEqual(await found(), [0, 0, 1, 0])
  const { id: lost } = JSON.parse(works[1]?.answer?.text ?? '')
  await database.query("update companies set name = 'Nobody' where id = $1", [lost])
  assert.deepEqual(await found(), [1, 0, 1, 1])
  const { id: doubled } = JSON.parse(works[2]?.answer?.text ?? '')
  await database.query(
    `insert into companies (id, organization_id, name, created_at, updated_at)
     select reverse(id), organization_id, name, created_at, updated_at from companies where id = $1`,
    [doubled],
  )
  assert.deepEqual(await found(), [1, 1, 2, 2])
})
