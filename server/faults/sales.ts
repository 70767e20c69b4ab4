// Sales of tills: each is an order, two payments and a move of one variant's stock, which all exist, or none of them.

import { Scope } from '../src/core/scope.ts'
import type { Database, Queryable } from '../src/database/connect.ts'
import { operations } from '../src/engine/operations.ts'
import { variant } from '../src/resources/variant.ts'
import type { Findings } from './findings.ts'

/** The variant that every sale sells, so that sales of all tills meet at its level. */
const hotVariantId = '6740a1f2c3d4e5f6a7b8c9d4'
const outletId = 'main'
const stock = 1_000_000
const unitsSold = 2
const paid = ['3.00', '2.00']

/** A company's hot variant, with its level. */
export async function stockUp(database: Database, companyId: string): Promise<void> {
  const value = { productId: 'beans', manageStock: true, inventory: [{ outletId, stock }] }
  const item = { scope: Scope.grant(companyId), value, own: { id: hotVariantId } }
  const [made] = await operations(variant, database).createMany([item])
  if (made === undefined || !('text' in made)) throw new Error('The variant that tills sell was refused.')
}

/** The body of a sale. */
export const saleOf = (externalId: string) => ({
  ...{ externalId, outletId, currency: 'EUR' },
  lineItems: [{ variantId: hotVariantId, price: '2.50', quantity: unitsSold }],
  payments: paid.map((amount, n) => ({ paymentMethod: n === 0 ? 'cash' : 'credit_card', amount })),
})

/** Whether a record is the hot variant, or its level: sales change them, and no till asks for that by name. */
export const isHot = ({ id, variantId }: Readonly<Record<string, unknown>>): boolean =>
  id === hotVariantId || variantId === hotVariantId

/** Finds sales without all of their payments and stock, and payments and moves of no sale. */
export async function checkSales(findings: Findings, database: Queryable, companyId: string): Promise<void> {
  const unpaid = await database.query(
    `select sold.id, count(payment.id)::int, coalesce(sum(payment.amount), 0)::text
     from orders as sold left join transactions as payment on payment.company_id = $1 and payment.order_id = sold.id
     where sold.company_id = $1 and sold.body ->> 'paid' is not null
     group by sold.id having count(payment.id) <> $2 or sum(payment.amount) <> $3`,
    [companyId, paid.length, paid.reduce((sum, amount) => sum + Number(amount), 0)],
  )
  for (const [id, count, sum] of unpaid) findings.half.push(`sale ${id} has ${count} payments, of ${sum} in all`)
  const orphans = await database.query(
    `select id from transactions as payment where company_id = $1 and not exists (
       select from orders where orders.company_id = $1 and orders.id = payment.order_id)`,
    [companyId],
  )
  for (const [id] of orphans) findings.half.push(`payment ${id} is of no sale`)
  const [row] = await database.query(
    `select (select count(*)::int from orders where company_id = $1 and body ->> 'paid' is not null),
       (select count(*)::int from inventory_history where company_id = $1 and variant_id = $2 and kind = 'SALE'),
       (select (body ->> 'stock')::int from inventories where company_id = $1 and variant_id = $2)`,
    [companyId, hotVariantId],
  )
  const [sales, moves, left] = row as [number, number, number]
  if (moves !== sales || left !== stock - sales * unitsSold)
    findings.half.push(`${sales} sales have ${moves} moves of stock, and left ${left} of ${stock} units`)
}
