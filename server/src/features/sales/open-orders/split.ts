// Splits an open order: lines move to a new order in one transaction, so that no line is duplicated or lost.

import type { Condition } from '../../../core/etag.ts'
import { amountText, exact, plus } from '../../../core/exact.ts'
import { newId } from '../../../core/ids.ts'
import { bodyError, invalid, orThrow, Problem } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { ItemResult, JsonObject } from '../../../engine/record.ts'
import type { Line, LineList } from '../amounts/order-ways.ts'
import type { Sale, Summary } from '../amounts/sale.ts'
import { findLines, type NamedLine } from '../named-lines.ts'
import type { SaleParts } from '../sell.ts'
import { holdOpenOrder } from './complete.ts'
import { amountsOf, isSelling, type OpenSale, rateOf, refuseTotals } from './open-amounts.ts'
import type { SplitBody } from './split-body.ts'

interface Split {
  readonly scope: Scope
  readonly id: string
  readonly sent: SplitBody
  /** The expected version of the order, if the caller sent one. */
  readonly ifMatch: Condition | undefined
}

/** Members that the new order copies from the first one. */
const inherited = ['status', 'currency', 'customerId', 'outletId', 'stationId', 'employee', 'parkReduceStock', 'parkExpiryDate', 'billing', 'shipping', 'metadata'] // biome-ignore format: one thought

/** Moves lines of an open order to a new one; returns both. Throws 400, 404, 409 and 412. */
export async function splitOrder(
  { orders }: Pick<SaleParts, 'orders'>,
  transaction: Queryable,
  { scope, id, sent, ifMatch }: Split,
): Promise<string> {
  const before: OpenSale = await holdOpenOrder(transaction, { scope, id }, ifMatch, 'split')
  refuseTotals(before, '/lines', { subject: 'The order', verb: 'divide it' })
  const { moved, left } = divided(before, sent.lines)
  const summary = ratesOf(before.summary)
  const own: JsonObject = { ...Object.fromEntries(inherited.map((member) => [member, before[member]])), ...sent.own }
  const made = {
    ...own,
    // A session belongs to one till.
    ...(own.stationId === before.stationId && { sessionId: before.sessionId }),
    ...moved,
    ...discountOf(before, moved),
    ...(summary && { summary }),
  }
  const newOrder = { scope, own: { id: newId() }, value: made }
  const [created] = (await orders.createMany([newOrder], transaction)) as [ItemResult]
  // The balance was for all lines.
  const value = {
    ...left,
    balance: null,
    ...(before.cartDiscount && { cartDiscount: null }),
    ...discountOf(before, left),
  }
  const [updated] = (await orders.updateMany([{ scope, id, value }], transaction)) as [ItemResult]
  return `{"order":${orThrow(updated).text},"newOrder":${orThrow(created).text}}`
}

/**
 * The cart discount for a part of an order. It stays with the lines that it applied to: in an order that sells something, it does not apply
 * to returned goods, but in an order of returned goods alone it would.
 */
function discountOf(order: OpenSale, part: Sale): Pick<Sale, 'cartDiscount'> {
  const cartDiscount = rateOf(order.cartDiscount)
  return cartDiscount && isSelling(part) === isSelling(order) ? { cartDiscount } : {}
}

/** What the summary says of every line: whether prices contain tax, and a tip in percent. A tip as an amount stays. */
function ratesOf({ isTaxInclusive, tip }: Summary = {}): Summary | undefined {
  const hasRate = tip?.percentage !== undefined && tip.amount === undefined
  if (isTaxInclusive === undefined && !hasRate) return undefined
  return { ...(isTaxInclusive !== undefined && { isTaxInclusive }), ...(hasRate && { tip }) }
}

/** The lines that move, in the order of the request, and those that stay. */
function divided(order: OpenSale, lines: readonly NamedLine[]) {
  const left: Record<LineList, (Line | undefined)[]> = {
    lineItems: [...(order.lineItems ?? [])],
    customSales: [...(order.customSales ?? [])],
  }
  const moved: Record<LineList, Line[]> = { lineItems: [], customSales: [] }
  const named = findLines(lines, (kind, position) => {
    const list = `${kind}s` as const
    const line = (order[list] as readonly Line[] | undefined)?.[position]
    return line && { list, position, line }
  })
  if (named instanceof Problem) throw named
  for (const [n, { list, position, line }] of named.entries()) {
    const [part, rest] = parted(line, lines[n]?.quantity, `/lines/${n}`)
    moved[list].push(part)
    left[list][position] = rest
  }
  const stays = { lineItems: left.lineItems.filter(isThere), customSales: left.customSales.filter(isThere) }
  if (stays.lineItems.length + stays.customSales.length === 0)
    throw invalid([bodyError('/lines', 'maxItems', 'must leave at least one line in the order')])
  const nonEmpty = ([list, some]: [string, readonly Line[]]) => order[list] !== undefined || some.length > 0
  const withoutEmpty = (lists: Record<LineList, Line[]>) => Object.fromEntries(Object.entries(lists).filter(nonEmpty))
  return { moved: withoutEmpty(moved), left: withoutEmpty(stays) }
}

const isThere = (line: Line | undefined): line is Line => line !== undefined

/** Divides a line into the part that moves and the part that stays, if any. Throws 400 and 409. */
function parted(line: Line, quantity: number | undefined, at: string): [Line, Line | undefined] {
  const { quantity: all = 1 } = line
  if (quantity === undefined || quantity === all) return [line, undefined]
  refuseQuantity(quantity, all, `${at}/quantity`)
  const amount = ownAmount(line)
  if (amount !== undefined) {
    const message = `The line has ${amount}, and only the till that computed it can divide it. Move the whole line, or remove the amount with PATCH /v1/order/{id}.`
    throw amountsOf(`${at}/quantity`, message)
  }
  return [
    { ...line, quantity },
    { ...line, quantity: difference(all, quantity) },
  ]
}

/** Throws 400 for a part that is not between 0 and the whole; the quantity of a line that takes goods back is below zero. */
function refuseQuantity(part: number, whole: number, at: string): void {
  if (whole < 0 && (part >= 0 || part < whole))
    throw invalid([bodyError(at, 'range', `must be less than 0 and at least ${whole}, the quantity of the line`)])
  if (whole < 0) return
  if (part <= 0) throw invalid([bodyError(at, 'exclusiveMinimum', 'must be greater than 0', 0)])
  if (part > whole)
    throw invalid([bodyError(at, 'maximum', `must be at most ${whole}, the quantity of the line`, whole)])
}

/** What is left of a quantity, exactly: the parts of a line add up to it. */
function difference(all: number, part: number): number {
  const { n, d } = plus(exact(all), exact(-part))
  return Number(amountText(n, String(d).length - 1))
}

/** The name of an amount of all units of a line together, which does not follow from its price and its rates. */
function ownAmount({ subTotal, total, totalTax, fee, taxes = [], discount = {} }: Line): string | undefined {
  const amounts = {
    subTotal,
    total,
    totalTax,
    fee,
    'discount.itemDiscount.amount': discount.itemDiscount?.amount,
    'discount.cartDiscount.amount': discount.cartDiscount?.amount,
    'taxes.amount': taxes.find((tax) => tax.amount !== undefined)?.amount,
  }
  return Object.entries(amounts).find(([, amount]) => amount !== undefined)?.[0]
}
