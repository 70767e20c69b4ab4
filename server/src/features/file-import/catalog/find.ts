// Finds existing records of a company for entries of a catalogue, each function with one statement for a whole batch, and
// the outlet that holds the stock of a file.

import { orThrow } from '../../../core/problem.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Database, Queryable } from '../../../database/connect.ts'
import { operations } from '../../../engine/operations.ts'
import { outlet } from '../../../resources/outlet.ts'
import { foreseenCreates, limitedOperations } from '../../plan-limits/limited.ts'
import { planLimits } from '../../plan-limits/plan-limits.ts'
import { companies, findOldest, type LookupScope, type Stored } from '../stored.ts'

/** The products with these external ids. */
export const findProducts = (place: LookupScope, externalIds: readonly string[]): Promise<Map<string, Stored>> =>
  findOldest(place, { table: 'products', column: 'external_id' }, externalIds)

/** The products that other rows name, by `id:…` or `sku:…`. Of several with one SKU, one from a shop is preferred. */
export async function findParents(place: LookupScope, keys: readonly string[]): Promise<Map<string, string>> {
  const idsBy = async (column: 'external_id' | 'sku', prefix: string) => {
    const names = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
    const found = await findOldest(place, { table: 'products', column, first: `stored.external_id = ''` }, names)
    return [...found].map(([name, { id }]): [string, string] => [prefix + name, id])
  }
  return new Map([...(await idsBy('external_id', 'id:')), ...(await idsBy('sku', 'sku:'))])
}

/**
 * The variants with these external ids, with their stock at an outlet. Of several, that of the named product is
 * preferred, then the oldest. Finds a variant of a deleted product too, but not one of another source's product.
 */
export async function findVariants(
  place: LookupScope,
  outletId: string,
  wanted: readonly { externalId: string; productId: string | undefined }[],
): Promise<Map<string, Stored>> {
  const rows = await place.database.query(
    `select item.external_id, found.id, found.body, (
       select level.body ->> 'stock' from inventories as level
       where level.company_id = item.company_id and level.variant_id = found.id and level.outlet_id = $5
         and level.product_id = found.product_id and not level.is_deleted)
     from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, external_id, product_id)
     cross join lateral (
       select stored.id, stored.body, stored.product_id
       from variants as stored
       left join products as product on product.company_id = stored.company_id and product.id = stored.product_id
       where stored.company_id = item.company_id and stored.external_id = item.external_id
         and coalesce(product.source, '') in ('', $4)
       order by stored.product_id = item.product_id desc, stored.created_at, stored.id limit 1
     ) as found`,
    [
      companies(place, wanted),
      wanted.map(({ externalId }) => externalId),
      wanted.map(({ productId }) => productId ?? ''),
      place.source,
      outletId,
    ],
  )
  const stored = (id: string, body: string, stock: string | null): Stored => ({
    id,
    record: JSON.parse(body),
    stock: stock === null ? undefined : Number(stock),
  })
  return new Map(rows.map(([externalId, id, body, stock]) => [externalId, stored(id, body, stock)]))
}

/** Products by id, each with its variants' ids and the prices that customers pay for them. */
export async function findWithPrices(
  place: LookupScope,
  ids: readonly string[],
): Promise<(Stored & { prices: [string, number | undefined][] })[]> {
  const rows = await place.database.query(
    `select product.id, product.body, coalesce((
       select json_agg(json_build_array(variant.id,
         case when variant.body ->> 'isOnSale' = 'true' then variant.body -> 'salePrice' else variant.body -> 'price' end))
       from variants as variant
       where variant.company_id = item.company_id and variant.product_id = item.id), '[]')
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     join products as product on product.company_id = item.company_id and product.id = item.id`,
    [companies(place, ids), ids],
  )
  const priced = (prices: [string, number | null][]): [string, number | undefined][] =>
    prices.map(([id, price]) => [id, price ?? undefined])
  return rows.map(([id, body, prices]) => ({ id, record: JSON.parse(body), prices: priced(JSON.parse(prices)) }))
}

/** The categories with these names, each under its parent or at the top; of several the oldest. */
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

/** Creates an outlet by `write`, in a transaction or without one; returns its id. */
export type MakeOutlet = (write: (connection?: Queryable) => Promise<string>) => Promise<string>

/**
 * The named outlet, else the first one. `make` creates it if there is none; a dry run, whose outlet is '', checks
 * whether that would be allowed. Throws `not_found` if the named one does not exist, and `plan_limit`.
 */
export async function outletOf(
  database: Database,
  scope: Scope,
  id: string | undefined,
  dryRun: boolean,
  make: MakeOutlet = (write) => write(),
): Promise<string> {
  const outlets = limitedOperations(operations(outlet, database), database, planLimits(database))
  if (id !== undefined) {
    await outlets.read(scope, id)
    return id
  }
  const { texts } = await outlets.list(scope, { parameters: { limit: 1 }, wantsCount: false })
  if (texts[0] !== undefined) return JSON.parse(texts[0]).id
  if (dryRun) {
    const [outcome] = await foreseenCreates(outlet, database, scope.companyId)([{ scope, value: {} }])
    orThrow(outcome)
    return ''
  }
  const [company] = await database.query('select name from companies where id = $1', [scope.companyId])
  return make(async (connection) => {
    const [outcome] = await outlets.createMany([{ scope, value: { name: company?.[0] } }], connection)
    return orThrow(outcome)?.id ?? ''
  })
}
