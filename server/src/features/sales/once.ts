// Sales that are made once: if an order already has the sale's number in another system, the answer is that order
// (decision 67).

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { bodyError, Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Item, ItemResult, JsonObject, Written } from '../../engine/record.ts'
import { inParts, store } from '../../engine/store.ts'
import {
  findByPair,
  firstOfEach,
  type ItemWithPair,
  lockPairs,
  type Pair,
  pairIn,
  pairText,
} from '../../engine/upsert.ts'
import { isOpenStatus, order } from '../../resources/order.ts'
import { checkSales, holdSold, type SalesToWrite } from './check-sales.ts'
import type { CheckedSale } from './sale-draft.ts'
import { type SaleParts, sell, writeSales } from './sell.ts'

/** A sale to be made. */
export interface SaleItem extends Item {
  /** Whether nothing is to be done if an order has its `source` and `externalId` already. */
  readonly isOnce?: boolean
  readonly pair?: Pair | undefined
}

const { find } = store(order)

/**
 * Makes sales of one company, as `sell` does. A sale that is to be made once waits for the earlier ones of its pair.
 */
export async function makeSales(
  parts: SaleParts,
  transaction: Queryable,
  items: readonly SaleItem[],
): Promise<ItemResult[]> {
  if (!items.some(({ isOnce }) => isOnce)) return sell(parts, transaction, items)
  const results: ItemResult[] = new Array(items.length)
  const numbered = items.map((item, index) => {
    const pair = item.isOnce ? pairOf(item) : undefined
    if (pair instanceof Problem) results[index] = pair
    return { ...item, index, pair: pair instanceof Problem ? undefined : pair }
  })
  type Numbered = (typeof numbered)[number]
  const hasPair = (item: Numbered): item is Numbered & ItemWithPair => item.pair !== undefined
  const paired = numbered.filter(hasPair)
  if (paired.length > 0) await lockPairs(order, transaction, paired)
  // A sale that was made before gets the same answer whatever has changed since, so it is looked up before it is
  // checked.
  await answerMade(transaction, paired, results)
  const left = numbered.filter(({ index }) => results[index] === undefined)
  if (left.length === 0) return results
  const { problems, sales, variants } = await checkSales(transaction, left)
  const orders = new Map<string, { readonly index: number; readonly made: Written }>()
  let waiting = left.filter((item) => !problems.has(item))
  for (let held = variants; waiting.length > 0; ) {
    const made = await writeFirsts(parts, transaction, { sales, variants: held }, waiting)
    for (const [item, result] of made as Map<Numbered, ItemResult>) {
      const isMade = item.isOnce && !(result instanceof Problem)
      results[item.index] = isMade ? { ...result, outcome: 'created' } : result
      if (isMade && item.pair) orders.set(pairText(item.pair), { index: item.index, made: result })
    }
    // If the first sale of a number was refused, the next one may be made.
    waiting = waiting.filter((item) => !made.has(item) && !orders.has(pairText(item.pair as Pair)))
    if (waiting.length > 0)
      held = await holdSold(
        transaction,
        waiting.map((item) => sales.get(item) as CheckedSale),
      )
  }
  for (const item of left) {
    const problem = problems.get(item)
    const first = hasPair(item) ? orders.get(pairText(item.pair)) : undefined
    if (hasPair(item) && first && first.index < item.index)
      results[item.index] = madeBefore(item, first.made.id, JSON.stringify(JSON.parse(first.made.text).order))
    else if (problem) results[item.index] = problem
  }
  return results
}

/** The pair of a sale; undefined for a body that is not an object, which is refused later. */
const pairOf = ({ value, at }: SaleItem): Pair | Problem | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? pairIn(order, value, at, 'mode=once makes the sale only if no order has it')
    : undefined

/**
 * Writes the first sale of each pair at once. If the first sale of a pair is refused, the next one takes its place, and must
 * get its stock before the sales after it: then only the sales before it are written.
 */
async function writeFirsts<Some extends SaleItem & { readonly index: number }>(
  parts: SaleParts,
  transaction: Queryable,
  writing: SalesToWrite,
  items: readonly Some[],
): Promise<Map<Item, ItemResult>> {
  const { firsts, others } = firstOfEach(items)
  if (others.length === 0) return writeSales(parts, transaction, writing, firsts)
  await transaction.query('savepoint firsts')
  const made = await writeSales(parts, transaction, writing, firsts)
  const isRefused = (item: Some) => made.get(item) instanceof Problem
  const refused = new Set(firsts.filter(isRefused).map(({ pair }) => pair && pairText(pair)))
  const next = others.find(({ pair }) => refused.has(pairText(pair as Pair)))
  const before = next ? firsts.filter(({ index }) => index < next.index) : firsts
  const isInTurn = before.length === firsts.length
  await transaction.query(`${isInTurn ? '' : 'rollback to savepoint firsts; '}release savepoint firsts`)
  return isInTurn ? made : writeSales(parts, transaction, writing, before)
}

/** Answers sales whose pair an order has. */
async function answerMade(
  transaction: Queryable,
  items: readonly (ItemWithPair & { readonly index: number })[],
  results: ItemResult[],
): Promise<void> {
  if (items.length === 0) return
  const found = await findByPair(order, transaction, items)
  const made = items.flatMap((item, n) => {
    const [id] = found[n] as string[]
    return id === undefined ? [] : { item, id }
  })
  const keyOf = ({ item: { scope }, id }: (typeof made)[number]) => ({ scope, id })
  await inParts(
    made,
    (asked) => find(transaction, asked.map(keyOf)),
    ({ item, id }, row) => {
      const text = row?.text
      // Without a text, the order was deleted after it was found, and the sale is made.
      if (text !== undefined) results[item.index] = text instanceof Problem ? text : madeBefore(item, id, text)
    },
  )
}

/**
 * The result of a sale that was made before. Another sale under the same number is refused, since it would otherwise be
 * lost. So is a sale whose number belongs to an order that was never sold.
 */
function madeBefore({ scope, value, at = '' }: ItemWithPair, id: string, text: string): ItemResult {
  const { occurredAt } = value as JsonObject
  const known = JSON.parse(text) as JsonObject
  const has = `The order ${id} has the same source and externalId`
  if (!wasSold(known)) {
    const message = `${has}, but is not a sale: its status is ${known.status}. Complete it with POST /v1/sale/${id}/complete, give the sale another externalId, or delete the order.`
    return new Problem('conflict', message, [bodyError(`${at}/externalId`, 'not_sold', message)])
  }
  const made = known.occurredAt
  if (typeof occurredAt === 'string' && isDateTime(occurredAt) && canonicalDateTime(occurredAt) !== made) {
    const message = `${has}, but a different time: ${made ?? 'none'}. Give a different sale a different externalId.`
    return new Problem('conflict', message, [bodyError(`${at}/occurredAt`, 'other_sale', message)])
  }
  const shown = scope.mayUse(order.name.one) ? text : JSON.stringify(withoutDetails(known))
  return { id, text: `{"order":${shown},"transactions":[],"stock":[]}`, outcome: 'unchanged' }
}

/**
 * The members by which a till knows its sale again. A key without access to orders is shown no others: numbers of sales are
 * easy to guess, and the order of a web shop has the customer's name and address.
 */
const recognized = [
  ...([
    'id',
    'receiptId',
    'status',
    'occurredAt',
    'completedAt',
    'currency',
    'outletId',
    'stationId',
    'sessionId',
  ] as const),
  ...(['source', 'externalId', 'fromService', 'companyId', 'createdAt', 'updatedAt'] as const),
]

const withoutDetails = (known: JsonObject): JsonObject =>
  Object.fromEntries(recognized.flatMap((member) => (known[member] === undefined ? [] : [[member, known[member]]])))

/**
 * Whether an order may come from a sale. An order that waits to be paid does not, nor one that was cancelled before
 * anything was paid; the order of a sale shows `paid` from the start.
 */
const wasSold = ({ status, paid, completedAt }: JsonObject): boolean =>
  completedAt !== undefined || (!isOpenStatus(status) && (status !== 'cancelled' || paid !== undefined))
