// Writes the records of an import through the operations of the API, and counts the results; a dry run only counts.

import { IMPORT_CATEGORIES } from '../../core/limits.ts'
import { OperatorError } from '../../core/operator-error.ts'
import { invalid, orThrow, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { JsonObject, Written } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { bodySchema } from '../../engine/schema.ts'
import { category } from '../../resources/category.ts'
import { customer } from '../../resources/customer.ts'
import { order } from '../../resources/order.ts'
import { product } from '../../resources/product.ts'
import { refund } from '../../resources/refund.ts'
import { transaction } from '../../resources/transaction.ts'
import { variant } from '../../resources/variant.ts'
import type { OutletStock } from './locations.ts'
import { changeOf, findCategories, type LookupScope, type Stored } from './stored.ts'
import { shorten } from './values.ts'

/** The kinds of records that files create. */
export const recordKinds = [
  'products',
  'variants',
  'categories',
  'customers',
  'orders',
  'transactions',
  'refunds',
] as const
export type RecordKind = (typeof recordKinds)[number]
/** The operations that an import needs of a resource. */
export type Writer = Pick<Operations, 'createMany' | 'updateMany'>

/** Results for the records of a kind. */
export interface KindCounts {
  created: number
  updated: number
  unchanged: number
}

/** Results for a file so far: records by kind, and variants whose stock was written. */
export interface Tally extends Readonly<Record<RecordKind, Readonly<KindCounts>>> {
  readonly stockSet: number
}

/** The final results for a file, including refused lines. */
export interface ImportSummary extends Tally {
  readonly rowsRefused: number
}

/**
 * Runs writes that belong together; by default without a transaction of their own. A caller that runs them in a
 * transaction can store the results so far in it, and can roll them back by throwing.
 */
export type InTransaction = <W extends { readonly tally: Tally }>(
  write: (connection?: Queryable) => Promise<W>,
) => Promise<W>

/** Called with each accepted record: its result, its id, and the write. */
export type Observe = (
  kind: RecordKind,
  draft: ImportDraft,
  done: { readonly id: string; readonly as: keyof KindCounts },
) => void

/** A record that a step writes: `id` is '' until it is created. */
export interface StepItem {
  readonly id: string
  readonly done: keyof KindCounts
  /** The members that are written, besides stock. */
  readonly members: readonly string[]
  /** The record that it is part of, which writing it may change too: the product of a variant, the order of a payment. */
  readonly ownerId: string | undefined
  readonly setsStock: boolean
}

/**
 * Called in a step's transaction with what is about to be written, to store the former state. Returns a function that
 * is called with what was written, including ids.
 */
export type Watch = (
  transaction: Queryable,
  kind: RecordKind,
  items: readonly StepItem[],
) => Promise<(written: ReadonlyMap<StepItem, string>) => Promise<void>>

/** A record as it should be, and as it is stored, if it exists; `levels` are the levels of a variant in the file. */
export interface ImportDraft {
  readonly stored: Stored | undefined
  readonly record: JsonObject
  readonly levels?: readonly OutletStock[] | undefined
}

/** Items per write: a Shopify product has up to 2,048 variants. */
const ITEMS = 500

const counted = (): KindCounts => ({ created: 0, updated: 0, unchanged: 0 })
/** Results of an unread file. */
export const noTally = (): Tally => ({ ...eachKind(counted), stockSet: 0 })
const eachKind = <T>(of: (kind: RecordKind) => T) =>
  Object.fromEntries(recordKinds.map((kind) => [kind, of(kind)])) as Record<RecordKind, T>
/** The resource of each kind. */
export const resources: Readonly<Record<RecordKind, Resource>> = {
  products: product,
  variants: variant,
  categories: category,
  customers: customer,
  orders: order,
  transactions: transaction,
  refunds: refund,
}
const checks = eachKind((kind) => bodySchema(resources[kind]).create)

/** Why the API would refuse a record, with its values; undefined if it would accept it. */
export function objectionTo(kind: RecordKind, record: object): Problem | undefined {
  const outcome = checks[kind](record)
  if (!(outcome instanceof Problem)) return undefined
  return invalid(
    outcome.errors.map((error) => ({ ...error, message: quotedAt(record, error.pointer) + error.message })),
  )
}

/** The text or number at a JSON pointer, in quotation marks; empty for any other value, or none. */
function quotedAt(record: object, pointer: string): string {
  let value: unknown = record
  for (const name of pointer.split('/').slice(1))
    value = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' || typeof value === 'number' ? `"${shorten(`${value}`, 60)}" ` : ''
}

/** The same in words. */
export function objection(kind: RecordKind, record: object): string | undefined {
  const problem = objectionTo(kind, record)
  return problem && reasonOf(problem)
}

/** A problem as one sentence for the owner of the file. */
export function reasonOf({ errors, message }: Problem): string {
  const reported = errors.map((error) => `${error.pointer.slice(1).replaceAll('/', ' ')} ${error.message}`.trim())
  return reported.join('; ') || message
}

const atOnce: InTransaction = (write) => write()

/** Writes the records of one import over the operations of each kind, and holds the results so far. */
export class RecordWriter {
  readonly #place: LookupScope
  readonly #writers: Readonly<Record<RecordKind, Writer>>
  readonly #transact: InTransaction
  readonly #observe: Observe | undefined
  readonly #watch: Watch | undefined
  #tally = noTally()
  /** The ids of categories, by their paths of names. */
  readonly #categories = new Map<string, string>()

  constructor(
    place: LookupScope,
    writers: Readonly<Record<RecordKind, Writer>>,
    options: { transact?: InTransaction | undefined; observe?: Observe | undefined; watch?: Watch | undefined } = {},
  ) {
    this.#place = place
    this.#writers = writers
    this.#transact = options.transact ?? atOnce
    this.#observe = options.observe
    this.#watch = options.watch
  }

  tally(): Tally {
    return this.#tally
  }

  /** Creates missing records and updates those that differ; returns for each draft its record's id, or its problem. */
  async put<D extends ImportDraft>(kind: RecordKind, drafts: readonly D[]): Promise<[D, string | Problem][]> {
    if (drafts.length > ITEMS)
      return [...(await this.put(kind, drafts.slice(0, ITEMS))), ...(await this.put(kind, drafts.slice(ITEMS)))]
    const items = drafts.map((draft) => this.#itemOf(draft))
    const creates = items.filter(({ done }) => done === 'created')
    const updates = items.filter(({ done, inventory }) => done === 'updated' || (done === 'unchanged' && inventory))
    const written = await this.#transact(async (connection) => {
      const watched = connection && (await this.#watch?.(connection, kind, [...creates, ...updates]))
      const created = creates.length > 0 ? await this.#writers[kind].createMany(creates, connection) : []
      const updated = updates.length > 0 ? await this.#writers[kind].updateMany(updates, connection) : []
      const outcomes = new Map([
        ...creates.map((item, n) => [item, created[n]] as const),
        ...updates.map((item, n) => [item, updated[n]] as const),
      ])
      const good = items.filter((item) => !(outcomes.get(item) instanceof Problem))
      const changed = good.flatMap((item) => {
        const outcome = outcomes.get(item)
        return outcome === undefined ? [] : [[item, (outcome as Written).id] as const]
      })
      await watched?.(new Map(changed))
      return { outcomes, tally: added(this.#tally, kind, good) }
    })
    this.#tally = written.tally
    return drafts.map((draft, n) => {
      const item = items[n] as (typeof items)[number]
      const outcome = written.outcomes.get(item)
      if (outcome instanceof Problem) return [draft, outcome]
      const id = outcome?.id ?? item.id
      this.#observe?.(kind, draft, { id, as: item.done })
      return [draft, id]
    })
  }

  /** What is written of a draft, and as what it counts. */
  #itemOf({ stored, record, levels = [] }: ImportDraft) {
    const change = stored ? changeOf(stored.record, record) : record
    const moved = movedLevels(levels, stored)
    const inventory = moved.length > 0 ? moved : undefined
    const done: keyof KindCounts = stored ? (change ? 'updated' : 'unchanged') : 'created'
    const step = {
      members: Object.keys(change ?? {}),
      ownerId: (record.productId ?? record.orderId) as string | undefined,
      setsStock: inventory !== undefined,
    }
    const value = { ...change, ...(inventory && { inventory }) }
    return { ...step, scope: this.#place.scope, id: stored?.id ?? '', value, done, inventory }
  }

  /** Finds or creates categories; returns the ids at the ends of paths of names. */
  async categoryIds(paths: readonly string[][]): Promise<(path: string[]) => string> {
    const keyOf = (path: readonly string[]) => JSON.stringify(path)
    const deepest = paths.reduce((most, { length }) => Math.max(most, length), 0)
    for (let depth = 1; depth <= deepest; depth++) {
      const level = paths.filter(({ length }) => length >= depth).map((path) => path.slice(0, depth))
      const fresh = [...new Map(level.map((path) => [keyOf(path), path]))].filter(([key]) => !this.#categories.has(key))
      if (this.#categories.size + fresh.length > IMPORT_CATEGORIES)
        throw new OperatorError(
          `The file has more than ${IMPORT_CATEGORIES.toLocaleString('en')} categories. Split it into several files.`,
        )
      const wanted = fresh.map(([key, path]) => {
        const parentId = this.#categories.get(keyOf(path.slice(0, -1)))
        return { key, record: { name: path.at(-1) ?? '', source: this.#place.source, ...(parentId && { parentId }) } }
      })
      const found = await findCategories(
        this.#place,
        wanted.map(({ record }) => record),
      )
      const drafts = wanted.map(({ key, record }, n) => {
        const id = found[n]
        // An existing category stays as it is.
        return { key, record, stored: id === undefined ? undefined : { id, record } }
      })
      for (const [{ key }, outcome] of await this.put('categories', drafts)) this.#categories.set(key, orThrow(outcome))
    }
    return (path) => this.#categories.get(keyOf(path)) ?? ''
  }
}

/** The levels of the file that differ from the stored ones. */
export const movedLevels = (levels: readonly OutletStock[], stored: Stored | undefined): OutletStock[] =>
  levels.filter(({ outletId, stock }) => stored?.levels?.get(outletId) !== stock)

/** A tally with further results added. */
function added(
  tally: Tally,
  kind: RecordKind,
  items: readonly { done: keyof KindCounts; inventory?: object | undefined }[],
): Tally {
  const counts = { ...tally[kind] }
  for (const { done } of items) counts[done]++
  return { ...tally, [kind]: counts, stockSet: tally.stockSet + items.filter(({ inventory }) => inventory).length }
}

/** The results of all leases: a record that one lease wrote is unchanged for the next one. */
export function addedTally(before: Tally | undefined, now: Tally): Tally {
  if (before === undefined) return now
  const of = (kind: RecordKind) => {
    const { created, updated } = before[kind]
    const last = now[kind]
    const unchanged = Math.max(0, last.unchanged - created - updated)
    return { created: created + last.created, updated: updated + last.updated, unchanged }
  }
  return { ...eachKind(of), stockSet: before.stockSet + now.stockSet }
}
