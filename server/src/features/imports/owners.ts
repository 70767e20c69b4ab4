// Locks the owners of records during a write: the product of a variant, the order of a payment or a refund. The write may change
// the owner too, and an undo must not take that for a change by another writer.

import type { Queryable } from '../../database/connect.ts'
import type { ChangeKind } from './import.ts'

/** The tables of owners, and the columns that name them. */
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
  keepUnchanged(importId: string): Promise<void>
}

/** The current owners of the existing records. */
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
    async keepUnchanged(importId) {
      if (before.size === 0) return
      await transaction.query(
        `update import_changes as change set version = stored.version
         from unnest($3::text[], $4::int[]) as item(id, version)
         join ${table} as stored on stored.company_id = $1 and stored.id = item.id and stored.version <> item.version
         where change.company_id = $1 and change.import_id = $2 and change.kind = '${table}'
           and change.record_id = item.id and change.version = item.version`,
        [companyId, importId, [...before.keys()], [...before.values()]],
      )
    },
  }
}
