// Companies also share the turns of the event loop: a flood of one company's requests begins a few at a time, so that others' begin in between.

import type { FastifyRequest } from 'fastify'
import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { TenantActivity } from '../../concurrency/tenant-activity.ts'
import { divided } from '../../core/worker-share.ts'

/**
 * How many requests of one company begin in one turn of the event loop while another company is present, and how many
 * wait for a later turn: about half a millisecond's work, so that a flood of requests, even refused ones, delays other
 * companies by no more than that.
 */
const BEGUN_IN_TURN = { name: 'start', atOnce: 64, beside: 8, waiting: divided(10_000, 1_000) } as const

/** Calls `done` when a request may begin: at once while its tenant is alone, and with a problem when its turn comes too late. */
export type FairStart = (tenant: string, request: FastifyRequest, done: (error?: Error) => void) => void

/** Makes the function. The time that a request waits counts towards its deadline. */
export function fairStart(presence: TenantActivity, deadlineMs: number): FairStart {
  const inTurn = fairSemaphore(BEGUN_IN_TURN, presence)
  return (tenant, request, done) => {
    presence.asked(tenant)
    if (tenant === '' || presence.othersMs(tenant) === 0) return done()
    const came = performance.now()
    const isGone = () => request.raw.socket.destroyed || performance.now() - came >= deadlineMs - request.spentMs
    inTurn({ tenant: tenant, isGone }, () => {
      request.spentMs += performance.now() - came
      done()
      return nextTurn()
    }).catch(done)
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
