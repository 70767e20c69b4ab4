// Turns bodies of set-levels and adjust into moves of stock, and the results into answers; concurrent requests of a
// company share one transaction.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { checker } from '../../core/json-schema-checker.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import type { Bulk } from '../../engine/bulk.ts'
import { claimedBatcher } from '../../engine/claimed-batcher.ts'
import { type Fields, quantity, reference, required, word } from '../../engine/field.ts'
import type { ItemResult, JsonObject, Written } from '../../engine/record.ts'
import { bodySchema } from '../../engine/schema.ts'
import { keyOf } from '../../resources/held-variants.ts'
import { type MovementKind, movements, reason } from '../../resources/inventory-history.ts'
import { moveStock } from '../../resources/stock.ts'
import type { Move, Moved } from '../../resources/stock-move.ts'
import { brokenGroups, withGroups } from './groups.ts'

/** Members allowed beside the items. */
export const besideItems = { reason: reason() } as const
const checkAlongside = checker({ properties: { reason: { ...besideItems.reason.schema, type: ['string', 'null'] } } })

/** A kind of request: the members of its items, and the move of a checked item. */
export interface StockRequest {
  readonly fields: Fields
  /** Whether each level may be in only one item. */
  readonly isDistinct: boolean
  readonly move: (set: JsonObject, at: string) => Pick<Move, 'kind' | 'change' | 'member'> | Problem
}

const tuple = {
  variantId: required(reference({ description: 'The variant whose stock is written. It need not exist.' })),
  outletId: required(reference({ description: 'Where the stock is.' })),
}

/** `POST /v1/inventories/set-levels`: each level becomes the quantity sent. */
export const setLevels: StockRequest = {
  fields: {
    productId: required(
      reference({ description: 'The product of the variant. For an existing variant, it must be that product.' }),
    ),
    ...tuple,
    quantity: quantity({
      description: 'The new stock, with at most six decimals. `stock` means the same.',
    }),
    stock: quantity({ description: 'The same as `quantity`.' }),
    expectedQuantity: quantity({
      description: 'The item fails with 409 if the current stock differs. A missing record counts as 0.',
    }),
  },
  isDistinct: true,
  move({ quantity, stock = quantity, expectedQuantity }, at) {
    const to = quantity ?? stock
    if (to === undefined) return invalid([bodyError(`${at}/quantity`, 'required', 'is required')])
    if (to !== stock) return invalid([bodyError(`${at}/stock`, 'ambiguous', 'must equal quantity if both are sent')])
    const change = { to: to as number, expected: expectedQuantity as number | undefined }
    return { kind: 'RECOUNT', change, member: quantity === undefined ? 'stock' : 'quantity' }
  },
}

/** `POST /v1/inventories/adjust`: each level moves by the delta sent. */
export const adjust: StockRequest = {
  fields: {
    productId: reference({
      description:
        'Optional for an existing variant. For any other `variantId`, optional only while at most one product has stock under it at the outlet.',
    }),
    ...tuple,
    delta: required(
      quantity({ description: 'The amount to add to the stock; negative to take stock away. At most six decimals.' }),
    ),
    kind: required({
      ...word([]),
      schema: { type: 'string', enum: movements, description: 'The reason for the movement.' },
    }),
    group: reference({
      description:
        'A name of your own for items that belong together, such as both halves of a transfer between outlets. Consecutive items with the same name are all carried out, or none of them.',
      example: 'transfer-17',
    }),
  },
  isDistinct: false,
  move: ({ delta, kind }) => ({ kind: kind as MovementKind, change: { by: delta as number }, member: 'delta' }),
}

/** Makes the function that executes the items of a request; all kinds of requests over one database share it. */
export function stockCarrier(database: Database, contended: FairSemaphore): (request: StockRequest) => Bulk['carry'] {
  const carryOut = claimedBatcher(database, contended, moveStock)

  return (request) => {
    const check = bodySchema({ fields: request.fields, requireOneOf: [] }).create
    return async ({ scope, body, claim, isGone }, items, answer) => {
      const reason = reasonOf(body)
      const outcomes: ItemResult[] = new Array(items.length)
      const valid: { place: number; group: string | undefined; move: Move }[] = []
      const seen = new Set<string>()
      await mapInSlices(items, scope.companyId, ({ value, at = '' }, index) => {
        // An item that is otherwise wrong still counts for its level.
        const { productId: product, variantId: variant, outletId: outlet } = (value ?? {}) as JsonObject
        const tuple = [product, variant, outlet]
        const key = tuple.every((id) => typeof id === 'string') ? keyOf(...tuple) : undefined
        const isRepeated = request.isDistinct && key !== undefined && seen.has(key)
        if (key !== undefined) seen.add(key)
        const checked = check(value, at)
        const meant = checked instanceof Problem ? checked : request.move(checked.set, at)
        if (checked instanceof Problem || meant instanceof Problem) {
          outcomes[index] = meant as Problem
          return
        }
        const { productId, variantId, outletId, group } = checked.set as Record<string, string>
        const move: Move = {
          scope,
          productId,
          variantId: variantId as string,
          outletId: outletId as string,
          ...meant,
          reason,
          mayGoBelow: false,
          at,
        }
        if (isRepeated) {
          outcomes[index] = new Problem(
            'duplicate_item',
            'An earlier item has the same productId, variantId and outletId; this item was skipped.',
          )
          return
        }
        valid.push({ place: index, group, move })
      })
      const broken = brokenGroups(itemsOf(body), Array.isArray(body) ? '' : '/items', valid)
      for (const [place, problem] of broken) outcomes[place] = problem
      const whole = valid.filter(({ place }) => !broken.has(place))
      const together = new Map(whole.map(({ group }) => [group, group === undefined ? undefined : {}]))
      const works = whole.map(({ group, move }): Move => ({ ...move, together: together.get(group) }))
      return carryOut({
        scope,
        isGone,
        claim,
        works,
        weight: Math.max(1, works.length),
        answer: (moved) => {
          const groups = whole.map(({ group }) => group)
          withGroups(groups, moved.map(shownMove)).forEach((result, n) => {
            outcomes[(whole[n] as (typeof whole)[number]).place] = result
          })
          return answer(outcomes)
        },
      })
    }
  }
}

/** A successful result: the record, and the stock before. */
function shownMove(moved: Moved | Problem): ItemResult {
  if (moved instanceof Problem) return moved
  const { id, text, previousStock, became } = moved
  const outcome: Written & Pick<Moved, 'became'> = {
    id,
    text: `${text.slice(0, -1)},"previousStock":${JSON.stringify(previousStock)}}`,
    became,
  }
  return outcome
}

/** Counts the results. */
export function countMoves(outcomes: readonly ItemResult[]): Record<Moved['became'], number> {
  const counts = { created: 0, updated: 0, unchanged: 0 }
  for (const outcome of outcomes) if ('became' in outcome) counts[outcome.became as Moved['became']]++
  return counts
}

/** All items that were sent, also those that are wrong in themselves. */
const itemsOf = (body: unknown): readonly unknown[] =>
  Array.isArray(body) ? body : (body as { readonly items: readonly unknown[] }).items

function reasonOf(body: unknown): string | undefined {
  if (Array.isArray(body)) return undefined
  const errors = checkAlongside(body)
  if (errors.length > 0) throw invalid(errors)
  return (body as { reason?: string | null }).reason ?? undefined
}
