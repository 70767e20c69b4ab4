// Records that must be created, and reports of sales once they are complete, for tests.
import assert from 'node:assert/strict'
import type { Body } from './contract.ts'
import type { Caller } from './service.ts'

/** A record that a request created. */
export async function made(call: Caller, path: string, body: Body): Promise<Body> {
  const reply = await call('POST', path, body)
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}

/** A report of sales, once it is complete. */
export const report = async (call: Caller, query: string): Promise<Body> => {
  for (;;) {
    const { status, body, text } = await call('GET', `/v1/reports/sales?${query}`)
    assert.equal(status, 200, text)
    if (body.isComplete) return body
  }
}
