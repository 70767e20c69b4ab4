// Makes sales: in one transaction the orders, their payments, the moves of stock, and new customers; each sale whole or not at all.

import { Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, Written } from '../../engine/record.ts'
import type { HeldVariant } from '../../resources/held-variants.ts'
import { moveStock } from '../../resources/stock.ts'
import type { Moved } from '../../resources/stock-move.ts'
import { checkSales, type SalesToWrite } from './check-sales.ts'
import { movesOf, shownMoves } from './line-moves.ts'
import { writeCustomers } from './sale-customers.ts'
import { type CheckedSale, type Created, linesOf, ownMembers, paymentItems } from './sale-draft.ts'

/** The operations that make up sales. */
export interface SaleParts {
  readonly orders: Operations
  /** Without the side effects on orders, whose state a sale writes itself. */
  readonly transactions: Operations
  readonly customers: Operations
}

/**
 * Makes sales of one company, one after the other; returns for each its response or its problem. A problem leaves nothing
 * of its sale behind, and does not affect the others.
 */
export async function sell(parts: SaleParts, transaction: Queryable, items: readonly Item[]): Promise<ItemResult[]> {
  const { problems, ...checked } = await checkSales(transaction, items)
  const made = await writeSales(parts, transaction, checked, [...checked.sales.keys()])
  return items.map((item) => (problems.get(item) ?? made.get(item)) as ItemResult)
}

/** Writes some of the checked sales; returns the result of each. What variants show has changed then: others of them need it read again. */
export async function writeSales(
  parts: SaleParts,
  transaction: Queryable,
  { sales: checked, variants }: SalesToWrite,
  items: readonly Item[],
): Promise<Map<Item, ItemResult>> {
  const results = new Map<Item, ItemResult>()
  const sales = new Map(items.map((item) => [item, checked.get(item) as CheckedSale]))
  while (sales.size > 0) {
    await transaction.query('savepoint sales')
    const isPartial = await writeAll({ parts, transaction, variants }, sales, results)
    // What was written together with a refused sale is rolled back, and the others are made again without it.
    await transaction.query(`${isPartial ? 'rollback to savepoint sales; ' : ''}release savepoint sales`)
    if (!isPartial) break
  }
  return results
}

interface SalesWriting {
  readonly parts: SaleParts
  readonly transaction: Queryable
  readonly variants: ReadonlyMap<string, HeldVariant>
}

/**
 * Writes sales, with the result of each. A sale that is refused after a part of it was written leaves `sales`; then
 * everything has to be undone, and true is returned. Sales that were refused for their stock are then tried again,
 * since the refused sale may have taken those units.
 */
async function writeAll(
  { parts, transaction, variants }: SalesWriting,
  sales: Map<Item, CheckedSale>,
  results: Map<Item, ItemResult>,
): Promise<boolean> {
  const stock = await moveAll(transaction, sales, variants)
  const left = new Map([...sales].filter(([item]) => !(stock.get(item) instanceof Problem)))
  const create = (operations: Operations, recordsOf: (sale: CheckedSale) => readonly Created[]) =>
    createAll(operations, transaction, left, recordsOf)
  const customers = await writeCustomers(parts.customers, transaction, left)
  const orders = await create(parts.orders, (sale) => [{ value: sale.order, at: sale.at, own: ownMembers(sale) }])
  const payments = await create(parts.transactions, paymentItems)
  const late = [...left.keys()].flatMap((item) => {
    const all = [customers, orders, payments].flatMap((of) => of.get(item) ?? [])
    const problem = all.find((result) => result instanceof Problem)
    return problem ? [{ item, problem }] : []
  })
  for (const { item, problem } of late) {
    results.set(item, problem)
    sales.delete(item)
  }
  if (late.length > 0) return true
  for (const [item, { id }] of sales) {
    const moved = stock.get(item) ?? []
    const text = () => responseText(orders.get(item), payments.get(item), customers.get(item), moved as object[])
    results.set(item, moved instanceof Problem ? moved : { id, text: text() })
  }
  return false
}

/** Moves the stock of sales; returns what each one's response says of it, or why it was refused. */
export async function moveAll(
  transaction: Queryable,
  sales: ReadonlyMap<Item, CheckedSale>,
  variants: SalesWriting['variants'],
): Promise<Map<Item, readonly object[] | Problem>> {
  const moves = new Map([...sales].map(([item, sale]) => [item, movesOf(linesOf(sale), variants, 'out')]))
  const moved = await moveStock(
    transaction,
    [...moves.values()].flatMap((own) => (own instanceof Problem ? [] : own)),
    variants,
  )
  let from = 0
  const stock = new Map<Item, readonly object[] | Problem>()
  for (const [item, own] of moves) {
    if (own instanceof Problem) {
      stock.set(item, own)
      continue
    }
    const done = moved.slice(from, from + own.length)
    from += own.length
    const wrong = done.find((result) => result instanceof Problem)
    stock.set(item, wrong ?? shownMoves(own, done as Moved[]))
  }
  return stock
}

/** Creates the records of each sale that `recordsOf` names, all in one go. */
async function createAll(
  { createMany }: Operations,
  transaction: Queryable,
  sales: ReadonlyMap<Item, CheckedSale>,
  recordsOf: (sale: CheckedSale) => readonly Created[],
): Promise<Map<Item, ItemResult[]>> {
  const wanted = [...sales].flatMap(([item, sale]) =>
    recordsOf(sale).map((one) => ({ item, scope: sale.scope, ...one })),
  )
  const done = wanted.length > 0 ? await createMany(wanted, transaction) : []
  const results = new Map<Item, ItemResult[]>([...sales.keys()].map((item) => [item, []]))
  for (const [n, { item }] of wanted.entries()) results.get(item)?.push(done[n] as ItemResult)
  return results
}

/** The response to a sale: what was stored. */
export function responseText(
  [order]: readonly ItemResult[] = [],
  payments: readonly ItemResult[] = [],
  customer: ItemResult | undefined,
  stock: readonly object[],
): string {
  const textOf = (result: ItemResult | undefined) => (result as Written).text
  const ofCustomer = customer ? `,"customer":${textOf(customer)}` : ''
  return `{"order":${textOf(order)},"transactions":[${payments.map(textOf).join(',')}]${ofCustomer},"stock":${JSON.stringify(stock)}}`
}
