// Companies with limits of a plan of their own, for tests, and how a limit refuses.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { newId } from '../../src/core/ids.ts'
import { limitsChanged } from '../../src/features/plan-limits/plan-limits.ts'
import { startService } from '../../src/service.ts'
import { succeeded } from './custom-tables.ts'
import { testConnection } from './database.ts'
import { assertProblem } from './problem.ts'
import { type Company, type Reply, type TestService, testSettings } from './service.ts'

/** Fails unless a create was refused by a limit. */
export const refusal = (reply: Reply, name: string, limit: number, count: number) => {
  assertProblem(reply, 403, 'plan_limit')
  const [error] = reply.body.errors
  assert.deepEqual(
    { ...error, message: undefined },
    { in: 'body', pointer: '', code: 'plan_limit', resource: name, limit, count, message: undefined },
  )
}

/** How many records of a kind a company has. */
export const count = async (company: Company, many: string) =>
  succeeded(await company.call('GET', `/v1/${many}?limit=1`)).meta.count

/** What limits companies of a service. */
export function limitsOn(service: Pick<TestService, 'database' | 'company' | 'caller'>) {
  /** Sets a company's limits, with a plan of its own; every server is notified. */
  async function limit(company: Company, limits: object): Promise<void> {
    await service.database.transaction(async (transaction) => {
      const planId = newId()
      await transaction.query(
        `insert into plans (id, organization_id, name, limits, created_at, updated_at) values ($1, $2, 'Small', $3, now(), now())`,
        [planId, company.organizationId, JSON.stringify(limits)],
      )
      await transaction.query('update companies set plan_id = $2 where id = $1', [company.id, planId])
      await limitsChanged(transaction)
    })
  }

  /** A new company with limits. */
  async function limitedCompany(limits: object): Promise<Company> {
    const company = await service.company()
    await limit(company, limits)
    return company
  }

  /** A second server on the same database. */
  async function secondServer(t: TestContext, { key }: Company) {
    const [row] = await service.database.query('select current_database()')
    const second = await startService({ ...testConnection(), database: row?.[0] }, testSettings)
    t.after(() => second.close())
    return service.caller({ 'x-api-key': key }, second.url)
  }

  return { limit, limitedCompany, secondServer }
}
