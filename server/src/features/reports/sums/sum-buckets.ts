// Sums what is dirty, and stores the sums: chunks from their records, and blocks from their parts.
import { randomUUID } from 'node:crypto'
import { eachInSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import { quarterAt } from '../../../core/local-days.ts'
import type { Statement } from '../../../database/connect.ts'
import { entriesOfText, Groups, textOfEntries } from './entries.ts'
import { FAN_OUT, ofFormat, SUMS_FORMAT } from './kept-sums.ts'
import { type Query, readRecords, type SummedCompany, sumRecords } from './records.ts'
import { type Facet, facetNames, type Source } from './sources.ts'

/** Dirty chunks, and blocks, that are summed at a time: some 100 ms. */
const REPORT_CHUNKS = 16
export const REPORT_BLOCKS = 16
/** Entries that are read, added up and kept in memory at a time: some 4 ms, 1 MB of text. */
const REPORT_PORTION = 10_000

/** The chunk that follows a chunk `part` (source, number, chunk) of the same quarter; null if there is none. */
const nextChunk = `(
    select min(next.chunk) from sum_buckets as next
    where ${ofFormat} and next.source = part.source and size = 1 and next.number = part.number and next.chunk > part.chunk
  )`

/** The first key of a chunk, and the key before which it ends. */
function rangeOf(quarter: number, chunk: string, next: string | null): [from: string, to: string] {
  const timeAfter = (ms: number) => new Date(quarter * 900_000 + ms).toISOString()
  return [chunk || timeAfter(0), next ?? `${timeAfter(899_999)}~`]
}

/** The newest dirty chunks of the source $2, each with the one after it. */
const dirtyChunks: Statement = {
  name: 'reports_dirty_chunks',
  text: `
  select number, chunk, ${nextChunk} from (
    select source, number, chunk from sum_buckets
    where ${ofFormat} and source = $2 and size = 1 and is_dirty
    order by number desc, chunk limit ${REPORT_CHUNKS}
  ) as part`,
}

/** The dirty blocks of the source $2 that have ended at the beginning of the quarter $3 and whose parts are clean, the smallest first. */
const dirtyBlocks: Statement = {
  name: 'reports_dirty_blocks',
  text: `
  select size, number from sum_buckets
  where ${ofFormat} and source = $2 and size > 1 and is_dirty and (number + 1::bigint) * size <= $3::int
    and (size, number) not in (
      select size * ${FAN_OUT}, floor(number / ${FAN_OUT}::float8)::int from sum_buckets
      where ${ofFormat} and source = $2 and is_dirty
    )
  order by size, number desc limit ${REPORT_BLOCKS}`,
}

/** The portions of the parts of a block, each with its facet. */
const parts: Statement = {
  name: 'reports_parts',
  text: `
  select facet, portion from sum_buckets
  cross join lateral (values ${facetNames.map((name) => `('${name}', ${name})`).join(', ')}) as stored(facet, portions)
  cross join unnest(portions) as portion
  where ${ofFormat} and source = $2 and size = $3 and number between $4 and $4 + ${FAN_OUT - 1}`,
}

/** The version, another one for each sum, shows whether sums in memory are still those that are stored. */
const store: Statement = {
  name: 'reports_store',
  text: `
  insert into sum_buckets (company_id, format, source, size, number, chunk, is_dirty, version, ${facetNames.join(', ')})
  values ($1, ${SUMS_FORMAT}, $2, $3, $4, $5, false, $6, ${facetNames.map((_, n) => `$${n + 7}`).join(', ')})
  on conflict (company_id, format, source, size, number, chunk) do update set (is_dirty, version, ${facetNames.join(', ')}) =
    (false, excluded.version, ${facetNames.map((name) => `excluded.${name}`).join(', ')})`,
}

/** Continues a chunk that has too many records with another one, which is dirty. */
const split: Statement = {
  name: 'reports_split',
  text: `insert into sum_buckets (company_id, format, source, size, number, chunk, is_dirty) values ($1, ${SUMS_FORMAT}, $2, 1, $3, $4, true)`,
}

/** Groups for each facet of a source. */
const groupsOf = ({ facets }: Source) => new Map(facets.map((facet) => [facet.name, new Groups(facet.keys)]))

/** The groups of a facet as they are stored: the texts of portions. */
function textsOfGroups(groups: Groups | undefined, companyId: string): Promise<string[]> | null {
  if (groups === undefined) return null
  const portions = Array.from({ length: Math.ceil(groups.size / REPORT_PORTION) }, (_, n) => n * REPORT_PORTION)
  return mapInSlices(portions, companyId, (first) => textOfEntries(groups.entries(first, first + REPORT_PORTION)))
}

/** Stores the sums of a bucket. */
async function storeSums(
  query: Query,
  companyId: string,
  bucket: readonly unknown[],
  summed: ReadonlyMap<Facet['name'], Groups>,
): Promise<void> {
  const texts: (string[] | null)[] = []
  for (const name of facetNames) texts.push(await textsOfGroups(summed.get(name), companyId))
  await query(store, ...bucket, randomUUID(), ...texts)
}

/** Sums the newest dirty chunks of a source. Returns whether some may be left. */
export async function sumChunks(query: Query, source: Source, company: SummedCompany): Promise<boolean> {
  const chunks = await query(dirtyChunks, source.source)
  let hasRest = chunks.length === REPORT_CHUNKS
  for (const [number, chunk, following] of chunks) {
    const { records, next } = await readRecords(query, source, ...rangeOf(number, chunk, following))
    const summed = groupsOf(source)
    await sumRecords(source, records, company, source.facets, (entries, { name }) => summed.get(name)?.add(entries))
    await storeSums(query, company.companyId, [source.source, 1, number, chunk], summed)
    if (next === undefined) continue
    await query(split, source.source, number, next)
    hasRest = true
  }
  return hasRest
}

/** Sums the dirty blocks of a source that have ended and whose parts are clean, some at a time. Returns how many it summed. */
export async function sumBlocks(query: Query, source: Source, companyId: string): Promise<number> {
  const blocks = await query(dirtyBlocks, source.source, quarterAt(Date.now()))
  for (const [size, number] of blocks) {
    const summed = groupsOf(source)
    const portions = await query(parts, source.source, size / FAN_OUT, number * FAN_OUT)
    await eachInSlices(portions, companyId, ([facet, text]) => summed.get(facet)?.add(entriesOfText(text)))
    await storeSums(query, companyId, [source.source, size, number, ''], summed)
  }
  return blocks.length
}
