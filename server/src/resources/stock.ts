// Stock: the only way in which levels are set and moved, alone or together with others, with their events and their history (decisions §6).

import { later } from '../core/date-time.ts'
import { newId } from '../core/ids.ts'
import { bodyError, invalid, Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import { type Queryable, serializationFailure } from '../database/connect.ts'
import { together } from '../database/pipeline.ts'
import type { JsonObject } from '../engine/record.ts'
import { type EventRow, type RowToReplace, type RowToWrite, store } from '../engine/store.ts'
import { writing } from '../engine/writing.ts'
import { type HeldVariant, holdVariants, keyOf, showLevels, variantKey, wrongProduct } from './held-variants.ts'
import { inventory } from './inventory.ts'
import {
  appendHistory,
  type HistoryEntry,
  type LevelKey,
  lastEntries,
  levelKey,
  type MovementKind,
} from './inventory-history.ts'
import { lockLevels, type Tuple, tupleKey, unnamedProducts } from './stored-levels.ts'

/** A change of a level: to a quantity, or by one. */
export interface Move extends LevelKey {
  /** Must be the product of an existing variant. Defaults to that product, or to the product of the only live level there. */
  readonly productId: string | undefined
  readonly kind: MovementKind
  readonly reason: string | undefined
  readonly change: { readonly to: number; readonly expected?: number | undefined } | { readonly by: number }
  /** Whether stock may go below zero although the variant has no `allowBackorder`. */
  readonly mayGoBelow: boolean
  /** JSON pointer of the item, for its errors. */
  readonly at: string
  /** The member of the item that says how much, which errors name; without it they name none. */
  readonly member?: string
  /** What messages call the moved thing, such as a line of a sale. */
  readonly label?: string
  /** Moves in a row with the same one are carried out together, or none of them: those of one sale. */
  readonly together?: unknown
}

/** The result of a move: the inventory record after it, and the stock before. */
export interface Moved {
  readonly id: string
  readonly text: string
  readonly previousStock: number
  readonly stock: number
  readonly became: 'created' | 'updated' | 'unchanged'
}

/** A level during a series of moves. */
interface Working {
  readonly scope: Scope
  readonly record: JsonObject
  readonly text: string
  /** Of the existing row; undefined for a new level. */
  readonly version: number | undefined
  /** The time of the write, which is after all earlier writes to the level. */
  readonly now: string
  readonly events: EventRow[]
  readonly history: HistoryEntry[]
}

/**
 * A level before a group of moves, and how many events and entries it had, since later moves add to the same arrays.
 */
interface Rewind {
  readonly level: Working | undefined
  readonly events: number
  readonly history: number
}

/** The level that a move names, found or not. */
type Aim = Tuple & { readonly variant: HeldVariant | undefined }
type Shown = { readonly variantId: string; readonly outletId: string; readonly stock: number }

const { insert, replace } = store(inventory)
const { shown } = writing(inventory)

/** A level was created or deleted since it was looked up: a serialization failure, so that the transaction is retried. */
const changedMeanwhile = () =>
  serializationFailure('Another transaction created or deleted the level at the same time.')

/**
 * Carries out moves, those of one level one after the other; returns one result per move. A refused move (below zero,
 * another quantity than expected, another product than the variant's) does not affect the others. The variants are
 * locked first, then all levels, in one order for all writers. Needs a transaction that begins again when PostgreSQL,
 * or a level created meanwhile, requires it. `held` are the variants of the moves, where the transaction has locked them
 * already.
 */
export async function moveStock(
  transaction: Queryable,
  moves: readonly Move[],
  held?: ReadonlyMap<string, HeldVariant>,
): Promise<(Moved | Problem)[]> {
  if (moves.length === 0) return []
  const time = new Date().toISOString()
  const variants = held ?? (await holdVariants(transaction, moves))
  const unnamed = await unnamedProducts(transaction, variants, moves)
  const aims = moves.map((move) => aimOf(move, variants, unnamed))
  const { working, ends } = await begin(transaction, aims, time)
  const isGone = ([key, [productId, another]]: [string, Set<string>]) =>
    productId !== undefined && another === undefined && !working.has(keyOf(productId, key))
  if ([...unnamed].some(isGone)) throw changedMeanwhile()
  const results: (Moved | Problem)[] = []
  for (const group of inGroups(moves)) {
    const before = new Map<string, Rewind>()
    const added: { products: Set<string>; productId: string }[] = []
    const own = group.map((move) => {
      const aim = aimOf(move, variants, unnamed)
      if (aim instanceof Problem) return aim
      const key = tupleKey(aim)
      const after = moved(move, aim, working.get(key), time)
      if (after instanceof Problem) return after
      if (!before.has(key)) before.set(key, rewindTo(working.get(key)))
      working.set(key, after.level)
      after.level.events.push(...after.events)
      after.level.history.push(...after.history)
      const products = unnamed.get(levelKey(move))
      if (products && !products.has(aim.productId)) {
        products.add(aim.productId)
        added.push({ products, productId: aim.productId })
      }
      return after.result
    })
    // A group with a refused move leaves every level as it was.
    if (own.some((result) => result instanceof Problem)) {
      for (const [key, { level, events, history }] of before)
        if (level) {
          level.events.length = events
          level.history.length = history
          working.set(key, level)
        } else working.delete(key)
      for (const { products, productId } of added) products.delete(productId)
    }
    results.push(...own)
  }
  const written = [...working.values()].filter(({ events }) => events.length > 0)
  const shown = written.map(({ scope, record }) => ({ scope, ...(record as unknown as Shown) }))
  await together(transaction, [
    () => write(transaction, written),
    () => appendHistory(transaction, written.flatMap(({ history }) => history), ends), // biome-ignore format: one thought
    () => showLevels(transaction, variants, shown),
  ])
  return results
}

const rewindTo = (level: Working | undefined): Rewind => ({
  level,
  events: level?.events.length ?? 0,
  history: level?.history.length ?? 0,
})

/** Moves in a row that belong together; each other one alone. */
function inGroups(moves: readonly Move[]): Move[][] {
  const groups: Move[][] = []
  for (const move of moves) {
    const last = groups.at(-1)
    if (move.together !== undefined && last?.[0]?.together === move.together) last.push(move)
    else groups.push([move])
  }
  return groups
}

/** The level that a move names; a problem if its product is missing or not the variant's. */
function aimOf(
  { scope, productId, variantId, outletId, at }: Move,
  variants: ReadonlyMap<string, HeldVariant>,
  unnamed: ReadonlyMap<string, ReadonlySet<string>>,
): Aim | Problem {
  const level = { scope, variantId, outletId }
  const variant = variants.get(variantKey(level))
  if (variant?.productId !== undefined)
    return wrongProduct(productId, variant, at) ?? { ...level, variant, productId: variant.productId }
  if (productId !== undefined) return { ...level, variant, productId }
  const [only = '', another] = unnamed.get(levelKey(level)) ?? []
  if (another === undefined) return { ...level, variant, productId: only }
  const message = 'is required because several products have stock under this variantId at this outlet'
  return invalid([bodyError(`${at}/productId`, 'ambiguous', message)])
}

/** The live levels that moves name, by `tupleKey`, locked until the transaction ends, and the last entries of the managed ones. */
async function begin(transaction: Queryable, aims: readonly (Aim | Problem)[], time: string) {
  const wanted = new Map(aims.flatMap((aim) => (aim instanceof Problem ? [] : [[tupleKey(aim), aim]])))
  const managed = new Map(
    [...wanted.values()].flatMap((aim) => (aim.variant?.isManaged ? [[levelKey(aim), aim] as const] : [])),
  )
  const [locked, ends] = await together(transaction, [
    () => lockLevels(transaction, wanted),
    () => lastEntries(transaction, [...managed.values()]),
  ])
  const working = new Map(
    [...locked].map(([key, { version, text }]) => {
      const record: JsonObject = JSON.parse(text)
      const now = later(time, String(record.updatedAt))
      const { scope } = wanted.get(key) as Aim
      return [key, { scope, record, text, version, now, events: [], history: [] } as Working]
    }),
  )
  return { working, ends }
}

/** A level after a move, and the result of the move; a problem when the move is refused. */
function moved(
  move: Move,
  aim: Aim,
  before: Working | undefined,
  time: string,
): { level: Working; events: EventRow[]; history: HistoryEntry[]; result: Moved } | Problem {
  const { scope, variantId, outletId, kind, reason, change, at, label } = move
  const { variant } = aim
  const productId = aim.productId || undefined
  const previousStock = (before?.record.stock as number | undefined) ?? 0
  if ('to' in change && change.expected !== undefined && change.expected !== previousStock)
    return conflictAt(`${at}/expectedQuantity`, 'expected', `The stock is ${previousStock}, not the expected ${change.expected}.`) // biome-ignore format: one thought
  const stock = 'to' in change ? change.to : sum(previousStock, change.by)
  if (stock === undefined)
    return invalid([
      bodyError(`${at}/${move.member ?? 'quantity'}`, 'range', 'would make the stock too large a number'),
    ])
  // A level below zero may be increased, but not be set below zero.
  const isLess = 'to' in change || change.by < 0
  if (stock < 0 && isLess && !move.mayGoBelow && !variant?.allowsBackorder) {
    const what =
      'to' in change ? 'The quantity is below zero' : `The stock${label ? ` of ${label}` : ''} is only ${previousStock}`
    const why = variant
      ? 'the variant does not have allowBackorder'
      : `there is no variant with id ${JSON.stringify(variantId)}`
    return conflictAt(move.member && `${at}/${move.member}`, 'stock', `${what}, and ${why}.`)
  }
  if (before && stock === previousStock && productId === before.record.productId)
    return {
      ...{ level: before, events: [], history: [] },
      result: { id: String(before.record.id), text: before.text, previousStock, stock, became: 'unchanged' },
    }

  const now = before?.now ?? time
  const { companyId } = scope
  const record: JsonObject = before
    ? { ...before.record, productId, stock, updatedAt: now }
    : {
        id: newId(),
        productId,
        variantId,
        outletId,
        stock,
        isDeleted: false,
        createdAt: now,
        updatedAt: now,
        companyId,
      }
  const text = shown(record)
  const events: EventRow[] = []
  const history: HistoryEntry[] = []
  const previous = before && {
    ...(productId !== before.record.productId && { productId: before.record.productId ?? null }),
    ...(stock !== previousStock && { stock: previousStock }),
  }
  for (const type of [`inventory.${before ? 'updated' : 'created'}`, ...inventory.raises(record, before?.record)])
    events.push({ id: newId(), type, data: text, ...(previous && { previous: JSON.stringify(previous) }) })
  if (variant?.isManaged && stock !== previousStock) {
    const inventoryId = String(record.id)
    const references = { inventoryId, productId, variantId, outletId }
    history.push({ scope, ...references, kind, previousStock, newStock: stock, reason, at: now })
  }
  const level: Working = {
    ...{ scope, record, text, now, version: before?.version },
    ...{ events: before?.events ?? [], history: before?.history ?? [] },
  }
  return {
    ...{ level, events, history },
    result: { id: String(record.id), text, previousStock, stock, became: before ? 'updated' : 'created' },
  }
}

/** 409 that names the refused member, if there is one. */
const conflictAt = (pointer: string | undefined, code: string, message: string): Problem =>
  new Problem('conflict', message, pointer === undefined ? [] : [bodyError(pointer, code, message)])

/** The exact sum of two quantities of six decimals; undefined when a number cannot hold it. */
function sum(a: number, b: number): number | undefined {
  const exact = micros(a) + micros(b)
  const result = Number(exact) / 1e6
  return Math.abs(result) < 1e15 && micros(result) === exact ? result : undefined
}

const micros = (quantity: number): bigint => BigInt(quantity.toFixed(6).replace('.', ''))

async function write(transaction: Queryable, levels: readonly Working[]): Promise<void> {
  const inserts: RowToWrite[] = []
  const replaces: RowToReplace[] = []
  // In one order for all writers, so that two of them never wait for each other's new levels.
  for (const { scope, record, text, version, events } of levels.toSorted((a, b) =>
    placeOf(a) < placeOf(b) ? -1 : 1,
  )) {
    const row = { scope, id: String(record.id), body: text, events, claims: [] }
    if (version === undefined) inserts.push(row)
    else replaces.push({ ...row, version })
  }
  if (inserts.length > 0 && (await insert(transaction, inserts)).includes('refused')) throw changedMeanwhile()
  if (replaces.length > 0) await replace(transaction, replaces, true)
}

/** The same text by which the engine orders records that it creates (engine/create.ts). */
const placeOf = ({ record }: Working) =>
  keyOf(String(record.variantId), String(record.outletId), String(record.productId ?? ''), String(record.companyId))
