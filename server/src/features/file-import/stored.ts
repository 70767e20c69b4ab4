// Finds the stored records that entries of a file are about, with one statement for a whole batch, and merges what the
// file says with them.
//
// Each item names its company, as in the engine's statements. A constant company misleads the planner while the company
// is new: statistics that do not include it yet predict almost no rows, so any index seems good enough.

import { isSameJson } from '../../core/same-json.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { equals } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { type Metadatum, some } from './values.ts'

/** A stored record; `levels` is the stock of a variant by outlet, for the outlets of the file. */
export interface Stored {
  id: string
  record: JsonObject
  levels?: ReadonlyMap<string, number>
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

/**
 * The records that have these texts in a column; of several the oldest. Products are those of the source, or of none:
 * "is true" keeps PostgreSQL from reading all products of a source for each text.
 */
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
       where stored.company_id = item.company_id and ${equals(`stored.${column}`, 'item.wanted')} and ${condition}
         ${ofSource ? `and (stored.source in ('', $3)) is true` : ''}
       order by stored.${column}, ${first && `${first}, `}stored.created_at, stored.id limit 1
     ) as found`,
    [companies({ scope }, wanted), wanted, ...(ofSource ? [source] : [])],
  )
  return new Map(rows.map(([key, id, body]) => [key, { id, record: JSON.parse(body) }]))
}

/** The products with these external ids. */
export const findProducts = (place: LookupScope, externalIds: readonly string[]): Promise<Map<string, Stored>> =>
  findOldest(place, { table: 'products', column: 'external_id' }, externalIds)

/** The products that other rows name by `id:…` or `sku:…`. If several have one SKU, one from a shop is preferred. */
export async function findParents(place: LookupScope, keys: readonly string[]): Promise<Map<string, string>> {
  const idsBy = async (column: 'external_id' | 'sku', prefix: string) => {
    const names = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
    const found = await findOldest(place, { table: 'products', column, first: `stored.external_id = ''` }, names)
    return [...found].map(([name, { id }]): [string, string] => [prefix + name, id])
  }
  return new Map([...(await idsBy('external_id', 'id:')), ...(await idsBy('sku', 'sku:'))])
}

/**
 * The variants with these external ids, with their stock at outlets. If several match, that of the named product is
 * preferred, then the oldest. With the column `sku`, the variants are found by SKU. Finds a variant of a deleted product too, but not one of another source's product.
 */
export async function findVariants(
  place: LookupScope,
  outletIds: readonly string[],
  wanted: readonly { externalId: string; productId?: string | undefined }[],
  column: 'external_id' | 'sku' = 'external_id',
): Promise<Map<string, Stored>> {
  const rows = await place.database.query(
    `select item.external_id, found.id, found.body, (
       select json_object_agg(level.outlet_id, level.body -> 'stock') from inventories as level
       where level.company_id = item.company_id and level.variant_id = found.id and level.outlet_id = any ($5)
         and level.product_id = found.product_id and not level.is_deleted)
     from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, external_id, product_id)
     cross join lateral (
       select stored.id, stored.body, stored.product_id
       from variants as stored
       left join products as product on product.company_id = stored.company_id and product.id = stored.product_id
       where stored.company_id = item.company_id and ${equals(`stored.${column}`, 'item.external_id')}
         and coalesce(product.source, '') in ('', $4)
       order by stored.product_id = item.product_id desc, stored.created_at, stored.id limit 1
     ) as found`,
    [
      companies(place, wanted),
      wanted.map(({ externalId }) => externalId),
      wanted.map(({ productId }) => productId ?? ''),
      place.source,
      outletIds,
    ],
  )
  const stored = (id: string, body: string, levels: string | null): Stored => ({
    id,
    record: JSON.parse(body),
    levels: new Map(Object.entries(JSON.parse(levels ?? '{}'))),
  })
  return new Map(rows.map(([externalId, id, body, levels]) => [externalId, stored(id, body, levels)]))
}

/** A stored variant and the price that customers pay for it. */
export interface VariantPrice {
  readonly id: string
  readonly externalId: string
  readonly isOnSale?: boolean
  readonly price?: number
}

/** Products by id, each with its variants and their prices. */
export async function findWithPrices(
  place: LookupScope,
  ids: readonly string[],
): Promise<(Stored & { variants: VariantPrice[] })[]> {
  const rows = await place.database.query(
    `select product.id, product.body, coalesce((
       select json_agg(json_strip_nulls(json_build_object(
         'id', variant.id, 'externalId', variant.external_id, 'isOnSale', variant.body -> 'isOnSale', 'price',
         case when variant.body ->> 'isOnSale' = 'true' then variant.body -> 'salePrice' else variant.body -> 'price' end)))
       from variants as variant
       where variant.company_id = item.company_id and variant.product_id = item.id), '[]')
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     join products as product on product.company_id = item.company_id and product.id = item.id`,
    [companies(place, ids), ids],
  )
  return rows.map(([id, body, variants]) => ({ id, record: JSON.parse(body), variants: JSON.parse(variants) }))
}

/** The categories with these names, each under its parent or at the top; if several match, the oldest. */
export async function findCategories(
  place: LookupScope,
  wanted: readonly { parentId?: string; name: string }[],
): Promise<(string | undefined)[]> {
  const rows = await place.database.query(
    `select item.ordinality::int, found.id
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, parent_id, name, ordinality)
     cross join lateral (
       select stored.id from categories as stored
       where stored.company_id = item.company_id and stored.parent_id = item.parent_id and stored.name = item.name
       order by stored.created_at, stored.id limit 1
     ) as found`,
    [companies(place, wanted), wanted.map(({ parentId }) => parentId ?? ''), wanted.map(({ name }) => name)],
  )
  const ids: (string | undefined)[] = wanted.map(() => undefined)
  for (const [ordinal, id] of rows) ids[ordinal - 1] = id
  return ids
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
