// The SQL of a list request: its filters, its order, and the way to its page that reads the fewest rows.

import { PAGE_DEFAULT, PAGE_MAXIMUM } from '../../core/limits.ts'
import type { Statement } from '../../database/connect.ts'
import { textColumns } from '../projection.ts'
import { columnOf, type Resource, snakeCase } from '../resource.ts'
import type { Counted } from './event-changes.ts'
import { type ListPosition, readCursor } from './list-cursor.ts'
import {
  conditionsOfEach,
  countedResources,
  type FilterCondition,
  filterConditions,
  filteredMembers,
  hasShortSearch,
  isSelective,
  unseen,
  walkedMember,
  walkedRange,
  whereOf,
} from './list-filters.ts'
import type { ListParameters } from './list-parameters.ts'
import { type Outside, outsideOf } from './range-counts.ts'
import { timeRangeConditions, timeRangeOf } from './time-range.ts'

/**
 * Number of skipped records from which a page is deep: its ids are found in an index before any row is read. With
 * fewer, that costs more than it saves.
 */
export const DEEP_SKIP = 1_000
/** A list request as SQL. */
export interface ListQuery {
  /** The filters alone, for the count. */
  readonly where: string
  readonly filterValues: readonly unknown[]
  /** Members that the filters use; `[]` without filters; undefined if events cannot tell which records match. */
  readonly members: readonly string[] | undefined
  /** If events cannot tell that: the resources without whose events their number stays. */
  readonly changedBy: readonly string[] | undefined
  /** The conditions for each exact filter alone (`conditionsOfEach`). */
  readonly ofEach: readonly string[] | undefined
  /** What a range of time leaves out. */
  readonly outside: Outside | undefined
  readonly includesDeleted: boolean
  /** The member whose index is walked, if the list has its records of one value (`walkedMember`). */
  readonly walked: string | undefined
  readonly skip: number
  readonly limit: number
  readonly sortBy: string
  readonly sortOrder: 'asc' | 'desc'
  /** Where a cursor continues. */
  readonly position: ListPosition | undefined
  /** Searches of one kind run one at a time for each company. */
  readonly kind: string | undefined
  /** Whether the records are looked up by their ids or values, and then sorted (`isSelective`). */
  readonly isSelective: boolean
  /** The parts of the page's statement, which `pageStatement` puts together. */
  readonly page: {
    /** The filters, from the cursor on. */
    readonly where: string
    readonly order: string
    readonly bounds: string
    /** The number of the row beyond the page. */
    readonly beyond: string
    /** The placeholder of the words of a separated member, if the pages of each word are merged (`mergedPage`). */
    readonly merged: string | undefined
    /** The filters in parts, if one of them is looked up for each record (`pageCondition`). */
    readonly lookedUp: LookedUpFilters | undefined
    readonly values: readonly unknown[]
    /**
     * The plan of a page without filters, with a single exact one, or of a range of the time by which it is sorted, is
     * kept; others are made for their values.
     */
    readonly name: string | undefined
    /** Whether the values begin with those of the filters, so that the statement can count, too. */
    readonly hasFilterValues: boolean
  }
}

/** The filters of a page, some of which are looked up for each record. */
interface LookedUpFilters {
  /** The other ones, from the cursor on. */
  readonly others: string
  readonly ofEach: string
  /** The same in the form for all records. */
  readonly ofAll: string
}

/** Makes the query of a list request. */
export function listQuery(resource: Resource, companyId: string, parameters: ListParameters): ListQuery {
  const { skip = 0, sortBy = 'createdAt', sortOrder = 'asc', cursor } = parameters
  const limit = parameters.limit || PAGE_DEFAULT
  const position = cursor === undefined ? undefined : readCursor(cursor, sortBy, sortOrder, skip)
  const values: unknown[] = [companyId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const conditions = filterConditions(resource, parameters, bind)
  const walked = walkedMember(resource, parameters)
  const members = filteredMembers(resource, parameters)
  const includesDeleted = parameters.includeDeleted === true
  const request = { skip, limit, sortBy, sortOrder, position, walked }
  return {
    where: whereOf(conditions),
    filterValues: values,
    members,
    changedBy: members ? undefined : countedResources(resource, parameters),
    includesDeleted,
    ofEach: conditionsOfEach(resource, parameters, conditions),
    ...request,
    outside: outsideOf(resource, companyId, parameters),
    isSelective: isSelective(resource, parameters),
    kind: hasShortSearch(resource, parameters) ? 'short search' : undefined,
    page: pageOf(resource, parameters, request, {
      conditions,
      values,
      isUnfiltered: members?.length === 0,
    }),
  }
}

/** The parts of a page's statement. */
function pageOf(
  resource: Resource,
  parameters: ListParameters,
  request: PageSlice,
  filters: {
    readonly conditions: readonly FilterCondition[]
    readonly values: readonly unknown[]
    readonly isUnfiltered: boolean
  },
): ListQuery['page'] {
  const { skip, sortBy, sortOrder, position, walked } = request
  const range = timeRangeOf(resource, parameters)
  const isMerged = sortBy === 'createdAt' && !isSelective(resource, parameters)
  const merged = isMerged ? filters.conditions.find(({ values }) => values)?.values : undefined
  const isKept = range !== undefined || filters.isUnfiltered || walked !== undefined
  const values = range ? filters.values.slice(0, 1) : [...filters.values]
  const bind = (value: unknown) => `$${values.push(value)}`
  const hasOwnForm = ({ sql, page = sql }: FilterCondition) => page !== sql && skip < DEEP_SKIP
  const { own = [], other = [] } = Object.groupBy(filters.conditions, (one) => (hasOwnForm(one) ? 'own' : 'other'))
  const others = range
    ? timeRangeConditions(resource, range, { ...request, filters: parameters }, bind).join(' and ')
    : conditionsFrom(resource, sqlOf(other, merged), { ...request, isKept }, bind)
  const ofEach = own.map(({ page }) => page).join(' and ')
  const where = [others, ...(ofEach && [ofEach])].join(' and ')
  const isBounded = own.some(({ looksUp }) => looksUp) && merged === undefined && !isSelective(resource, parameters)
  const lookedUp = isBounded ? { others, ofEach, ofAll: whereOf(own) } : undefined
  const member = range ? range.member : walked
  const end = endOf(resource, { ...request, walked: member }, bind)
  if (!isKept) return { where, ...end, merged, lookedUp, values, name: undefined, hasFilterValues: true }
  // PostgreSQL tells names apart by their first 63 characters.
  const by = member === undefined ? snakeCase(sortBy) : `by_${snakeCase(member)}`
  const deleted = parameters.includeDeleted === true ? '_all' : ''
  // The page of a range has the same statement from its beginning and from a cursor.
  const from = range ? '_range' : position ? '_cursor' : ''
  const way = `${from}${skip > 0 ? '_skip' : ''}${skip >= DEEP_SKIP ? '_deep' : ''}`
  const name = `${resource.table}_page_${by}${deleted}_${sortOrder}${way}`
  return { where, ...end, merged, lookedUp, values, name, hasFilterValues: range === undefined }
}

/** The SQL of a page's conditions; each of the words at the placeholder `merged` has a page of its own. */
const sqlOf = (conditions: readonly FilterCondition[], merged: string | undefined): string[] =>
  conditions.map(({ sql, exact = '', values }) =>
    values !== undefined && values === merged ? `stored.${snakeCase(exact)} = word.word` : sql,
  )

type ListOrder = Pick<ListQuery, 'sortBy' | 'walked'>
type PageSlice = ListOrder & Pick<ListQuery, 'skip' | 'limit' | 'sortOrder' | 'position'>

/** The order of a list, or of its end. */
export function orderOf(resource: Resource, { sortBy, walked }: ListOrder, sortOrder: string): string {
  const columns = [
    ...(walked === undefined ? [] : [columnOf(resource, walked)]),
    columnOf(resource, sortBy),
    'stored.id',
  ]
  return `order by ${columns.map((column) => `${column} ${sortOrder}`).join(', ')}`
}

/** The conditions of a list, from its cursor on. */
export function conditionsFrom(
  resource: Resource,
  conditions: readonly string[],
  { sortBy, sortOrder, position, walked, isKept }: PageSlice & { readonly isKept?: boolean },
  bind: (value: unknown) => string,
): string {
  if (position === undefined) return conditions.join(' and ')
  const cast = resource.fields[sortBy]?.comparison === 'number' ? 'numeric' : 'text'
  const columns = [columnOf(resource, sortBy), 'stored.id']
  const bound = (value: string, type: string) => (isKept ? unseen(bind(value), type) : `${bind(value)}::${type}`)
  const values = [bound(position.value, cast), bound(position.id, 'text')]
  const beyond = sortOrder === 'asc' ? '>' : '<'
  if (walked === undefined)
    return [...conditions, `(${columns.join(', ')}) ${beyond} (${values.join(', ')})`].join(' and ')
  // With the bound at which the list begins, PostgreSQL might walk the index from there to the cursor.
  const member = columnOf(resource, walked)
  const rest = conditions.filter((condition) => condition !== walkedRange(member)[sortOrder])
  return [...rest, `(${[member, ...columns].join(', ')}) ${beyond} (${[unseen('$2'), ...values].join(', ')})`].join(
    ' and ',
  )
}

/** The order of a page, and where it ends, as SQL. */
export function endOf(resource: Resource, request: PageSlice, bind: (value: unknown) => string) {
  const { skip, limit, sortOrder } = request
  const order = orderOf(resource, request, sortOrder)
  // One row more than the page, so that it shows whether more follow.
  const rows = bind(limit + 1)
  const skipped = skip > 0 ? bind(skip) : undefined
  return {
    order,
    bounds: `${order} limit ${rows}${skipped ? ` offset ${skipped}` : ''}`,
    beyond: [rows, ...(skipped ? [skipped] : [])].map((number) => `${number}::bigint`).join(' + '),
  }
}

/** Row limits of pages whose plan is kept: each number is at most five times the previous one. */
const KEPT_ROWS = [PAGE_DEFAULT, 5 * PAGE_DEFAULT, PAGE_MAXIMUM, DEEP_SKIP + PAGE_MAXIMUM].map((rows) => rows + 1)

/**
 * The first of these numbers that is enough; it is part of the statement. If the limit is a parameter, PostgreSQL
 * assumes a tenth of the rows, and a tenth more for a skip. A tenth of all rows makes the kept plan look more expensive
 * than one for each page, and making a plan takes longer than running it. A tenth of this number is fewer rows than
 * each page has.
 */
const mostRows = ({ skip, limit, page }: ListQuery): number | undefined =>
  page.name === undefined || skip >= DEEP_SKIP ? undefined : KEPT_ROWS.find((rows) => skip + limit < rows)

/**
 * The statement of a page: it walks through the rows in the order of the list. `isCounted`: the number of all matches, which PostgreSQL
 * counts once, is the first column of each row. `walkedRows`: the rows up to which a filter is looked up for each (`boundedPage`).
 */
export function pageStatement(resource: Resource, query: ListQuery, isCounted = false, walkedRows?: number): Statement {
  const { skip, page } = query
  const { table, projection, existsCondition } = resource
  const { where, order, bounds, name, lookedUp } = page
  if (lookedUp && walkedRows !== undefined)
    return { text: boundedPage(resource, query, lookedUp, Math.ceil(walkedRows)) }
  // With `offset 0`, the look-up is planned alone: for a short page, a walk in the order of the list may look cheaper.
  const matches = query.isSelective
    ? `(select * from ${table} as stored where ${where} offset 0) as stored`
    : `${table} as stored where ${where}`
  const most = mostRows(query)
  const own = page.merged
    ? mergedPage(table, page, page.merged)
    : most
      ? `from (select * from ${matches} ${order} limit ${most}) as stored ${bounds}`
      : `from ${matches} ${bounds}`
  const counted = isCounted ? `(${countStatement(resource, query).text}) as matches, ` : ''
  // A deep page finds its ids in the index before it reads rows; so does one whose records may count as absent.
  const text =
    existsCondition || skip >= DEEP_SKIP
      ? `with ${pageWithIds(resource, own, order)}`
      : `select ${counted}${textColumns(projection)} ${own}`
  const kept = [name, most, isCounted && 'counted'].filter(Boolean).join('_')
  return { ...(name !== undefined && { name: kept }), text }
}

/**
 * The records of several words in the order of creation: the index of each word has this order, so that nothing is sorted but as many
 * records of each word as the page may need. PostgreSQL would sort all of them, or read all others before it meets them.
 */
const mergedPage = (table: string, { where, order, bounds, beyond }: ListQuery['page'], words: string): string =>
  `from unnest(${words}::text[]) as word(word) cross join lateral (
     select * from ${table} as stored where ${where} ${order} limit ${beyond}
   ) as stored ${bounds}`

/**
 * A page with a filter that is looked up for each record. If hardly any records match, the walk would look it up for all, which takes ten
 * times as long as the form for all records. So the walk ends after some rows, and if the page is not full by then, it is made in that form.
 * PostgreSQL reads the walk only as far as the page needs it, and carries out only one of the two. Before version 17 it would read a walk
 * that is a CTE to its end, since it did not know its order.
 */
function boundedPage(
  { table, projection }: Resource,
  { limit, page: { order, bounds } }: ListQuery,
  { others, ofEach, ofAll }: LookedUpFilters,
  rows: number,
): string {
  const isEnough = '(select is_enough from walk_ended)'
  const walk = (columns: string) => `(select ${columns} from ${table} as stored where ${others} ${order} limit ${rows})`
  return `with found as materialized (
    select * from ${walk('stored.*')} as stored where ${ofEach} ${bounds}
  ), walk_ended as materialized (
    select (select count(*) from found) > ${limit} or (select count(*) from ${walk('stored.id')} as walk) < ${rows} as is_enough
  )
  select ${textColumns(projection)} from (
    select * from found where ${isEnough}
    union all
    (select stored.* from ${table} as stored where ${others} and ${ofAll} and not ${isEnough} ${bounds})
  ) as stored ${order}`
}

/** Whether the statement of a page can count all matches: if its plan is kept, the count reads only an index. */
export const canCount = ({ existsCondition }: Resource, query: ListQuery): boolean =>
  existsCondition === undefined &&
  query.position === undefined &&
  query.page.hasFilterValues &&
  mostRows(query) !== undefined

/** Counts the records that match the filters of a list. The order changes nothing but the plan: in an empty table, all indexes look the same. */
export function countStatement(
  { table, ...resource }: Resource,
  { where, walked, includesDeleted }: Pick<Counted, 'where' | 'walked'> & { readonly includesDeleted?: boolean },
): Statement {
  if (walked === undefined) return { text: `select count(*) from ${table} as stored where ${where}` }
  const name = `${table}_count_by_${snakeCase(walked)}${includesDeleted ? '_all' : ''}`
  const column = columnOf(resource, walked)
  return {
    name,
    text: `select count(*) from (select from ${table} as stored where ${where} order by ${column}) as matching`,
  }
}

/**
 * The end of a statement that finds the ids of a page, and then reads only its own rows. The company comes with the ids: of one that is new,
 * PostgreSQL expects a single row if it knows which company it is, and would read all its rows for each id.
 */
export const pageWithIds = ({ table, projection }: Resource, ids: string, order: string): string =>
  `page as materialized (select stored.company_id, stored.id ${ids})
   select ${textColumns(projection)} from page join ${table} as stored on stored.company_id = page.company_id and stored.id = page.id ${order}`
