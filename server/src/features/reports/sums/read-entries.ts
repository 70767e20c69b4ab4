// Reads the sums of buckets, in columns. Clean buckets that were read before are in memory; the version of their row
// says whether they are still valid.
import { LRUCache } from 'lru-cache'
import { eachInSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { divided } from '../../../core/worker-share.ts'
import type { Row, Statement } from '../../../database/connect.ts'
import { type Decimals, decimalsOf } from './decimals.ts'
import { lacksCharges, storedAt } from './dirty.ts'
import { type Entries, textsOf } from './entries.ts'
import { REPORT_CACHE_BYTES, REPORT_CACHE_LEAST, REPORT_PORTION } from './limits.ts'
import { chunksOf, columns, nextChunk, type Query, rangeOf } from './records.ts'
import type { Source } from './sources.ts'
import { type Facet, type ProductName, sumRecords } from './summing.ts'

/** Entries of clean buckets, by company, source, columns, bucket and version. */
export type EntryCache = LRUCache<string, Entries>

/** The approximate bytes of an entry of the cache, of a text in a column, and of a BigInt of some digits. */
const ENTRY_BYTES = 4_000
const TEXT_BYTES = 80
const bytesOfNumber = ({ units, scale }: Decimals) => (units instanceof BigInt64Array ? 8 : 200 + Math.ceil(scale / 2))

function bytesOf({ length, keys, sums }: Entries): number {
  const texts = Object.values(keys).reduce((sum, { values }) => sum + values.length * TEXT_BYTES + length * 4, 0)
  return Object.values(sums).reduce((sum, column) => sum + length * bytesOfNumber(column), ENTRY_BYTES + texts)
}
export const entryCache = (): EntryCache =>
  new LRUCache<string, Entries>({ maxSize: divided(REPORT_CACHE_BYTES, REPORT_CACHE_LEAST), sizeCalculation: bytesOf })

/** Buckets that are stored, and dirty chunks that are read, each with the label of its part of the period. */
export interface Parts {
  readonly stored: readonly { readonly size: number; readonly number: number; readonly label: number }[]
  readonly dirty: readonly { readonly number: number; readonly chunk: string; readonly label: number }[]
}

/** A stored bucket, or a portion of a large one: its entries from the one numbered `low`. */
interface Portion {
  readonly label: number
  readonly size: number
  readonly number: number
  readonly chunk: string
  readonly low: number
  readonly length: number
  readonly cacheKey: string
  /** The number of the statement that reads it, with other portions; together these have at most as many entries as one may have. */
  readonly statement: number
}

/** The columns of a facet as texts: keys as a JSON array, sums with commas in between. */
const asTexts = ({ keys, sums }: Facet, of: (name: string) => string): string =>
  [
    ...keys.map((name) => `array_to_json(${of(name)})::text`),
    ...sums.map((name) => `array_to_string(${of(name)}, ',', '0')`),
  ].join(', ')

/** The same in memory, made in slices of time. */
async function entriesIn(row: Row, { keys, sums }: Facet, length: number, companyId: string): Promise<Entries> {
  const columns = await mapInSlices(row, companyId, (text: string, n) =>
    n < keys.length ? textsOf(JSON.parse(text)) : decimalsOf(text.split(',')),
  )
  const named = (names: readonly string[], first: number) =>
    Object.fromEntries(names.map((name, n) => [name, columns[first + n]]))
  return { length, keys: named(keys, 0) as Entries['keys'], sums: named(sums, keys.length) as Entries['sums'] }
}

/** Facets of one name may differ by their keys. */
const nameOf = ({ source }: Source, { name, keys }: Facet, what: string) =>
  `reports_${source}_${name}_${keys.length}_${what}`

/**
 * The portions of buckets ($2 sizes, $3 numbers, $4 labels) except dirty chunks ($5 numbers, $6 chunks), with the
 * versions of their rows.
 */
const portionsOf = (source: Source, facet: Facet): Statement => ({
  name: nameOf(source, facet, 'portions'),
  text: `
  select label, stored.size, stored.number, chunk, version, entries, low
  from unnest($2::int[], $3::int[], $4::int[]) as bucket(size, number, label)
  cross join lateral (
    select size, number, chunk, concat(xmin, ' ', summed_at) as version, cardinality(${facet.name}_${facet.sums[0]}) as entries
    from report_buckets as stored where company_id = $1 and source = '${source.source}' and size = bucket.size and number = bucket.number
      and not ${lacksCharges} offset 0
  ) as stored
  cross join generate_series(1, entries, ${REPORT_PORTION}) as low
  where stored.size > 1 or (stored.number, stored.chunk) not in (select * from unnest($5::int[], $6::text[]))`,
})

/** The entries of portions: $2 sizes, $3 numbers, $4 chunks, and the number of the first entry from $5. */
const storedOf = (source: Source, facet: Facet): Statement => ({
  name: nameOf(source, facet, 'stored'),
  text: `
  select ${asTexts(facet, (name) => `${facet.name}_${name}[low:low + ${REPORT_PORTION - 1}]`)}
  from unnest($2::int[], $3::int[], $4::text[], $5::int[]) with ordinality as bucket(size, number, chunk, low, nth)
  cross join ${storedAt(`'${source.source}'`, 'bucket.size', 'bucket.number')}
  where stored.chunk = bucket.chunk order by nth`,
})

/** Dirty chunks ($2 numbers, $3 chunks, $4 labels), each with the one after it. */
const dirtyOf = ({ source }: Source): Statement => ({
  name: `reports_${source}_dirty`,
  text: `select part.*, ${nextChunk(source)} from unnest($2::int[], $3::text[], $4::int[]) as part(number, chunk, label)`,
})

/** Calls `add` with the entries of dirty chunks, made from their records. Returns the names in the latest lines of products in each. */
async function readDirty(
  { companyId, query }: Reading,
  source: Source,
  facet: Facet,
  dirty: Parts['dirty'],
  add: (label: number, entries: Entries) => Promise<void> | void,
): Promise<ProductName[]> {
  if (dirty.length === 0) return []
  const rows = await query(dirtyOf(source), ...columns(dirty, 'number', 'chunk', 'label'))
  const names: ProductName[] = []
  for (const [number, chunk, label, next] of rows)
    for await (const records of chunksOf(query, source, ...rangeOf(number, chunk, next)))
      names.push(...(await sumRecords(source, records, companyId, [facet], (entries) => add(label, entries))))
  return names
}

/** What reading needs: statements of the company in one snapshot, and a check that throws if nobody waits any more. */
interface Reading {
  readonly cache: EntryCache
  readonly companyId: string
  readonly query: Query
  readonly check: () => void
}

/** Calls `add` with the entries of all parts, each with its label. Returns the names of products in dirty chunks. */
export async function readEntries(
  reading: Reading,
  source: Source,
  facet: Facet,
  { stored, dirty }: Parts,
  add: (label: number, entries: Entries) => Promise<void> | void,
): Promise<ProductName[]> {
  const { cache, companyId, query, check } = reading
  const rows = await query(
    portionsOf(source, facet),
    ...[...columns(stored, 'size', 'number', 'label'), ...columns(dirty, 'number', 'chunk')],
  )
  let before = 0
  const portions = rows.map(([label, size, number, chunk, version, entries, low]): Portion => {
    const length = Math.min(REPORT_PORTION, entries - low + 1)
    const statement = Math.floor(before / REPORT_PORTION)
    before += length
    const cacheKey = [companyId, nameOf(source, facet, ''), size, number, chunk, low, version].join(' ')
    return { label, size, number, chunk, low, length, cacheKey, statement }
  })
  const missing: Portion[] = []
  await eachInSlices(
    portions,
    companyId,
    async (portion) => {
      const known = cache.get(portion.cacheKey)
      if (known === undefined) missing.push(portion)
      else await add(portion.label, known)
    },
    check,
  )
  for (const some of Map.groupBy(missing, ({ statement }) => statement).values()) {
    check()
    const texts = await query(storedOf(source, facet), ...columns(some, 'size', 'number', 'chunk', 'low'))
    await eachInSlices(some.entries(), companyId, async ([n, { label, cacheKey, length }]) => {
      const entries = await entriesIn(texts[n] as Row, facet, length, companyId)
      cache.set(cacheKey, entries)
      await add(label, entries)
    })
  }
  return readDirty(reading, source, facet, dirty, add)
}
