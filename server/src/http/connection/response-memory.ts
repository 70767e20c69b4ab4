// The memory budget of responses that clients have not taken yet: counted by company until they are taken, so that clients that do not read never exhaust the memory.
import type { ServerResponse } from 'node:http'
import { memoryBudget } from '../../concurrency/memory-budget.ts'

export interface Answers {
  /**
   * Whether one more response of a tenant may begin; `isShort`: it has at most one record, and fits beside long ones.
   */
  isOpen(tenant: string, isShort: boolean): boolean
  /**
   * Counts a response as this many bytes, in place of its previous count, until the client has taken it or its
   * connection has ended. False when it does not fit.
   */
  hold(tenant: string, bytes: number, isShort: boolean, response: ServerResponse): boolean
  /** The counted part of a response has been taken. */
  free(response: ServerResponse): void
}

/** A budget of bytes for responses, and half as much again for short ones. */
export function answers(bytes: number): Answers {
  const budget = memoryBudget(bytes, 'responses')
  const counted = new WeakMap<ServerResponse, () => void>()
  return {
    isOpen: (tenant, isShort) => budget.has(tenant, 1, isShort),
    hold(tenant, bytes, isShort, response) {
      if (response.closed) return true
      const before = counted.get(response)
      before?.()
      if (!budget.has(tenant, bytes, isShort)) return false
      if (before === undefined) response.once('close', () => counted.get(response)?.())
      counted.set(response, budget.take(tenant, bytes))
      return true
    },
    free: (response) => counted.get(response)?.(),
  }
}
