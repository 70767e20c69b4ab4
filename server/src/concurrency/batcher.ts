// Batches concurrent single operations into one statement. While some run, new ones wait together, so a busy server runs few large statements instead of many small ones.

import { busy } from '../core/problem.ts'
import {
  BATCH_ITEMS,
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
import { type FairQueue, fairQueue } from './fair-queue.ts'
import { waitingRequests } from './metrics.ts'
import { companyActivity, type TenantActivity } from './tenant-activity.ts'
import { type TenantShare, tenantShare } from './tenant-share.ts'

/**
 * Items of a company that share statements with other companies; with more waiting, it gets statements of its own, so
 * that no other company waits for them.
 */
const BATCH_FEW = 8

/**
 * Runs in progress if each run is of one company: in all, and of one company. A company whose node does not answer thus
 * leaves places to others.
 */
const COMPANY_STATEMENTS = { atOnce: 4 * BATCH_STATEMENTS, each: BATCH_STATEMENTS, beside: BATCH_STATEMENTS }

/** Which companies are present; by default those of this process. */
export interface BatcherOptions {
  readonly presence?: TenantActivity
}

/** Options of a batcher of all companies. */
interface SharedBatcherOptions extends BatcherOptions {
  /** Whether a run has items of one company only, since a statement can name no more. */
  readonly isByCompany?: boolean
  /**
   * Whether an item that finds no run in progress, after a run of one item, does not wait for others of this turn of the
   * event loop. For reads: of writes, those that are refused without a statement cost less if they are answered together.
   */
  readonly isAtOnce?: boolean
}

/**
 * Makes a function of one item from a function of many. Items that arrive in one turn of the event loop, or while
 * `BATCH_STATEMENTS` runs are in progress, run together; each caller gets the result of its own item, which may
 * still be a promise. When a run throws, all its items are rejected. Companies take turns. A company with many waiting
 * items has runs of its own, which take at most half of the places while another company is present (`presence`); with
 * `isByCompany` every company has.
 * Rejects with 503 `unavailable` at once when the queue is full, and at an item's turn when its client no longer waits:
 * then nothing was done.
 */
export function batcher<Item extends BatchItem, Result>(
  run: RunBatch<Item, Result>,
  { presence = companyActivity, isByCompany = false, isAtOnce = false }: SharedBatcherOptions = {},
): (item: Item) => Promise<Result> {
  const queue = new BatchQueue(run, { presence, isByCompany, isAtOnce })
  return (item) => new Promise((resolve, reject) => queue.push(waitingItem(item, resolve, reject)))
}

/** The items of one run. */
interface NextBatch<Item extends BatchItem, Result> {
  readonly batch: WaitingItem<Item, Result>[]
  /** The company whose run it is; undefined if several companies share it. */
  readonly owner: string | undefined
  /** No waiting item may run now. An empty batch of a company means that all its clients have gone. */
  readonly isNone: boolean
}

/** The items that wait, and the runs in progress. */
class BatchQueue<Item extends BatchItem, Result> {
  readonly #run: RunBatch<Item, Result>
  readonly #presence: TenantActivity
  readonly #waiting: FairQueue<WaitingItem<Item, Result>>
  /** The places of companies that have runs of their own. */
  readonly #places: TenantShare
  readonly #isByCompany: boolean
  readonly #isAtOnce: boolean
  readonly #atOnce: number
  #running = 0
  #isScheduled = false
  /** Whether the last run had several items; the next one may have several too. */
  #wasShared = false

  constructor(run: RunBatch<Item, Result>, options: Required<SharedBatcherOptions>) {
    const { presence, isByCompany, isAtOnce } = options
    const bounds = isByCompany ? COMPANY_STATEMENTS : { atOnce: BATCH_STATEMENTS }
    this.#run = run
    this.#presence = presence
    this.#isByCompany = isByCompany
    this.#isAtOnce = isAtOnce
    this.#atOnce = bounds.atOnce
    this.#waiting = fairQueue(BATCH_WAITING, waitingRequests.of('batcher'))
    this.#places = tenantShare(bounds, presence)
  }

  /** Adds an item, and starts a run if one may start: after this turn of the event loop, or after the running code (`isAtOnce`). */
  push(waiting: WaitingItem<Item, Result>): void {
    const { companyId } = waiting.item.scope
    this.#presence.asked(companyId)
    if (!this.#waiting.push(companyId, waiting)) {
      waiting.reject(busy())
      return
    }
    if (this.#isScheduled || this.#running >= this.#atOnce) return
    this.#isScheduled = true
    if (this.#isAtOnce && this.#running === 0 && !this.#wasShared) process.nextTick(this.#start)
    else setImmediate(this.#start)
  }

  readonly #start = (): void => {
    this.#isScheduled = false
    while (this.#running < this.#atOnce) {
      const { batch, owner, isNone } = this.#nextBatch()
      if (isNone) {
        this.#places.onceAlone(this.#start)
        return
      }
      if (batch.length === 0) continue
      this.#running++
      this.#wasShared = batch.length > 1
      if (owner !== undefined) this.#places.take(owner)
      runBatch(this.#run, batch).finally(() => {
        this.#running--
        if (owner !== undefined) this.#places.giveBack(owner)
        this.#start()
      })
    }
  }

  /** The items of the next run: of one company with many waiting items, or of all those with few. */
  #nextBatch(): NextBatch<Item, Result> {
    const waiting = this.#waiting
    let owner: string | undefined
    let isOwn = false
    let isMixed = false
    const mayGo = ({ item }: WaitingItem<Item, Result>) => {
      const { companyId } = item.scope
      if (companyId === owner) return true
      return !isOwn && (owner === undefined || waiting.lengthOf(companyId) <= BATCH_FEW) && this.#mayTake(companyId)
    }
    const take = () => {
      const next = waiting.take(mayGo)
      if (next === undefined) return undefined
      const { companyId } = next.item.scope
      if (owner === undefined) {
        owner = companyId
        // Including the item that was just taken.
        isOwn = this.#isByCompany || waiting.lengthOf(companyId) >= BATCH_FEW
      } else isMixed ||= companyId !== owner
      return next
    }
    const batch = takeBatch(take, () => (isOwn ? maxItems(owner as string, this.#presence) : BATCH_ITEMS))
    return { batch, owner: isMixed ? undefined : owner, isNone: owner === undefined }
  }

  #mayTake(company: string): boolean {
    return this.#places.mayTake(company, this.#waiting.size > this.#waiting.lengthOf(company))
  }
}
