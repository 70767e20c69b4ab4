// Adds up the orders or refunds of a session report or a closing: totals, employees, taxes by rate, categories. They are read in portions,
// and each record counts as in reports of sales.

import { inSlices } from '../../concurrency/time-slices.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import type { Queryable, Row, Statement } from '../../database/connect.ts'
import { rowsByItem } from '../../database/size-limited-query.ts'
import { add, amountOf, ascending, type Decimal, decimalOf, descending, textOf, zero } from '../sold-items/decimals.ts'
import { type Picked, pickedRecords, uncounted } from './records.ts'
import { type AddedLater, addedPart, type Part, partsOfOrder, partsOfRefund, type SumGroup } from './sale-parts.ts'

/** Employees, categories, taxes and payment methods that have entries of their own, those with the most sales: any text is one. */
export const GROUPS_LISTED = 500
/** Orders or refunds that are read at a time, and products that are looked up. */
const RECORDS_READ = 500
const PRODUCTS_READ = 2_000

/** What is summed: the records of a currency that are late or not, by a kind of group with its key and name. */
interface SumKey extends SumGroup {
  readonly currency: string
  readonly late: boolean
}

/** A sum of records of one currency, as exact texts. */
export interface Sum extends SumKey {
  /** Records, or units. */
  readonly count: string
  /** Of a total: `summary.total`, discounts, taxes, tips, delivery and what cash was rounded by; of others the amount, and of a rate its net. */
  readonly amounts: readonly string[]
}

interface DecimalSum extends SumKey {
  count: Decimal
  readonly amounts: Decimal[]
}

type SumsByKey = Map<string, DecimalSum>

function addTo(
  sums: SumsByKey,
  { currency, late, kind, key, name }: SumKey,
  count: Decimal,
  amounts: readonly Decimal[],
) {
  const at = JSON.stringify([currency, late, kind, key, name])
  const known = sums.get(at)
  if (known === undefined) {
    sums.set(at, { currency, late, kind, key, name, count, amounts: [...amounts] })
    return
  }
  known.count = add(known.count, count)
  for (const [n, amount] of amounts.entries()) known.amounts[n] = add(known.amounts[n] as Decimal, amount)
}

/**
 * SQL: cash rounding and tip that later payments added to an order; few orders have any. One statement reads them with the
 * order, so that a payment meanwhile is in both or in neither.
 */
const addedLater = `case when stored.body::text ~ '"(cashRounding|tip)"' then (
      select json_build_array(sum((payment.body ->> 'cashRounding')::numeric)::text, sum((payment.body ->> 'addedTip')::numeric)::text)::text
      from transactions as payment
      where payment.company_id = $1 and payment.order_id = stored.id and payment.type in ('', 'sale', 'refund')
        and coalesce(nullif(payment.currency, ''), $3) = coalesce(nullif(stored.currency, ''), $3)
    ) end`

/** What is read of orders and refunds: employee and currency, which is that of the company, $3, if they name none. With `offset 0` PostgreSQL looks up by key, however old its statistics are. */
const members = {
  orders: `employee, coalesce(nullif(currency, ''), $3), ${addedLater}`,
  refunds: `refunded_by, coalesce(nullif(currency, ''), (
      select nullif(sold.currency, '') from orders as sold where sold.company_id = $1 and sold.id = stored.order_id offset 0
    ), $3), null`,
}
type SaleTable = keyof typeof members

/** The first of the records $2 of the company $1, in their order, as many as one statement should return. */
const recordsOf = (table: SaleTable): Statement => ({
  most: STATEMENT_CHARACTERS,
  text: `
  select ordinality::int, ${members[table]}, body from unnest($2::text[]) with ordinality as item(record_id, ordinality)
  cross join lateral (select * from ${table} as found where found.company_id = $1 and found.id = record_id offset 0) as stored
  order by ordinality`,
})

/** The sums of the orders or refunds that were picked. */
export async function saleSums(
  database: Queryable,
  picked: Picked,
  table: SaleTable,
  ownCurrency: string,
): Promise<Sum[]> {
  const companyId = String(picked.values[0])
  const expression = picked.of(table === 'orders' ? 'order' : 'refund')
  const found = await database.query(`with ${expression} select id, is_late from picked order by id`, picked.values)
  const sums: SumsByKey = new Map()
  for (let done = 0; done < found.length; ) {
    const asked = found.slice(done, done + RECORDS_READ)
    const values = [companyId, asked.map(([id]) => id), ownCurrency]
    const rows = rowsByItem(await database.query(recordsOf(table), values), asked.length)
    const late = asked.map(([, isLate]) => isLate)
    await inSlices(addRecords(sums, rows, { table, late }), companyId)
    done += rows.length
  }
  if (table === 'orders') await addLaterMoney(database, picked, ownCurrency, sums)
  await addCategories(database, companyId, sums)
  return listed(sums).map(({ count, amounts, ...key }) => ({
    ...key,
    count: textOf(count, 0),
    amounts: amounts.map((amount) => textOf(amount, 0)),
  }))
}

/** Adds records to sums, without those that are gone. It pauses after each. */
function* addRecords(
  sums: SumsByKey,
  rows: readonly (Row | undefined)[],
  { table, late }: { readonly table: SaleTable; readonly late: readonly boolean[] },
): Generator<undefined, void> {
  for (const [n, row] of rows.entries()) {
    if (row === undefined) continue
    const [, employee, currency, added, body] = row
    const record = { ...JSON.parse(body), currency }
    const [rounding, tip] = JSON.parse(added ?? '[]')
    const parts = table === 'orders' ? yield* partsOfOrder(record, laterOf(rounding, tip)) : partsOfRefund(record)
    addParts(sums, { currency, late: late[n] === true }, [...parts, ofEmployee(parts[0], employee)])
    yield
  }
}

const laterOf = (rounding: string | undefined, tip: string | undefined): AddedLater => ({
  rounding: amountOf(rounding) ?? zero,
  tip: amountOf(tip) ?? zero,
})

const ofEmployee = (total: Part, employee: string): Part => ({ ...total, kind: 'employee', key: employee || undefined })

function addParts(sums: SumsByKey, of: Pick<SumKey, 'currency' | 'late'>, parts: readonly Part[]): void {
  for (const { kind, key, name, count, amounts } of parts)
    addTo(sums, { ...of, kind, key, name }, decimalOf(count), amounts.map(decimalOf))
}

/** Adds what the picked transactions added to earlier orders, if these count. Few did, so the text is searched before it is parsed. */
async function addLaterMoney(database: Queryable, picked: Picked, ownCurrency: string, sums: SumsByKey): Promise<void> {
  const currencyOf = (row: string) => `coalesce(nullif(${row}.currency, ''), $${picked.values.length + 1})`
  const rows = await database.query(
    `with ${picked.of('transaction')}
     select ${currencyOf('stored')}, is_late, employee,
       sum((stored.body ->> 'cashRounding')::numeric)::text, sum((stored.body ->> 'addedTip')::numeric)::text
     from ${pickedRecords('transactions')}
     where stored.type in ('', 'sale', 'refund') and stored.body::text ~ '"(cashRounding|addedTip)"' and exists (
       select from orders as sold where sold.company_id = $1 and sold.id = stored.order_id and sold.status not in ${uncounted}
         and ${currencyOf('sold')} = ${currencyOf('stored')} offset 0
     )
     group by 1, 2, 3`,
    [...picked.values, ownCurrency],
  )
  for (const [currency, late, employee, rounding, tip] of rows) {
    const total = addedPart(laterOf(rounding, tip))
    const isTip = tip !== null && Number(tip) !== 0
    addParts(sums, { currency, late }, isTip ? [total, ofEmployee(total, employee)] : [total])
  }
}

/** Replaces the sums of products by those of their first categories. */
async function addCategories(database: Queryable, companyId: string, sums: SumsByKey): Promise<void> {
  const sold = [...sums].filter(([, { kind }]) => kind === 'product')
  const ids = [...new Set(sold.flatMap(([, { key }]) => key ?? []))]
  const categories = new Map<string | undefined, { key: string; name: string }>()
  for (let first = 0; first < ids.length; first += PRODUCTS_READ) {
    const rows = await database.query(
      `select product.id, category.id, category.name from products as product
       join categories as category on category.company_id = $1 and category.id = product.body -> 'categories' ->> 0
       where product.company_id = $1 and product.id = any($2)`,
      [companyId, ids.slice(first, first + PRODUCTS_READ)],
    )
    for (const [id, key, name] of rows) categories.set(id, { key, name: name ?? undefined })
  }
  for (const [at, sum] of sold) {
    sums.delete(at)
    const { key, name } = categories.get(sum.key) ?? {}
    addTo(sums, { ...sum, kind: 'category', key, name }, sum.count, sum.amounts)
  }
}

/** The sums, of each kind those with the largest amounts; the others together, without a key. */
function listed(sums: SumsByKey): DecimalSum[] {
  const all: SumsByKey = new Map()
  const kinds = Map.groupBy(sums.values(), ({ currency, late, kind }) => JSON.stringify([currency, late, kind]))
  for (const own of kinds.values()) {
    const largest = own.toSorted(
      (a, b) => descending(a.amounts[0] ?? 0, b.amounts[0] ?? 0) || ascending(a.key ?? '~', b.key ?? '~'),
    )
    for (const [n, sum] of largest.entries())
      addTo(all, n < GROUPS_LISTED ? sum : { ...sum, key: undefined, name: undefined }, sum.count, sum.amounts)
  }
  return [...all.values()]
}
