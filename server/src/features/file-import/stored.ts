// Finds the stored records that entries of a file are about, with one statement for a whole batch, and merges what the
// file says with them.
//
// Each item names its company, as in the engine's statements. A constant company misleads the planner while the company
// is new: statistics that do not include it yet predict almost no rows, so any index seems good enough.

import { isSameJson } from '../../core/same-json.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { JsonObject } from '../../engine/record.ts'
import { type Metadatum, some } from './values.ts'

/** A stored record; `stock` is its stock at the import's outlet. */
export interface Stored {
  id: string
  record: JsonObject
  stock?: number | undefined
}

/** Where records are looked for. One with another source also has its `externalId` from there. */
export interface LookupScope {
  database: Queryable
  scope: Scope
  source: string
}

/** The company of each item. */
export const companies = ({ scope }: Pick<LookupScope, 'scope'>, items: readonly unknown[]): string[] =>
  items.map(() => scope.companyId)

/** A table, a column of texts, and SQL over `stored`: which records count, and which of several come first. */
interface SoughtColumn {
  readonly table: 'customers' | 'orders' | 'transactions' | 'refunds' | 'products' | 'variants'
  readonly column: 'external_id' | 'email' | 'sku'
  readonly condition?: string
  readonly first?: string
}

/** The records that have these texts in a column; of several the oldest. Products are those of the source, or of none. */
export async function findOldest(
  { database, scope, source }: LookupScope,
  { table, column, condition = 'true', first = '' }: SoughtColumn,
  wanted: readonly string[],
): Promise<Map<string, Stored>> {
  if (wanted.length === 0) return new Map()
  const ofSource = table === 'products'
  const rows = await database.query(
    `select item.wanted, found.id, found.body
     from unnest($1::text[], $2::text[]) as item(company_id, wanted)
     cross join lateral (
       select stored.id, stored.body from ${table} as stored
       where stored.company_id = item.company_id and stored.${column} = item.wanted and ${condition}
         ${ofSource ? `and stored.source in ('', $3)` : ''}
       order by ${first && `${first}, `}stored.created_at, stored.id limit 1
     ) as found`,
    [companies({ scope }, wanted), wanted, ...(ofSource ? [source] : [])],
  )
  return new Map(rows.map(([key, id, body]) => [key, { id, record: JSON.parse(body) }]))
}

/**
 * A stored record, with the file's values for the members that the file has columns for; an empty value unsets the
 * member.
 */
export function merged(
  stored: JsonObject | undefined,
  wanted: JsonObject,
  members: readonly string[],
  metadataKeys: ReadonlySet<string>,
): JsonObject {
  if (stored === undefined) return wanted
  const record = { ...stored }
  for (const member of members) record[member] = wanted[member]
  // Metadata of others under their own keys stays.
  const others = ((stored.metadata ?? []) as Metadatum[]).filter(({ key }) => !metadataKeys.has(key))
  record.metadata = some([...((wanted.metadata ?? []) as Metadatum[]), ...others])
  return record
}

/** The update that turns a stored record into the wanted one; undefined if nothing differs. */
export function changeOf(stored: JsonObject, record: JsonObject): JsonObject | undefined {
  const members = Object.keys(record).filter((member) => !isSameJson(record[member], stored[member]))
  if (members.length === 0) return undefined
  return Object.fromEntries(members.map((member) => [member, record[member] ?? null]))
}
