// What one customer has bought, ever: summed from their orders and the refunds of these, which are few, so that no sums are kept of it.

import { currencyDigits } from '../../core/currency.ts'
import { isId } from '../../core/ids.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Statement } from '../../database/connect.ts'
import type { Snapshot } from './answer.ts'
import { differencesOf, textAt } from './decimals.ts'
import { type Entries, Groups, inCurrencies } from './entries.ts'
import { counted, type SummedRecord } from './items.ts'
import { REPORT_RECORDS } from './limits.ts'
import { readRecords, recordsOf } from './records.ts'
import { momentColumn, type Source, sourceOf } from './sources.ts'

const [orders, refunds] = [sourceOf('orders'), sourceOf('refunds')]
/** Orders of the customer $6. Their moment is a column, since the index of customers has them by their creation. */
const ofCustomer: Source = {
  ...orders,
  columns: { ...orders.columns, at: momentColumn, own_id: 'stored.id' },
  only: { name: 'of_customer', key: 'stored.created_at', condition: 'stored.customer_id = $6' },
}

/**
 * Refunds of the orders $6. Their key is no column, so that no plan reads all refunds of the company in its order: one by
 * order is the only index that helps.
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

/** The sums of a customer, by currency. */
class Spending {
  readonly groups = new Groups(['currency'])
  readonly #own: string | undefined
  count = 0
  first: string | undefined
  last: string | undefined

  constructor(own: string | undefined) {
    this.#own = own
  }

  note(records: readonly SummedRecord[]): void {
    for (const { at = '' } of counted(records)) {
      this.count++
      if (this.first === undefined || at < this.first) this.first = at
      if (this.last === undefined || at > this.last) this.last = at
    }
  }

  add(entries: Entries): void {
    if (entries.length === 0) return
    const all = inCurrencies(entries, this.#own)
    this.groups.add(all)
    const { net, tax } = all.sums
    // What was paid for goods: each of the two is added to it.
    for (const paid of [net, tax]) if (paid !== undefined) this.groups.add({ ...all, sums: { paid } })
  }
}

/** The report as JSON. Throws `not_found`, and `conflict` for a customer with more orders than are read for one answer. */
export async function customerReport(snapshot: Snapshot, customerId: string): Promise<string> {
  const { companyId, currency: own, query, check } = snapshot
  const asked = { name: 'reports_customer', text: 'select 1 from customers where company_id = $1 and id = $2' }
  const [known] = isId(customerId) ? await query(asked, customerId) : []
  if (known === undefined) throw notFound('customer', customerId)
  const [found] = await query(countOrders, customerId)
  if (found?.[0] > REPORT_RECORDS) throw tooManyOrders(customerId)
  const spending = new Spending(own)
  const add = async ({ whole }: { readonly whole: () => Entries }) => spending.add(whole())
  async function read(source: Source, value: unknown, chunk: (records: readonly SummedRecord[]) => Promise<void>) {
    for (let at: string | undefined = ''; at !== undefined; ) {
      check()
      const { records, next }: Awaited<ReturnType<typeof readRecords>> = await readRecords(
        query,
        source,
        at,
        '~',
        value,
      )
      await source.sum(records, companyId, add)
      await chunk(records)
      at = next
    }
  }
  await read(ofCustomer, customerId, async (records) => {
    spending.note(records)
    const ids = counted(records).map(({ own_id }) => own_id)
    if (ids.length > 0) await read(ofOrders, ids, async () => {})
  })
  return textOf(spending, { customerId, own })
}

const tooManyOrders = (customerId: string) =>
  new Problem(
    'conflict',
    `The customer ${customerId} has more than ${REPORT_RECORDS} orders, which are not summed for one answer. Read /v1/reports/customers for a period.`,
  )

function textOf(
  { groups, count, first, last }: Spending,
  { customerId, own }: { readonly customerId: string; readonly own: string | undefined },
): string {
  const of = (name: string) => groups.total(name)
  const spent = differencesOf(of('paid'), of('refund'), groups.size)
  const places = Array.from({ length: groups.size }, (_, place) => ({ place, currency: groups.lastValueAt(place) }))
  places.sort((a, b) => Number(b.currency === own) - Number(a.currency === own) || (a.currency < b.currency ? -1 : 1))
  const spending = places.map(({ place, currency }) => {
    const decimals = currencyDigits(currency || undefined)
    const amount = (name: string) => textAt(of(name), place, decimals)
    return {
      ...(currency && { currency }),
      ...{
        count: Number(textAt(of('count'), place, 0)),
        netSales: amount('net'),
        tax: amount('tax'),
        tips: amount('tip'),
      },
      ...{ refunded: amount('refund'), spent: textAt(spent, place, decimals) },
    }
  })
  return JSON.stringify({ customerId, currency: own, orders: count, firstOrderAt: first, lastOrderAt: last, spending })
}
