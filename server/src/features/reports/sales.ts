// The report of sales: payments and refunds day by day, and the number of orders.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { REPORT_METHODS } from '../../core/limits.ts'
import type { Database, Row, Statement } from '../../database/connect.ts'
import { aggregators, dayOfQuarter } from './aggregators.ts'
import { amountsIn } from './amount.ts'
import type { CaughtUp } from './catching-up.ts'
import { dateOf } from './local-days.ts'
import type { Period } from './period.ts'
import { isWhole as isAll, unaggregatedOf } from './unaggregated-events.ts'

const within = 'quarter >= $2 and quarter < $4'
const zone = { from: '$5', ahead: '$6' }
const day = dayOfQuarter('quarter', zone)
const summed =
  'sum(sales), sum(sales_count)::bigint, sum(refunds), sum(refunds_count)::bigint, sum(sales) - sum(refunds)'

/** The rows of a table of sums, and those of `summed`, within the period. */
const storedAndLive = (table: string, columns: string) => `
    select ${columns} from ${table} where company_id = $1 and ${within} and exists (select from reader)
    union all
    select ${columns} from summed where ${within}`

// Quarter-hours become days first; everything else is computed from them. '' means the company's own currency.
const salesOf: Statement = {
  name: 'reports_sales',
  text: `
  with ${unaggregatedOf(aggregators.sales)}, ${aggregators.sales.summing(zone)},
  daily as materialized (
    select ${day} as day, case when currency in ('', $7) then '' else currency end as currency, payment_method,
      sum(sales) as sales, sum(sales_count) as sales_count, sum(refunds) as refunds, sum(refunds_count) as refunds_count
    from (${storedAndLive('report_sales', 'quarter, currency, payment_method, sales, sales_count, refunds, refunds_count')}
    ) as stored
    group by 1, 2, 3
  )
  select 'reach', ${isAll}::text, 0, 0, 0, 0, 0
  union all
  select 'all', '', ${summed} from daily where currency = '' having count(*) > 0
  union all
  select 'day', day::text, ${summed} from daily where currency = '' group by day
  union all
  (select 'method', payment_method, ${summed} from daily where currency = '' group by payment_method
   having sum(sales_count) > 0 order by sum(sales) desc, payment_method limit ${REPORT_METHODS})
  union all
  (select 'other', currency, ${summed} from daily where currency <> '' group by currency
   having sum(sales_count) + sum(refunds_count) > 0 order by currency)`,
}

const ordersOf: Statement = {
  name: 'reports_orders',
  text: `
  with ${unaggregatedOf(aggregators.orders)}, ${aggregators.orders.summing(zone)}
  select 'reach', ${isAll}::text, 0
  union all
  (select 'day', (${day})::text, sum(orders)::bigint
   from (${storedAndLive('report_orders', 'quarter, orders')}
   ) as stored
   group by ${day})`,
}

/** Rows by their kind, without the kind itself. */
function byKind(rows: readonly Row[]): (kind: string) => Row[] {
  const kinds = Map.groupBy(rows, ([kind]) => kind as string)
  return (kind) => (kinds.get(kind) ?? []).map((row) => row.slice(1))
}

const nothing: Row = ['', '0', 0, '0', 0, '0']

/** The report as JSON. */
export async function salesReport(
  database: Database,
  lists: FairSemaphore,
  { company, range, isWhole }: CaughtUp<Period>,
  isGone: () => boolean,
): Promise<string> {
  const { currency, timezone, zone } = company
  const { from, to, firstDay, lastDay, first, end, since } = range
  const bounds = [company.id, first, since, end, zone.from, zone.ahead]
  const ask = async (statement: Statement, ...more: unknown[]) =>
    byKind(await lists({ tenant: company.id, isGone }, () => database.query(statement, [...bounds, ...more])))
  const [paid, ordered] = await Promise.all([ask(salesOf, currency ?? null), ask(ordersOf)])

  const amount = amountsIn(currency)
  const orders = new Map<string, number>(ordered('day').map(([day, count]) => [day, count]))
  const days = new Map<string, Row>(paid('day').map((row) => [row[0], row]))
  const sums = ([, sales, salesCount, refunds, refundsCount, net]: Row, orders: number) => ({
    ...{ sales: amount(sales), salesCount, refunds: amount(refunds), refundsCount, net: amount(net), orders },
  })
  const reach = [paid('reach')[0]?.[0], ordered('reach')[0]?.[0]]
  return JSON.stringify({
    currency,
    timezone,
    from,
    to,
    isComplete: isWhole && reach.every((reaches) => reaches === 'true'),
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
