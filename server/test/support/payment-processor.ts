// Servers with Stripe’s double for tests, and whether a company is exactly one customer there.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type Connection, connect, type Database } from '../../src/database/connect.ts'
import type { ProcessorCustomer } from '../../src/features/payment-processor/customers.ts'
import { createCompany, createOrganization, readCompany } from '../../src/features/tenants/tenants.ts'
import { type ServiceSettings, startService } from '../../src/service.ts'
import { copyDatabase } from './database.ts'
import { until } from './program.ts'
import { testSettings } from './service.ts'
import { type StripeDouble, stripeDouble } from './stripe-double.ts'

/** The key of Stripe that the servers have. */
export const secretKey = 'sk_test_a_key_that_nobody_may_see_51Hx'

/** What lives as long as a test, or the file. */
type Lived = Pick<TestContext, 'after'>

/** A database of the test's own. */
export async function ownDatabase(t: Lived): Promise<Connection> {
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  return connection
}

/** A server with Stripe's double, which retries at once; `timeoutMs` for a call. */
export async function started(
  t: Lived,
  { timeoutMs, ...settings }: Partial<ServiceSettings> & { timeoutMs?: number } = {},
  connection?: Connection,
) {
  const double = await stripeDouble(t)
  const registering = { pauseMs: () => 0 }
  const stripe = { secretKey, apiBase: double.url, timeoutMs }
  const service = await startService(connection ?? (await ownDatabase(t)), {
    ...testSettings,
    stripe,
    registering,
    ...settings,
  })
  t.after(() => service.close())
  return { double, database: service.database }
}

/** Does something in a database that no server has open. */
export async function unserved<T>(connection: Connection, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(connection, { size: 1 })
  return work(database).finally(() => database.close())
}

/** The id of a new company. */
export async function newCompany(database: Database): Promise<string> {
  const { organizationId } = await createOrganization(database, { name: 'Test' })
  const { companyId } = await createCompany(database, { name: 'Söhne & Co', currency: 'EUR', organizationId })
  return companyId
}

/** What is known of a company’s customer. */
export const standing = async (database: Database, companyId: string): Promise<ProcessorCustomer> => {
  const { paymentCustomer } = await readCompany(database, companyId)
  assert.ok(paymentCustomer, 'the company is registered')
  return paymentCustomer
}

/** Resolves once a company has a customer. */
export const done = (database: Database, companyId: string) =>
  until('the customer is there', async () => (await readCompany(database, companyId)).paymentCustomer?.state === 'done')

/** Checks that the one customer of a company at the double is the one that we know of. */
export async function assertOne(double: StripeDouble, database: Database, companyId: string): Promise<void> {
  await done(database, companyId)
  const own = double.customers.filter(({ metadata }) => metadata.company_id === companyId)
  assert.equal(own.length, 1)
  const { customerId, processor, lastError } = await standing(database, companyId)
  assert.deepEqual([customerId, processor, lastError], [own[0]?.id, 'stripe', undefined])
}
