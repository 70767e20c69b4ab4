// What products and variants without a record are called: by lines of the last orders of the period.
import type { Statement } from '../../database/connect.ts'
import { sizeOf } from '../events/pages.ts'
import type { Snapshot } from './answer.ts'
import { timeOf } from './local-days.ts'
import { momentColumn } from './sums/sources.ts'

/**
 * Orders in which a report looks for names of products without a record, some 10 ms; then those in which it looks for
 * what is left, at last some 0.1 s; and characters of such an order.
 */
const REPORT_NAMING_ORDERS = [200, 1_000, 5_000]
const REPORT_NAMING_CHARACTERS = 64 * 1024

/** The member of a line that names its product or its variant. */
type LineReference = 'productId' | 'variantId'

/** The names and SKUs in the newest lines of products or variants, among the last $5 orders from the moment $3 to before $4. */
const namedLines = (member: LineReference): Statement => ({
  name: `reports_line_names_${member}`,
  text: `
  select distinct on (id) id, name, sku
  from (
    select moment, line ->> '${member}' as id, line ->> 'name' as name, line ->> 'sku' as sku
    from (
      select ${momentColumn} as moment, body -> 'lineItems' as lines
      from orders as stored
      where company_id = $1 and ${momentColumn} >= $3 and ${momentColumn} < $4 and ${sizeOf('body')} < ${REPORT_NAMING_CHARACTERS}
      order by 1 desc limit $5
    ) as newest
    cross join lateral json_array_elements(case json_typeof(lines) when 'array' then lines else '[]' end) as line
  ) as line
  where id in (select unnest($2::text[])) and name <> '' order by id, moment desc`,
})

/** What a line calls its goods. */
interface LineName {
  readonly name: string
  readonly sku: string | null
}

/** The names by id of the products or variants that lines of the last orders name, also those of the period before. */
export async function lineNames(
  { query, period }: Pick<Snapshot, 'query' | 'period'>,
  member: LineReference,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LineName>> {
  const names = new Map<string, LineName>()
  const since = period.previous?.first ?? period.first
  for (const orders of REPORT_NAMING_ORDERS) {
    const others = ids.filter((id) => !names.has(id))
    if (others.length === 0) break
    const found = await query(namedLines(member), others, timeOf(since), timeOf(period.end), orders)
    for (const [id, name, sku] of found) names.set(id, { name, sku })
  }
  return names
}
