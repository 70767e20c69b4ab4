// Batches operations that may wait for locked rows, by company: a waiting company never blocks another.

import { busy } from '../core/problem.ts'
import {
  BATCH_STATEMENTS,
  BATCH_WAITING,
  type BatchItem,
  maxItems,
  type RunBatch,
  runBatch,
  takeBatch,
  type WaitingItem,
  waitingItem,
} from './batch.ts'
import type { BatcherOptions } from './batcher.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { waitingRequests } from './metrics.ts'
import { companyActivity, type TenantActivity } from './tenant-activity.ts'

/**
 * Makes a batcher for work that may wait for locked rows. The rows may be locked by another request of the same
 * company, so items of one company run together, `BATCH_STATEMENTS` runs at once, and all runs take turns in
 * `semaphore`. Rejects with 503 `unavailable` when `BATCH_WAITING` items wait, half of them of one company.
 */
export function tenantBatcher<Item extends BatchItem, Result>(
  run: RunBatch<Item, Result>,
  semaphore: FairSemaphore,
  { presence = companyActivity }: BatcherOptions = {},
): (item: Item) => Promise<Result> {
  const queues = new TenantQueues(run, semaphore, presence)
  return (item) => new Promise((resolve, reject) => queues.push(waitingItem(item, resolve, reject)))
}

/** The items of one company that wait, and its runs that are in progress or about to begin. */
interface TenantQueue<Item extends BatchItem, Result> {
  readonly waiting: WaitingItem<Item, Result>[]
  running: number
}

/** Items that wait in all batchers of this kind. */
const waitingItems = waitingRequests.of('tenant_batcher')

/** The queues of all companies that have waiting items or runs. */
class TenantQueues<Item extends BatchItem, Result> {
  readonly #run: RunBatch<Item, Result>
  readonly #semaphore: FairSemaphore
  readonly #presence: TenantActivity
  readonly #queues = new Map<string, TenantQueue<Item, Result>>()
  /** Items that wait, of all companies. */
  #size = 0

  constructor(run: RunBatch<Item, Result>, semaphore: FairSemaphore, presence: TenantActivity) {
    this.#run = run
    this.#semaphore = semaphore
    this.#presence = presence
  }

  /** Adds an item, and starts a run after this turn of the event loop unless enough are in progress. */
  push(item: WaitingItem<Item, Result>): void {
    const company = item.item.scope.companyId
    this.#presence.asked(company)
    const own = this.#queues.get(company) ?? { waiting: [], running: 0 }
    // The first item of a company is always accepted: the semaphore bounds how many of those wait.
    if (own.waiting.length >= (this.#size < BATCH_WAITING ? BATCH_WAITING / 2 : 1)) {
      item.reject(busy())
      return
    }
    this.#resize(1)
    own.waiting.push(item)
    this.#queues.set(company, own)
    if (own.running === BATCH_STATEMENTS) return
    own.running++
    // Items of the same turn of the event loop join the run.
    setImmediate(() => this.#runAll(company, own))
  }

  #resize(by: 1 | -1): void {
    this.#size += by
    waitingItems.value += by
  }

  /** Runs batches of a company until none of its items waits. */
  async #runAll(company: string, own: TenantQueue<Item, Result>): Promise<void> {
    const { waiting } = own
    const waiter = { tenant: company, isGone: () => waiting.length > 0 && waiting.every(({ isGone }) => isGone()) }
    while (waiting.length > 0)
      await this.#semaphore(waiter, () => runBatch(this.#run, this.#takeBatch(company, waiting))).catch((reason) => {
        for (const { reject } of waiting.splice(0)) {
          reject(reason)
          this.#resize(-1)
        }
      })
    own.running--
    if (own.running === 0) this.#queues.delete(company)
  }

  #takeBatch(company: string, waiting: WaitingItem<Item, Result>[]): WaitingItem<Item, Result>[] {
    const take = () => {
      if (waiting.length > 0) this.#resize(-1)
      return waiting.shift()
    }
    return takeBatch(take, () => maxItems(company, this.#presence))
  }
}
