// Makes sales: in one transaction the orders, their payments, the moves of stock, and new customers; each sale whole or not at all.

import { newId } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import type { Item, ItemResult, JsonObject, Written } from '../../engine/record.ts'
import { type HeldVariant, holdVariants } from '../../resources/held-variants.ts'
import { type Moved, moveStock } from '../../resources/stock.ts'
import { readSale, type SaleBody, type SentPayment } from './body.ts'
import { type LineMove, movesOf, refusedLine, type StockLine, shownMove, variantsOf } from './lines.ts'
import { openSessions, type SessionAsked, sessionOf } from './session.ts'

/** The operations of which sales are made. */
export interface SaleParts {
  readonly orders: Operations
  /** Without the side effects on orders, whose state a sale writes itself. */
  readonly transactions: Operations
  readonly customers: Operations
}

/** A sale on its way through the transaction. */
interface Sale extends SaleBody {
  readonly scope: Scope
  readonly at: string
  readonly id: string
  readonly order: JsonObject
  /** The ids of its transactions. */
  readonly paymentIds: readonly string[]
}

/** What a company's sales begin with. */
interface Defaults {
  readonly currency: string
  readonly now: string
}

/**
 * Makes sales of one company, one after the other; returns for each its response or its problem. A problem leaves nothing
 * of its sale behind, and does not affect the others.
 */
export async function sell(parts: SaleParts, transaction: Queryable, items: readonly Item[]): Promise<ItemResult[]> {
  const companyId = items[0]?.scope.companyId ?? ''
  const defaults = await defaultsOf(transaction, companyId)
  const results = new Map<Item, ItemResult>()
  const sales = new Map<Item, Sale>()
  for (const item of items) {
    const sale = saleOf(item, defaults)
    if (sale instanceof Problem) results.set(item, sale)
    else sales.set(item, sale)
  }
  const open = await openSessions(transaction, companyId, [...sales.values()].map(askedOf))
  for (const [item, sale] of sales) {
    const sessionId = sessionOf(askedOf(sale), open)
    if (sessionId instanceof Problem) results.set(item, sessionId)
    else if (sessionId !== undefined) sale.order.sessionId = sessionId
    if (sessionId instanceof Problem) sales.delete(item)
  }
  // Before the savepoint: a rollback to it would release the locks.
  const variants = await holdVariants(
    transaction,
    [...sales.values()].flatMap((sale) => variantsOf(linesOf(sale))),
  )
  while (sales.size > 0) {
    await transaction.query('savepoint sales')
    const isPartial = await writeAll({ parts, transaction, variants }, sales, results)
    // What was written with a refused sale goes, and the others are made again without it.
    await transaction.query(`${isPartial ? 'rollback to savepoint sales; ' : ''}release savepoint sales`)
    if (!isPartial) break
  }
  return items.map((item) => results.get(item) as ItemResult)
}

/** A checked sale with the ids that it gets, or what is wrong with it. */
function saleOf({ scope, value, at = '' }: Item, { currency, now }: Defaults): Sale | Problem {
  const body = readSale(value, at)
  if (body instanceof Problem) return body
  const paymentIds = body.payments.map(() => newId())
  const order: JsonObject = { currency, occurredAt: now, ...body.order }
  order.paymentMethods ??= body.payments.map((payment, n) => shownPayment(payment, paymentIds[n] as string, order))
  return { ...body, scope, at, id: newId(), order, paymentIds }
}

/** A payment as the order shows it. */
function shownPayment(
  { paymentMethod, amount, change, tip, paymentData }: SentPayment,
  transactionId: string,
  { occurredAt }: JsonObject,
) {
  const { processor } = (paymentData ?? {}) as { readonly processor?: string }
  return { transactionId, paymentType: paymentMethod, amount, timestamp: occurredAt, processor, change, tip }
}

const askedOf = ({ order, at }: Sale): SessionAsked => ({ ...(order as Omit<SessionAsked, 'at'>), at })

const linesOf = ({ scope, order, mayOversell, at, id }: Sale) => ({
  ...{ scope, at, mayGoBelow: mayOversell },
  lines: (order.lineItems ?? []) as StockLine[],
  outletId: order.outletId as string | undefined,
  reason: `Sale ${order.receiptId ?? id}`,
})

interface Writing {
  readonly parts: SaleParts
  readonly transaction: Queryable
  readonly variants: ReadonlyMap<string, HeldVariant>
}

/**
 * Writes sales, with the result of each. Those that are refused once something of them was written leave `sales`; then all
 * has to be undone, and true is returned. What was refused for its stock is tried again then, since they had units.
 */
async function writeAll(
  { parts, transaction, variants }: Writing,
  sales: Map<Item, Sale>,
  results: Map<Item, ItemResult>,
): Promise<boolean> {
  const stock = await moveAll(transaction, sales, variants)
  const left = new Map([...sales].filter(([item]) => !(stock.get(item) instanceof Problem)))
  const create = (operations: Operations, recordsOf: (sale: Sale) => readonly Created[]) =>
    createAll(operations, transaction, left, recordsOf)
  const customers = await create(parts.customers, ({ customer, at }) =>
    customer ? [{ value: customer, at: `${at}/customer` }] : [],
  )
  for (const [item, [customer]] of customers)
    if (customer && !(customer instanceof Problem)) (left.get(item) as Sale).order.customerId = customer.id
  const orders = await create(parts.orders, ({ order, at, id }) => [{ value: order, at, own: { id } }])
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
async function moveAll(
  transaction: Queryable,
  sales: ReadonlyMap<Item, Sale>,
  variants: Writing['variants'],
): Promise<Map<Item, readonly object[] | Problem>> {
  const moves = new Map([...sales].map(([item, sale]) => [item, movesOf(linesOf(sale), variants, 'out')]))
  const moved = await moveStock(
    transaction,
    [...moves.values()].flatMap((own) => (own instanceof Problem ? [] : own)),
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
    const wrong = done.findIndex((result) => result instanceof Problem)
    stock.set(
      item,
      wrong < 0
        ? own.map((move, n) => shownMove(move, done[n] as Moved))
        : refusedLine(own[wrong] as LineMove, done[wrong] as Problem),
    )
  }
  return stock
}

type Created = Pick<Item, 'value' | 'at' | 'own'>

/** Creates the records of each sale that `recordsOf` names, all in one go. */
async function createAll(
  { createMany }: Operations,
  transaction: Queryable,
  sales: ReadonlyMap<Item, Sale>,
  recordsOf: (sale: Sale) => readonly Created[],
): Promise<Map<Item, ItemResult[]>> {
  const wanted = [...sales].flatMap(([item, sale]) =>
    recordsOf(sale).map((one) => ({ item, scope: sale.scope, ...one })),
  )
  const done = wanted.length > 0 ? await createMany(wanted, transaction) : []
  const results = new Map<Item, ItemResult[]>([...sales.keys()].map((item) => [item, []]))
  for (const [n, { item }] of wanted.entries()) results.get(item)?.push(done[n] as ItemResult)
  return results
}

/** The transactions of a sale. */
function paymentItems({ order, payments, paymentIds, id, at }: Sale): Created[] {
  const { outletId, sessionId, receiptId, currency, employee, occurredAt } = order
  return payments.map(({ change, tip, ...payment }, n) => ({
    value: {
      ...{ employee, ...payment },
      ...{ type: 'sale', orderId: id, outletId, sessionId, receiptId, currency, occurredAt },
    },
    at: `${at}/payments/${n}`,
    own: { id: paymentIds[n] },
  }))
}

/** The response to a sale. */
function responseText(
  [order]: readonly ItemResult[] = [],
  payments: readonly ItemResult[] = [],
  [customer]: readonly ItemResult[] = [],
  stock: readonly object[] = [],
): string {
  const textOf = (result: ItemResult | undefined) => (result as Written).text
  const ofCustomer = customer ? `,"customer":${textOf(customer)}` : ''
  return `{"order":${textOf(order)},"transactions":[${payments.map(textOf).join(',')}]${ofCustomer},"stock":${JSON.stringify(stock)}}`
}

/** What the sales of a company have by default. */
async function defaultsOf(transaction: Queryable, companyId: string): Promise<Defaults> {
  const [row] = await transaction.query(
    { name: 'sales_defaults', text: 'select currency from companies where id = $1' },
    [companyId],
  )
  return { currency: row?.[0], now: new Date().toISOString() }
}
