// Reads the records of a range of moments, as many at a time as a chunk holds, and sums them: each item, which is a line or a whole
// payment, is an entry.

import { eachInSlices, inSlices, mapInSlices } from '../../../concurrency/time-slices.ts'
import type { Row, Statement } from '../../../database/connect.ts'
import { decimalOf } from '../../sold-items/decimals.ts'
import { byRate, type SummedItem } from '../../sold-items/lines.ts'
import { type Entries, textsOf } from './entries.ts'
import { type Facet, momentColumn, type Source, type SummedRecord } from './sources.ts'

/** Records that a report reads where no sums are kept by its dimensions: some seconds. */
export const REPORT_RECORDS = 50_000
/** Characters of a chunk's records as stored, beyond its first one: orders can have any number of lines of any length. */
const REPORT_CHUNK_CHARACTERS = 1024 * 1024

/** Runs a statement of the company, which is its first parameter. */
export type Query = (statement: Statement, ...values: readonly unknown[]) => Promise<Row[]>

/** Some members of rows, each as a parameter. */
export const columns = <T, K extends keyof T>(rows: readonly T[], ...names: K[]): T[K][][] =>
  names.map((name) => rows.map((row) => row[name]))

/** A key is a moment, followed by an id. */
const MOMENT_LENGTH = 24
const partsOf = (key: string) => [key.slice(0, MOMENT_LENGTH), key.slice(MOMENT_LENGTH)]

/**
 * The records from the key $2 $3 to before $4 $5, and one more than a chunk holds, which shows where the next chunk
 * begins. That record, and any beyond the characters of a chunk, are named without being read.
 */
export function recordsOf({ source, table, columns, join = '', isCounted, size, chunk, only }: Source): Statement {
  const { key, condition, name } = only ?? { key: momentColumn, condition: 'true', name: 'records' }
  return {
    name: `reports_${source}_${name}_${Object.keys(columns).length}`,
    text: `
  select moment, id, is_within, ${Object.keys(columns)
    .map((name) => `case when is_within then ${name} end`)
    .join(', ')}
  from (
    select *, nth <= ${chunk} and before <= ${REPORT_CHUNK_CHARACTERS} as is_within
    from (
      select *, row_number() over in_order as nth, sum(size) over in_order - size as before
      from (
        select ${key} as moment, stored.id, ${size} as size, ${Object.entries(columns)
          .map(([name, column]) => `${column} as ${name}`)
          .join(', ')}
        from ${table} as stored ${join}
        where stored.company_id = $1 and (${key}, stored.id) >= ($2, $3) and (${key}, stored.id) < ($4, $5) and ${isCounted} and ${condition}
        order by ${key}, stored.id limit ${chunk + 1}
      ) as stored
      window in_order as (order by moment, id)
    ) as stored
  ) as stored
  order by moment, id`,
  }
}

/** Records that were read together, and the key of the first one that was left out. */
interface RecordChunk {
  readonly records: SummedRecord[]
  readonly next: string | undefined
}

/** Reads records from one key to before another, at most a chunk. `values` are the parameters of `only`. */
export async function readRecords(
  query: Query,
  source: Source,
  ...[from, to, ...values]: readonly [from: string, to: string, ...values: unknown[]]
): Promise<RecordChunk> {
  const rows = await query(recordsOf(source), ...partsOf(from), ...partsOf(to), ...values)
  const names = Object.keys(source.columns)
  const first = rows.findIndex(([, , isWithin]) => !isWithin)
  const records = (first === -1 ? rows : rows.slice(0, first)).map(([moment, , , ...values]) =>
    Object.fromEntries([['moment', moment], ...names.map((name, n) => [name, values[n]])]),
  )
  const [moment, id] = rows[first] ?? []
  return { records, next: first === -1 ? undefined : `${moment}${id}` }
}

/** All records from one key to before another, a chunk at a time. */
export async function* chunksOf(
  query: Query,
  source: Source,
  ...[from, to, ...values]: readonly [from: string, to: string, ...values: unknown[]]
): AsyncGenerator<SummedRecord[]> {
  for (let at: string | undefined = from; at !== undefined; ) {
    const { records, next }: RecordChunk = await readRecords(query, source, at, to, ...values)
    yield records
    at = next
  }
}

/** Lines and tax rates that are converted to columns at a time: some 5 ms. */
const REPORT_ROWS = 2_000

/** An item of a record. It has the keys of the record and its own. A sum that it lacks is zero. */
type ItemRow = SummedItem & { readonly record: SummedRecord }

const entriesOf = (rows: readonly ItemRow[], keys: readonly string[], sums: readonly string[]): Entries => ({
  length: rows.length,
  keys: Object.fromEntries(
    keys.map((name) => [name, textsOf(rows.map(({ record, keys }) => keys[name] ?? record[name] ?? ''))]),
  ),
  sums: Object.fromEntries(
    sums.map((name) => [name, rows.map(({ sums }) => (sums[name] ? decimalOf(sums[name]) : 0))]),
  ),
})

/** The company whose records are summed; records may not name their currency. */
export interface SummedCompany {
  readonly companyId: string
  readonly currency: string | undefined
}

/** The items of records. It pauses after each record. */
function* itemRows(
  { itemsOf }: Source,
  records: readonly SummedRecord[],
  currency: string | undefined,
): Generator<undefined, ItemRow[]> {
  const rows: ItemRow[] = []
  for (const record of records) {
    const made = itemsOf(record, currency)
    for (const item of Array.isArray(made) ? made : yield* made) rows.push({ ...item, record })
    yield
  }
  return rows
}

/** Calls `add` with the entries of some facets of records, in slices of time. */
export async function sumRecords(
  source: Source,
  records: readonly SummedRecord[],
  { companyId, currency }: SummedCompany,
  facets: readonly Facet[],
  add: (entries: Entries, facet: Facet) => Promise<void> | void,
): Promise<void> {
  const items = await inSlices(itemRows(source, records, currency), companyId)
  for (const facet of facets) {
    const rows = facet.keys.includes('rate') ? (await mapInSlices(items, companyId, byRate)).flat() : items
    const portions = Array.from({ length: Math.ceil(rows.length / REPORT_ROWS) }, (_, n) => n * REPORT_ROWS)
    await eachInSlices(portions, companyId, (first) =>
      add(entriesOf(rows.slice(first, first + REPORT_ROWS), facet.keys, source.sums), facet),
    )
  }
}
