// Exports that are asked for over the API and waited for.
import assert from 'node:assert/strict'
import type { Route } from '../../src/http/route.ts'
import type { Body } from './contract.ts'
import { until } from './program.ts'
import type { Caller, Reply } from './service.ts'

/** Waits until an export has ended, and returns it. */
export async function exportEnded(call: Caller, id: string): Promise<Body> {
  let job: Body = {}
  await until('the export has ended', async () => {
    job = (await call('GET', `/v1/exports/${id}`)).body
    return job.state !== 'running'
  })
  return job
}

/** Asks for an export, and returns its id once it is done. */
export async function exportDone(call: Caller): Promise<string> {
  const { status, body, text } = await call('POST', '/v1/exports')
  assert.equal(status, 201, text)
  const { state, problem } = await exportEnded(call, body.id)
  assert.equal(state, 'done', problem)
  return body.id
}

/** True of the routes of exports. */
export const isOfExports = ({ path }: Pick<Route, 'path'>): boolean => path.startsWith('/v1/exports')

/** The response of a route to a request that succeeds. */
export async function exportSuccess(call: Caller, { method, path }: Route): Promise<Reply> {
  if (method === 'POST') return call(method, path)
  return call(method, path.replace('{id}', await exportDone(call)))
}
