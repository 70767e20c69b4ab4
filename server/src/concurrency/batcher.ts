// Batches concurrent single operations into one statement. While some run, new ones wait together, so a busy server runs few large statements instead of many small ones.

import {
  GATHERED_FEW,
  GATHERED_ITEMS,
  GATHERED_ITEMS_BESIDE,
  GATHERED_STATEMENTS,
  GATHERED_WAITING,
  REQUEST_DEADLINE_MS,
} from '../core/limits.ts'
import { busy, late } from '../core/problem.ts'
import { fairQueue } from './fair-queue.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { companyActivity, type TenantActivity } from './tenant-activity.ts'
import { tenantShare } from './tenant-share.ts'

/** What every item has: its tenant, and whether its caller still waits. */
export interface Batcher {
  readonly scope: { readonly companyId: string }
  /** Whether no client waits for the result; by default once `REQUEST_DEADLINE_MS` have passed. */
  readonly isGone?: (() => boolean) | undefined
  /** The number of rows that it writes; 1 by default. */
  readonly weight?: number
}

/** The size of the queue, and which companies are present; by default those of limits.ts and of this process. */
interface Gathering {
  readonly capacity?: number
  readonly presence?: TenantActivity
}

/**
 * Makes a function of one item from a function of many. Items that arrive in one turn of the event loop, or while
 * `GATHERED_STATEMENTS` runs are in progress, run together; each caller gets the result of its own item, which may
 * still be a promise. When a run throws, all its items are rejected. Companies take turns. A company with many waiting
 * items has runs of its own, which take at most half of the places while another company is present (`presence`).
 * Rejects with 503 `unavailable` at once when the queue is full, and at an item's turn when its client no longer waits:
 * then nothing was done.
 */
export function batcher<Item extends Batcher, Result>(
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  { capacity = GATHERED_WAITING, presence = companyActivity }: Gathering = {},
): (item: Item) => Promise<Result> {
  const waiting = fairQueue<Waiting<Item, Result>>(capacity)
  const places = tenantShare({ atOnce: GATHERED_STATEMENTS }, presence)
  let running = 0
  let scheduled = false

  const hasMany = (company: string) => waiting.lengthOf(company) > GATHERED_FEW

  /** The items of the next run: of one company with many waiting items, or of all those with few. */
  function nextBatch(): { batch: Waiting<Item, Result>[]; owner: string | undefined; isNone: boolean } {
    let owner: string | undefined
    let isOwn = false
    const mayTake = (company: string) => places.mayTake(company, waiting.size > waiting.lengthOf(company))
    const mayGo = ({ item }: Waiting<Item, Result>) => {
      const { companyId } = item.scope
      if (companyId === owner) return true
      return !isOwn && (owner === undefined || !hasMany(companyId)) && mayTake(companyId)
    }
    let isMixed = false
    const take = () => {
      const next = waiting.take(mayGo)
      if (next === undefined) return undefined
      const { companyId } = next.item.scope
      if (owner === undefined) {
        owner = companyId
        // Including the item that was just taken.
        isOwn = waiting.lengthOf(companyId) >= GATHERED_FEW
      } else isMixed ||= companyId !== owner
      return next
    }
    const batch = takeBatch(take, () => (isOwn ? mostOf(owner as string, presence) : GATHERED_ITEMS))
    return { batch, owner: isMixed ? undefined : owner, isNone: owner === undefined }
  }

  function start(): void {
    scheduled = false
    while (running < GATHERED_STATEMENTS) {
      const { batch, owner, isNone } = nextBatch()
      if (isNone) {
        places.onceAlone(start)
        return
      }
      // All of one company whose clients have gone.
      if (batch.length === 0) continue
      running++
      if (owner !== undefined) places.take(owner)
      runBatch(run, batch).finally(() => {
        running--
        if (owner !== undefined) places.giveBack(owner)
        start()
      })
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const isGone = item.isGone ?? past(performance.now() + REQUEST_DEADLINE_MS)
      presence.asked(item.scope.companyId)
      if (!waiting.push(item.scope.companyId, { item, isGone, resolve, reject })) return reject(busy())
      if (scheduled || running >= GATHERED_STATEMENTS) return
      scheduled = true
      setImmediate(start)
    })
}

/** A waiting item and its caller. */
interface Waiting<Item extends Batcher, Result> {
  readonly item: Item
  readonly isGone: () => boolean
  readonly resolve: (result: Result | Promise<Result>) => void
  readonly reject: (reason: unknown) => void
}

/** Items of one company in one run. */
const mostOf = (company: string, presence: TenantActivity): number =>
  presence.othersMs(company) > 0 ? GATHERED_ITEMS_BESIDE : GATHERED_ITEMS

/** The next items whose clients still wait, as many as one run takes. */
function takeBatch<Item extends Batcher, Result>(
  take: () => Waiting<Item, Result> | undefined,
  most: () => number,
): Waiting<Item, Result>[] {
  const batch: Waiting<Item, Result>[] = []
  for (let weight = 0; batch.length === 0 || weight < most(); ) {
    const next = take()
    if (next === undefined) break
    if (next.isGone()) next.reject(late())
    else {
      batch.push(next)
      weight += next.item.weight ?? 1
    }
  }
  return batch
}

/** Runs a batch and settles each of its callers; never rejects. */
async function runBatch<Item extends Batcher, Result>(
  run: (items: Item[]) => Promise<(Result | Promise<Result>)[]>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  if (batch.length === 0) return
  try {
    const results = await run(batch.map(({ item }) => item))
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>)
  } catch (reason) {
    for (const { reject } of batch) reject(reason)
  }
}

/** Whether a time by `performance.now()` has passed. */
const past = (time: number) => () => performance.now() >= time

/**
 * Makes a batcher for work that may wait for locked rows. The rows may be locked by another request of the same
 * company, so items of one company run together, `GATHERED_STATEMENTS` runs at once, and all runs take turns in the
 * `semaphore`. So a waiting company never blocks another. Rejects with 503 `unavailable` when `capacity` items wait,
 * half of them of one company.
 */
export function tenantBatcher<Item extends Batcher, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  semaphore: FairSemaphore,
  { capacity = GATHERED_WAITING, presence = companyActivity }: Gathering = {},
): (item: Item) => Promise<Result> {
  const companies = new Map<string, { waiting: Waiting<Item, Result>[]; running: number }>()
  let size = 0

  function next(waiting: Waiting<Item, Result>[]): Waiting<Item, Result> | undefined {
    if (waiting.length > 0) size--
    return waiting.shift()
  }

  async function runAll(company: string): Promise<void> {
    const own = companies.get(company)
    if (own === undefined) return
    const { waiting } = own
    while (waiting.length > 0)
      await semaphore(
        { tenant: company, isGone: () => waiting.length > 0 && waiting.every(({ isGone }) => isGone()) },
        () =>
          runBatch(
            run,
            takeBatch(
              () => next(waiting),
              () => mostOf(company, presence),
            ),
          ),
      ).catch((reason) => {
        for (const { reject } of waiting.splice(0)) {
          reject(reason)
          size--
        }
      })
    own.running--
    if (own.running === 0) companies.delete(company)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const company = item.scope.companyId
      presence.asked(company)
      const own = companies.get(company) ?? { waiting: [], running: 0 }
      // The first item of a company is always accepted: the semaphore bounds how many of those wait.
      if (own.waiting.length >= (size < capacity ? capacity / 2 : 1)) return reject(busy())
      size++
      const isGone = item.isGone ?? past(performance.now() + REQUEST_DEADLINE_MS)
      own.waiting.push({ item, isGone, resolve, reject })
      companies.set(company, own)
      if (own.running === GATHERED_STATEMENTS) return
      own.running++
      // Items of the same turn of the event loop join the run.
      setImmediate(runAll, company)
    })
}
