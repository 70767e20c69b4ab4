// The sums from which the state of an order follows: those of its transactions and refunds in its currency.

import { currencyDigits } from '../core/currency.ts'
import { sumText } from '../core/exact.ts'
import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import type { Queryable, Row, Statement } from '../database/connect.ts'
import { rowsByItem } from '../database/size-limited-query.ts'
import { keepsPlan } from '../database/statement.ts'
import { columnsOf } from '../engine/held-rows.ts'
import type { Change, JsonObject, Key } from '../engine/record.ts'
import type { Edit } from '../engine/resource.ts'
import { inParts } from '../engine/store.ts'

/**
 * SQL: an amount of a refund as it pays back. A refund that was written as a record may have all amounts negative; it pays
 * back their size. Reports decide the same in `itemsOfRefund`.
 */
const paidBack = (amount: string, total: string): string =>
  `case when ${total} < 0 then abs(${amount}) else ${amount} end`

/**
 * SQL, of the lines of a refund with negative amounts: whether quantities are negative too, since prices are not. If no line is worth
 * anything, as with gifts, the sign of all quantities together decides. X and Z decide the same (`features/sessions/sale-sums.ts`).
 */
const areUnitsNegative = `coalesce(nullif(sum(units * amount) over (), 0), -sum(units) over ()) > 0`

/**
 * The sums of orders' transactions and refunds, in the order's stored currency or in another one that it will get (an
 * empty one means the company's). For orders that are locked, or whose version is compared afterwards.
 */
const orderSums: Statement = {
  name: 'orders_sums',
  most: STATEMENT_CHARACTERS,
  text: `
  select item.ordinality::int, stored.version, own.currency, money.paid::text, money.refunded::text,
    goods.returned::text, goods.quantity::text, company.currency, stored.body
  from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, id, currency, ordinality)
  join orders as stored on stored.company_id = item.company_id and stored.id = item.id
  join companies as company on company.id = stored.company_id
  cross join lateral (select coalesce(nullif(coalesce(item.currency, stored.currency), ''), company.currency) as currency offset 0) as own
  cross join lateral (
    select coalesce(sum(amount) filter (where type in ('', 'sale')), 0) as paid,
      coalesce(sum(abs(amount)) filter (where type = 'refund'), 0) as refunded
    from transactions as payment
    where payment.company_id = stored.company_id and payment.order_id = stored.id
      and coalesce(nullif(payment.currency, ''), company.currency) = own.currency
  ) as money
  cross join lateral (
    select coalesce(sum(${paidBack('worth.total + worth.rounding', 'worth.total')}), 0) as returned,
      coalesce(sum((
        select sum(greatest(case when is_negated then -units else units end, 0))
        from (
          select units, (worth.total < 0 or (bool_or(line ->> 'position' is null) over () and sum(amount) over () < 0))
            and ${areUnitsNegative} as is_negated
          from json_array_elements(record."lineItems") as line, coalesce((line ->> 'quantity')::numeric, 1) as units,
            coalesce(nullif((line ->> 'total')::numeric, 0), (line ->> 'price')::numeric * units, 0) as amount
        ) as line
      )), 0) as quantity
    from refunds as refund
    -- Each body is parsed once.
    cross join lateral json_to_record(refund.body) as record(currency text, summary json, "lineItems" json)
    cross join lateral (
      select (record.summary ->> 'total')::numeric as total, coalesce((record.summary ->> 'cashRounding')::numeric, 0) as rounding offset 0
    ) as worth
    where refund.company_id = stored.company_id and refund.order_id = stored.id
      and coalesce(nullif(record.currency, ''), own.currency) = own.currency
  ) as goods
  where ${keepsPlan('item.ordinality')}
  order by item.ordinality`,
}

/** An order whose sums are asked for. */
interface SummedOrder extends Key {
  /** The currency that it will get; empty for the company's, absent for the one that it has. */
  readonly currency?: string
}

/** The sums of the first of some orders, as many as one statement should return, in their order. */
export const sumOrders = async (database: Queryable, orders: readonly SummedOrder[]): Promise<(Row | undefined)[]> =>
  rowsByItem(
    await database.query(orderSums, [...columnsOf(orders), orders.map(({ currency }) => currency ?? null)]),
    orders.length,
  )

/** The members of an order that a row sets; none if nothing was ever paid or returned. */
export function summedMembers([, , currency, paid, refunded, returned, quantity]: Row, before: JsonObject) {
  const sums = [paid, refunded, returned]
  if (before.paid === undefined && [...sums, quantity].every((sum) => Number(sum) === 0)) return undefined
  const digits = currencyDigits(currency)
  const [paidText, refundedText, returnedText] = sums.map((sum) => sumText([sum], digits))
  // Each quantity is a number that JSON can hold; their sum may be beyond that.
  const returnedQuantity = Math.min(Number(quantity), Number.MAX_VALUE)
  return { paid: paidText, refunded: refundedText, returned: returnedText, returnedQuantity }
}

/** Changes of the currency of orders, with what was paid, refunded and returned in the new currency. */
export async function summedInOtherCurrency(database: Queryable, edits: readonly Edit[]): Promise<Change[]> {
  const changed = edits.flatMap((edit, n) => {
    const { scope, before, change } = edit
    const currency = change.clear.includes('currency') ? '' : String(change.set.currency ?? '')
    return currency === (before.currency ?? '') ? [] : [{ scope, id: String(before.id), currency, n }]
  })
  const changes = edits.map(({ change }) => change)
  await inParts(
    changed,
    (asked) => sumOrders(database, asked),
    ({ n }, row) => {
      const { before, change } = edits[n] as Edit
      if (row) changes[n] = { ...change, set: { ...change.set, ...summedMembers(row, before) } }
    },
  )
  return changes
}
