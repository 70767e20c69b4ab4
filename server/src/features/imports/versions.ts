// Versions of records and levels within a transaction that locks them, which show an undo what no write has touched
// since. Also finds whether other data uses a record that an import created; an undo leaves such a record.

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
): Promise<Map<string, (StoredLevel & { readonly outletId: string })[]>> {
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

/** What records of a kind are part of: writing them may change it too. */
interface Owner {
  readonly table: 'products' | 'orders'
  /** The column of the records that names it. */
  readonly column: 'product_id' | 'order_id'
  readonly of: 'variants' | 'transactions' | 'refunds'
}

/** The owner of records of a kind: the product of a variant, the order of a payment or a refund. */
export function ownerOf(kind: 'variants'): Owner
export function ownerOf(kind: ChangeKind): Owner | undefined
export function ownerOf(kind: ChangeKind): Owner | undefined {
  if (kind === 'variants') return { table: 'products', column: 'product_id', of: kind }
  if (kind === 'transactions' || kind === 'refunds') return { table: 'orders', column: 'order_id', of: kind }
  return undefined
}

/** Owners that are locked while records of them are written. */
interface HeldOwners {
  /** Keeps an owner that these imports left unchanged marked as unchanged, although its records were written. */
  settle(importIds: readonly string[]): Promise<void>
}

/** The current owners of those of the records that exist. */
export async function ownersOf(
  transaction: Queryable,
  companyId: string,
  { column, of }: Owner,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await transaction.query(
    {
      name: `import_owners_${of}`,
      text: `
      select distinct stored.${column} from unnest($1::text[], $2::text[]) as item(company_id, id)
      join ${of} as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    [ids.map(() => companyId), ids],
  )
  return rows.map(([id]) => id)
}

/** Locks the owners of some records, in one order, before the records. */
export async function holdOwners(
  transaction: Queryable,
  companyId: string,
  { table }: Owner,
  ownerIds: readonly string[],
): Promise<HeldOwners> {
  const ids = [...new Set(ownerIds)]
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
    async settle(importIds) {
      const after = await versionsOf(transaction, companyId, table, [...before.keys()])
      const changed = [...after].filter(([id, version]) => before.get(id) !== version)
      if (changed.length === 0) return
      await transaction.query(
        `update import_changes as stored set version = item.after
         from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[]) as item(company_id, import_id, id, before, after)
         where stored.company_id = item.company_id and stored.import_id = item.import_id and stored.kind = '${table}'
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

/**
 * Why a record has to stay, in words; undefined if nothing uses it. Called for one record at a time, as the records are
 * undone.
 */
type Uses = (id: string) => string | undefined

const outletTables = [
  ['stations', ''],
  ['orders', ''],
  ['transactions', ''],
  ['customers', 'and not used.is_deleted'],
  ['inventories', 'and not used.is_deleted'],
  ['catalog_visibilities', ''],
] as const

/** Tables whose records refer to those of a kind, and what to say if some do. */
const usesOf: Readonly<
  Partial<Record<ChangeKind, { readonly tables: readonly (readonly [string, string])[]; readonly reason: string }>>
> = {
  refunds: { tables: [['transactions', 'refund_id']], reason: 'It has payments that stay.' },
  orders: {
    tables: [
      ['transactions', 'order_id'],
      ['refunds', 'order_id'],
    ],
    reason: 'It has payments or refunds that stay.',
  },
  customers: { tables: [['orders', 'customer_id']], reason: 'It has orders.' },
}

/** Finds what uses records of a kind. */
export async function inUse(
  { transaction, scope: { companyId } }: Place,
  kind: Exclude<ChangeKind, 'variants'>,
  ids: readonly string[],
): Promise<Uses> {
  if (ids.length === 0 || kind === 'transactions') return () => undefined
  const values = [companyId, ids]
  const idsIn = async (text: string) => new Set((await transaction.query(text, values)).map(([id]) => id as string))
  const uses = usesOf[kind]
  if (uses !== undefined) {
    const used = await idsIn(
      `select item.id from unnest($2::text[]) as item(id) where ${uses.tables
        .map(
          ([table, column]) =>
            `exists (select from ${table} as used where used.company_id = $1 and used.${column} = item.id)`,
        )
        .join(' or ')}`,
    )
    return (id) => (used.has(id) ? uses.reason : undefined)
  }
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
