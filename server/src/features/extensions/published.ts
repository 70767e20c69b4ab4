// The statements of the published list: public extensions with their organizations, ordered by the organization's name,
// then their own, both case-insensitive.

import type { BatchItem } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { isId } from '../../core/ids.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { STREAMED_CHARACTERS } from '../../core/limits.ts'
import type { Database, Queryable, Row, Statement } from '../../database/connect.ts'
import { type PageTexts, readPage } from '../../engine/lists/page-read.ts'
import type { Bind } from '../../engine/lists/search-conditions.ts'
import { resolvedExtension, shownSurface } from './extension.ts'
import { extensionFilters } from './search.ts'

/** Where a part of the list ended: the organization's and the extension's name as they are ordered, and the id. */
export type PublishedPosition = readonly [organization: string, name: string, id: string]

/** A part of the list: the texts of its extensions, and whether others follow. */
export interface ListPart {
  readonly texts: readonly string[]
  /** The position of each of them. */
  readonly ends: readonly PublishedPosition[]
  readonly hasMore: boolean
  /** The version of the list that the part was read in; undefined for an empty part. */
  readonly version: string | undefined
  /** The total number of extensions; undefined if it was not requested. */
  readonly total: number | undefined
}

/** The requested part of the whole list. */
export interface PartRequest {
  readonly after?: PublishedPosition | undefined
  readonly limit: number
  readonly wantsTotal?: boolean
}

/** By name: `category`, `search`, `organizationAlias`. */
type PublishedFilters = Readonly<Record<string, any>>

interface PublishedPageRequest {
  readonly filters: PublishedFilters
  readonly skip: number
  readonly limit: number
  readonly isGone: IsGone
  readonly expect: (bytes: number) => void
}

const offerer =
  'organization.id as organization_id, organization.name, organization.logo, coalesce(organization.alias, organization.id) as alias'
/** The columns that `rowsOf` selects. */
const columns = 'state total organization_order name_order id organization_id name logo alias body'.split(' ')
const isPublic = `stored.status = 'public'`

/**
 * Makes the function that reads the list's version: a name that changes with each change of what the list shows.
 * Concurrent calls share a statement that begins after they were made: no answered change is missed.
 */
export function versionReader(database: Database): () => Promise<string> {
  const once = singleFlight<string>()
  return () =>
    once('version', async () => {
      const statement = { name: 'published_state', text: 'select state from published_list' }
      const [row] = await database.reserved.query(statement)
      return row?.[0]
    })
}

/** Makes the function that reads one public extension, its surfaces resolved; undefined if there is none. */
export function publishedFinder(
  database: Database,
): (item: BatchItem & { readonly id: string }) => Promise<string | undefined> {
  const find = batcher(async (items: (BatchItem & { readonly id: string })[]) => {
    const rows = await database.query(
      {
        name: 'published_find',
        text: `
        select item.ordinality::int, ${offerer}, stored.body
        from unnest($1::text[]) with ordinality as item(id, ordinality)
        join extensions as stored on stored.id = item.id and ${isPublic}
        join organizations as organization on organization.id = stored.organization_id`,
      },
      [items.map(({ id }) => id)],
    )
    const texts: (string | undefined)[] = new Array(items.length).fill(undefined)
    for (const [ordinal, ...columns] of rows) texts[ordinal - 1] = resolvedText(columns)
    return texts
  })
  // A text that is not an id may contain what PostgreSQL refuses, and would fail the statement for all that share it.
  return async (item) => (isId(item.id) ? find(item) : undefined)
}

/** Reads a part of the whole list. */
export async function readPart(database: Queryable, request: PartRequest): Promise<ListPart> {
  const { statement, values } = rowsOf(request)
  const rows = await database.query({ ...statement, most: STREAMED_CHARACTERS }, values)
  return partOf(rows, request.limit)
}

/** Reads a page of the filtered list, and the version that it was read in (undefined for an empty page). */
export async function readFilteredPage(
  database: Database,
  { isGone, expect, ...request }: PublishedPageRequest,
): Promise<PageTexts & { readonly version: string | undefined }> {
  const textOf = texts()
  let version: string | undefined
  const page = await readPage(
    database,
    (_, statement, values) => database.query(statement, values),
    {
      ...rowsOf(request),
      columns,
      limit: request.limit,
      textOf: (row) => {
        version ??= row[0]
        return textOf(row)
      },
    },
    { tenant: '', isGone, expect },
  )
  return { ...page, version }
}

/** Counts the matches of filters. */
export async function countPublished(database: Queryable, filters: PublishedFilters): Promise<number> {
  const values: unknown[] = []
  const where = conditions(filters, (value) => `$${values.push(value)}`)
  const [row] = await database.query(`select count(*) from extensions as stored where ${where}`, values)
  return row?.[0]
}

function conditions({ organizationAlias, ...filters }: PublishedFilters, bind: Bind): string {
  const owner = () =>
    `stored.organization_id = (select id from organizations where coalesce(alias, id) = ${bind(organizationAlias)})`
  return [isPublic, ...(organizationAlias === undefined ? [] : [owner()]), ...extensionFilters(filters, bind)].join(
    ' and ',
  )
}

type ListRowsRequest = PartRequest & Partial<Pick<PublishedPageRequest, 'filters' | 'skip'>>

/** The statement for some rows of the list, in list order. */
function rowsOf({ filters = {}, after, skip = 0, limit, wantsTotal = false }: ListRowsRequest) {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const where = conditions(filters, bind)
  const isPlain = values.length === 0
  const total = wantsTotal ? `(select count(*) from extensions where status = 'public')` : 'null::bigint'
  const behind = after
    ? ` and (stored.organization_order, stored.name_order, stored.id) > (${after.map(bind).join(', ')})`
    : ''
  // The index alone finds the rows, so skipped rows are not read.
  const text = `
    with own as materialized (
      select stored.organization_id, stored.organization_order, stored.name_order, stored.id
      from extensions as stored where ${where}${behind}
      order by stored.organization_order, stored.name_order, stored.id limit ${bind(limit + 1)} offset ${bind(skip)}
    )
    select (select state from published_list) as state, ${total} as total,
      own.organization_order, own.name_order, own.id, ${offerer}, stored.body
    from own
    join extensions as stored on stored.organization_id = own.organization_id and stored.id = own.id
    join organizations as organization on organization.id = own.organization_id
    order by own.organization_order, own.name_order, own.id`
  const name = `published_part${after ? '_after' : ''}${wantsTotal ? '_total' : ''}`
  const statement: Statement = { ...(isPlain && { name }), text }
  return { statement, values }
}

function partOf(rows: readonly Row[], limit: number): ListPart {
  const textOf = texts()
  // Rows beyond the limit of one statement have no values.
  const whole = rows.slice(0, limit).filter((row) => row.at(-1) !== null)
  const ends = whole.map(
    ([, , organizationOrder, nameOrder, id]): PublishedPosition => [organizationOrder, nameOrder, id],
  )
  const [version, total] = rows[0] ?? []
  return { texts: whole.map(textOf), ends, hasMore: rows.length > whole.length, version, total: total ?? undefined }
}

/** Creates the function that returns the text of a row; it serializes each organization once. */
function texts(): (row: Row) => string {
  const offerers = new Map<string, string>()
  return ([, , , , , organizationId, name, logo, alias, body]) => {
    const about = offerers.get(organizationId) ?? offererText(organizationId, name, logo, alias)
    offerers.set(organizationId, about)
    return `${shownText(body).slice(0, -1)},"organization":${about}}`
  }
}

/** An extension's public text. It is parsed only if it has surfaces, since parsing takes longer than reading. */
function shownText(body: string): string {
  // A quotation mark within a text follows a backslash.
  if (!body.includes('"surfaces":[{')) return body
  const record = JSON.parse(body)
  return JSON.stringify({ ...record, surfaces: record.surfaces.map(shownSurface) })
}

/** The organization of an extension, as public answers show it. */
const offererText = (id: string, name: string, logo: string | null, alias: string): string =>
  JSON.stringify({ id, name, ...(logo !== null && { logo }), organization_alias: alias })

function resolvedText([id, name, logo, alias, body]: Row): string {
  const record = JSON.parse(body)
  const { createdAt, updatedAt, ...members } = record
  const organization = JSON.parse(offererText(id, name, logo, alias))
  return JSON.stringify({ ...members, surfaces: resolvedExtension(record), createdAt, updatedAt, organization })
}
