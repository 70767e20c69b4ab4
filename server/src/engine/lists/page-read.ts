// Reads a page of records: a short one in one statement, a long one chunk by chunk from one snapshot. A page is never cut short.

import { coalescing } from '../../concurrency/coalescing.ts'
import type { FairSemaphore, Waiter } from '../../concurrency/fair-semaphore.ts'
import { PAGE_CHARACTERS, STREAMED_BYTES, STREAMED_CHARACTERS } from '../../core/limits.ts'
import { orThrow, type Problem } from '../../core/problem.ts'
import type { Database, Queryable, Row, Statement } from '../../database/connect.ts'

/** The rows of a page, and how to turn them into texts. */
interface PageStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** The statement's columns. The last is null only in a row that was cut off. */
  readonly columns: readonly string[]
  /** Maximum number of records. The statement has one row more, which shows whether more follow. */
  readonly limit: number
  /** The text of a row's record, or why it cannot be shown. */
  readonly textOf: (row: Row) => string | Problem | null
  /** Whether the first column is the number of all matches. */
  readonly isCounted?: boolean
  /** A column with values that perhaps cannot be shown. One of them is checked before the page begins. */
  readonly doubted?: string | undefined
}

/** The reader of a page. */
export interface PageReader extends Waiter {
  /** Called with 0 before the read, then with the length of the page. An error it throws ends the read. */
  readonly expect?: ((bytes: number) => void) | undefined
}

/** The texts of a page. */
export interface PageTexts {
  /** All texts; empty if there are chunks. */
  readonly texts: readonly string[]
  /** Texts of a long page, several at a time, joined by commas. The caller must read to the end or call return. */
  readonly chunks: AsyncIterableIterator<string> | undefined
  readonly length: number
  readonly hasMore: boolean
  /** The text of the last record if more follow. */
  readonly last: string | undefined
  /** The number of all matches, if more follow and the statement has counted them. */
  readonly count?: number | undefined
}

/** Reads the rows of a statement at its turn. */
export type ReadRows = (reader: Waiter, statement: Statement, values: readonly unknown[]) => Promise<Row[]>

/**
 * Statements of lists wait in `lists` for their turn; equal ones that wait at the same time become one, as when every till of a shop, or
 * every visitor of a web shop, opens the same list. `begin` begins a read. In one turn, all responses together are no
 * longer than one page may be. Otherwise the callers of long pages would fill the memory of responses together, so the
 * rest of them wait for the next turn.
 */
export function turnsOf(begin: () => Promise<Queryable>, lists: FairSemaphore): ReadRows {
  const coalesce = coalescing<{ readonly rows: Row[]; readonly most: number }>()
  const readRows: ReadRows = async (reader, statement, values) => {
    const { isGone, ...waiter } = reader
    const [{ rows, most }, place] = await coalesce(
      `${statement.text} ${JSON.stringify(values)}`,
      async (callers) => {
        const reads = await begin()
        return lists({ ...waiter, isGone: callers.isGone }, async () => {
          const isShared = callers.begin()
          // That read began when the first caller asked. A later caller may have written since, and must see its write.
          const latest = isShared ? await begin() : reads
          const rows = await latest.query(statement, values)
          return { rows, most: isShared ? PAGE_CHARACTERS / charactersOf(rows) : 1 }
        })
      },
      isGone,
    )
    return place === 0 || place + 1 <= most ? rows : readRows(reader, statement, values)
  }
  return readRows
}

const charactersOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, row) => row.reduce((length: number, value) => length + (value?.length ?? 0), sum), 0)

/** Reads a page. */
export async function readPage(
  database: Database,
  readRows: ReadRows,
  page: PageStatement,
  reader: PageReader,
): Promise<PageTexts> {
  const { statement, values, limit } = page
  const { expect } = reader
  expect?.(0)
  const rows = await readRows(reader, { ...statement, most: database.pageCharacters, expected: limit + 1 }, values)
  const own = rows.slice(0, limit)
  // The row beyond the limit only shows whether more follow.
  if (own.at(-1)?.at(-1) === null) return readLongPage(database, page, reader)
  const texts = own.map((row) => shown(page, row))
  expect?.(texts.reduce((characters, { length }) => characters + length, 0))
  const hasMore = rows.length > limit
  const count = page.isCounted && hasMore ? (rows[0]?.[0] as number) : undefined
  return { texts, chunks: undefined, length: texts.length, hasMore, last: hasMore ? texts.at(-1) : undefined, count }
}

const shown = ({ textOf }: Pick<PageStatement, 'textOf'>, row: Row): string => orThrow(textOf(row)) as string

/**
 * The statement of a long page. Its first row has the length of each record, the last record and a doubted value; the
 * records follow. PostgreSQL finds all rows first, and leaves long values in place until they are fetched.
 */
function longStatement({ statement, columns, limit, doubted }: PageStatement): string {
  const size = (column: string) =>
    `coalesce(case when pg_column_compression(${column}) is null then pg_column_size(${column}) else octet_length(${column}::text) end, 0)`
  const sizes = columns.map(size).join(' + ')
  return `
    with page as materialized (
      select row_number() over () as number, page.* from (${statement.text}) as page
    )
    select 0 as number,
      (select coalesce(json_agg(${sizes} order by number), '[]')::text from page) as sizes,
      ${doubted ? `(select ${doubted}::text from page where ${doubted} is not null limit 1)` : 'null::text'} as doubted,
      ${columns.map((column) => `last.${column}`).join(', ')}
    from (values (1)) as one left join page as last on last.number = ${limit}
    union all
    select number, null, null, ${columns.join(', ')} from page where number <= ${limit}
    order by number`
}

async function readLongPage(database: Database, page: PageStatement, reader: PageReader): Promise<PageTexts> {
  const { limit, values, columns, doubted } = page
  const { expect } = reader
  expect?.(STREAMED_BYTES)
  const cursor = await database.openCursor(reader, longStatement(page), values)
  try {
    const [, sizesText, doubtedValue, ...lastRow] = cursor.first as Row
    const sizes: number[] = JSON.parse(sizesText)
    const own = sizes.slice(0, limit)
    const longest = Math.max(0, ...own)
    // The chunk being sent, the next one, and their rows.
    if (longest * 4 > STREAMED_BYTES) expect?.(longest * 4)
    if (doubted !== undefined && doubtedValue !== null)
      shown(
        page,
        columns.map((column) => (column === doubted ? doubtedValue : '{}')),
      )
    const hasMore = sizes.length > limit
    const last = hasMore ? shown(page, lastRow) : undefined
    const chunks = chunksOf(own).map((length) => async () => {
      const rows = await cursor.fetch(length)
      if (rows.length !== length) throw new Error(`A page fetch returned ${rows.length} rows instead of ${length}.`)
      return rows.map(([, , , ...row]) => shown(page, row)).join(',')
    })
    return { texts: [], chunks: await begun(chunks, cursor.close), length: own.length, hasMore, last }
  } catch (error) {
    cursor.close()
    throw error
  }
}

/** The number of records in each chunk: up to `STREAMED_CHARACTERS`, but at least one. */
function chunksOf(sizes: readonly number[]): number[] {
  const lengths: number[] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const size of sizes) {
    if (bytes + size > STREAMED_CHARACTERS) {
      lengths.push(0)
      bytes = 0
    }
    ;(lengths[lengths.length - 1] as number)++
    bytes += size
  }
  return lengths
}

/** Reads chunks on demand, the first at once, so that an early failure occurs before the response begins. */
async function begun(
  chunks: readonly (() => Promise<string>)[],
  close: () => void,
): Promise<AsyncIterableIterator<string>> {
  const [first, ...rest] = chunks
  let next: Promise<string> | undefined = first?.()
  await next
  const left = rest[Symbol.iterator]()
  const end = async (): Promise<IteratorResult<string>> => {
    close()
    return { done: true, value: undefined }
  }
  const iterator: AsyncIterableIterator<string> = {
    async next() {
      try {
        const value = await (next ?? left.next().value?.())
        next = undefined
        return value === undefined ? end() : { done: false, value }
      } catch (error) {
        close()
        throw error
      }
    },
    return: end,
    throw: async (error) => {
      close()
      throw error
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}
