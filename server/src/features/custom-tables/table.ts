// A table that a company defined, with its columns, as all code uses it: the forms of values of each type, and the records
// that a column can refer to.

import { canonicalDateTime, isDateTime } from '../../core/date-time.ts'
import { bodyError, type MemberError, stepTo } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { snakeCase } from '../../engine/resource.ts'
import { isExact } from '../../http/lossy-values.ts'
import { closing } from '../../resources/closing.ts'
import { resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'

/** The collection whose records a table extends if one of its columns refers to it. */
export const customers = 'customers'

export const columnTypes = ['string', 'number', 'boolean', 'date', 'json-string'] as const

type ColumnType = (typeof columnTypes)[number]

/** The message for a value of another type. */
export const typeMessages: Readonly<Record<ColumnType, string>> = {
  string: 'must be a string',
  number: 'must be a finite number of at most 17 digits',
  boolean: 'must be true or false',
  date: 'must be a date-time that exists, with offset or Z, such as "2026-11-21T09:30:00Z"',
  'json-string': 'must be a string that holds JSON, or an object or an array',
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** The stored form of a value sent as text, as in custom-table-value; undefined if it is not of the type. */
export function fromText(type: ColumnType, text: string): string | undefined {
  switch (type) {
    case 'string':
      return text
    case 'number':
      return numeral.test(text) && isExact(text) ? JSON.stringify(Number(text)) : undefined
    case 'boolean':
      return text === 'true' || text === 'false' ? text : undefined
    case 'date':
      return isDateTime(text) ? canonicalDateTime(text) : undefined
    case 'json-string':
      return isJson(text) ? text : undefined
  }
}

/** The stored form of a value sent as JSON, as in custom-table-data; undefined if it is not of the type. */
export function fromJson(type: ColumnType, value: unknown): string | undefined {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? JSON.stringify(value) : undefined
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined
    case 'json-string':
      if (typeof value === 'object' && value !== null) return JSON.stringify(value)
      return typeof value === 'string' && isJson(value) ? value : undefined
    default:
      return typeof value === 'string' ? fromText(type, value) : undefined
  }
}

/** JSON text of a stored value. */
export const shownCell = (type: ColumnType, stored: string): string =>
  type === 'number' || type === 'boolean' ? stored : type === 'date' ? `"${stored}"` : JSON.stringify(stored)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Whether a sent value leaves its column unset: null does, and so does `""` if the type has no empty value (decisions
 * §2).
 */
export const isUnset = (value: unknown, type: ColumnType, reference: unknown): boolean =>
  value === null || (value === '' && (reference !== undefined || type === 'number' || type === 'date'))

/** A field of a table, ready for use. */
export interface Column {
  readonly id: string
  readonly name: string
  readonly type: ColumnType
  readonly isRequired: boolean
  /** In the form in which cells are stored. */
  readonly defaultValue: string | undefined
  /** The member of a collection that the values refer to. */
  readonly reference: { readonly collection: string; readonly member: string } | undefined
  /** The schema revision at which it was created, and its former names with their last revisions. */
  readonly since: number
  readonly former: readonly (readonly [name: string, until: number])[]
  /** `"name":`, as it appears in a row. */
  readonly key: string
}

/** Cells by field: the stored text, or null if the cell becomes empty. */
export type Cells = Map<string, string | null>

/** A snapshot of a table with its columns. */
export interface Table {
  readonly companyId: string
  readonly id: string
  readonly name: string
  /** Grows with each change of the table or of one of its fields. */
  readonly version: number
  /** Grows when a column is renamed or removed. */
  readonly revision: number
  /** In the order in which their fields were created. */
  readonly columns: readonly Column[]
  readonly byName: ReadonlyMap<string, Column>
  /** The column with the customer that a row belongs to. */
  readonly link: Column | undefined
}

/** Reads a table with its columns in one statement. */
export async function readTable(database: Queryable, companyId: string, id: string): Promise<Table | undefined> {
  const rows = await database.query(
    {
      name: 'custom_table_whole',
      text: `
      select stored.name, stored.version, stored.shape, field.id, field.body, field.since, field.former
      from custom_tables as stored
      left join custom_table_fields as field on field.company_id = stored.company_id and field.table_id = stored.id
      where stored.company_id = $1 and stored.id = $2 order by field.created_at, field.id`,
    },
    [companyId, id],
  )
  const [first] = rows
  if (first === undefined) return undefined
  const columns = rows.flatMap(([, , , fieldId, body, since, former]) =>
    fieldId === null ? [] : [columnOf(fieldId, JSON.parse(body), since, JSON.parse(former))],
  )
  return {
    companyId,
    id,
    name: first[0],
    version: first[1],
    revision: first[2],
    columns,
    byName: new Map(columns.map((column) => [column.name, column])),
    link: columns.find(({ reference }) => reference?.collection === customers),
  }
}

/** The columns of fields, by company, table and field. */
export async function readColumns(
  transaction: Queryable,
  fields: readonly { readonly companyId: string; readonly fieldId: string }[],
): Promise<Map<string, Column>> {
  if (fields.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'custom_values_columns',
      text: `
      select distinct on (stored.company_id, stored.id) stored.company_id, stored.table_id, stored.id, stored.body::text
      from unnest($1::text[], $2::text[]) as item(company_id, id)
      join custom_table_fields as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [fields.map(({ companyId }) => companyId), fields.map(({ fieldId }) => fieldId)],
  )
  return new Map(
    rows.map(([companyId, tableId, id, body]) => [`${companyId} ${tableId} ${id}`, columnOf(id, JSON.parse(body))]),
  )
}

/** A field's record as a column; former names matter only to readers of what customers show. */
function columnOf(id: string, record: Readonly<Record<string, any>>, since = 1, former: Column['former'] = []): Column {
  const { name, type, required = false, defaultValue } = record
  const { referenceLinkedCollection: collection, referenceLinkedField: member = 'id' } = record
  return {
    id,
    name,
    type,
    isRequired: required,
    defaultValue,
    reference: collection === undefined ? undefined : { collection, member },
    since,
    former,
    key: `${JSON.stringify(name)}:`,
  }
}

/** Rows of a deleted table and values of a deleted field no longer count as records, although they are purged later. */
export const isOfTable = `exists (
    select from custom_tables as own where own.company_id = stored.company_id and own.id = stored.table_id)`
export const isOfField = `exists (
    select from custom_table_fields as own where own.company_id = stored.company_id and own.id = stored.field_id)`

interface Collection {
  readonly table: string
  /** Which of its rows, `stored`, are records. */
  readonly existsCondition: string
  /** The members that can be referred to, each found by an index, with their columns. */
  readonly columns: ReadonlyMap<string, string>
}

const collections = new Map<string, Collection>([
  ...[...resources, closing, inventoryHistory].flatMap(({ name, table, remove, list, styleA, styleB }) => {
    const columns = new Map([['id', 'id'], ...list.exact.map((member) => [member, snakeCase(member)] as const)])
    const existsCondition = remove === 'soft' ? 'not stored.is_deleted' : 'true'
    const names = new Set([name.many, styleB?.many, styleA?.list].filter((each) => each !== undefined))
    return [...names].map((each): [string, Collection] => [each, { table, existsCondition, columns }])
  }),
  ...Object.entries({
    'custom-tables': 'true',
    'custom-table-fields': 'true',
    'custom-table-rows': `not stored.is_deleted and ${isOfTable}`,
    'custom-table-values': `not stored.is_deleted and ${isOfField}`,
  }).map(([name, existsCondition]): [string, Collection] => [
    name,
    { table: snakeCase(name), existsCondition, columns: new Map([['id', 'id']]) },
  ]),
])

/** The members of a collection that can be referred to; undefined for a collection that is not of this service. */
export const referable = (collection: string): readonly string[] | undefined =>
  collections.get(collection) && [...(collections.get(collection) as Collection).columns.keys()]

/** Whether a collection is a resource, by its plural path name. */
export const isResource = (collection: string): boolean => resources.some(({ styleB }) => styleB?.many === collection)

/** A value that must be the member of some record of the company. */
interface Reference {
  readonly companyId: string
  readonly collection: string
  readonly member: string
  readonly value: string
}

/**
 * The references whose record does not exist; deleted records do not count. Other systems' collections are not checked.
 */
export async function dangling<R extends Reference>(connection: Queryable, references: readonly R[]): Promise<R[]> {
  const missing: R[] = []
  for (const [, some] of Map.groupBy(references, ({ collection, member }) => `${collection} ${member}`)) {
    const [{ collection, member }] = some as [R]
    const found = collections.get(collection)
    const column = found?.columns.get(member)
    if (found === undefined || column === undefined) continue
    const rows = await connection.query(
      `select item.ordinality::int from unnest($1::text[], $2::text[]) with ordinality as item(company_id, value, ordinality)
       where not exists (
         select from ${found.table} as stored
         where stored.company_id = item.company_id and stored.${column} = item.value and ${found.existsCondition})`,
      [some.map(({ companyId }) => companyId), some.map(({ value }) => value)],
    )
    missing.push(...rows.map(([ordinal]) => some[ordinal - 1] as R))
  }
  return missing
}

/** Cells of a row that change, and the pointer of its columns in the request. */
interface ReferringCells {
  readonly companyId: string
  readonly columns: readonly Column[]
  readonly changed: ReadonlyMap<string, string | null>
  readonly at?: string
}

/** The columns, as errors, that changed and refer to a record that does not exist. */
export async function danglingColumns(connection: Queryable, rows: readonly ReferringCells[]): Promise<MemberError[]> {
  const references = rows.flatMap(({ companyId, columns, changed, at }) =>
    columns.flatMap(({ id, name, reference }) => {
      const value = changed.get(id)
      return reference && typeof value === 'string' ? [{ ...reference, companyId, value, at: stepTo(name, at) }] : []
    }),
  )
  const missing = await dangling(connection, references)
  return missing.map(({ at, collection, member }) =>
    bodyError(at, 'reference', `must be the ${member} of an existing record in ${collection}`),
  )
}
