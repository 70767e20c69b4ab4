// Locks rows that writes of other tables depend on, in the order that all transactions share, so that no two wait for
// each other.

import type { Scope } from '../core/scope.ts'
import type { Queryable } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'

/** A row by its company and id. */
interface HeldKey {
  readonly scope: Pick<Scope, 'companyId'>
  readonly id: string
}

/** Each key once, in the order in which rows are locked: by company and id. */
export const inOrder = <K extends HeldKey>(keys: readonly K[]): K[] =>
  [...new Map(keys.map((key) => [`${key.scope.companyId} ${key.id}`, key]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, key]) => key)

/** The two parameters that name rows in a statement: companies and ids. */
export const columnsOf = (keys: readonly HeldKey[]): [string[], string[]] => [
  keys.map(({ scope }) => scope.companyId),
  keys.map(({ id }) => id),
]

/**
 * Locks the existing rows of a table until the transaction ends; keys that refer to them can still be written. `waits: false`
 * throws instead of waiting for another transaction, and the caller's transaction begins again.
 */
export async function holdRows(
  transaction: Queryable,
  table: string,
  keys: readonly HeldKey[],
  { waits = true } = {},
): Promise<void> {
  const ordered = inOrder(keys)
  if (ordered.length === 0) return
  await transaction.query(
    {
      name: `${table}_hold${waits ? '' : '_at_once'}`,
      text: `
      select from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, number)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id
      where ${keepsPlan('item.number')}
      order by stored.company_id, stored.id for no key update of stored${waits ? '' : ' nowait'}`,
    },
    columnsOf(ordered),
  )
}
