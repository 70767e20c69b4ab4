// Versions of records and levels within a transaction that locks them: they show an undo what no write has touched
// since; and whether a record that an import created is used by others, which an undo leaves.

import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ChangeKind } from './import.ts'

/** The version of each of these records that exists. */
export async function versionsOf(
  transaction: Queryable,
  companyId: string,
  table: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: `import_versions_${table}`,
      text: `
      select stored.id, stored.version from unnest($1::text[], $2::text[]) as item(company_id, id)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [ids.map(() => companyId), ids],
  )
  return new Map(rows as [string, number][])
}

/** A live level of a variant. */
export interface Level {
  readonly id: string
  readonly version: number
  readonly stock: number
}

/**
 * The live level of each of these variants at an outlet. Writers of a level lock its variant, as this transaction does.
 */
export async function levelsAt(
  transaction: Queryable,
  companyId: string,
  outletId: string,
  variantIds: readonly string[],
): Promise<Map<string, Level>> {
  const all = await levelsOf(transaction, companyId, variantIds)
  return new Map(
    [...all].flatMap(([id, levels]) => levels.filter((own) => own.outletId === outletId).map((own) => [id, own])),
  )
}

/** All live levels of each of these variants. */
export async function levelsOf(
  transaction: Queryable,
  companyId: string,
  variantIds: readonly string[],
): Promise<Map<string, (Level & { readonly outletId: string })[]>> {
  if (variantIds.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'import_levels',
      text: `
      select stored.variant_id, stored.id, stored.version, stored.outlet_id, stored.body ->> 'stock'
      from unnest($1::text[], $2::text[]) as item(company_id, variant_id)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and not stored.is_deleted`,
    },
    [variantIds.map(() => companyId), variantIds],
  )
  const levels = rows.map(([variantId, id, version, outletId, stock]) => ({
    variantId: variantId as string,
    level: { id, version, outletId, stock: Number(stock) },
  }))
  return new Map(
    [...Map.groupBy(levels, ({ variantId }) => variantId)].map(([id, own]) => [id, own.map(({ level }) => level)]),
  )
}

/** Products that are locked while variants of them are written. */
interface HeldOwners {
  /** Keeps a product that these imports left unchanged as such, although its variants were written. */
  settle(importIds: readonly string[]): Promise<void>
}

/** The current products of those of the variants that exist. */
export async function ownersOf(
  transaction: Queryable,
  companyId: string,
  variantIds: readonly string[],
): Promise<string[]> {
  if (variantIds.length === 0) return []
  const rows = await transaction.query(
    {
      name: 'import_owners',
      text: `
      select distinct stored.product_id from unnest($1::text[], $2::text[]) as item(company_id, id)
      join variants as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [variantIds.map(() => companyId), variantIds],
  )
  return rows.map(([id]) => id)
}

/** Locks the products of some variants, in one order, before the variants. */
export async function holdOwners(
  transaction: Queryable,
  companyId: string,
  productIds: readonly string[],
): Promise<HeldOwners> {
  const ids = [...new Set(productIds)]
  const rows =
    ids.length === 0
      ? []
      : await transaction.query(
          {
            name: 'import_owners_hold',
            text: `
            select stored.id, stored.version from unnest($1::text[], $2::text[]) as item(company_id, id)
            join products as stored on stored.company_id = item.company_id and stored.id = item.id
            order by stored.company_id, stored.id for no key update of stored`,
          },
          [ids.map(() => companyId), ids],
        )
  const before = new Map(rows as [string, number][])
  return {
    async settle(importIds) {
      const after = await versionsOf(transaction, companyId, 'products', [...before.keys()])
      const changed = [...after].filter(([id, version]) => before.get(id) !== version)
      if (changed.length === 0) return
      await transaction.query(
        `update import_changes as stored set version = item.after
         from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[]) as item(company_id, import_id, id, before, after)
         where stored.company_id = item.company_id and stored.import_id = item.import_id and stored.kind = 'products'
           and stored.record_id = item.id and stored.version = item.before`,
        [
          importIds.flatMap(() => changed.map(() => companyId)),
          importIds.flatMap((importId) => changed.map(() => importId)),
          importIds.flatMap(() => changed.map(([id]) => id)),
          importIds.flatMap(() => changed.map(([id]) => before.get(id))),
          importIds.flatMap(() => changed.map(([, version]) => version)),
        ],
      )
    },
  }
}

interface Place {
  readonly transaction: Queryable
  readonly scope: Scope
}

/** Why a record has to stay, in words; undefined if nothing uses it. Asked one by one, as the records are undone. */
type Uses = (id: string) => string | undefined

const outletTables = [
  ['stations', ''],
  ['orders', ''],
  ['transactions', ''],
  ['customers', 'and not used.is_deleted'],
  ['inventories', 'and not used.is_deleted'],
  ['catalog_visibilities', ''],
] as const

/** Finds what uses records of a kind. */
export async function inUse(
  { transaction, scope: { companyId } }: Place,
  kind: Exclude<ChangeKind, 'variants'>,
  ids: readonly string[],
): Promise<Uses> {
  if (ids.length === 0) return () => undefined
  const values = [companyId, ids]
  const idsIn = async (text: string) => new Set((await transaction.query(text, values)).map(([id]) => id as string))
  if (kind === 'products') {
    const used = await idsIn(
      `select item.id from unnest($2::text[]) as item(id)
       where exists (select from variants as used where used.company_id = $1 and used.product_id = item.id)`,
    )
    return (id) => (used.has(id) ? 'It has variants that stay.' : undefined)
  }
  if (kind === 'categories') {
    const used = await idsIn(
      `select item.id from unnest($2::text[]) as item(id)
       where exists (select from products as used where used.company_id = $1 and used.categories ? item.id)`,
    )
    const below = await transaction.query(
      'select parent_id, id from categories where company_id = $1 and parent_id = any ($2)',
      values,
    )
    // The innermost come first, so that a parent can go once all its children have gone.
    const inner = new Map(
      [...Map.groupBy(below, ([parent]) => parent as string)].map(([id, own]) => [id, own.map(([, child]) => child)]),
    )
    const taken = new Set<string>()
    return (id) => {
      if (used.has(id)) return 'Products are in it.'
      if (inner.get(id)?.some((child) => !taken.has(child))) return 'Categories are in it.'
      taken.add(id)
      return undefined
    }
  }
  const used = await idsIn(
    `select item.id from unnest($2::text[]) as item(id) where ${outletTables
      .map(
        ([table, live]) =>
          `exists (select from ${table} as used where used.company_id = $1 and used.outlet_id = item.id ${live})`,
      )
      .join(' or ')}
     or exists (select from products as used where used.company_id = $1 and used.outlets ? item.id)`,
  )
  return (id) => (used.has(id) ? 'It is in use.' : undefined)
}
