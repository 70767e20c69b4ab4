// Requests under idempotency keys, and their repetitions, for tests.
import assert from 'node:assert/strict'
import type { Caller, Company, Reply, sharedService } from './service.ts'

/** The header of a key. */
export const under = (key: string) => ({ 'idempotency-key': key })

/** Whether a response is the repetition of an earlier one. */
export const isReplay = ({ headers }: Reply) => headers.get('idempotent-replayed') === 'true'

/** Checks that a response repeats the first one byte by byte. */
export function assertReplay(again: Reply, first: Reply): void {
  assert.deepEqual([again.status, again.text], [first.status, first.text])
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assert.deepEqual([isReplay(first), isReplay(again)], [false, true])
}

/** The callers of companies at the second server of a service. */
export const secondServerOf =
  (service: ReturnType<typeof sharedService>) =>
  async ({ key }: Company): Promise<Caller> =>
    service.caller({ 'x-api-key': key }, (await service.second()).url)
