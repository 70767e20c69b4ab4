// Reads a page of records: in one statement where it is short, and piece by piece from one snapshot where it is long. A page is never cut short.
import type { Database, Row, Statement } from '../database/connect.ts'
import { Problem } from '../http/problem.ts'
import type { Lane, Passenger } from '../lane.ts'
import { PAGE_CHARACTERS, STREAMED_BYTES, STREAMED_CHARACTERS } from '../limits.ts'

/** Which rows make up the page, and how they become texts. */
interface PageStatement {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** Names of the statement's columns. The last is never null; it is missing from a row that was cut. */
  readonly columns: readonly string[]
  /** Records on the page at most; the statement has one row more, so that it shows whether more follow. */
  readonly limit: number
  /** The text of a row's record, or why it cannot be shown. */
  readonly textOf: (row: Row) => string | Problem | null
  /** A column whose values may not be ones that can be shown: one of them is looked at before the page begins. */
  readonly doubted?: string | undefined
}

/** Who asks. */
interface PageReader extends Passenger {
  /** Is told how long the page is, and before that of its beginning; what it throws is the end. */
  readonly expect?: ((bytes: number) => void) | undefined
}

/** The texts of a page. */
export interface PageTexts {
  /** All of them; none where they come in pieces. */
  readonly texts: readonly string[]
  /** Texts of a long page, some at once joined by commas. To be read to its end, or returned. */
  readonly pieces: AsyncIterableIterator<string> | undefined
  /** How many there are in all. */
  readonly length: number
  readonly hasMore: boolean
  /** The text of the last record, where more follow. */
  readonly last: string | undefined
}

/** Reads a page; its statement waits its turn in `lists`. */
export async function readPage(
  database: Database,
  lists: Lane,
  page: PageStatement,
  reader: PageReader,
): Promise<PageTexts> {
  const { statement, values, limit } = page
  const { expect } = reader
  const rows = await lists(reader, async () => {
    expect?.(0)
    return database.query({ ...statement, most: PAGE_CHARACTERS, expected: limit + 1 }, values)
  })
  const own = rows.slice(0, limit)
  // What lies beyond the limit is read only to know that it is there.
  if (own.at(-1)?.at(-1) === null) return readLongPage(database, page, reader)
  const texts = own.map((row) => shown(page, row))
  expect?.(texts.reduce((characters, { length }) => characters + length, 0))
  const hasMore = rows.length > limit
  return { texts, pieces: undefined, length: texts.length, hasMore, last: hasMore ? texts.at(-1) : undefined }
}

function shown({ textOf }: Pick<PageStatement, 'textOf'>, row: Row): string {
  const text = textOf(row)
  if (text instanceof Problem) throw text
  return text as string
}

/**
 * The statement of a long page. Its first row says how long each record is, and holds the last record and a doubted value;
 * then come the records. The rows are found, and the long ones left where they lie, before the first is sent.
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
    // A piece on its way, the next one, and their rows.
    if (longest * 4 > STREAMED_BYTES) expect?.(longest * 4)
    if (doubted !== undefined && doubtedValue !== null)
      shown(
        page,
        columns.map((column) => (column === doubted ? doubtedValue : '{}')),
      )
    const hasMore = sizes.length > limit
    const last = hasMore ? shown(page, lastRow) : undefined
    const pieces = piecesOf(own).map((length) => async () => {
      const rows = await cursor.fetch(length)
      if (rows.length !== length) throw new Error(`${length} rows of a page were expected, ${rows.length} came.`)
      return rows.map(([, , , ...row]) => shown(page, row)).join(',')
    })
    return { texts: [], pieces: await begun(pieces, cursor.close), length: own.length, hasMore, last }
  } catch (error) {
    cursor.close()
    throw error
  }
}

/** How many records go into each piece: as many as make up `STREAMED_CHARACTERS`, but one at least. */
function piecesOf(sizes: readonly number[]): number[] {
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

/** The pieces as they are taken; the first is read at once, so that what fails by then fails before the answer begins. */
async function begun(
  pieces: readonly (() => Promise<string>)[],
  close: () => void,
): Promise<AsyncIterableIterator<string>> {
  const [first, ...rest] = pieces
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
