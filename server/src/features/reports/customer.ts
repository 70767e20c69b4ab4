// What one customer has ever bought: summed from their orders and the refunds of these. They are few, so no sums are
// stored.
import { currencyDigits } from '../../core/currency.ts'
import { isId } from '../../core/ids.ts'
import { type JsonSchema, string, time } from '../../core/json-schema.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { add, ascending, subtract, textOf } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import { amount, count, countedOrders, currency, heading, object } from './documents.ts'
import { Groups, inCurrencies } from './sums/entries.ts'
import { chunksOf, REPORT_RECORDS, recordsOf, sumRecords } from './sums/records.ts'
import { isCountedStatus, momentColumn, type Source, type SummedRecord, sourceOf } from './sums/sources.ts'

export const customerSchema: JsonSchema = object(
  'CustomerSpending',
  {
    customerId: string('The customer whose orders and refunds are summed.'),
    currency: heading.currency,
    orders: countedOrders,
    firstOrderAt: time('`occurredAt` (or else `createdAt`) of the first one.'), // biome-ignore format: a table
    lastOrderAt: time('The same for the last one.'),
    spending: {
      type: 'array',
      description: 'The sums in each currency, the company’s first; empty without orders.',
      items: object(
        'CustomerSpendingInCurrency',
        {
          currency: { ...currency, description: 'The currency of the sums: currencies are never added together.' },
          count: count('These orders in this currency.'),
          netSales: amount('Their sum after discounts, without tax and tips.'),
          tax: amount('Their tax.'),
          tips: amount('Their tips.'),
          refunded: amount('The amount refunded for these orders, with tax; refunds of a cancelled order do not count.'), // biome-ignore format: a table
          spent: amount(
            'What the customer has spent on goods: `netSales` plus `tax`, minus what was refunded for goods, without tips, delivery and fees.',
          ),
        },
        'currency',
      ),
    },
  },
  ...['currency', 'firstOrderAt', 'lastOrderAt'],
)

export const customerExample = {
  customerId: '6740a1f2c3d4e5f6a7b8c9d3',
  currency: 'EUR',
  orders: 2,
  firstOrderAt: '2026-11-20T09:30:00.000Z',
  lastOrderAt: '2026-11-24T16:05:00.000Z',
  spending: [
    { currency: 'EUR', count: 2, netSales: '33.75', tax: '3.71', tips: '3.00', refunded: '10.63', spent: '26.83' },
  ],
}

const orders = sourceOf('orders')
const refunds = sourceOf('refunds')
/** Orders of the customer $6, keyed by their creation as in the index by customer. */
const ofCustomer: Source = {
  ...orders,
  columns: { ...orders.columns, own_id: 'stored.id' },
  only: { name: 'of_customer', key: 'stored.created_at', condition: 'stored.customer_id = $6' },
}

/**
 * Refunds of the orders $6. Their key is not a column, so that no plan reads all refunds of the company in the order of
 * the key: only the index by order helps.
 */
const ofOrders: Source = {
  ...refunds,
  only: { name: 'of_orders', key: `(stored.created_at || '')`, condition: 'stored.order_id = any($6)' },
}

/** The number of orders of the customer $2, up to one more than are summed; of those that count, the number and the first and last moments. */
const looked: Statement = {
  name: 'reports_orders_of_customer',
  text: `
  select count(*)::int, (count(*) filter (where counts))::int, min(moment) filter (where counts), max(moment) filter (where counts)
  from (
    select ${momentColumn} as moment, ${isCountedStatus('status')} as counts
    from orders as stored where company_id = $1 and customer_id = $2 limit ${REPORT_RECORDS + 1}
  ) as own`,
}

/** The statements that read orders of a customer and refunds of these. */
export const customerStatements = { orders: recordsOf(ofCustomer), refunds: recordsOf(ofOrders) }

/** The report as JSON. Throws `not_found`, and `conflict` for a customer with more orders than are read for one answer. */
export async function customerReport(snapshot: Snapshot, customerId: string): Promise<string> {
  const { currency: own, query, check } = snapshot
  const asked = { name: 'reports_customer', text: 'select 1 from customers where company_id = $1 and id = $2' }
  const [known] = isId(customerId) ? await query(asked, customerId) : []
  if (known === undefined) throw notFound('customer', customerId)
  const [found] = await query(looked, customerId)
  const [all, count, firstOrderAt, lastOrderAt] = found as Row
  if (all > REPORT_RECORDS) throw tooManyOrders(customerId)
  const groups = new Groups(['currency'])
  const add = (source: Source, records: readonly SummedRecord[]) =>
    sumRecords(source, records, snapshot, source.facets.slice(0, 1), (entries) =>
      groups.add(inCurrencies(entries, own)),
    )
  for await (const records of chunksOf(query, ofCustomer, '', '~', customerId)) {
    check()
    await add(ofCustomer, records)
    // For each chunk of orders: each chunk of refunds would otherwise look through all orders of the customer.
    const ids = records.map(({ own_id }) => own_id)
    for await (const back of chunksOf(query, ofOrders, '', '~', ids)) {
      check()
      await add(ofOrders, back)
    }
  }
  const moments = count > 0 && { firstOrderAt, lastOrderAt }
  return JSON.stringify({ customerId, currency: own, orders: count, ...moments, spending: spendingOf(groups, own) })
}

const tooManyOrders = (customerId: string) =>
  new Problem(
    'conflict',
    `The customer ${customerId} has more than ${REPORT_RECORDS} orders, too many for one answer. Read /v1/reports/customers for a period.`,
  )

/** The sums in each currency, the company's own first. */
function spendingOf(groups: Groups, own: string | undefined) {
  return groups.paths
    .map(([currency = ''], place) => ({ place, currency }))
    .sort((a, b) => Number(b.currency === own) - Number(a.currency === own) || ascending(a.currency, b.currency))
    .map(({ place, currency }) => {
      const decimals = currencyDigits(currency || undefined)
      const sum = (name: string) => groups.sum(name, place)
      const amount = (name: string) => textOf(sum(name), decimals)
      const bought = ['net', 'tax', 'refund_tip', 'refund_shipping', 'refund_fee'].map(sum).reduce(add)
      return {
        ...(currency && { currency }),
        count: Number(textOf(sum('orders'), 0)),
        netSales: amount('net'),
        tax: amount('tax'),
        tips: amount('tip'),
        refunded: amount('refund'),
        spent: textOf(subtract(bought, sum('refund')), decimals),
      }
    })
}
