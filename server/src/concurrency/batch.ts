// What the two batchers share: the items that wait, and how a batch of them is taken and run.

import type { IsGone } from '../core/is-gone.ts'
import { REQUEST_DEADLINE_MS } from '../core/limits.ts'
import { deadlinePassed } from '../core/problem.ts'
import {
  areReachesKept,
  currentReach,
  everything,
  isIn,
  type Reach,
  reachingCompanies,
  reachingEverything,
} from '../core/reach.ts'
import type { TraceContext } from '../core/trace-context.ts'
import { divided } from '../core/worker-share.ts'
import { beginBatch, inTrace, tracing, waitingSince } from '../tracing/tracer.ts'
import { batchItems } from './metrics.ts'
import type { TenantActivity } from './tenant-activity.ts'

/** Concurrent single operations that share one statement, and concurrent statements of one kind. */
export const BATCH_ITEMS = 128
export const BATCH_STATEMENTS = 2
/** Concurrent single operations of a kind that wait in the batcher, of all companies: less than a second's work. */
export const BATCH_WAITING = divided(4_000, 500)

/** Items of one company in one statement while another company is present: a few milliseconds' work, so that no other company waits long. */
export const BATCH_ITEMS_BESIDE = 32

/** What every item has: its tenant, and whether its caller still waits. */
export interface BatchItem {
  readonly scope: { readonly companyId: string; readonly trace?: TraceContext | undefined }
  /** Whether no client waits for the result; by default once `REQUEST_DEADLINE_MS` have passed. */
  readonly isGone?: IsGone | undefined
  /** The number of rows that it writes; 1 by default. */
  readonly weight?: number
}

/** Carries out many items at once; an item's result may still be a promise. */
export type RunBatch<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>

/** A waiting item and its caller. */
export interface WaitingItem<Item extends BatchItem, Result> {
  readonly item: Item
  readonly isGone: IsGone
  /** The rows that its caller can reach. */
  readonly reach: Reach | undefined
  /** When it began to wait, if that is traced. */
  readonly since: number
  readonly resolve: (result: Result | Promise<Result>) => void
  readonly reject: (reason: unknown) => void
}

/** An item with the functions that settle its caller's promise. */
export const waitingItem = <Item extends BatchItem, Result>(
  item: Item,
  resolve: WaitingItem<Item, Result>['resolve'],
  reject: WaitingItem<Item, Result>['reject'],
): WaitingItem<Item, Result> => ({
  item,
  isGone: item.isGone ?? past(performance.now() + REQUEST_DEADLINE_MS),
  reach: currentReach(),
  since: waitingSince(),
  resolve,
  reject,
})

/** Whether a time by `performance.now()` has passed. */
const past = (time: number) => () => performance.now() >= time

/** Items of one company in one run, at most: fewer while another company is present. */
export const maxItems = (company: string, presence: TenantActivity): number =>
  presence.othersMs(company) > 0 ? BATCH_ITEMS_BESIDE : BATCH_ITEMS

/** The next items whose clients still wait, as many as one run takes. */
export function takeBatch<Item extends BatchItem, Result>(
  take: () => WaitingItem<Item, Result> | undefined,
  most: () => number,
): WaitingItem<Item, Result>[] {
  const batch: WaitingItem<Item, Result>[] = []
  for (let weight = 0; batch.length === 0 || weight < most(); ) {
    const next = take()
    if (next === undefined) break
    if (next.isGone()) next.reject(deadlinePassed())
    else {
      batch.push(next)
      weight += next.item.weight ?? 1
    }
  }
  return batch
}

/** Runs a batch and settles each of its callers; never rejects. */
export async function runBatch<Item extends BatchItem, Result>(
  run: RunBatch<Item, Result>,
  batch: readonly WaitingItem<Item, Result>[],
): Promise<void> {
  if (batch.length === 0) return
  batchItems.observe(batch.length)
  const span = tracing.tracer && beginBatch(batch.map(({ item, since }) => ({ trace: item.scope.trace, since })))
  try {
    const items = batch.map(({ item }) => item)
    const results = await inReach(batch, () => inTrace(span?.context, () => run(items)))
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result | Promise<Result>)
  } catch (reason) {
    for (const { reject } of batch) reject(reason)
  } finally {
    span?.end()
  }
}

/**
 * Runs the items with their companies in reach, and no others. Throws where a caller cannot reach the company that its item names, which is
 * a defect.
 */
function inReach<Item extends BatchItem, Result, T>(batch: readonly WaitingItem<Item, Result>[], work: () => T): T {
  if (!areReachesKept()) return work()
  if (batch.every(({ reach }) => reach === everything)) return reachingEverything(work)
  const companies = batch.map(({ reach, item: { scope } }) => {
    if (reach !== undefined && reach !== everything && !isIn(reach, scope.companyId))
      throw new Error('An item names another company than its caller can reach.')
    return scope.companyId
  })
  return reachingCompanies(companies, work)
}
