// Sales before they are written: their bodies are read, their lines completed, their amounts computed, and their variants locked.

import { mapInSlices } from '../../concurrency/time-slices.ts'
import { Problem, resourceDenied } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { together } from '../../database/pipeline.ts'
import type { Item, JsonObject } from '../../engine/record.ts'
import { type HeldVariant, holdVariants } from '../../resources/held-variants.ts'
import { settingsOf } from './amounts/checked-sums.ts'
import { readSale, type SaleBody, withoutLines, withoutPayments } from './body.ts'
import { variantsOf } from './line-moves.ts'
import { lineCompletion } from './line-products.ts'
import { withLineVariants } from './line-variants.ts'
import { lockCustomers } from './sale-customers.ts'
import { askedOf, type CheckedSale, linesOf, type SaleToCheck, saleOf } from './sale-draft.ts'
import { findSessions, sessionOf, tillOutlets } from './session.ts'
import { taxTablesOf } from './tax-tables.ts'

/** Sales of one company that can be written: the variants of all are locked, and so are the pairs of their customers. */
export interface SalesToWrite {
  readonly sales: ReadonlyMap<Item, CheckedSale>
  readonly variants: ReadonlyMap<string, HeldVariant>
}

/** Checks and computes sales of one company, with the problems of those that cannot be made. Nothing is written. */
export async function checkSales(
  transaction: Queryable,
  items: readonly SaleToCheck[],
): Promise<SalesToWrite & { readonly problems: ReadonlyMap<Item, Problem> }> {
  const companyId = items[0]?.scope.companyId ?? ''
  const now = new Date().toISOString()
  const problems = new Map<Item, Problem>()
  const bodies = await readBodies(transaction, items, problems)
  const sales = new Map<Item, CheckedSale>()
  const sent = [...bodies.values()].map(({ order }) => order)
  const [settings, complete, atTill, open] = await together(transaction, [
    () => settingsOf(transaction, companyId),
    () => lineCompletion(transaction, companyId, sent),
    () => tillOutlets(transaction, companyId, sent),
    () =>
      findSessions(
        transaction,
        companyId,
        sent.map((order) => askedOf(order, now)),
      ),
  ])
  const orders = sent.map((order) => atTill(complete(order, settings.currency)))
  const tables = await taxTablesOf(transaction, companyId, orders)
  await mapInSlices([...bodies], companyId, ([item, body], n) => {
    const named = { ...body, order: orders[n] as JsonObject }
    const sale = saleOf(item, named, { settings: { ...settings, taxTables: tables[n] }, now })
    if (sale instanceof Problem) problems.set(item, sale)
    else sales.set(item, sale)
  })
  for (const [item, sale] of sales) {
    const sessionId = sessionOf(askedOf(sale.order, now, sale.at), open)
    if (sessionId instanceof Problem) {
      problems.set(item, sessionId)
      sales.delete(item)
    } else if (sessionId !== undefined) sale.order.sessionId = sessionId
  }
  const variants = await holdSold(transaction, [...sales.values()])
  await lockCustomers(transaction, sales)
  return { problems, sales, variants }
}

/** The checked bodies of sales, with the variants that their lines name by a code; `problems` gets those that are wrong. */
async function readBodies(
  transaction: Queryable,
  items: readonly SaleToCheck[],
  problems: Map<Item, Problem>,
): Promise<Map<SaleToCheck, SaleBody>> {
  const companyId = items[0]?.scope.companyId ?? ''
  const bodies = new Map<SaleToCheck, SaleBody>()
  await mapInSlices(items, companyId, (item) => {
    const { value, at = '' } = item
    const body = readSale(value, at)
    const problem =
      body instanceof Problem
        ? body
        : (customerDenied(item.scope, body.customer) ?? withoutLines(body, at) ?? withoutPayments(body, at))
    if (problem) problems.set(item, problem)
    else bodies.set(item, body as SaleBody)
  })
  const sent = [...bodies]
  const orders = await withLineVariants(
    transaction,
    companyId,
    sent.map(([{ at = '' }, { order }]) => ({ order, at })),
  )
  for (const [n, [item, body]] of sent.entries()) {
    const order = orders[n]
    if (order instanceof Problem) {
      problems.set(item, order)
      bodies.delete(item)
    } else if (order) bodies.set(item, { ...body, order })
  }
  return bodies
}

/** The refusal of a new customer, if the key may sell but has no access to customers. */
const customerDenied = ({ resources }: Scope, customer: unknown): Problem | undefined =>
  customer === undefined || customer === null || resources === undefined || resources.has('customer')
    ? undefined
    : resourceDenied(resources, 'customer', 'The sale has a new customer')

/**
 * Refuses the unchecked body of one sale if it has a new customer and the key has no access to customers. Called before the
 * idempotency key is looked at, which may replay an answer with that customer. Throws 403.
 */
export function requireCustomers(scope: Scope, body: unknown): void {
  const problem = customerDenied(scope, (body as { readonly customer?: unknown } | null | undefined)?.customer)
  if (problem) throw problem
}

/** Locks the variants of sales, and reads what stock depends on. Before a savepoint: a rollback to it would release the locks. */
export const holdSold = (transaction: Queryable, sales: readonly CheckedSale[]): Promise<Map<string, HeldVariant>> =>
  holdVariants(
    transaction,
    sales.flatMap((sale) => variantsOf(linesOf(sale))),
  )
