// What groups need of records beside the sums: the categories of products, the tags of customers, and the costs of variants, as they are now.
import type { Row, Statement } from '../../database/connect.ts'
import { decimalsOf, picked, product } from './decimals.ts'
import type { Dimension } from './dimensions.ts'
import { derived, type Entries, type Texts } from './entries.ts'

type Query = (statement: Statement, ...values: readonly unknown[]) => Promise<Row[]>

/** Statements that return the id and the value of records $2, several rows for several values. */
const statements = {
  categories: `select id, body -> 'categories' ->> 0 from products where company_id = $1 and id = any($2)`,
  tags: `
    select distinct id, tag from (select id, body -> 'tags' as tags from customers where company_id = $1 and id = any($2)) as customer
    cross join lateral json_array_elements_text(case json_typeof(tags) when 'array' then tags else '[]' end) as tag`,
  costs: `
    select id, (body ->> 'costPrice')::numeric from variants
    where company_id = $1 and id = any($2) and body ->> 'costPrice' is not null`,
}

/** Values of records by id, each looked up once. */
function lookup(query: Query, name: keyof typeof statements) {
  const known = new Map<string, string[]>()
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> => {
    const unknown = ids.filter((id) => id !== '' && !known.has(id))
    if (unknown.length > 0) {
      for (const id of unknown) known.set(id, [])
      const rows = await query({ name: `reports_${name}`, text: statements[name] }, unknown)
      for (const [id, value] of rows) if (value !== null) known.get(id)?.push(value)
    }
    return known
  }
}

/** The dimensions that are made from another column by a look-up. */
const sources = {
  categoryId: { from: 'product', name: 'categories' },
  tag: { from: 'customer', name: 'tags' },
} as const

const none: readonly string[] = ['']

/**
 * Makes the function that adds what records say to entries: a key for each dimension that is looked up, and if `isCosted`
 * the sums `cost`, `costed` (net sales of what has a cost) and `priced` (rows that have one).
 */
export function looking(query: Query, dimensions: readonly Dimension[], isCosted: boolean) {
  const lookups = dimensions.flatMap((dimension) => {
    if (dimension !== 'categoryId' && dimension !== 'tag') return []
    const { from, name } = sources[dimension]
    return [{ dimension, from, valuesOf: lookup(query, name) }]
  })
  const costsOf = lookup(query, 'costs')

  async function withCosts(entries: Entries): Promise<Entries> {
    const { quantity, net } = entries.sums
    if (!isCosted || quantity === undefined || net === undefined) return entries
    const { values, places } = entries.keys.variant as Texts
    const known = await costsOf(values)
    const costs = values.map((id) => known.get(id)?.[0])
    if (costs.every((cost) => cost === undefined)) return entries
    const each = (texts: readonly string[]) => picked(decimalsOf(texts), places)
    const priced = each(costs.map((cost) => (cost === undefined ? '0' : '1')))
    const cost = product(quantity, each(costs.map((cost) => cost ?? '0')))
    return { ...entries, sums: { ...entries.sums, cost, costed: product(net, priced), priced } }
  }

  return async (entries: Entries): Promise<Entries> => {
    let all = await withCosts(entries)
    for (const { dimension, from, valuesOf } of lookups) {
      const known = await valuesOf((all.keys[from] as Texts).values)
      all = derived(all, from, dimension, (id) => {
        const values = known.get(id)
        return values === undefined || values.length === 0 ? none : values
      })
    }
    return all
  }
}
