// Lists of records stored in typed columns instead of text, such as companies, keys and members: paged, filtered and sorted like lists of the resources.

import { canonicalDateTime, isDateTime, sqlTime } from '../../core/date-time.ts'
import { isId } from '../../core/ids.ts'
import { PAGE_DEFAULT } from '../../core/limits.ts'
import { type Database, isRowFault, type Row } from '../../database/connect.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import { type Documents, documents, pageReply } from '../documents.ts'
import { capitalised, type Resource, snakeCase } from '../resource.ts'
import { notOurs, readCursor, writeCursor } from './list-cursor.ts'
import { comparisons, wordsIn } from './list-filters.ts'
import { richParameters } from './list-parameters.ts'
import { richAnswer } from './page-answer.ts'
import { containing } from './search-conditions.ts'

/** What is listed. `resource` declares the abilities; its members are in columns of their names in snake_case. */
export interface Listed {
  readonly resource: Resource
  readonly table: string
  /** The members that every record shows. */
  readonly always: readonly string[]
  /** Columns of the table, as `stored`. */
  readonly columns: string
  readonly textOf: (row: Row) => string
  /** SQL condition over `stored` that names the owner $1. */
  readonly owned: string
}

/** The shapes of the listed records. Unlike records of the resources, they do not show everything that the service sets. */
export function shapesOf({ resource, always }: Pick<Listed, 'resource' | 'always'>): Documents {
  const own = documents(resource)
  return { ...own, record: { ...own.record, required: always } }
}

const times: ReadonlySet<string> = new Set(['createdAt', 'updatedAt'])

/** Where a cursor continues, in a list sorted by a time or a text and then by ids of ours. Throws 400 for a cursor that the service did not issue. */
export function positionOf(cursor: string, sortBy: string, sortOrder: string, skip: number) {
  const position = readCursor(cursor, sortBy, sortOrder, skip)
  const { value, id } = position
  const isKept = times.has(sortBy) ? isDateTime(value) : value.isWellFormed() && !value.includes('\u0000')
  if (!isKept || !isId(id)) throw notOurs()
  return position
}

/** The response to a list request: `data` and `meta`, with the exact count where required. */
export async function pageOf(
  database: Database,
  { resource, table, columns, textOf, owned }: Listed,
  owner: string,
  parameters: Call['query'],
): Promise<Answer> {
  const { skip = 0, sortBy = 'createdAt', sortOrder = 'asc', cursor } = parameters
  const limit = parameters.limit || PAGE_DEFAULT
  const position = cursor === undefined ? undefined : positionOf(cursor, sortBy, sortOrder, skip)
  const isTime = times.has(sortBy)
  const values: unknown[] = [owner]
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = [owned, ...filters(resource.list, parameters, bind)].join(' and ')
  const filterValues = [...values]
  const column = `stored.${snakeCase(sortBy)}${isTime ? '' : ' collate "C"'}`
  const beyond = sortOrder === 'asc' ? '>' : '<'
  const after = position
    ? ` and (${column}, stored.id) ${beyond} (${bind(position.value)}::${isTime ? 'timestamptz' : 'text'}, ${bind(position.id)}::text)`
    : ''
  const order = `order by ${column} ${sortOrder}, stored.id ${sortOrder}`
  const rows = await database
    .query(
      // Columns that are looked up in other tables are looked up for the page, not for the rows before it.
      `select ${columns} from (
         select * from ${table} as stored where ${where}${after} ${order} limit ${bind(limit + 1)} offset ${bind(skip)}
       ) as stored ${order}`,
      values,
    )
    .catch((error) => {
      throw position && isRowFault(error) ? notOurs() : error
    })
  const texts = rows.slice(0, limit).map(textOf)
  const hasMore = rows.length > limit
  const isLast = !position && !hasMore && (rows.length > 0 || skip === 0)
  const wantsCount = position === undefined || parameters.count === true
  const count = !wantsCount ? undefined : isLast ? skip + texts.length : await counted()
  const nextCursor = hasMore ? writeCursor(sortBy, sortOrder, { fields: {} }, texts.at(-1) as string) : undefined
  return richAnswer({ texts, chunks: undefined, count, skip, limit, hasMore, nextCursor })

  async function counted(): Promise<number> {
    const [row] = await database.query(`select count(*) from ${table} as stored where ${where}`, filterValues)
    return row?.[0]
  }
}

function filters(list: Resource['list'], parameters: Call['query'], bind: (value: unknown) => string): string[] {
  const conditions: string[] = []
  for (const member of list.exact)
    if (parameters[member] !== undefined) conditions.push(`stored.${snakeCase(member)} = ${bind(parameters[member])}`)
  const contains = (member: string, sought: string) =>
    `upper(stored.${snakeCase(member)} collate "und-x-icu") like upper(${bind(containing(sought))}::text collate "und-x-icu")`
  for (const member of list.search) {
    const sought = parameters[`searchBy${capitalised(member)}`]
    if (sought !== undefined) conditions.push(contains(member, sought))
  }
  for (const word of wordsIn(parameters))
    conditions.push(`(${list.search.map((member) => contains(member, word)).join(' or ')})`)
  for (const member of times)
    for (const [bound, time] of Object.entries<string>(parameters[member] ?? {})) {
      const at = bind(sqlTime(canonicalDateTime(time)))
      conditions.push(`stored.${snakeCase(member)} ${comparisons[bound]} ${at}::timestamptz`)
    }
  return conditions
}

/** The route of a list; `handle` finds its owner. */
export function listRoute(
  listed: Pick<Listed, 'resource' | 'always'>,
  route: Pick<Route, 'path' | 'operationId' | 'summary' | 'handle'> & Partial<Route>,
): Route {
  const { resource } = listed
  const { record, example } = shapesOf(listed)
  return {
    surface: 'organization',
    tag: resource.title,
    method: 'GET',
    query: richParameters(resource),
    replies: pageReply(record, example),
    ...route,
  }
}
