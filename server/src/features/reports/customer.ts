// What one customer has ever bought: summed from their orders and the refunds of these. They are few, so no sums are
// stored.

import { currencyDigits } from '../../core/currency.ts'
import { isId } from '../../core/ids.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { ascending } from './first-places.ts'
import { REPORT_RECORDS } from './limits.ts'
import { differencesOf, placesOf, textAt } from './sums/decimals.ts'
import { Groups, inCurrencies } from './sums/entries.ts'
import { chunksOf, recordsOf } from './sums/records.ts'
import { momentColumn, type Source, sourceOf } from './sums/sources.ts'
import { type SummedRecord, sumRecords } from './sums/summing.ts'

const [orders, refunds] = [sourceOf('orders'), sourceOf('refunds')]
/** Orders of the customer $6, keyed by their creation as in the index by customer; their moment is read as a column. */
const ofCustomer: Source = {
  ...orders,
  columns: { ...orders.columns, at: momentColumn, own_id: 'stored.id' },
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

/** Counts the orders of the customer $2 up to one more than are summed. */
const countOrders: Statement = {
  name: 'reports_orders_of_customer',
  text: `select count(*)::int from (
    select from orders where company_id = $1 and customer_id = $2 limit ${REPORT_RECORDS + 1}
  ) as own`,
}

/** The statements that read orders of a customer and refunds of orders. */
export const customerStatements = { orders: recordsOf(ofCustomer), refunds: recordsOf(ofOrders) }

/** The report as JSON. Throws `not_found`, and `conflict` for a customer with more orders than are read for one answer. */
export async function customerReport(snapshot: Snapshot, customerId: string): Promise<string> {
  const { companyId, currency: own, query, check } = snapshot
  const asked = { name: 'reports_customer', text: 'select 1 from customers where company_id = $1 and id = $2' }
  const [known] = isId(customerId) ? await query(asked, customerId) : []
  if (known === undefined) throw notFound('customer', customerId)
  const [found] = await query(countOrders, customerId)
  if (found?.[0] > REPORT_RECORDS) throw tooManyOrders(customerId)
  const groups = new Groups(['currency'])
  const add = (source: Source, records: readonly SummedRecord[]) =>
    sumRecords(source, records, companyId, source.facets.slice(0, 1), (entries) =>
      groups.add(inCurrencies(entries, own)),
    )
  let [count, first, last] = [0, '~', '']
  for await (const records of chunksOf(query, ofCustomer, '', '~', customerId)) {
    check()
    await add(ofCustomer, records)
    const sold = records.filter(ofCustomer.summing.counts)
    count += sold.length
    for (const { at = '' } of sold) {
      if (at < first) first = at
      if (at > last) last = at
    }
    if (sold.length === 0) continue
    const ids = sold.map(({ own_id }) => own_id)
    for await (const back of chunksOf(query, ofOrders, '', '~', ids)) {
      check()
      await add(ofOrders, back)
    }
  }
  const moments = count > 0 && { firstOrderAt: first, lastOrderAt: last }
  const spending = spendingOf(groups, own)
  return JSON.stringify({ customerId, currency: own, orders: count, ...moments, spending })
}

const tooManyOrders = (customerId: string) =>
  new Problem(
    'conflict',
    `The customer ${customerId} has more than ${REPORT_RECORDS} orders, too many for one answer. Read /v1/reports/customers for a period.`,
  )

/** The sums in each currency, the company's own first. */
function spendingOf(groups: Groups, own: string | undefined) {
  const of = (name: string) => groups.total(name)
  const spent = differencesOf(of('net'), of('refund'), groups.size)
  spent.add(of('tax'), placesOf(groups.size), groups.size)
  return Array.from({ length: groups.size }, (_, place) => ({ place, currency: groups.lastValueAt(place) }))
    .sort((a, b) => Number(b.currency === own) - Number(a.currency === own) || ascending(a.currency, b.currency))
    .map(({ place, currency }) => {
      const decimals = currencyDigits(currency || undefined)
      const amount = (name: string) => textAt(of(name), place, decimals)
      return {
        ...(currency && { currency }),
        ...{ count: Number(textAt(of('count'), place, 0)), netSales: amount('net'), tax: amount('tax') },
        ...{ tips: amount('tip'), refunded: amount('refund'), spent: textAt(spent, place, decimals) },
      }
    })
}
