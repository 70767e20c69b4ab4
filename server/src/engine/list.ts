// Lists: the parameters of a resource and the SQL made of them; filters, literal search, ranges, sort, skip, cursor, exact count.

import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { singleFlight } from '../concurrency/single-flight.ts'
import { canonicalDateTime } from '../core/date-time.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import {
  NAME_CHARACTERS,
  PAGE_DEFAULT,
  PAGE_MAXIMUM,
  PARAMETER_CHARACTERS,
  SEARCHED_CHARACTERS,
  SKIP_MAXIMUM,
} from '../core/limits.ts'
import { invalid, type MemberError } from '../core/problem.ts'
import type { Scope } from '../core/scope.ts'
import { type Database, isRowFault } from '../database/connect.ts'
import type { Field, Fields } from './field.ts'
import { readPage } from './page-read.ts'
import { textColumns, textOf } from './projection.ts'
import { capitalised, type Resource, snakeCase } from './resource.ts'

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

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: PARAMETER_CHARACTERS }
const paging = {
  skip: { type: 'integer', minimum: 0, maximum: SKIP_MAXIMUM, default: 0, description: 'Records to skip.' },
  limit: {
    type: 'integer',
    minimum: 0,
    maximum: PAGE_MAXIMUM,
    default: PAGE_DEFAULT,
    description: 'Maximum number of records to return; 0 means the default.',
  },
}
const includeDeleted = { type: 'boolean', default: false, description: 'Also return soft-deleted records.' }
const range: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries({
      gte: 'At this time or later.',
      lte: 'At this time or earlier.',
      gt: 'Later than this time.',
      lt: 'Earlier than this time.',
    }).map(([bound, description]) => [bound, { type: 'string', format: 'date-time', description }]),
  ),
  additionalProperties: false,
}

const exactly = ({ needs }: Resource['list'], member: string): JsonSchema => ({
  ...text,
  description: `Exactly this \`${member}\`.`,
  ...(needs.includes(member) && { 'x-required': true }),
})

/** Parameters of a Style A list, by name. */
export const plainParameters = ({ remove, styleB, list }: Resource): Record<string, JsonSchema> => ({
  ...paging,
  // A resource with a Style B list is filtered there.
  ...(styleB === null && Object.fromEntries(list.exact.map((member) => [member, exactly(list, member)]))),
  total: {
    type: 'boolean',
    default: false,
    description: 'Also return the number of all records, in the header X-Total-Count.',
  },
  ...(remove === 'soft' && { includeDeleted }),
})

/** Whether a Style B page counts the records: always, except with a cursor (decisions §3). */
export const countParameter: JsonSchema = {
  type: 'boolean',
  default: false,
  description:
    'With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is.',
}

/** Parameters of a Style B list, by name. */
export function richParameters({ list, filters, remove, fields }: Resource): Record<string, JsonSchema> {
  const each = (members: readonly string[], parameter: (member: string) => [string, JsonSchema]) =>
    Object.fromEntries(members.map(parameter))
  return {
    ...paging,
    cursor: { ...text, description: 'The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`.' },
    count: countParameter,
    sortBy: {
      type: 'string',
      enum: [...timesOf(fields), ...list.sort],
      default: 'createdAt',
      description: 'The member to sort by; records with equal values are sorted by id.',
    },
    sortOrder: {
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Ascending (the lowest or oldest first) or descending.',
    },
    ...each(list.search, (member) => [
      `searchBy${capitalised(member)}`,
      { ...text, description: `Part of \`${member}\`, ignoring case.` },
    ]),
    ...each([...timesOf(fields), ...list.range], (member) => [
      member,
      { ...range, description: `Bounds of \`${member}\`, as in \`${member}[gte]=2026-11-21\`.` },
    ]),
    ...each(list.exact, (member) => [member, exactly(list, member)]),
    ...each(list.any, (member) => [
      member,
      { ...text, description: `Any of these \`${member}\`, separated by commas.` },
    ]),
    ...Object.fromEntries(Object.entries(filters).map(([parameter, { schema }]) => [parameter, schema])),
    ...(remove === 'soft' && { includeDeleted }),
  }
}

/** The times that every record of a resource has. */
const timesOf = ({ updatedAt }: Fields) => (updatedAt ? ['createdAt', 'updatedAt'] : ['createdAt'])

/** Makes the list function of a resource. Each of its statements waits its turn in the `semaphore`. */
export function pager(
  resource: Resource,
  database: Database,
  semaphore: FairSemaphore,
): (scope: Scope, request: PageRequest) => Promise<Page> {
  const { table, list: abilities, remove, fields, view, isThere } = resource
  // Counting is the cost of a long list: callers that need the same number wait for it together.
  const shareCount = singleFlight<number>()

  async function list(scope: Scope, { parameters, isGone = never, expect, ...request }: PageRequest): Promise<Page> {
    const tenant = scope.companyId
    const { skip = 0, sortBy = 'createdAt', sortOrder = 'asc', cursor } = parameters
    const limit = parameters.limit || PAGE_DEFAULT
    const position = cursor === undefined ? undefined : readCursor(cursor, sortBy, sortOrder, skip)
    const wantsCount = request.wantsCount && (position === undefined || parameters.count === true)
    const values: unknown[] = [scope.companyId]
    const bind = (value: unknown) => `$${values.push(value)}`
    const conditions = filters(parameters, bind)
    const where = conditions.join(' and ')
    const filterValues = [...values]

    const column = snakeCase(sortBy)
    const cast = fields[sortBy]?.comparison === 'number' ? 'numeric' : 'text'
    const beyond = sortOrder === 'asc' ? '>' : '<'
    const after = position
      ? ` and (stored.${column}, stored.id) ${beyond} (${bind(position.value)}::${cast}, ${bind(position.id)}::text)`
      : ''
    const order = `order by stored.${column} ${sortOrder}, stored.id ${sortOrder}`
    const bounds = `${order} limit ${bind(limit + 1)}${skip > 0 ? ` offset ${bind(skip)}` : ''}`
    const own = `from ${table} as stored where ${where}${after} ${bounds}`
    // Where a page may skip thousands of rows, their ids are found in the index before any row is read.
    const pageStatement = isThere
      ? `with page as materialized (select stored.id ${own})
         select ${textColumns(view)} from page join ${table} as stored on stored.company_id = $1 and stored.id = page.id ${order}`
      : `select ${textColumns(view)} ${own}`
    // The plan of a plain page is cached; one with filters is made for their values.
    const isPlain = Object.keys(parameters).every((parameter) => plain.has(parameter))
    const name = `${table}_page_${column}_${sortOrder}${position ? '_cursor' : ''}${skip > 0 ? '_skip' : ''}`
    const kind = abilities.search.some((member) => isShort(soughtIn(parameters, member))) ? 'short search' : undefined
    const statement = { ...(isPlain && { name }), text: pageStatement }
    const page = readPage(
      database,
      semaphore,
      {
        ...{ statement, values, limit },
        columns: view ? ['shown', 'body'] : ['body'],
        textOf: (row) => textOf(view, row),
        doubted: view?.text && 'shown',
      },
      { tenant, isGone, kind, expect },
    )
    // A page after a cursor does not know the total, so both are queried at once; a first page often does.
    const countAhead = wantsCount && position ? counted() : undefined
    countAhead?.catch(() => {})
    const { texts, pieces, length, hasMore, last } = await page.catch((error) => {
      // Only a cursor can hold a value that does not fit its column.
      throw position && isRowFault(error) ? wrongCursor('must be a nextCursor from a page of this list') : error
    })
    const isLast = !position && !hasMore && (length > 0 || skip === 0)
    try {
      const count = !wantsCount ? undefined : isLast ? skip + length : await (countAhead ?? counted())
      const nextCursor = last === undefined ? undefined : writeCursor(sortBy, sortOrder, fields, last)
      return { texts, pieces, skip, limit, hasMore, count, nextCursor }
    } catch (error) {
      await pieces?.return?.()
      throw error
    }

    function counted(): Promise<number> {
      const ask = async (allAreGone: () => boolean): Promise<number> => {
        const count = `select count(*) from ${table} as stored where ${where}`
        const [row] = await semaphore({ tenant, isGone: allAreGone, kind }, () => database.query(count, filterValues))
        return row?.[0]
      }
      return shareCount(JSON.stringify([where, filterValues]), ask, isGone)
    }
  }

  function filters(parameters: PageRequest['parameters'], bind: (value: unknown) => string): string[] {
    const conditions = ['stored.company_id = $1']
    if (remove === 'soft' && !parameters.includeDeleted) conditions.push('not stored.is_deleted')
    if (isThere) conditions.push(isThere)
    for (const member of abilities.exact) {
      if (parameters[member] === undefined) continue
      conditions.push(`stored.${snakeCase(member)} = ${bind(storedForm(fields[member], parameters[member]))}`)
    }
    for (const member of abilities.any)
      if (parameters[member] !== undefined)
        conditions.push(`stored.${snakeCase(member)} ?| ${bind(parameters[member].split(','))}::text[]`)
    for (const member of abilities.search) {
      const sought = soughtIn(parameters, member)
      if (sought === undefined) continue
      const pattern = bind(containing(sought))
      const matches = (text: string) =>
        `upper((${text}) collate "und-x-icu") like upper(${pattern}::text collate "und-x-icu")`
      const column = `stored.${snakeCase(member)}`
      // Trigrams need three characters; with fewer, the whole index would be read, so the expression is changed to one without an index.
      const held = matches(isShort(sought) ? `${column} || ''` : column)
      // The column holds the beginning of a long text; a text that may continue is searched whole.
      const isLong = Number(fields[member]?.schema.maxLength) > NAME_CHARACTERS
      const whole = `length(${column}) = ${SEARCHED_CHARACTERS} and ${matches(`stored.body ->> '${member}'`)}`
      conditions.push(isLong ? `(${held} or (${whole}))` : held)
    }
    for (const [parameter, { condition }] of Object.entries(resource.filters))
      if (parameters[parameter] !== undefined) conditions.push(condition(bind(parameters[parameter])))
    for (const member of [...timesOf(fields), ...abilities.range]) {
      const bounds: Record<string, string> = parameters[member] ?? {}
      for (const [bound, time] of Object.entries(bounds))
        conditions.push(`stored.${snakeCase(member)} ${comparisons[bound]} ${bind(canonicalDateTime(time))}`)
      // An unset time is stored as an empty text, which would sort before every other.
      if (Object.keys(bounds).length > 0) conditions.push(`stored.${snakeCase(member)} <> ''`)
    }
    return conditions
  }

  return list
}

const never = () => false

const soughtIn = (parameters: PageRequest['parameters'], member: string): string | undefined =>
  parameters[`searchBy${capitalised(member)}`]

/** Whether no index can answer a search, so that it reads every record of the company: each company runs one at a time. */
const isShort = (sought: string | undefined): boolean => sought !== undefined && [...sought].length < 3

/** A filter's value in its stored form, so that a currency matches in any case. */
function storedForm(field: Field | undefined, value: string): string {
  const canonical = field?.canonical?.(value)
  // The canonical form of an id may be an object; the column holds its id.
  return typeof canonical === 'string' ? canonical : value
}

/** The LIKE pattern for texts that contain a text, taken literally. */
export const containing = (sought: string): string => `%${sought.replaceAll(/[\\%_]/g, '\\$&')}%`

/** Parameters that leave the statement's filters alone. */
const plain = new Set(['skip', 'limit', 'cursor', 'count', 'sortBy', 'sortOrder', 'total'])
export const comparisons: Record<string, string> = { gte: '>=', lte: '<=', gt: '>', lt: '<' }

/** Where a page ended: the sort value and id of its last record, bound to the order of the list. */
export function writeCursor(sortBy: string, sortOrder: string, fields: Fields, text: string): string {
  const last = JSON.parse(text)
  // The value of generated columns for an unset member.
  const unset = fields[sortBy]?.comparison === 'number' ? '-Infinity' : ''
  const position = [sortBy, sortOrder, String(last[sortBy] ?? unset), last.id ?? last._id.$oid]
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

export function readCursor(
  cursor: string,
  sortBy: string,
  sortOrder: string,
  skip: number,
): { value: string; id: string } {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw wrongCursor('must be a nextCursor from a page of this list')
  }
  const isWhole = Array.isArray(parts) && parts.length === 4 && parts.every((part) => typeof part === 'string')
  if (!isWhole) throw wrongCursor('must be a nextCursor from a page of this list')
  const [by, order, value, id] = parts as [string, string, string, string]
  if (by !== sortBy || order !== sortOrder) throw wrongCursor(`belongs to a list with sortBy=${by}, sortOrder=${order}`)
  if (skip > 0) throw wrongCursor('must not be sent together with skip; send one of them')
  return { value, id }
}

export const wrongCursor = (message: string) => {
  const error: MemberError = { in: 'query', pointer: 'cursor', code: 'cursor', message }
  return invalid([error])
}
