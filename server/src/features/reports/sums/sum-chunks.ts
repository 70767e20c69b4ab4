// Sums the dirty chunks of a company from their records, and stores the sums.
import { mapInSlices } from '../../../concurrency/time-slices.ts'
import type { Statement } from '../../../database/connect.ts'
import { textAt } from './decimals.ts'
import { arraysOf, isOutdated, replacing } from './dirty.ts'
import { Groups } from './entries.ts'
import { REPORT_CHUNKS } from './limits.ts'
import { columns, nextChunk, type Query, rangeOf, readRecords } from './records.ts'
import type { Source } from './sources.ts'
import { type Facet, sumRecords } from './summing.ts'

/** The newest dirty chunks, each with the one after it. */
const newest = ({ source }: Source): Statement => ({
  name: `reports_${source}_dirty_chunks`,
  text: `
  select number, chunk, ${nextChunk(source)} from (
    select number, chunk from report_buckets as stored
    where company_id = $1 and source = '${source}' and size = 1 and ${isOutdated}
    order by number desc, chunk limit ${REPORT_CHUNKS}
  ) as part`,
})

/** Stores the sums of the chunk $2 $3, which has $4 records: an array for each column of each facet. */
function store(source: Source): Statement {
  let parameter = 4
  const columns = source.facets.flatMap((facet) =>
    arraysOf(facet).map((name, n) => {
      const value = `$${++parameter}`
      return `${n < facet.keys.length ? `array(select json_array_elements_text(${value}::json))` : `${value}::numeric[]`} as ${name}`
    }),
  )
  return {
    name: `reports_${source.source}_store`,
    text: replacing(source, '1, $2::int, $3, null::int, $4::int', `(select ${columns.join(', ')}) as summed`),
  }
}

/** Continues a chunk that has too many records with another one, which is dirty. */
const split: Statement = {
  name: 'reports_split',
  text: `insert into report_buckets (company_id, source, size, number, chunk, is_dirty) values ($1, $2, 1, $3, $4, true)`,
}

/** Stores the names in the latest lines of products. */
const storeNames: Statement = {
  name: 'reports_names',
  text: `
  insert into report_products_sold as stored (company_id, product_id, name, moment)
  select $1, product, called.name, called.moment from unnest($2::text[], $3::text[], $4::text[]) as called(product, name, moment)
  left join report_products_sold as known on known.company_id = $1 and known.product_id = product
  where known.moment is null or known.moment < called.moment
  on conflict (company_id, product_id) do update set name = excluded.name, moment = excluded.moment
  where stored.moment < excluded.moment`,
}

/** The groups of a facet as parameters: texts as JSON, and numbers in PostgreSQL's notation; in slices of time. */
async function arraysOfGroups(groups: Groups, { keys, sums }: Facet, companyId: string): Promise<(string | null)[]> {
  if (groups.size === 0) return [...keys, ...sums].map(() => null)
  const places = Array.from({ length: groups.size }, (_, place) => place)
  const columns = keys.map((_, n) => JSON.stringify(places.map((place) => groups.valuesAt(place)[n])))
  for (const sum of sums) {
    const total = groups.total(sum)
    columns.push(`{${(await mapInSlices(places, companyId, (place) => textAt(total, place, 0))).join(',')}}`)
  }
  return columns
}

/** Sums the newest dirty chunks of a source. Returns whether some may be left. */
export async function sumChunks(query: Query, source: Source, companyId: string): Promise<boolean> {
  const chunks = await query(newest(source))
  let hasRest = chunks.length === REPORT_CHUNKS
  for (const [number, chunk, following] of chunks) {
    const { records, next } = await readRecords(query, source, ...rangeOf(number, chunk, following))
    const summed = new Map(source.facets.map((facet) => [facet, new Groups(facet.keys)]))
    const names = await sumRecords(source, records, companyId, source.facets, (entries, facet) =>
      summed.get(facet)?.add(entries),
    )
    if (names.length > 0) await query(storeNames, ...columns(names, 'product', 'name', 'moment'))
    const arrays: (string | null)[] = []
    for (const [facet, groups] of summed) arrays.push(...(await arraysOfGroups(groups, facet, companyId)))
    await query(store(source), number, chunk, records.length, ...arrays)
    if (next === undefined) continue
    await query(split, source.source, number, next)
    hasRest = true
  }
  return hasRest
}
