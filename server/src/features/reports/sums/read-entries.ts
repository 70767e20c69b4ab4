// Reads the sums of buckets, in columns. Those that were read before are in memory, under the version of their row.
import { LRUCache } from 'lru-cache'
import { eachInSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { divided } from '../../../core/worker-share.ts'
import type { Statement } from '../../../database/connect.ts'
import { type Entries, entriesOfText } from './entries.ts'
import { ofFormat, type TimeBucket } from './kept-sums.ts'
import { columns, type Query } from './records.ts'
import type { Facet, SourceName } from './sources.ts'

/** Bytes of sums, compressed as they are stored, that one statement reads: some 1 MB of text. */
const REPORT_READ_BYTES = 128 * 1024
/** Bytes of sums that a server keeps in memory, divided among its workers: those of some hundred thousand entries. */
const REPORT_CACHE_BYTES = 32 * 1024 * 1024
const REPORT_CACHE_LEAST = 8 * 1024 * 1024

/** Entries of a facet of buckets in portions, by the version of the row. */
export type EntryCache = LRUCache<string, { readonly portions: readonly Entries[]; readonly bytes: number }>

/** The bytes of an entry of the cache, and of a character of its text in memory: numbers take 8, texts of keys some 80. */
const ENTRY_BYTES = 4_000
const BYTES_PER_CHARACTER = 2
export const entryCache = (): EntryCache =>
  new LRUCache({ maxSize: divided(REPORT_CACHE_BYTES, REPORT_CACHE_LEAST), sizeCalculation: ({ bytes }) => bytes })

/** A bucket with the label of its part of the period. */
type LabelledBucket = TimeBucket & { readonly label: number }

/** The rows that buckets of the source $2 have ($3 sizes, $4 numbers, $5 labels), and the stored bytes of a facet. */
const rowsOf = (facet: Facet['name']): Statement => ({
  name: `reports_rows_${facet}`,
  text: `
  select bucket.label, stored.* from unnest($3::int[], $4::int[], $5::int[]) as bucket(size, number, label)
  cross join lateral (
    select size, number, chunk, version, pg_column_size(${facet}) from sum_buckets
    where ${ofFormat} and source = $2 and size = bucket.size and number = bucket.number and version is not null offset 0
  ) as stored`,
})

/** The portions of a facet of rows of the source $2 ($3 sizes, $4 numbers, $5 chunks), each with the place of its row from 1. */
const portionsOf = (facet: Facet['name']): Statement => ({
  name: `reports_portions_${facet}`,
  text: `
  select place, portion from unnest($3::int[], $4::int[], $5::text[]) with ordinality as bucket(size, number, chunk, place)
  cross join lateral (
    select ${facet} from sum_buckets
    where ${ofFormat} and source = $2 and size = bucket.size and number = bucket.number and chunk = bucket.chunk offset 0
  ) as stored
  cross join unnest(${facet}) with ordinality as of(portion, nth)
  order by place, nth`,
})

/** What reading needs: statements of the company in one snapshot, and a check that throws if nobody waits any more. */
interface EntryReading {
  readonly cache: EntryCache
  readonly companyId: string
  readonly query: Query
  readonly check: () => void
}

/** Calls `add` with the entries of a facet of buckets, each with its label. */
export async function readEntries(
  { cache, companyId, query, check }: EntryReading,
  [source, facet]: readonly [source: SourceName, facet: Facet['name']],
  buckets: readonly LabelledBucket[],
  add: (label: number, entries: Entries) => Promise<void> | void,
): Promise<void> {
  const found = await query(rowsOf(facet), source, ...columns(buckets, 'size', 'number', 'label'))
  const rows = found.map(([label, size, number, chunk, version, bytes]) => {
    const key = `${version} ${facet}`
    return { label, size, number, chunk, bytes, key, known: cache.get(key)?.portions }
  })
  const addAll = (label: number, portions: readonly Entries[]) =>
    eachInSlices(portions, companyId, (entries) => add(label, entries), check)
  for (const { label, known } of rows) if (known) await addAll(label, known)
  let bytesBefore = 0
  const missing = rows.filter(({ known }) => known === undefined)
  const statements = Map.groupBy(missing, ({ bytes }) => {
    bytesBefore += bytes
    return Math.floor(bytesBefore / REPORT_READ_BYTES)
  })
  for (const some of statements.values()) {
    check()
    const read = await query(portionsOf(facet), source, ...columns(some, 'size', 'number', 'chunk'))
    const texts = Map.groupBy(read, ([place]) => place)
    for (const [n, { label, key }] of some.entries()) {
      const own = texts.get(n + 1) ?? []
      const portions = await mapInSlices(own, companyId, ([, text]) => entriesOfText(text))
      const bytes = own.reduce((sum, [, text]) => sum + text.length * BYTES_PER_CHARACTER, ENTRY_BYTES)
      cache.set(key, { portions, bytes })
      await addAll(label, portions)
    }
  }
}
