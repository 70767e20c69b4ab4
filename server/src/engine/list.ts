// Lists: reads a page of records by the parameters of a request, and counts the matching records where the request asks for it.

import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import { PAGE_DEFAULT } from '../core/limits.ts'
import type { Scope } from '../core/scope.ts'
import { type Database, isRowFault, type Statement } from '../database/connect.ts'
import { type ListPosition, notOurs, readCursor, writeCursor } from './list-cursor.ts'
import { filterConditions, hasShortSearch } from './list-filters.ts'
import { type PageTexts, readPage } from './page-read.ts'
import { textColumns, textOf } from './projection.ts'
import { hasEventPerRow, RememberedCounts } from './remembered-counts.ts'
import { columnOf, type Resource, snakeCase } from './resource.ts'

/** A checked list request: the parameters by name, as the schemas below allow them. */
export interface PageRequest {
  readonly parameters: Readonly<Record<string, any>>
  /** Whether to count all matching records; with a cursor only if `count` is sent too. */
  readonly wantsCount: boolean
  /** Whether no client waits for the page; statements that have not begun are skipped then. */
  readonly isGone?: (() => boolean) | undefined
  /** Called with the length of the page before it is read; an error it throws ends the read. */
  readonly expect?: (characters: number) => void
}

/** A page: record texts in order, and what is known about the rest. */
export interface Page {
  /** All texts; empty for a long page. */
  readonly texts: readonly string[]
  /** The texts of a long page, several at a time, joined by commas. The caller must read to the end or call return. */
  readonly pieces: AsyncIterableIterator<string> | undefined
  readonly skip: number
  readonly limit: number
  readonly hasMore: boolean
  readonly count: number | undefined
  readonly nextCursor: string | undefined
}

/** What the lists of a resource share. */
interface ListContext {
  readonly resource: Resource
  readonly database: Database
  /** Each statement waits for its tenant's turn in it. */
  readonly semaphore: FairSemaphore
  /** Counting is the cost of a long list: callers that need the same number wait for it together. */
  readonly shareCount: ReturnType<typeof singleFlight<number>>
  /** Counts of all records of a company; undefined where they cannot be remembered. */
  readonly remembered: RememberedCounts | undefined
}

/** A list request as SQL. */
interface ListQuery {
  readonly statement: Statement
  readonly values: readonly unknown[]
  /** The filters alone, for the count. */
  readonly where: string
  readonly filterValues: readonly unknown[]
  /** Whether the list has all records of the company, with or without deleted ones. */
  readonly isUnfiltered: boolean
  readonly includesDeleted: boolean
  readonly skip: number
  readonly limit: number
  readonly sortBy: string
  readonly sortOrder: string
  /** Where a cursor continues. */
  readonly position: ListPosition | undefined
  /** Searches of one kind run one at a time for each company. */
  readonly kind: string | undefined
}

/** Makes the list function of a resource. */
export function pager(
  resource: Resource,
  database: Database,
  semaphore: FairSemaphore,
): (scope: Scope, request: PageRequest) => Promise<Page> {
  const remembered = hasEventPerRow(resource) ? new RememberedCounts(resource) : undefined
  const context: ListContext = { resource, database, semaphore, shareCount: singleFlight<number>(), remembered }
  return (scope, request) => list(context, scope, request)
}

async function list(
  context: ListContext,
  scope: Scope,
  { parameters, isGone = never, expect, ...request }: PageRequest,
): Promise<Page> {
  const { resource, database, semaphore } = context
  const { projection } = resource
  const tenant = scope.companyId
  const query = listQuery(resource, tenant, parameters)
  const { statement, values, skip, limit, position, kind } = query
  const wantsCount = request.wantsCount && (position === undefined || parameters.count === true)
  const page = readPage(
    database,
    semaphore,
    {
      ...{ statement, values, limit },
      columns: projection ? ['shown', 'body'] : ['body'],
      textOf: (row) => textOf(projection, row),
      doubted: projection?.text && 'shown',
    },
    { tenant, isGone, kind, expect },
  )
  const counted = () => count(context, tenant, query, isGone)
  // A page after a cursor does not know the total, so both are queried at once; a first page often does.
  const countAhead = wantsCount && position ? counted() : undefined
  countAhead?.catch(() => {})
  const { texts, pieces, length, hasMore, last } = await page.catch((error): PageTexts => {
    // Only a cursor can hold a value that does not fit its column.
    throw position && isRowFault(error) ? notOurs() : error
  })
  const isLast = !position && !hasMore && (length > 0 || skip === 0)
  try {
    const count = !wantsCount ? undefined : isLast ? skip + length : await (countAhead ?? counted())
    const nextCursor = last === undefined ? undefined : writeCursor(query.sortBy, query.sortOrder, resource, last)
    return { texts, pieces, skip, limit, hasMore, count, nextCursor }
  } catch (error) {
    await pieces?.return?.()
    throw error
  }
}

/** The number of all records that match the filters of a list. */
function count(
  { resource, database, semaphore, shareCount, remembered }: ListContext,
  tenant: string,
  { where, filterValues, kind, isUnfiltered, includesDeleted }: ListQuery,
  isGone: () => boolean,
): Promise<number> {
  const countAll = async () => {
    const [row] = await database.query(`select count(*) from ${resource.table} as stored where ${where}`, filterValues)
    return row?.[0]
  }
  const work =
    remembered && isUnfiltered
      ? () => remembered.count(database, { companyId: tenant, where, includesDeleted })
      : countAll
  const ask = (allAreGone: () => boolean): Promise<number> => semaphore({ tenant, isGone: allAreGone, kind }, work)
  return shareCount(JSON.stringify([where, filterValues]), ask, isGone)
}

/** The SQL of a list request: one row more than the page, so that it shows whether more follow. */
function listQuery(resource: Resource, companyId: string, parameters: PageRequest['parameters']): ListQuery {
  const { table, fields, projection, isThere } = resource
  const { skip = 0, sortBy = 'createdAt', sortOrder = 'asc', cursor } = parameters
  const limit = parameters.limit || PAGE_DEFAULT
  const position = cursor === undefined ? undefined : readCursor(cursor, sortBy, sortOrder, skip)
  const values: unknown[] = [companyId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = filterConditions(resource, parameters, bind).join(' and ')
  const filterValues = [...values]

  const column = columnOf(resource, sortBy)
  const cast = fields[sortBy]?.comparison === 'number' ? 'numeric' : 'text'
  const beyond = sortOrder === 'asc' ? '>' : '<'
  const after = position
    ? ` and (${column}, stored.id) ${beyond} (${bind(position.value)}::${cast}, ${bind(position.id)}::text)`
    : ''
  const order = `order by ${column} ${sortOrder}, stored.id ${sortOrder}`
  const bounds = `${order} limit ${bind(limit + 1)}${skip > 0 ? ` offset ${bind(skip)}` : ''}`
  const own = `from ${table} as stored where ${where}${after} ${bounds}`
  // Where a page may skip thousands of rows, their ids are found in the index before any row is read.
  const text = isThere
    ? `with page as materialized (select stored.id ${own})
         select ${textColumns(projection)} from page join ${table} as stored on stored.company_id = $1 and stored.id = page.id ${order}`
    : `select ${textColumns(projection)} ${own}`
  // The plan of a plain page is cached; one with filters is made for their values.
  const isPlain = Object.keys(parameters).every((parameter) => plain.has(parameter))
  const includesDeleted = parameters.includeDeleted === true
  const isUnfiltered = Object.keys(parameters).every(
    (parameter) => plain.has(parameter) || parameter === 'includeDeleted',
  )
  const name = `${table}_page_${snakeCase(sortBy)}_${sortOrder}${position ? '_cursor' : ''}${skip > 0 ? '_skip' : ''}`
  const statement = { ...(isPlain && { name }), text }
  const kind = hasShortSearch(resource, parameters) ? 'short search' : undefined
  const filters = { where, filterValues, isUnfiltered, includesDeleted }
  return { statement, values, ...filters, skip, limit, sortBy, sortOrder, position, kind }
}

const never = () => false

/** Parameters that leave the statement's filters alone. */
const plain = new Set(['skip', 'limit', 'cursor', 'count', 'sortBy', 'sortOrder', 'total'])
