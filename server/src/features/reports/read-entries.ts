// Reads what buckets add up to, in columns. Clean buckets that were read before are in memory: their row's version says whether they still hold.
import { LRUCache } from 'lru-cache'
import { mapInSlices } from '../../concurrency/time-slices.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { decimalsOf } from './decimals.ts'
import { arraysOf, storedAt, summed } from './dirty.ts'
import { type Entries, textsOf } from './entries.ts'
import { REPORT_CACHE_BYTES, REPORT_PORTION } from './limits.ts'
import type { Facet, Source } from './sources.ts'

/** Entries of clean buckets, by company, source, columns, bucket and version. */
export type EntryCache = LRUCache<string, Entries>

/** Roughly what a text in a column takes. */
const TEXT_BYTES = 80
function bytesOf({ length, keys, sums }: Entries): number {
  const texts = Object.values(keys).reduce((sum, { values }) => sum + values.length, 0)
  return 1_000 + texts * TEXT_BYTES + length * (4 * Object.keys(keys).length + 8 * Object.keys(sums).length)
}
export const entryCache = (): EntryCache =>
  new LRUCache<string, Entries>({ maxSize: REPORT_CACHE_BYTES, sizeCalculation: bytesOf })

/** Buckets that are stored, and dirty chunks that are read, each with the label of its part of the period. */
export interface Parts {
  readonly stored: readonly { readonly size: number; readonly number: number; readonly label: number }[]
  readonly dirty: readonly { readonly number: number; readonly chunk: string; readonly label: number }[]
}

/** A stored bucket, or a portion of a large one: its entries from `low` to `high`, counted from 1. */
interface Portion {
  readonly label: number
  readonly size: number
  readonly number: number
  readonly chunk: string
  readonly low: number
  readonly high: number
  /** Undefined if it is a portion. */
  readonly cacheKey: string | undefined
}

const column = <T, K extends keyof T>(rows: readonly T[], name: K): T[K][] => rows.map((row) => row[name])

/** The columns of a facet as texts: keys as a JSON array, sums with commas in between. */
export const asTexts = ({ keys, sums }: Pick<Facet, 'keys' | 'sums'>, of: (name: string) => string): string =>
  [
    ...keys.map((name) => `array_to_json(${of(name)})::text`),
    ...sums.map((name) => `array_to_string(${of(name)}, ',', '0')`),
  ].join(', ')

/** The same in memory. */
export async function entriesIn(
  row: Row,
  { keys, sums }: Pick<Facet, 'keys' | 'sums'>,
  companyId: string,
): Promise<Entries> {
  const columns = await mapInSlices(row, companyId, (text: string, n) =>
    n < keys.length ? textsOf(JSON.parse(text)) : decimalsOf(text.split(',')),
  )
  const named = (names: readonly string[], first: number) =>
    Object.fromEntries(names.map((name, n) => [name, columns[first + n]]))
  const [ownKeys, ownSums] = [named(keys, 0) as Entries['keys'], named(sums, keys.length) as Entries['sums']]
  return { length: ownSums[sums[0] as string]?.units.length ?? 0, keys: ownKeys, sums: ownSums }
}

/** The versions of buckets ($2 sizes, $3 numbers, $4 labels) but for dirty chunks ($5 numbers, $6 chunks), and their entries. */
const versionsOf = ({ source }: Source, { name, sums }: Facet): Statement => ({
  name: `reports_${source}_${name}_versions`,
  text: `
  select bucket.label, stored.* from unnest($2::int[], $3::int[], $4::int[]) as bucket(size, number, label)
  cross join lateral (
    select size, number, chunk, concat(xmin, ' ', summed_at) as version, cardinality(${name}_${sums[0]}) as entries
    from report_buckets where company_id = $1 and source = '${source}' and size = bucket.size and number = bucket.number offset 0
  ) as stored
  where entries > 0 and (stored.size > 1 or (stored.number, stored.chunk) not in (select * from unnest($5::int[], $6::text[])))`,
})

/** The entries of buckets, or portions of them: $2 sizes, $3 numbers, $4 chunks, and from $5 to $6. */
const storedOf = ({ source }: Source, facet: Facet): Statement => ({
  name: `reports_${source}_${facet.name}_stored`,
  text: `
  select ${asTexts(facet, (name) => `${facet.name}_${name}[low:high]`)}
  from unnest($2::int[], $3::int[], $4::text[], $5::int[], $6::int[]) with ordinality as bucket(size, number, chunk, low, high, nth)
  cross join ${storedAt(`'${source}'`, 'bucket.size', 'bucket.number')}
  where stored.chunk = bucket.chunk order by nth`,
})

/** The entries of dirty chunks ($2 numbers, $3 chunks, $4 labels), summed from their records, per label. */
const dirtyOf = (source: Source, facet: Facet): Statement => ({
  name: `reports_${source.source}_${facet.name}_dirty`,
  text: `
  with dirty as materialized (
    select * from unnest($2::int[], $3::text[], $4::int[]) as dirty(number, chunk, label)
  ), ${summed(source, 'dirty', false)}
  select label, ${asTexts(facet, (name) => `array_agg(${name})`)}
  from entry_${facet.name} join dirty using (number, chunk) group by label`,
})

/** Divides buckets into statements of at most so many entries. */
function statementsOf(missing: readonly Portion[]): Portion[][] {
  const statements: Portion[][] = []
  let entries = Number.POSITIVE_INFINITY
  for (const one of missing) {
    for (let low = one.low; low <= one.high; low += REPORT_PORTION) {
      const high = Math.min(one.high, low + REPORT_PORTION - 1)
      const isWhole = low === 1 && high === one.high
      entries += high - low + 1
      if (entries > REPORT_PORTION) {
        statements.push([])
        entries = high - low + 1
      }
      statements.at(-1)?.push({ ...one, low, high, cacheKey: isWhole ? one.cacheKey : undefined })
    }
  }
  return statements
}

type Query = (statement: Statement, ...values: readonly unknown[]) => Promise<Row[]>

/** Calls `add` with the entries of all parts, each with its label; `query` runs statements of the company in one snapshot. */
export async function readEntries(
  { cache, companyId, query }: { readonly cache: EntryCache; readonly companyId: string; readonly query: Query },
  source: Source,
  facet: Facet,
  { stored, dirty }: Parts,
  add: (label: number, entries: Entries) => Promise<void>,
): Promise<void> {
  const rows =
    stored.length === 0
      ? []
      : await query(
          versionsOf(source, facet),
          ...[column(stored, 'size'), column(stored, 'number'), column(stored, 'label')],
          ...[column(dirty, 'number'), column(dirty, 'chunk')],
        )
  const missing: Portion[] = []
  const columns = arraysOf(facet).join()
  for (const [label, size, number, chunk, version, entries] of rows) {
    const cacheKey = [companyId, source.source, columns, size, number, chunk, version].join(' ')
    const known = cache.get(cacheKey)
    if (known !== undefined) await add(label, known)
    else missing.push({ label, size, number, chunk, low: 1, high: entries, cacheKey })
  }
  for (const portions of statementsOf(missing)) {
    const texts = await query(
      storedOf(source, facet),
      ...[column(portions, 'size'), column(portions, 'number'), column(portions, 'chunk')],
      ...[column(portions, 'low'), column(portions, 'high')],
    )
    for (const [n, { label, cacheKey }] of portions.entries()) {
      const entries = await entriesIn(texts[n] as Row, facet, companyId)
      if (cacheKey !== undefined) cache.set(cacheKey, entries)
      await add(label, entries)
    }
  }
  if (dirty.length === 0) return
  const read = await query(
    dirtyOf(source, facet),
    column(dirty, 'number'),
    column(dirty, 'chunk'),
    column(dirty, 'label'),
  )
  for (const [label, ...texts] of read) await add(label, await entriesIn(texts, facet, companyId))
}
