// What it costs a request to know that its client is gone: asking when its turn comes, or being notified by an AbortSignal.

import { EventEmitter } from 'node:events'
import { median } from './quantile.ts'

const ROUNDS = 15
const REQUESTS = 100_000
const DEADLINE_MS = 9_000

const socket = Object.assign(new EventEmitter(), { destroyed: false }).setMaxListeners(0)

function asked(): boolean {
  const deadline = performance.now() + DEADLINE_MS
  const isGone = () => performance.now() >= deadline || socket.destroyed
  return isGone()
}

function notified(): boolean {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, DEADLINE_MS)
  socket.on('close', abort)
  const isGone = controller.signal.aborted
  clearTimeout(timer)
  socket.off('close', abort)
  return isGone
}

/** Nanoseconds of one request. */
function measure(isGone: () => boolean): number {
  const begun = performance.now()
  for (let n = 0; n < REQUESTS; n++) if (isGone()) throw new Error('No client of this bench leaves.')
  return ((performance.now() - begun) / REQUESTS) * 1e6
}

const rounds = Array.from({ length: ROUNDS }, () => [measure(asked), measure(notified)] as const)
const ns = (values: number[]) => `${Math.round(median(values))} ns`
console.log(
  `isGone: ${ns(rounds.map(([asked]) => asked))}, AbortSignal: ${ns(rounds.map(([, notified]) => notified))} a request`,
)
