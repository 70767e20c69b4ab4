// The report of sales: payments and refunds day by day, and the number of orders.

import { amountsIn } from '../../core/currency.ts'
import type { Row, Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { entriesOf } from './dirty.ts'
import { REPORT_METHODS } from './limits.ts'
import { dateOf } from './local-days.ts'
import { daysOf } from './period.ts'
import { orderCounts, sourceOf } from './sources.ts'

const payments = sourceOf('payments')
const summed = 'sum(gross), sum(count)::bigint, sum(refund), sum(refund_count)::bigint, sum(gross) - sum(refund)'

// Buckets become days first; everything else is computed from them. '' means the company's own currency.
const salesOf: Statement = {
  name: 'reports_sales',
  text: `
  with ${payments.facets.map((facet) => entriesOf(payments, facet))}, daily as materialized (
    select label as day, case when currency in ('', $8) then '' else currency end as currency, method as item,
      sum(gross) as gross, sum(count) as count, sum(refund) as refund, sum(refund_count) as refund_count
    from labelled_entry group by 1, 2, 3
  )
  select 'all', '', ${summed} from daily where currency = '' having count(*) > 0
  union all
  select 'day', day::text, ${summed} from daily where currency = '' group by day
  union all
  (select 'method', item, ${summed} from daily where currency = '' group by item
   having sum(count) > 0 order by sum(gross) desc, item limit ${REPORT_METHODS})
  union all
  (select 'other', currency, ${summed} from daily where currency <> '' group by currency
   having sum(count) + sum(refund_count) > 0 order by currency)`,
}

const ordersOf: Statement = {
  name: 'reports_orders',
  text: `
  with ${orderCounts.facets.map((facet) => entriesOf(orderCounts, facet))}
  select label::text, sum(count)::bigint from labelled_entry group by 1`,
}

/** Rows by their kind, without the kind itself. */
function byKind(rows: readonly Row[]): (kind: string) => Row[] {
  const kinds = Map.groupBy(rows, ([kind]) => kind as string)
  return (kind) => (kinds.get(kind) ?? []).map((row) => row.slice(1))
}

const nothing: Row = ['', '0', 0, '0', 0, '0']

/** The report as JSON. */
export async function salesReport({ currency, timezone, zone, period, isComplete, ask }: Snapshot): Promise<string> {
  const { from, to, firstDay, lastDay } = period
  const segments = daysOf(zone, period)
  const paid = byKind(await ask('payments', segments, salesOf, currency ?? null))
  const orders = new Map<string, number>((await ask('orders', segments, ordersOf)).map(([day, count]) => [day, count]))

  const amount = amountsIn(currency)
  const days = new Map<string, Row>(paid('day').map((row) => [row[0], row]))
  const sums = ([, sales, salesCount, refunds, refundsCount, net]: Row, orders: number) => ({
    ...{ sales: amount(sales), salesCount, refunds: amount(refunds), refundsCount, net: amount(net), orders },
  })
  return JSON.stringify({
    ...{ currency, timezone, from, to, isComplete },
    totals: sums(
      paid('all')[0] ?? nothing,
      [...orders.values()].reduce((sum, count) => sum + count, 0),
    ),
    days: Array.from({ length: lastDay - firstDay + 1 }, (_, n) => {
      const day = String(firstDay + n)
      return { date: dateOf(firstDay + n), ...sums(days.get(day) ?? nothing, orders.get(day) ?? 0) }
    }),
    paymentMethods: paid('method').map(([paymentMethod, sales, salesCount]) => ({
      ...{ paymentMethod, sales: amount(sales), salesCount },
    })),
    otherCurrencies: paid('other').map(([other, sales, , refunds]) => {
      const amount = amountsIn(other)
      return { currency: other, sales: amount(sales), refunds: amount(refunds) }
    }),
  })
}
