// Lists by the value of one member that few records share, such as a barcode. Those that wait at the same time share
// one statement, as reads by id do.

import type { BatchItem } from '../../concurrency/batch.ts'
import { BATCH_ITEMS } from '../../concurrency/batch.ts'
import { batcher } from '../../concurrency/batcher.ts'
import type { IsGone } from '../../core/is-gone.ts'
import { STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { orThrow, type Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Statement } from '../../database/connect.ts'
import { gathering } from '../../database/one-company.ts'
import { equals, keepsPlan } from '../../database/statement.ts'
import { textOf } from '../projection.ts'
import { columnOf, type Resource, snakeCase } from '../resource.ts'
import { filterNames, valuesOf } from './list-filters.ts'
import type { ListParameters } from './list-parameters.ts'

/** Records that a look-up finds, at most. A list with more of them reads its page as any other does. */
const FOUND_MOST = 10
/**
 * Bytes of these records as stored, so that the texts of all look-ups fit into one statement. Longer ones are read as a
 * page.
 */
const FOUND_BYTES = STATEMENT_CHARACTERS / BATCH_ITEMS

/** What a list looks up: the records whose member has a value. */
interface LookUp extends BatchItem {
  readonly scope: Scope
  readonly value: string
}

/**
 * Looks up the records of a list, in the order of their creation, or finds that there are too many. Undefined: the list
 * is not a look-up.
 */
export type FindFew = (
  scope: Scope,
  parameters: Readonly<Record<string, any>>,
  isGone?: IsGone,
) => Promise<readonly string[] | undefined> | undefined

/** Makes the function that looks up records of a resource. */
export function lookUps(resource: Resource, database: Database): FindFew {
  const byMember = new Map(
    resource.list.selective.map((member) => {
      const statement = lookUpStatement(resource, member)
      const find = (items: LookUp[]) => findEach(resource, database, statement, items)
      return [member, batcher(find, gathering(database))]
    }),
  )
  return (scope, parameters, isGone) => {
    const member = lookedUpBy(parameters)
    const find = member === undefined ? undefined : byMember.get(member)
    if (member === undefined || find === undefined) return undefined
    const [value, another] = valuesOf(resource, parameters, member)
    if (value === undefined || another !== undefined) return undefined
    return find({ scope, value, isGone }).then((found) => found?.map(orThrow))
  }
}

/** The only filter of a list, where the list begins with the first record created. */
function lookedUpBy(parameters: ListParameters): string | undefined {
  const { cursor, total, skip = 0, sortBy = 'createdAt', sortOrder = 'asc', includeDeleted = false } = parameters
  const [member, another] = filterNames(parameters)
  const isFirst = cursor === undefined && skip === 0 && sortBy === 'createdAt' && sortOrder === 'asc'
  return isFirst && total === undefined && !includeDeleted && another === undefined ? member : undefined
}

/**
 * The statement of a member. The value is compared as a range, for which the planner expects few records, whatever its
 * statistics say. Otherwise, if most records have the same barcode, a kept plan would read all of them for a barcode
 * that none has. In a plan from when the table was empty, all indexes look the same. Ordering by the member does not
 * change the result, but makes the planner prefer the member's index.
 */
export function lookUpStatement(resource: Resource, member: string): Statement {
  const { table, projection, remove, existsCondition } = resource
  const column = columnOf(resource, member)
  const conditions = [
    `stored.company_id = item.company_id and ${equals(column, 'item.value')}`,
    ...(remove === 'soft' ? ['not stored.is_deleted'] : []),
    ...(existsCondition ? [existsCondition] : []),
  ]
  const size = `pg_column_size(body)${projection ? ' + coalesce(pg_column_size(shown), 0)' : ''}`
  return {
    name: `${table}_look_up_${snakeCase(member)}`,
    most: STATEMENT_CHARACTERS,
    text: `
      select item.number::int, ${projection ? 'stored.shown, ' : ''}case when stored.found <= ${FOUND_MOST} and stored.size <= ${FOUND_BYTES} then stored.body end
      from unnest($1::text[], $2::text[]) with ordinality as item(company_id, value, number)
      cross join lateral (
        select *, count(*) over () as found, sum(${size}) over () as size from (
          select stored.* from ${table} as stored where ${conditions.join(' and ')} order by ${column} limit ${FOUND_MOST + 1}
        ) as matching
      ) as stored
      where ${keepsPlan('item.number')} order by item.number, stored.created_at, stored.id`,
  }
}

/** The texts of each look-up; undefined for those that find too many records, or too long ones. */
async function findEach(
  { projection }: Resource,
  database: Database,
  statement: Statement,
  items: readonly LookUp[],
): Promise<(readonly (string | Problem)[] | undefined)[]> {
  const rows = await database.query(statement, [
    items.map(({ scope }) => scope.companyId),
    items.map(({ value }) => value),
  ])
  const found: ((string | Problem)[] | undefined)[] = items.map(() => [])
  let last = 0
  for (const row of rows) {
    // The statement was cut off here, perhaps within the records of the last look-up.
    if (row[0] === null) return found.map((texts, n) => (n < last - 1 ? texts : undefined))
    last = row[0]
    const text = textOf(projection, row)
    if (text === null) found[last - 1] = undefined
    else found[last - 1]?.push(text)
  }
  return found
}
