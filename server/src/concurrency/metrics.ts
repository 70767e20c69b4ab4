// What queues, batches and memory budgets report about themselves, for all companies together.
import { gauge, histogram } from '../metrics/instruments.ts'

/** Requests that wait, by the queue that they are in. */
export const waitingRequests = gauge({
  name: 'cashwrap_queue_waiting',
  help: 'Requests, or parts of requests, that wait for their turn, by queue.',
  labels: ['queue'],
})

/** Sizes of batches: powers of two up to the largest batch. */
export const batchItems = histogram(
  {
    name: 'cashwrap_batch_items',
    help: 'Concurrent single operations that one statement carried out together.',
  },
  [1, 2, 4, 8, 16, 32, 64, 128],
).of()

/** Bytes that memory budgets count, and how many there may be. */
export const memoryInUse = gauge({
  name: 'cashwrap_memory_budget_used_bytes',
  help: 'Bytes that a memory budget counts at the moment.',
  labels: ['budget'],
})
export const memoryLimits = gauge({
  name: 'cashwrap_memory_budget_limit_bytes',
  help: 'Bytes that a memory budget has; small items may take half as much again.',
  labels: ['budget'],
})
