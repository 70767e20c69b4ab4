// Reads rows by their table's name. A statement finds rows only while the schema that they are shown by is current.

import { setImmediate as turn } from 'node:timers/promises'
import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import type { FairSemaphore, Waiter } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { isId } from '../../core/ids.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { STATEMENT_CHARACTERS, STREAMED_CHARACTERS, STREAMED_ROWS, STREAMED_ROWS_FIRST } from '../../core/limits.ts'
import { notFound } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Row, Statement } from '../../database/connect.ts'
import { gathering } from '../../database/one-company.ts'
import { rowsByItem } from '../../database/size-limited-query.ts'
import { type PageTexts, type ReadRows, readPage, turnsOf } from '../../engine/lists/page-read.ts'
import { inParts } from '../../engine/store.ts'
import { lockKey } from './locks.ts'
import { noTable, rowText } from './row-state.ts'
import type { SchemaCache } from './schema-cache.ts'
import type { Table } from './table.ts'

/** Which rows are read; `limit` undefined for all. */
interface RowsRequest {
  readonly skip: number
  readonly limit: number | undefined
  readonly wantsCount: boolean
  /** Whether the client is gone. */
  readonly isGone: IsGone
  /** Throws the problem that the key is now answered with: a client may take long to read all rows. */
  readonly authorizeAgain: () => void | Promise<void>
  /** Called with the length of the page. An error it throws ends the read. */
  readonly expect: (bytes: number) => void
}

/** A page of rows, or all rows as one streamed text. */
interface RowsPage extends Pick<PageTexts, 'texts' | 'chunks' | 'hasMore'> {
  readonly stream: AsyncIterable<string> | undefined
  readonly count: number | undefined
}

const shown = `stored.id, stored.created_at, greatest(stored.updated_at, stored.cells_at) as changed_at, stored.cells`
const columns = ['id', 'created_at', 'changed_at', 'cells']
const held = `exists (select from custom_tables as own where own.company_id = $1 and own.id = $2 and own.version = $3)`
const own = `stored.company_id = $1 and stored.table_id = $2 and not stored.is_deleted`

const order = 'order by stored.created_at, stored.id'
const firstPage: Statement = {
  name: 'custom_rows_page',
  text: `select ${shown} from custom_table_rows as stored where ${own} and ${held} ${order} limit $4`,
}
// Skipped rows are only counted, in the index.
const skippedPage: Statement = {
  name: 'custom_rows_page_skip',
  text: `
  with page as materialized (
    select stored.id from custom_table_rows as stored where ${own} and ${held} ${order} limit $4 offset $5
  )
  select ${shown} from page join custom_table_rows as stored on stored.company_id = $1 and stored.id = page.id ${order}`,
}

const nextRows: Statement = {
  name: 'custom_rows_skipped',
  most: STREAMED_CHARACTERS,
  text: `
  select ${shown} from custom_table_rows as stored
  where ${own} and (stored.created_at, stored.id) > ($3, $4) ${order} limit $5`,
}

const statementOf = ({ companyId, id, version }: Table, limit: number, skip: number) => ({
  statement: skip > 0 ? skippedPage : firstPage,
  values: [companyId, id, version, limit + 1, ...(skip > 0 ? [skip] : [])],
})

const none = { texts: [], chunks: undefined, stream: undefined, hasMore: false } as const

type RowRead = BatchItem & { readonly table: Table; readonly id: string }

/** Reads of rows. Statements of lists wait in the semaphore `lists`. */
export class RowReads {
  readonly #database: Database
  readonly #lists: FairSemaphore
  readonly #schemas: SchemaCache
  readonly #shareCount = singleFlight<number>()
  readonly #readRows: ReadRows
  readonly #find: (item: RowRead) => Promise<string | undefined>

  constructor(database: Database, lists: FairSemaphore, schemas: SchemaCache) {
    this.#database = database
    this.#lists = lists
    this.#schemas = schemas
    this.#readRows = turnsOf(async () => database, lists)
    this.#find = batcher((items: RowRead[]) => findTexts(database, items), gathering(database))
  }

  /** The row's text. Throws `not_found`, also for deleted rows. */
  async read(scope: Scope, name: string, id: string, isGone: IsGone): Promise<string> {
    const { found } = await this.#withCurrentTable(scope, name, async (table) =>
      isId(id) ? this.#find({ scope, table, id, isGone }) : undefined,
    )
    if (found === undefined) throw notFound('row', id)
    return found
  }

  /** A page of rows; without a limit, all of them. */
  async list(scope: Scope, name: string, request: RowsRequest): Promise<RowsPage> {
    if (request.limit === undefined) return this.#listAll(scope, name, request)
    const { skip, limit, wantsCount, isGone, expect } = request
    const waiter: Waiter = { tenant: scope.companyId, isGone }
    const { table, found } = await this.#withCurrentTable(scope, name, async (table) => {
      const page = await readPage(
        this.#database,
        this.#readRows,
        { ...statementOf(table, limit, skip), columns, limit, textOf: (row) => textOf(table, row) },
        { ...waiter, expect },
      )
      if (page.length > 0) return page
      await page.chunks?.return?.()
      return undefined
    })
    const { texts, chunks, length, hasMore } = found ?? { ...none, length: 0 }
    const isLast = !hasMore && (length > 0 || skip === 0)
    try {
      const count = !wantsCount ? undefined : isLast ? skip + length : await this.#count(table, waiter)
      return { texts, chunks, stream: undefined, hasMore, count }
    } catch (error) {
      await chunks?.return?.()
      throw error
    }
  }

  /** All rows: one text if they are few, otherwise a stream. */
  async #listAll(
    scope: Scope,
    name: string,
    { skip, wantsCount, isGone, authorizeAgain }: RowsRequest,
  ): Promise<RowsPage> {
    const waiter: Waiter = { tenant: scope.companyId, isGone }
    const { table, found = [] } = await this.#withCurrentTable(scope, name, async (table) => {
      const { statement, values } = statementOf(table, STREAMED_ROWS_FIRST, skip)
      const rows = await this.#lists(waiter, () =>
        this.#database.query({ ...statement, most: this.#database.pageCharacters }, values),
      )
      return rows.length === 0 ? undefined : rows
    })
    const rows = complete(found).slice(0, STREAMED_ROWS_FIRST)
    const hasMore = found.length > rows.length
    const texts = rows.map((row) => textOf(table, row))
    const isLast = !hasMore && (rows.length > 0 || skip === 0)
    const count = !wantsCount ? undefined : isLast ? skip + rows.length : await this.#count(table, waiter)
    if (!hasMore) return { ...none, texts, count }
    return { ...none, stream: this.#chunks(table, authorizeAgain, texts, rows.at(-1) as Row), count }
  }

  /**
   * The whole list as JSON, read only as fast as it is sent. Each part begins after the last row by time and id, so
   * that a row that exists throughout appears once. Column names are those at the beginning.
   */
  async *#chunks(
    table: Table,
    authorizeAgain: RowsRequest['authorizeAgain'],
    first: readonly string[],
    end: Row,
  ): AsyncGenerator<string> {
    yield `[${first.join(',')}`
    let last = end
    let rows = first.length
    let characters = first.reduce((sum, { length }) => sum + length, 0)
    for (;;) {
      // Other requests come first.
      await turn()
      const fitting = Math.floor((STREAMED_CHARACTERS * rows) / characters)
      const limit = Math.max(1, Math.min(STREAMED_ROWS, rows * 4, fitting))
      await authorizeAgain()
      const asked = await this.#lists({ tenant: table.companyId, isGone: () => false }, () =>
        this.#database.query(nextRows, [table.companyId, table.id, last[1], last[0], limit]),
      )
      const found = complete(asked)
      if (found.length > 0) {
        const text = found.map((row) => textOf(table, row)).join(',')
        yield `,${text}`
        last = found.at(-1) as Row
        rows = found.length
        characters = text.length
      }
      if (asked.length < limit && found.length === asked.length) break
    }
    yield ']'
  }

  #count({ companyId, id }: Table, waiter: Waiter): Promise<number> {
    const count = async (isGone: IsGone) => {
      const text = `select count(*) from custom_table_rows as stored where ${own}`
      const [row] = await this.#lists({ tenant: companyId, isGone }, () => this.#database.query(text, [companyId, id]))
      return row?.[0]
    }
    return this.#shareCount(`${companyId} ${id}`, count, waiter.isGone)
  }

  /** Reads with a schema that is current; if nothing was found and the schema has changed meanwhile, reads again. */
  async #withCurrentTable<T>(
    scope: Scope,
    name: string,
    read: (table: Table) => Promise<T | undefined>,
  ): Promise<{ table: Table; found: T | undefined }> {
    for (;;) {
      const table = await this.#schemas.table(scope.companyId, name)
      if (table === undefined) throw noTable(name)
      const found = await read(table)
      if (found !== undefined || (await this.#schemas.isCurrentTable({ scope, table }))) return { table, found }
      this.#schemas.drop(scope.companyId)
    }
  }
}

/** The texts of rows; concurrent reads of one row share its statement and its text. */
async function findTexts(database: Database, items: readonly RowRead[]): Promise<(string | undefined)[]> {
  const keyOf = ({ table, id }: RowRead) => `${lockKey(table)} ${table.version} ${id}`
  const wanted = [...new Map(items.map((item) => [keyOf(item), item])).values()]
  const texts = new Map<string, string>()
  const note = (item: RowRead, row: Row | undefined) => {
    if (row) texts.set(keyOf(item), textOf(item.table, row))
  }
  await inParts(wanted, (asked) => findSome(database, asked), note)
  return items.map((item) => texts.get(keyOf(item)))
}

/** Reads the first items, as many as one statement should carry; returns nothing for the others. */
async function findSome(database: Database, items: readonly RowRead[]): Promise<(Row | undefined)[]> {
  const rows = await database.query(
    {
      name: 'custom_rows_find',
      most: STATEMENT_CHARACTERS,
      text: `
      select item.ordinality::int, ${shown}
      from unnest($1::text[], $2::text[], $3::int[], $4::text[]) with ordinality as item(company_id, table_id, version, id, ordinality)
      join custom_tables as own on own.company_id = item.company_id and own.id = item.table_id and own.version = item.version
      join custom_table_rows as stored on stored.company_id = item.company_id and stored.id = item.id
        and stored.table_id = item.table_id and not stored.is_deleted
      order by item.ordinality`,
    },
    [
      items.map(({ table }) => table.companyId),
      items.map(({ table }) => table.id),
      items.map(({ table }) => table.version),
      items.map(({ id }) => id),
    ],
  )
  return rowsByItem(rows, items.length).map((row) => row?.slice(1))
}

const textOf = (table: Table, [id, createdAt, updatedAt, cells]: Row): string =>
  rowText(table, { id, createdAt, updatedAt, cells: JSON.parse(cells) })

/** The rows that were read completely; beyond the size limit of a statement, values were left out. */
const complete = (rows: readonly Row[]): Row[] => rows.filter(([, , , cells]) => cells !== null)
