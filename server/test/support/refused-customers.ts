// Bodies of customers that the service refuses: the problem that it returns, and that nothing of them is stored.
import assert from 'node:assert/strict'
import type { Body } from './contract.ts'
import { assertProblem } from './problem.ts'
import type { Company } from './service.ts'

/** The problem that a create of a customer returns. */
export async function refusedCustomer({ call }: Company, body: unknown, code = 'validation_failed'): Promise<Body> {
  const about = typeof body === 'string' ? body.slice(0, 100) : JSON.stringify(body).slice(0, 100)
  return assertProblem(await call('POST', '/v1/customer', body), 400, code, about)
}

/** Checks that the company has no customer. */
export async function assertNoCustomer({ call }: Company): Promise<void> {
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 0)
}
