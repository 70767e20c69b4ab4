// What groups need from records beside the sums: the present categories of products, tags of customers, and costs of
// variants.
import { eachInSlices } from '../../concurrency/time-slices.ts'
import { exact } from '../../core/exact.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { type Decimal, decimalOf, one, product, subtract } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import type { Grouping } from './dimensions.ts'
import { derived, type Entries, rowsOf, type Texts } from './sums/entries.ts'
import type { Query } from './sums/records.ts'

/** Tags of a customer that sales are grouped by, the first ones: with a million of them a sale would be in a million groups. */
const REPORT_TAGS = 20
/** Records that one statement looks up, some 4 MB at most; and those that a report remembers. */
const REPORT_LOOKUP_RECORDS = 2_000
const REPORT_REMEMBERED_LOOKUPS = 50_000

/** Statements that return the id and the value of records $2, several rows for several values. */
const statements = {
  categories: `select id, body -> 'categories' ->> 0 from products where company_id = $1 and id = any($2)`,
  tags: `
    select distinct id, tag from (select id, body -> 'tags' as tags from customers where company_id = $1 and id = any($2)) as customer
    cross join lateral (
      select tag from json_array_elements_text(case json_typeof(tags) when 'array' then tags else '[]' end) as tag limit ${REPORT_TAGS}
    ) as tagged`,
  costs: `
    select id, (body ->> 'costPrice')::numeric from variants
    where company_id = $1 and id = any($2) and body ->> 'costPrice' is not null`,
}

/** The rows that a statement returns for records $2, some at a time. */
export async function rowsOfIds(query: Query, statement: Statement, ids: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (let first = 0; first < ids.length; first += REPORT_LOOKUP_RECORDS)
    for (const row of await query(statement, ids.slice(first, first + REPORT_LOOKUP_RECORDS))) rows.push(row)
  return rows
}

/** Values of records by id, looked up once unless there are very many. */
function lookup(query: Query, name: keyof typeof statements) {
  const known = new Map<string, string[]>()
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    if (known.size > REPORT_REMEMBERED_LOOKUPS) known.clear()
    const unknown = ids.filter((id) => id !== '' && !known.has(id))
    for (const id of unknown) known.set(id, [])
    const rows = await rowsOfIds(query, { name: `reports_${name}`, text: statements[name] }, unknown)
    for (const [id, value] of rows) if (value !== null) known.get(id)?.push(value)
    return known
  }
}

/**
 * Makes the function that calls `use` with entries and what records say of them: keys for categories and tags, and where
 * products or variants are among the dimensions, `cost` and `margin` of sales, those of refunds, and `priced`, the rows
 * that have a cost. A row with several tags appears once for each of them.
 */
export function lookUpsOf({ query, companyId, check }: Snapshot, { stored, columns }: Grouping) {
  const hasCategories = stored.includes('categoryId')
  const hasTags = stored.includes('tag')
  const hasCosts = columns.includes('product') || columns.includes('variant')
  const categoriesOf = lookup(query, 'categories')
  const tagsOf = lookup(query, 'tags')
  const costsOf = lookup(query, 'costs')

  async function withCosts(entries: Entries): Promise<Entries> {
    if (!hasCosts) return entries
    const { values, places } = entries.keys.variant as Texts
    const known = await costsOf(values)
    const costs = values.map((id) => {
      const [cost] = known.get(id) ?? []
      return cost === undefined ? undefined : decimalOf(exact(cost))
    })
    if (costs.every((cost) => cost === undefined)) return entries
    const { quantity, net, restocked = [], refund = [], refund_tax = [] } = entries.sums
    const units = quantity ?? restocked
    const amount = (row: number) => net?.[row] ?? subtract(refund[row] as Decimal, refund_tax[row] as Decimal)
    const each = (make: (row: number, cost: Decimal) => Decimal) =>
      places.map((place, row) => (costs[place] === undefined ? 0 : make(row, costs[place])))
    const cost = each((row, cost) => product(units[row] ?? 0, cost))
    const margin = each((row) => subtract(amount(row), cost[row] as Decimal))
    const made = net ? { cost, margin } : { refund_cost: cost, refund_margin: margin }
    return { ...entries, sums: { ...entries.sums, ...made, priced: each(() => decimalOf(one)) } }
  }

  return async (entries: Entries, use: (entries: Entries) => void): Promise<void> => {
    let all = await withCosts(entries)
    if (hasCategories) {
      const known = await categoriesOf((all.keys.product as Texts).values)
      all = derived(all, 'product', 'categoryId', (id) => known.get(id)?.[0] ?? '')
    }
    if (!hasTags) return use(all)
    const { values, places } = all.keys.customer as Texts
    const known = await tagsOf(values)
    const counts = values.map((id) => Math.max(1, known.get(id)?.length ?? 0))
    await eachInSlices(
      Array(Math.max(1, ...counts)).keys(),
      companyId,
      (nth) => {
        const rows = Array.from(places.keys()).filter((row) => nth < (counts[places[row] as number] as number))
        use(derived(rowsOf(all, rows), 'customer', 'tag', (id) => known.get(id)?.[nth] ?? ''))
      },
      check,
    )
  }
}
