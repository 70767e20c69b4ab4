// Lists: reads a page of records by the parameters of a request, and counts the matching records where the request asks for it.

import type { FairSemaphore, Waiter } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { PAGE_DEFAULT } from '../../core/limits.ts'
import type { Scope } from '../../core/scope.ts'
import { type Database, isRowFault, type Queryable, type Statement } from '../../database/connect.ts'
import { textOf } from '../projection.ts'
import { withEtag } from '../record-etag.ts'
import type { Resource } from '../resource.ts'
import { type Counted, hasEventPerRow } from './event-changes.ts'
import { type FoundQuery, foundQuery, mayComeLast } from './found-query.ts'
import { notOurs, writeCursor } from './list-cursor.ts'
import { hasIndexedSearches } from './list-filters.ts'
import { canCount, countStatement, DEEP_SKIP, type ListQuery, listQuery, pageStatement } from './list-query.ts'
import { type FindFew, lookUps } from './look-up.ts'
import { pageFromEnd } from './page-from-end.ts'
import { type PageReader, type PageTexts, type ReadRows, readPage, turnsOf } from './page-read.ts'
import { RememberedCounts } from './remembered-counts.ts'
import { MANY_ROWS, TableSearchFacts } from './search-facts.ts'
import { StatisticsUpkeep } from './statistics-upkeep.ts'

/**
 * The part of a large table's rows for which a page looks up a filter before it checks all records instead, so that it takes at most twice as
 * long as the better of both.
 */
const WALKED_PART = 0.05

/** A checked list request: the parameters by name, as the schemas below allow them. */
export interface PageRequest {
  readonly parameters: Readonly<Record<string, any>>
  /** Whether to count all matching records; with a cursor only if `count` is sent too. */
  readonly wantsCount: boolean
  /** Whether to make the cursor of the next page, which parses the last record; by default it is made. */
  readonly wantsCursor?: boolean
  /** Whether no client waits for the page; statements that have not begun are skipped then. */
  readonly isGone?: IsGone | undefined
  /** Called with the length of the page before it is read; an error it throws ends the read. */
  readonly expect?: (characters: number) => void
}

/** A page: record texts in order, and what is known about the rest. */
export interface Page {
  /** All texts; empty for a long page. */
  readonly texts: readonly string[]
  /** The texts of a long page, several at a time, joined by commas. The caller must read to the end or call return. */
  readonly chunks: AsyncIterableIterator<string> | undefined
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
  /** Counting is the cost of a list of many records: callers that need the same number wait for it together. */
  readonly shareCount: ReturnType<typeof singleFlight<number>>
  /** Reads the rows of a page, at the replica if there is one. */
  readonly readRows: ReadRows
  /** The same at the primary. */
  readonly readPrimary: ReadRows
  /** Counts of a company's records; undefined if they cannot be remembered. */
  readonly remembered: RememberedCounts | undefined
  readonly searchFacts: Pick<TableSearchFacts, 'of'>
  readonly findFew: FindFew
}

/** Makes the list function of a resource. Tests give it counts that are remembered at once, and facts of a large table. */
export function pager(
  resource: Resource,
  database: Database,
  semaphore: FairSemaphore,
  remembered = hasEventPerRow(resource) ? new RememberedCounts(resource) : undefined,
  searchFacts: Pick<TableSearchFacts, 'of'> = new TableSearchFacts(resource.table),
): (scope: Scope, request: PageRequest) => Promise<Page> {
  const shareCount = singleFlight<number>()
  const readRows = turnsOf(database.beginRead, semaphore)
  const readPrimary = turnsOf(async () => database, semaphore)
  const findFew = lookUps(resource, database)
  const statistics = new StatisticsUpkeep(resource.table)
  const context = { resource, database, semaphore, shareCount, readRows, readPrimary, remembered, searchFacts, findFew }
  let underWay = 0
  return async (scope, request) => {
    const few = await pageOfFew(context, scope, request)
    if (few !== undefined) return few
    underWay++
    try {
      return await list(context, scope, request, underWay === 1)
    } finally {
      underWay--
      // Lists neither wait for this nor fail because of it.
      statistics.look(database.owner, scope.companyId).catch(() => {})
    }
  }
}

/** The page of a look-up, which has few records of one value; undefined for any other list. */
async function pageOfFew(
  { resource, findFew }: ListContext,
  scope: Scope,
  request: PageRequest,
): Promise<Page | undefined> {
  const { parameters, wantsCount, wantsCursor = true, isGone, expect } = request
  const found = await findFew(scope, parameters, isGone)
  if (found === undefined) return undefined
  expect?.(found.reduce((characters, { length }) => characters + length, 0))
  const limit = parameters.limit || PAGE_DEFAULT
  const texts = found.slice(0, limit).map((text) => (parameters.etags ? withEtag(text) : text))
  const hasMore = found.length > limit
  const last = hasMore && wantsCursor ? texts.at(-1) : undefined
  const nextCursor = last && writeCursor('createdAt', 'asc', resource, last)
  const count = wantsCount ? found.length : undefined
  return { texts, chunks: undefined, skip: 0, limit, hasMore, count, nextCursor }
}

async function list(
  context: ListContext,
  scope: Scope,
  { parameters, isGone = never, expect, ...request }: PageRequest,
  isAlone: boolean,
): Promise<Page> {
  const { resource } = context
  const tenant = scope.companyId
  const query = listQuery(resource, tenant, parameters)
  const { skip, limit, position, kind } = query
  const reader = { tenant, isGone, kind, expect }
  const wantsCount = request.wantsCount && (position === undefined || parameters.count === true)
  const found = await foundFirst(context, tenant, parameters, query, wantsCount)
  // If a short search has many matches, counting is faster by reading the member than by its index.
  const asked = found && kind === undefined ? { ...query, where: found.where, filterValues: found.filterValues } : query
  const known = knownTotal(context, tenant, asked)
  const matches = found && known <= found.most ? await matchesOf(context, reader, found) : undefined
  const areFew = found !== undefined && matches !== undefined && matches <= found.few
  // Lists that are read at the same time share a count instead.
  const isCounted = isAlone && wantsCount && found === undefined && countsWithPage(context, tenant, query)
  const page =
    matches === 0 && position === undefined
      ? Promise.resolve(noTexts)
      : pageOf(
          context,
          query,
          areFew ? found : undefined,
          { ...reader, showsEtags: parameters.etags === true },
          isCounted,
        )
  const counted = async () => matches ?? count(context, tenant, asked, isGone)
  // A page after a cursor does not know the total, so both are queried at once; a first page often does, unless many records were counted before.
  const countAhead = wantsCount && (position || known > skip + limit) ? counted() : undefined
  countAhead?.catch(() => {})
  const { texts, chunks, length, hasMore, last, ...beside } = await page.catch((error): PageTexts => {
    // Only a cursor can hold a value that does not fit its column.
    throw position && isRowFault(error) ? notOurs() : error
  })
  const isLast = !position && !hasMore && (length > 0 || skip === 0)
  try {
    const count = !wantsCount ? undefined : isLast ? skip + length : (beside.count ?? (await (countAhead ?? counted())))
    const isFollowed = last !== undefined && request.wantsCursor !== false
    const nextCursor = isFollowed ? writeCursor(query.sortBy, query.sortOrder, resource, last) : undefined
    return { texts, chunks, skip, limit, hasMore, count, nextCursor }
  } catch (error) {
    await chunks?.return?.()
    throw error
  }
}

/**
 * Reads a page in one of three ways: from the few matches found; from the end, if more than half of a list whose count
 * is remembered is skipped; otherwise in the order of the list.
 */
async function pageOf(
  context: ListContext,
  query: ListQuery,
  found: FoundQuery | undefined,
  { showsEtags, ...reader }: PageReader & { readonly showsEtags: boolean },
  isCounted: boolean,
): Promise<PageTexts> {
  const { resource, database, readRows, readPrimary, remembered, searchFacts } = context
  const { projection } = resource
  const { limit, skip, position } = query
  const read = ([statement, values]: readonly [Statement, readonly unknown[]], by = readRows, hasCount = false) =>
    readPage(
      database,
      by,
      {
        statement,
        values,
        limit,
        isCounted: hasCount,
        columns: projection ? ['shown', 'body'] : ['body'],
        textOf: (row) => {
          const text = textOf(projection, row)
          return showsEtags && typeof text === 'string' ? withEtag(text) : text
        },
        doubted: projection?.text && 'shown',
      },
      reader,
    )
  if (found) return read([found.page, found.pageValues])
  const counted = countedBy(query, reader.tenant)
  const isDeep = skip >= DEEP_SKIP && position === undefined && !query.changedBy
  const known = isDeep ? counted && remembered?.known(counted) : undefined
  if (counted && known && skip > known.total / 2) {
    // The number is the primary's: a replica may not have all of the events up to it.
    const page = await read(pageFromEnd(resource, query, counted, known), readPrimary)
    if (page.length > 0) return page
    // No rows: the page is beyond the end, or the number is no longer known. Counting decides which, and costs less
    // than a walk over all records.
    if (skip >= (await count(context, reader.tenant, query, reader.isGone))) return noTexts
  }
  const { rows } = query.page.lookedUp ? await searchFacts.of(database.owner, reader.tenant) : { rows: 0 }
  const walkedRows = rows > MANY_ROWS ? rows * WALKED_PART : undefined
  const begun = performance.now()
  const page = await read(
    [pageStatement(resource, query, isCounted, walkedRows), query.page.values],
    readRows,
    isCounted,
  )
  if (counted && page.count !== undefined) remembered?.noteCounted(counted, page.count, begun)
  return page
}

/** Whether the statement of a page counts all matches too: it does if counting has not taken long so far. */
function countsWithPage({ resource, remembered }: ListContext, tenant: string, query: ListQuery): boolean {
  const counted = countedBy(query, tenant)
  return counted !== undefined && remembered?.isShort(counted) === true && canCount(resource, query)
}

/** How many records a list had when they were last counted; 0 if that is not remembered. */
function knownTotal({ remembered }: ListContext, tenant: string, query: ListQuery): number {
  const counted = countedBy(query, tenant)
  return (counted && remembered?.known(counted)?.total) ?? 0
}

/** What a list counts, if events tell how the number changes, or that it does not. */
export const countedBy = (
  { where, filterValues, walked, ofEach, members, changedBy, includesDeleted }: ListQuery,
  companyId: string,
): Counted | undefined => {
  const counted = { companyId, where, filterValues, walked, ofEach, includesDeleted, changedBy }
  return members || changedBy ? { ...counted, members: members ?? [] } : undefined
}

/**
 * The query that finds all matches before they are sorted; undefined where an index scan in the order of the list costs less.
 * The matches are found first
 *
 * - if the list has a short search, which no index may answer;
 * - if the company has most rows of the table, and the search index answers its search best without the company;
 * - if the company has most rows of the table, and a walk in its order might meet the matches last.
 */
async function foundFirst(
  { resource, database, searchFacts }: ListContext,
  tenant: string,
  parameters: PageRequest['parameters'],
  query: ListQuery,
  wantsCount: boolean,
): Promise<FoundQuery | undefined> {
  const isShort = query.kind !== undefined
  const isLate = mayComeLast(resource, query, parameters)
  if (!isShort && !isLate && !hasIndexedSearches(resource, parameters, { lowersPlainly: true })) return undefined
  // Statistics of all companies together, which only the owner of the tables sees.
  const facts = await searchFacts.of(database.owner, tenant)
  if (!isShort && !facts.holdsMost) return undefined
  return foundQuery(resource, tenant, parameters, query, facts, wantsCount)
}

/** The number of matching records, or undefined if they are too many to be counted in this way. */
async function matchesOf(
  { readRows }: ListContext,
  reader: Waiter,
  { matches, most, filterValues }: FoundQuery,
): Promise<number | undefined> {
  const [row] = await readRows(reader, matches, filterValues)
  return row?.[0] > most ? undefined : row?.[0]
}

/** The number of all records that match the filters of a list. */
function count(
  { resource, database, semaphore, shareCount, remembered }: ListContext,
  tenant: string,
  query: ListQuery,
  isGone: IsGone,
): Promise<number> {
  const { filterValues, kind, outside } = query
  const work = async (reads: Queryable): Promise<number> => {
    const asked = { query: database.query, reads }
    const counted = countedBy(query, tenant)
    if (remembered && outside) return remembered.countRange(asked, outside, query, counted)
    if (remembered && counted) return remembered.count(asked, counted)
    const [row] = await reads.query(countStatement(resource, query), filterValues)
    return row?.[0]
  }
  // The read begins here, after all callers that share it have arrived.
  const ask = async (allAreGone: IsGone): Promise<number> => {
    const reads = await database.beginRead()
    return semaphore({ tenant, isGone: allAreGone, kind }, () => work(reads))
  }
  return shareCount(JSON.stringify([query.where, filterValues]), ask, isGone)
}

const never = () => false
const noTexts: PageTexts = { texts: [], chunks: undefined, length: 0, hasMore: false, last: undefined }
