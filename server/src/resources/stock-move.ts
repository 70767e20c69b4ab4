// What one move of stock does to its level, and when it is refused: without the database (decisions §6).

import { newId } from '../core/ids.ts'
import { bodyError, invalid, Problem } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import type { JsonObject } from '../engine/record.ts'
import type { EventRow } from '../engine/store.ts'
import { writing } from '../engine/writing.ts'
import { type HeldVariant, variantKey, wrongProduct } from './held-variants.ts'
import { inventory } from './inventory.ts'
import { type HistoryEntry, type LevelKey, levelKey, type MovementKind, type StockCause } from './inventory-history.ts'
import type { Tuple } from './stored-levels.ts'

/** A change of a level: to a quantity, or by one. */
export interface Move extends LevelKey, StockCause {
  /** Must be the product of an existing variant. Defaults to that product, or to the product of the only live level there. */
  readonly productId: string | undefined
  readonly kind: MovementKind
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

/** A level during a series of moves, with the events and entries of those so far. */
export interface WorkingLevel {
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

/** The level that a move names, found or not. */
export type Aim = Tuple & { readonly variant: HeldVariant | undefined }

const { shown } = writing(inventory)

/** The level that a move names; a problem if its product is missing or not the variant's. */
export function aimOf(
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

/** A level after a move, and the result of the move; a problem when the move is refused. */
export function levelAfter(
  move: Move,
  aim: Aim,
  before: WorkingLevel | undefined,
  time: string,
): { level: WorkingLevel; events: EventRow[]; history: HistoryEntry[]; result: Moved } | Problem {
  const { scope, variantId, outletId, kind, reason, orderId, refundId, change, at } = move
  const { variant } = aim
  const productId = aim.productId || undefined
  const previousStock = (before?.record.stock as number | undefined) ?? 0
  if ('to' in change && change.expected !== undefined && change.expected !== previousStock)
    return refused(
      `${at}/expectedQuantity`,
      'expected',
      `The stock is ${previousStock}, not the expected ${change.expected}.`,
    )
  const stock = 'to' in change ? change.to : sum(previousStock, change.by)
  if (stock === undefined)
    return invalid([
      bodyError(`${at}/${move.member ?? 'quantity'}`, 'range', 'would make the stock too large a number'),
    ])
  // A level below zero may be increased, but not be set below zero.
  const isLess = 'to' in change || change.by < 0
  if (stock < 0 && isLess && !move.mayGoBelow && !variant?.allowsBackorder)
    return belowZero(move, variant, before && previousStock)
  if (before && stock === previousStock && productId === before.record.productId)
    return {
      level: before,
      events: [],
      history: [],
      result: { id: String(before.record.id), text: before.text, previousStock, stock, became: 'unchanged' },
    }

  const now = before?.now ?? time
  const record = recordAfter(move, before, { productId, stock, updatedAt: now })
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
    const cause = { reason, orderId, refundId }
    history.push({ scope, ...references, kind, previousStock, newStock: stock, ...cause, at: now })
  }
  const level: WorkingLevel = {
    scope,
    record,
    text,
    now,
    version: before?.version,
    events: before?.events ?? [],
    history: before?.history ?? [],
  }
  return {
    level,
    events,
    history,
    result: { id: String(record.id), text, previousStock, stock, became: before ? 'updated' : 'created' },
  }
}

/** The record of a level after a move, with the members that it changes; a new one if there was none. */
function recordAfter(
  { scope, variantId, outletId }: Move,
  before: WorkingLevel | undefined,
  changed: { readonly productId: string | undefined; readonly stock: number; readonly updatedAt: string },
): JsonObject {
  if (before) return { ...before.record, ...changed }
  const { productId, stock, updatedAt } = changed
  return {
    id: newId(),
    productId,
    variantId,
    outletId,
    stock,
    isDeleted: false,
    createdAt: updatedAt,
    updatedAt,
    companyId: scope.companyId,
  }
}

/** 409 at the refused member or line. */
const refused = (pointer: string, code: string, message: string, limit?: number): Problem =>
  new Problem('conflict', message, [bodyError(pointer, code, message, limit)])

/** The refusal of a move below zero; `stock` is undefined where no stock is set. That of a line of a sale says how it could be sold all the same. */
function belowZero(
  { change, label, variantId, outletId, at, member }: Move,
  variant: HeldVariant | undefined,
  stock: number | undefined,
): Problem {
  // Nothing else in a response shows that an outlet id is wrong.
  const short = stock === undefined ? `is not set at the outlet ${JSON.stringify(outletId)}` : `is only ${stock}`
  if (label !== undefined) {
    const message = `The stock of ${label} ${short}. To sell it anyway, set oversell on this sale; to always sell this variant without stock, set allowBackorder on the variant.`
    return refused(at, 'stock', message, stock ?? 0)
  }
  const what = 'to' in change ? 'The quantity is below zero' : `The stock ${short}`
  const why = variant
    ? 'the variant does not have allowBackorder'
    : `there is no variant with id ${JSON.stringify(variantId)}`
  return refused(member === undefined ? at : `${at}/${member}`, 'stock', `${what}, and ${why}.`)
}

/** The exact sum of two quantities of six decimals; undefined when a number cannot hold it. */
function sum(a: number, b: number): number | undefined {
  const exact = micros(a) + micros(b)
  const result = Number(exact) / 1e6
  return Math.abs(result) < 1e15 && micros(result) === exact ? result : undefined
}

const micros = (quantity: number): bigint => BigInt(quantity.toFixed(6).replace('.', ''))
