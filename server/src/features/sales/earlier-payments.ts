// The payments of an order that count, as an open order and a later tip need them.

import type { Queryable } from '../../database/connect.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import type { PaidPayment } from './body.ts'
import { recordsOfOrder } from './records-of-order.ts'

/** The transactions of an order that move money in its currency, the earliest first. */
export async function earlierPayments(
  transaction: Queryable,
  { scope, id }: Key,
  currency: string,
  ownCurrency: string,
): Promise<(PaidPayment & JsonObject)[]> {
  const rows = await recordsOfOrder(
    transaction,
    'transaction',
    {
      name: 'sales_earlier_payments',
      text: `
      select body from transactions where company_id = $1 and order_id = $2 and type in ('', 'sale', 'refund')
        and coalesce(nullif(currency, ''), $3) = $4
      order by created_at, id`,
    },
    [scope.companyId, id, ownCurrency, currency],
  )
  return rows.map(([body]) => JSON.parse(body))
}
