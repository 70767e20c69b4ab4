// Sales of tills: each is an order, two payments and a move of one variant's stock, which all exist, or none of them; a refund takes back all of it, once.

import { Scope } from '../src/core/scope.ts'
import type { Database, Queryable } from '../src/database/connect.ts'
import { operations } from '../src/engine/operations.ts'
import { variant } from '../src/resources/variant.ts'
import type { Findings } from './findings.ts'
import type { Random } from './random.ts'

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

const hourMs = 3_600_000
/** How long ago a sale may have been made, in hours: reports then sum it with others of its time, and roll up days. */
export const oldestHours = 30 * 24

/** The body of a sale, which a till sends some time after it was made. */
export const saleOf = (externalId: string, random: Random) => ({
  externalId,
  occurredAt: new Date(Date.now() - random.below(oldestHours) * hourMs).toISOString(),
  outletId,
  currency: 'EUR',
  lineItems: [{ variantId: hotVariantId, price: '2.50', quantity: unitsSold }],
  payments: paid.map((amount, n) => ({ paymentMethod: n === 0 ? 'cash' : 'credit_card', amount })),
})

/** Whether a record is the hot variant, or its level: sales change them, and no till asks for that by name. */
export const isHot = ({ id, variantId }: Readonly<Record<string, unknown>>): boolean =>
  id === hotVariantId || variantId === hotVariantId

/** Finds sales and refunds without all of their payments and stock, and payments and moves of no sale. */
export async function checkSales(findings: Findings, database: Queryable, companyId: string): Promise<void> {
  const total = paid.reduce((sum, amount) => sum + Number(amount), 0)
  const uneven = await database.query(
    `select sold.id, payments, taken::text, refunds, back::text
     from orders as sold,
       lateral (select count(*) filter (where type <> 'refund')::int as payments,
           coalesce(sum(amount) filter (where type <> 'refund'), 0) as taken,
           coalesce(sum(amount) filter (where type = 'refund'), 0) as back
         from transactions where company_id = $1 and order_id = sold.id) as payment,
       lateral (select count(*)::int as refunds from refunds where company_id = $1 and order_id = sold.id) as refund
     where sold.company_id = $1 and sold.body ->> 'paid' is not null
       and (payments <> $2 or taken <> $3 or refunds > 1 or back <> refunds * $3
         or (sold.body ->> 'status' = 'refunded') <> (refunds = 1))`,
    [companyId, paid.length, total],
  )
  for (const [id, payments, taken, refunds, back] of uneven)
    findings.half.push(`sale ${id} has ${payments} payments, of ${taken} in all, and ${refunds} refunds, of ${back}`)
  const orphans = await database.query(
    `select id from transactions as payment where company_id = $1 and not exists (
       select from orders where orders.company_id = $1 and orders.id = payment.order_id)`,
    [companyId],
  )
  for (const [id] of orphans) findings.half.push(`payment ${id} is of no sale`)
  const [row] = await database.query(
    `select (select count(*)::int from orders where company_id = $1 and body ->> 'paid' is not null),
       (select count(*)::int from refunds where company_id = $1),
       (select count(*)::int from inventory_history where company_id = $1 and variant_id = $2 and kind = 'SALE'),
       (select count(*)::int from inventory_history where company_id = $1 and variant_id = $2 and kind = 'RETURN'),
       (select (body ->> 'stock')::int from inventories where company_id = $1 and variant_id = $2)`,
    [companyId, hotVariantId],
  )
  const [sales, refunds, out, back, left] = row as [number, number, number, number, number]
  if (out !== sales || back !== refunds || left !== stock - (sales - refunds) * unitsSold)
    findings.half.push(
      `${sales} sales and ${refunds} refunds have ${out} and ${back} moves of stock, and left ${left} of ${stock} units`,
    )
}
