// What a column can refer to: the service's collections by their list's name, and whether a record with a value exists.

import { bodyError, type MemberError, stepTo } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { snakeCase } from '../../engine/resource.ts'
import { resources } from '../../resources/index.ts'
import type { Column } from './column.ts'

interface Collection {
  readonly table: string
  readonly isSoft: boolean
  /** The members that can be referred to, each found by an index, with their columns. */
  readonly columns: ReadonlyMap<string, string>
}

const collections = new Map(
  resources.flatMap(({ table, remove, list, styleA, styleB }) => {
    const columns = new Map([['id', 'id'], ...list.exact.map((member) => [member, snakeCase(member)] as const)])
    const names = new Set([styleB?.many, styleA?.list].filter((name) => name !== undefined))
    return [...names].map((name): [string, Collection] => [name, { table, isSoft: remove === 'soft', columns }])
  }),
)

/** The collection whose records a table extends if one of its columns refers to it. */
export const customers = 'customers'

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
         where stored.company_id = item.company_id and stored.${column} = item.value ${found.isSoft ? 'and not stored.is_deleted' : ''})`,
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
