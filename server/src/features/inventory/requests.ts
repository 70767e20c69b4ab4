// Turns bodies of set-levels and adjust into moves of stock, and the results into answers; concurrent requests of a
// company share one transaction.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { mapInSlices } from '../../concurrency/time-slices.ts'
import { checker } from '../../core/json-schema-checker.ts'
import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import type { Bulk } from '../../engine/bulk.ts'
import { claimedBatcher } from '../../engine/claimed-batcher.ts'
import { quantity, reference, required, word } from '../../engine/field.ts'
import type { ItemResult, ItemWithId, JsonObject, Written } from '../../engine/record.ts'
import { keyOf } from '../../resources/held-variants.ts'
import { type MovementKind, movements, reason } from '../../resources/inventory-history.ts'
import { otherNames } from '../../resources/shapes.ts'
import { moveStock } from '../../resources/stock.ts'
import type { Move, Moved } from '../../resources/stock-move.ts'
import { brokenGroups, withGroups } from './groups.ts'
import { type ItemRules, itemCheck, type StockItem, variantFields, withNamedVariants } from './named-items.ts'

/** Members allowed beside the items. */
export const besideItems = { reason: reason() } as const
const checkAlongside = checker({ properties: { reason: { ...besideItems.reason.schema, type: ['string', 'null'] } } })

/** A kind of request: the members of its items, and the move of a checked item. */
export interface StockRequest extends ItemRules {
  /** Whether each level may be in only one item. */
  readonly isDistinct: boolean
  readonly move: (set: JsonObject, at: string) => Pick<Move, 'kind' | 'change' | 'member'> | Problem
}

const tuple = {
  ...variantFields,
  outletId: required(reference({ description: 'Where the stock is.' })),
}

/** `POST /v1/inventories/set-levels`: each level becomes the quantity sent. */
export const setLevels: StockRequest = {
  fields: {
    productId: reference({
      description:
        'The product of the variant: for an existing variant, the one that the variant has. Required with `variantId`.',
    }),
    ...tuple,
    quantity: quantity({
      description: 'The new stock, with at most six decimals. `stock` means the same.',
    }),
    stock: quantity({ description: 'The same as `quantity`.' }),
    expectedQuantity: quantity({
      description: 'The item fails with 409 if the current stock differs. A missing record counts as 0.',
    }),
  },
  beside: ['productId'],
  elsewhere: otherNames('quantity', 'available', 'onHand', 'level', 'amount', 'qty'),
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
        'Optional for an existing variant, and beside a code, where it says which of several variants is meant. For any other `variantId`, optional only while at most one product has stock under it at the outlet.',
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
  beside: [],
  elsewhere: {
    ...otherNames('delta', 'quantity', 'qty', 'change', 'adjustment', 'amount', 'availableAdjustment'),
    ...otherNames('kind', 'type'),
    reason: 'send it beside items, for all of them; the reason of one item is its kind',
  },
  isDistinct: false,
  move: ({ delta, kind }) => ({ kind: kind as MovementKind, change: { by: delta as number }, member: 'delta' }),
}

/** Makes the function that executes the items of a request; all kinds of requests over one database share it. */
export function stockCarrier(database: Database, contended: FairSemaphore): (request: StockRequest) => Bulk['carry'] {
  const carryOut = claimedBatcher(database, contended, moveStock)

  return (request) => {
    const check = itemCheck(request)
    return async ({ scope, body, claim, isGone }, items, answer) => {
      const reason = reasonOf(body)
      const { companyId } = scope
      const checked = await mapInSlices(items, companyId, ({ value, at = '' }) => {
        const change = check(value, at)
        return change instanceof Problem ? change : { set: change.set, at }
      })
      const named = await withNamedVariants({ database, contended, companyId, isGone }, checked)
      const { outcomes, valid } = await movesOf(request, { scope, reason }, items, named)
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

/** A move that can be carried out unless its group cannot, by the place of its item. */
interface ValidMove {
  readonly place: number
  readonly group: string | undefined
  readonly move: Move
}

/** The moves of checked items, and the problems of the others by their places. */
async function movesOf(
  request: StockRequest,
  shared: Pick<Move, 'scope' | 'reason'>,
  items: readonly ItemWithId[],
  checked: readonly (StockItem | Problem)[],
): Promise<{ readonly outcomes: ItemResult[]; readonly valid: readonly ValidMove[] }> {
  const outcomes: ItemResult[] = new Array(items.length)
  const valid: ValidMove[] = []
  const seen = new Set<string>()
  await mapInSlices(checked, shared.scope.companyId, (item, place) => {
    // An item that is otherwise wrong still counts for its level.
    const known = item instanceof Problem ? ((items[place]?.value ?? {}) as JsonObject) : item.set
    const tuple = [known.productId, known.variantId, known.outletId]
    const key = tuple.every((id) => typeof id === 'string') ? keyOf(...tuple) : undefined
    const isRepeated = request.isDistinct && key !== undefined && seen.has(key)
    if (key !== undefined) seen.add(key)
    const meant = item instanceof Problem ? item : request.move(item.set, item.at)
    if (item instanceof Problem || meant instanceof Problem) outcomes[place] = meant as Problem
    else if (isRepeated)
      outcomes[place] = new Problem(
        'duplicate_item',
        'An earlier item has the same productId, variantId and outletId; this item was skipped.',
      )
    else {
      const { productId, variantId, outletId, group } = item.set as Record<string, string>
      const level = { productId, variantId: variantId as string, outletId: outletId as string }
      valid.push({ place, group, move: { ...shared, ...level, ...meant, mayGoBelow: false, at: item.at } })
    }
  })
  return { outcomes, valid }
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
