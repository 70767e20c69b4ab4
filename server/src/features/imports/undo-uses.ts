// Checks whether a record that an import created is now used by others: then an undo leaves it.

import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ChangeKind } from './change-kinds.ts'

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
