// Versions of records and levels within a transaction that locks them, which show an undo what no write has touched
// since.

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
export interface StoredLevel {
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
): Promise<Map<string, StoredLevel>> {
  if (variantIds.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'import_levels',
      text: `
      select stored.variant_id, stored.id, stored.version, stored.body ->> 'stock'
      from unnest($1::text[], $2::text[]) as item(company_id, variant_id)
      join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
        and stored.outlet_id = $3 and not stored.is_deleted`,
    },
    [variantIds.map(() => companyId), variantIds, outletId],
  )
  return new Map(rows.map(([variantId, id, version, stock]) => [variantId, { id, version, stock: Number(stock) }]))
}

/** What records of a kind are part of, and their column that names it: writing them may change it too. */
const owners = {
  variants: { table: 'products', column: 'product_id' },
  transactions: { table: 'orders', column: 'order_id' },
  refunds: { table: 'orders', column: 'order_id' },
} as const
type PartKind = keyof typeof owners
const isPart = (kind: ChangeKind): kind is PartKind => kind in owners

/** Owners that are locked while records of them are written. */
interface HeldOwners {
  /** Keeps an owner that the import left unchanged marked as unchanged, although its records were written. */
  settle(importId: string): Promise<void>
}

/** The current owners of those of the records that exist. */
async function ownersOf(
  transaction: Queryable,
  companyId: string,
  of: PartKind,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await transaction.query(
    {
      name: `import_owners_${of}`,
      text: `
      select distinct stored.${owners[of].column} from unnest($1::text[], $2::text[]) as item(company_id, id)
      join ${of} as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [ids.map(() => companyId), ids],
  )
  return rows.map(([id]) => id)
}

/** Locks the owners of records, and `others` that they will belong to, in one order, before the records; undefined if they have none. */
export async function holdOwners(
  transaction: Queryable,
  companyId: string,
  kind: ChangeKind,
  recordIds: readonly string[],
  others: readonly string[],
): Promise<HeldOwners | undefined> {
  if (!isPart(kind)) return undefined
  const { table } = owners[kind]
  const ids = [...new Set([...(await ownersOf(transaction, companyId, kind, recordIds)), ...others])]
  const rows =
    ids.length === 0
      ? []
      : await transaction.query(
          {
            name: `import_owners_hold_${table}`,
            text: `
            select stored.id, stored.version from unnest($1::text[], $2::text[]) as item(company_id, id)
            join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id
            order by stored.company_id, stored.id for no key update of stored`,
          },
          [ids.map(() => companyId), ids],
        )
  const before = new Map(rows as [string, number][])
  return {
    async settle(importId) {
      const after = await versionsOf(transaction, companyId, table, [...before.keys()])
      const changed = [...after].filter(([id, version]) => before.get(id) !== version)
      if (changed.length === 0) return
      await transaction.query(
        `update import_changes as stored set version = item.after
         from unnest($3::text[], $4::int[], $5::int[]) as item(id, before, after)
         where stored.company_id = $1 and stored.import_id = $2 and stored.kind = '${table}'
           and stored.record_id = item.id and stored.version = item.before`,
        [
          ...[companyId, importId],
          changed.map(([id]) => id),
          changed.map(([id]) => before.get(id)),
          changed.map(([, version]) => version),
        ],
      )
    },
  }
}
