// Does once what many ask for at once: gathers concurrent single operations into one statement. While some are under way those that come wait together, so a busy server does few large statements instead of many small ones.

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

/** What every item tells: whose line it waits in, and whether anybody waits for it. */
export interface Batcher {
  readonly scope: { readonly companyId: string }
  /** Whether nobody hears the outcome any more; by itself once `REQUEST_DEADLINE_MS` have passed. */
  readonly isGone?: (() => boolean) | undefined
  /** How many rows it writes, where not one. */
  readonly weight?: number
}

/** Room for items that wait, and which companies are present; where not those of limits.ts and of this process. */
interface Gathering {
  readonly room?: number
  readonly presence?: TenantActivity
}

/**
 * Makes a function of one item from a function of many. Items that arrive in one turn of the event loop, or while
 * `GATHERED_STATEMENTS` runs are under way, are run together; each caller gets the outcome of its own item, which may be
 * a promise where it is still to come.
 * When a run throws, every item of it is rejected. Companies take turns. A company of which many items wait has runs of its
 * own, which take at most half of the places while another company is present (`presence`). Rejects with 503 `unavailable` at once when there is no room to wait, and with it instead of running what
 * nobody waits for any more when its turn comes: nothing of that was done.
 */
export function batcher<Item extends Batcher, Outcome>(
  run: (items: Item[]) => Promise<(Outcome | Promise<Outcome>)[]>,
  { room = GATHERED_WAITING, presence = companyActivity }: Gathering = {},
): (item: Item) => Promise<Outcome> {
  const waiting = fairQueue<Waiting<Item, Outcome>>(room)
  const places = tenantShare({ atOnce: GATHERED_STATEMENTS }, presence)
  let running = 0
  let scheduled = false

  const hasMany = (company: string) => waiting.lengthOf(company) > GATHERED_FEW

  /** The items of the next run: of one company that has many waiting, or of all those that have few. */
  function nextBatch(): { batch: Waiting<Item, Outcome>[]; owner: string | undefined; isNone: boolean } {
    let owner: string | undefined
    let isOwn = false
    const mayTake = (company: string) => places.mayTake(company, waiting.size > waiting.lengthOf(company))
    const mayGo = ({ item }: Waiting<Item, Outcome>) => {
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
        // With the item that was just taken.
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
      // All of one company whose callers have gone.
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

/** An item that waits, and its caller. */
interface Waiting<Item extends Batcher, Outcome> {
  readonly item: Item
  readonly isGone: () => boolean
  readonly resolve: (outcome: Outcome | Promise<Outcome>) => void
  readonly reject: (reason: unknown) => void
}

/** Items of one company that one run carries. */
const mostOf = (company: string, presence: TenantActivity): number =>
  presence.othersMs(company) > 0 ? GATHERED_ITEMS_BESIDE : GATHERED_ITEMS

/** The next items that somebody still waits for, as many as one run carries. */
function takeBatch<Item extends Batcher, Outcome>(
  take: () => Waiting<Item, Outcome> | undefined,
  most: () => number,
): Waiting<Item, Outcome>[] {
  const batch: Waiting<Item, Outcome>[] = []
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

/** Runs a batch and tells each of its callers; never rejects. */
async function runBatch<Item extends Batcher, Outcome>(
  run: (items: Item[]) => Promise<(Outcome | Promise<Outcome>)[]>,
  batch: readonly Waiting<Item, Outcome>[],
): Promise<void> {
  if (batch.length === 0) return
  try {
    const outcomes = await run(batch.map(({ item }) => item))
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as Outcome | Promise<Outcome>)
  } catch (reason) {
    for (const { reject } of batch) reject(reason)
  }
}

/** Whether a time by `performance.now()` has passed. */
const past = (time: number) => () => performance.now() >= time

/**
 * The same for work that may have to wait for rows which somebody holds, such as another request of its company: items of
 * one company are run together, `GATHERED_STATEMENTS` runs of it at once, and all runs take turns in `lane`. So whoever waits keeps
 * no other company waiting. Rejects with 503 `unavailable` when `room` items wait, half of them for one company.
 */
export function tenantBatcher<Item extends Batcher, Outcome>(
  run: (items: Item[]) => Promise<Outcome[]>,
  lane: FairSemaphore,
  { room = GATHERED_WAITING, presence = companyActivity }: Gathering = {},
): (item: Item) => Promise<Outcome> {
  const companies = new Map<string, { waiting: Waiting<Item, Outcome>[]; running: number }>()
  let size = 0

  function next(waiting: Waiting<Item, Outcome>[]): Waiting<Item, Outcome> | undefined {
    if (waiting.length > 0) size--
    return waiting.shift()
  }

  async function runAll(company: string): Promise<void> {
    const own = companies.get(company)
    if (own === undefined) return
    const { waiting } = own
    while (waiting.length > 0)
      await lane({ tenant: company, isGone: () => waiting.length > 0 && waiting.every(({ isGone }) => isGone()) }, () =>
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
      // The first of a company finds room always: how many of those wait is bounded by the lane.
      if (own.waiting.length >= (size < room ? room / 2 : 1)) return reject(busy())
      size++
      const isGone = item.isGone ?? past(performance.now() + REQUEST_DEADLINE_MS)
      own.waiting.push({ item, isGone, resolve, reject })
      companies.set(company, own)
      if (own.running === GATHERED_STATEMENTS) return
      own.running++
      // Those that come in the same turn of the event loop go along.
      setImmediate(runAll, company)
    })
}

/**
 * Makes a function that asks the same question once for all who wait for its answer. Who comes while it is being asked
 * gets the answer of the next time, so that nobody is told what was true before he came. `ask` is that of the first who
 * waits, whose patience is not that of the others: it is told when none of them is left.
 */
export function singleFlight<Answer>(): (
  question: string,
  ask: (allAreGone: () => boolean) => Promise<Answer>,
  isGone?: () => boolean,
) => Promise<Answer> {
  type Next = { answer: Promise<Answer>; waiting: (() => boolean)[] }
  const asked = new Map<string, { answer: Promise<Answer>; next?: Next }>()

  return (question, ask, isGone = () => false) => {
    function start(waiting: readonly (() => boolean)[]): Promise<Answer> {
      const answer = ask(() => waiting.every((isGone) => isGone())).finally(() => {
        if (asked.get(question)?.answer === answer) asked.delete(question)
      })
      asked.set(question, { answer })
      return answer
    }
    const current = asked.get(question)
    if (current === undefined) return start([isGone])
    if (current.next === undefined) {
      const waiting = [isGone]
      const again = () => start(waiting)
      current.next = { waiting, answer: current.answer.then(again, again) }
    } else current.next.waiting.push(isGone)
    return current.next.answer
  }
}
