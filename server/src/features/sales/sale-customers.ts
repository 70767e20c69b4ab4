// The customers of sales: each is created, unless a customer has the same `source` and `externalId` already (decision 86).

import { Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult } from '../../engine/record.ts'
import {
  ambiguous,
  findByPair,
  firstOfEach,
  type ItemWithPair,
  lockPairs,
  pairIn,
  pairText,
} from '../../engine/upsert.ts'
import { customer } from '../../resources/customer.ts'
import type { CheckedSale } from './sale-draft.ts'

/** The customer of a sale, as an item to create. */
interface SaleCustomer extends Item {
  readonly saleItem: Item
  readonly sale: CheckedSale
}

/** The new customers of sales; one with `source` and `externalId` has its pair. */
const customersOf = (sales: Iterable<readonly [Item, CheckedSale]>): (SaleCustomer & Partial<ItemWithPair>)[] =>
  [...sales].flatMap(([saleItem, sale]) => {
    if (sale.customer === undefined) return []
    const at = `${sale.at}/customer`
    const pair = pairIn(customer, sale.customer, at)
    const item = { saleItem, sale, scope: sale.scope, value: sale.customer, at }
    return pair instanceof Problem ? item : { ...item, pair }
  })

const hasPair = <Some extends Item>(item: Some & Partial<ItemWithPair>): item is Some & ItemWithPair =>
  item.pair !== undefined

/**
 * Makes sales take turns with other requests that create customers with the same pairs. Called once in a transaction, after
 * variants are locked and before a savepoint: a rollback to it would release the locks.
 */
export async function lockCustomers(transaction: Queryable, sales: ReadonlyMap<Item, CheckedSale>): Promise<void> {
  const paired = customersOf(sales).filter(hasPair)
  if (paired.length > 0) await lockPairs(customer, transaction, paired)
}

/**
 * Finds or creates the customers of sales, and sets `customerId` of their orders. Returns the customers that were created, by
 * sale, or the problems of those that cannot be: their sales are then to be undone.
 */
export async function writeCustomers(
  { createMany }: Operations,
  transaction: Queryable,
  sales: ReadonlyMap<Item, CheckedSale>,
): Promise<Map<Item, ItemResult>> {
  const results = new Map<Item, ItemResult>()
  const all = customersOf(sales)
  const paired = all.filter(hasPair)
  const found = paired.length > 0 ? await findByPair(customer, transaction, paired) : []
  const idsOf = new Map<Item, readonly string[]>(paired.map((item, n) => [item, found[n] as string[]]))
  const missing = all.filter((item) => !idsOf.get(item)?.length)
  // Sales of one request may have the same new customer.
  const { firsts } = firstOfEach(missing)
  const written = firsts.length > 0 ? await createMany(firsts, transaction) : []
  const created = new Map<string, string>()
  for (const [n, { saleItem, sale, pair }] of firsts.entries()) {
    const result = written[n] as ItemResult
    results.set(saleItem, result)
    if (result instanceof Problem) continue
    sale.order.customerId = result.id
    if (pair) created.set(pairText(pair), result.id)
  }
  for (const item of paired) {
    const [id = created.get(pairText(item.pair)), ...more] = idsOf.get(item) as string[]
    if (more.length > 0) results.set(item.saleItem, ambiguous(customer, item, idsOf.get(item) as string[]))
    else if (id !== undefined) item.sale.order.customerId = id
  }
  return results
}
