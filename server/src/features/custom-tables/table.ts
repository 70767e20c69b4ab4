// A table that a company defined, with its columns, as all code uses it, and the records that a column can refer to.

import { bodyError, type MemberError, stepTo } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { snakeCase } from '../../engine/resource.ts'
import { closing } from '../../resources/closing.ts'
import { resources } from '../../resources/index.ts'
import { inventoryHistory } from '../../resources/inventory-history.ts'

/** The collection whose records a table extends if one of its columns refers to it. */
export const customers = 'customers'

export const columnTypes = ['string', 'number', 'boolean', 'date', 'json-string'] as const

export type ColumnType = (typeof columnTypes)[number]

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

/** The name of a column at a schema revision of its table; undefined before the column existed. */
export function nameIn(revision: number, { name, since, former }: Column): string | undefined {
  if (since > revision) return undefined
  return former.find(([, until]) => until >= revision)?.[0] ?? name
}

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

/** A table that extends customers, without the column that refers to them: what a customer shows of it. */
export interface ExtendingTable {
  readonly table: Table
  readonly link: Column
  /** `"loyalty":` */
  readonly key: string
}

/** A table, apart from the column that refers to customers. */
export function extendingTableOf(table: Table): ExtendingTable {
  const link = table.link as Column
  const columns = table.columns.filter(({ id }) => id !== link.id)
  const byName = new Map(columns.map((column) => [column.name, column]))
  return { table: { ...table, columns, byName }, link, key: `${JSON.stringify(table.name)}:` }
}

/** Values by the names of their columns. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** The columns of a table in a record. */
export const columnsOf = (record: ColumnValues, { name }: Table) =>
  (Object.hasOwn(record, name) ? record[name] : {}) as ColumnValues

/** A column may have the name of a property that every object has. */
export const cellOf = (columns: ColumnValues, { name }: Column) =>
  Object.hasOwn(columns, name) ? columns[name] : undefined

/** Rows of a deleted table and values of a deleted field no longer count as records, although they are purged later. */
export const isOfTable = `exists (
    select from custom_tables as own where own.company_id = stored.company_id and own.id = stored.table_id)`
export const isOfField = `exists (
    select from custom_table_fields as own where own.company_id = stored.company_id and own.id = stored.field_id)`

interface Collection {
  readonly table: string
  /** Which of its rows, `stored`, are records. */
  readonly isThere: string
  /** The members that can be referred to, each found by an index, with their columns. */
  readonly columns: ReadonlyMap<string, string>
}

const collections = new Map<string, Collection>([
  ...[...resources, closing, inventoryHistory].flatMap(({ name, table, remove, list, styleA, styleB }) => {
    const columns = new Map([['id', 'id'], ...list.exact.map((member) => [member, snakeCase(member)] as const)])
    const isThere = remove === 'soft' ? 'not stored.is_deleted' : 'true'
    const names = new Set([name.many, styleB?.many, styleA?.list].filter((each) => each !== undefined))
    return [...names].map((each): [string, Collection] => [each, { table, isThere, columns }])
  }),
  ...Object.entries({
    'custom-tables': 'true',
    'custom-table-fields': 'true',
    'custom-table-rows': `not stored.is_deleted and ${isOfTable}`,
    'custom-table-values': `not stored.is_deleted and ${isOfField}`,
  }).map(([name, isThere]): [string, Collection] => [
    name,
    { table: snakeCase(name), isThere, columns: new Map([['id', 'id']]) },
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
         where stored.company_id = item.company_id and stored.${column} = item.value and ${found.isThere})`,
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
