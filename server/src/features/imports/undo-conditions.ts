// Which records of an import its undo can delete and set back, and which have to stay: the conditions of its steps, and what
// an undo would do now.

import { isId } from '../../core/ids.ts'
import { notFound } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { requireUndoable } from './changes.ts'
import { type ChangeKind, type ImportKey, noUndoTally, type UndoTally } from './import.ts'

/**
 * The record `own`, if the import ($1, $2) created it and no write has touched it: it is deleted, unless something that
 * stays refers to it.
 */
const goes = (kind: string) => `exists (select from import_changes as other
  where other.company_id = $1 and other.import_id = $2 and other.kind = '${kind}' and other.record_id = own.id
    and other.was_created and other.version = own.version)`

/** Records that refer to one of these, and are not deleted before it. */
const remains = (table: string, column: string, id: string) =>
  `exists (select from ${table} as own where own.company_id = $1 and own.${column} = ${id} and not ${goes(table)})`

/**
 * An order of the import that stays: it was touched, or the import created it and something that belongs to it stays.
 */
const orderStays = (id: string) => `exists (
  select from import_changes as sale join orders as sold on sold.company_id = sale.company_id and sold.id = sale.record_id
  where sale.company_id = $1 and sale.import_id = $2 and sale.kind = 'orders' and sale.record_id = ${id}
    and (sold.version <> sale.version or sale.was_created
      and (${remains('transactions', 'order_id', id)} or ${remains('refunds', 'order_id', id)}
        or exists (select from refunds as refund where refund.company_id = $1 and refund.order_id = ${id}
          and ${remains('transactions', 'refund_id', 'refund.id')}))))`

/** The payments or refunds, among `ids`, whose order stays: without them it would look as if it was not paid. */
export async function ofOrdersThatStay(
  transaction: Queryable,
  { companyId, id }: ImportKey,
  kind: 'transactions' | 'refunds',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.query(
    `select part.id from ${kind} as part where part.company_id = $1 and part.id = any ($3) and ${orderStays('part.order_id')}`,
    [companyId, id, ids],
  )
  return new Set(rows.map(([part]) => part))
}

/** SQL over `item.id`: a record of a table refers to it by a column. */
const isIn = (table: string, column: string, condition = '') =>
  `exists (select from ${table} as used where used.company_id = $1 and used.${column} = item.id ${condition})`
const isLive = 'and not used.is_deleted'

/** What refers to records of a kind in SQL over `item.id`, and the reason why these then have to stay. */
const usesOf = {
  refunds: { conditions: [isIn('transactions', 'refund_id')], reason: 'It has payments that stay.' },
  orders: {
    conditions: [isIn('transactions', 'order_id'), isIn('refunds', 'order_id')],
    reason: 'It has payments or refunds that stay.',
  },
  customers: { conditions: [isIn('orders', 'customer_id')], reason: 'It has orders.' },
  products: { conditions: [isIn('variants', 'product_id')], reason: 'It has variants that stay.' },
  categories: {
    conditions: ['exists (select from products as used where used.company_id = $1 and used.categories ? item.id)'],
    reason: 'Products are in it.',
  },
  outlets: {
    conditions: [
      ...['stations', 'orders', 'transactions', 'catalog_visibilities'].map((table) => isIn(table, 'outlet_id')),
      ...['customers', 'inventories'].map((table) => isIn(table, 'outlet_id', isLive)),
      'exists (select from products as used where used.company_id = $1 and used.outlets ? item.id)',
    ],
    reason: 'It is in use.',
  },
}

/**
 * Why a record has to stay, in words; undefined if nothing uses it. Called for one record at a time, as the records are
 * undone.
 */
type Uses = (id: string) => string | undefined

/** Finds what uses records that an import created: an undo leaves those. */
export async function inUse(
  transaction: Queryable,
  companyId: string,
  kind: Exclude<ChangeKind, 'variants'>,
  ids: readonly string[],
): Promise<Uses> {
  if (ids.length === 0 || kind === 'transactions') return () => undefined
  const { conditions, reason } = usesOf[kind]
  const rows = await transaction.query(
    `select item.id from unnest($2::text[]) as item(id) where ${conditions.join(' or ')}`,
    [companyId, ids],
  )
  const used = new Set(rows.map(([id]) => id))
  const hasInner = kind === 'categories' ? await innerCategories(transaction, companyId, ids) : () => false
  return (id) => (used.has(id) ? reason : hasInner(id) ? 'Categories are in it.' : undefined)
}

/** Whether a category has others that stay. The innermost are asked first, so that a parent can go once all of its own have gone. */
async function innerCategories(
  transaction: Queryable,
  companyId: string,
  ids: readonly string[],
): Promise<(id: string) => boolean> {
  const below = await transaction.query(
    'select parent_id, id from categories where company_id = $1 and parent_id = any ($2)',
    [companyId, ids],
  )
  const inner = Map.groupBy(below, ([parent]) => parent as string)
  const gone = new Set<string>()
  return (id) => {
    if (inner.get(id)?.some(([, child]) => !gone.has(child))) return true
    gone.add(id)
    return false
  }
}

/** Counts of a kind as SQL: the results so far, and the expected results of the rest. */
const counted = (deleted: string, restored: string) => `
  count(*) filter (where coalesce(change.result = 'deleted', false) or (change.result is null and change.was_created and (${deleted})))::int,
  count(*) filter (where coalesce(change.result = 'restored', false) or (change.result is null and not change.was_created and (${restored})))::int,
  count(*)::int`

const of = (kind: string) => `change.company_id = $1 and change.import_id = $2 and change.kind = '${kind}'`
const join = (table: string) =>
  `left join ${table} as stored on stored.company_id = change.company_id and stored.id = change.record_id`
const isSame = 'stored.version = change.version'
/** Of payments and refunds: an order that stays keeps them. */
const isFree = `${isSame} and not ${orderStays('stored.order_id')}`
const level = `left join inventories as level on level.company_id = change.company_id and level.id = change.inventory_id
  and not level.is_deleted`
const isStill = 'change.inventory_id is null or level.version = change.inventory_version'
const isUnmoved = `(change.inventory_id is null or (level.version = change.inventory_version and not change.was_moved))
  and not exists (select from inventories as another where another.company_id = $1 and another.variant_id = change.record_id
    and not another.is_deleted and another.id <> coalesce(change.inventory_id, ''))`
/** Variants of a product that are not deleted before it: others, touched ones, and those whose stock has moved. */
const hasVariantsThatStay = (product: string) => `exists (
  select from variants as own where own.company_id = $1 and own.product_id = ${product} and not exists (
    select from import_changes as change ${level} where ${of('variants')} and change.record_id = own.id
      and change.was_created and change.version = own.version and ${isUnmoved}))`
/**
 * Categories with products that are not deleted before them, and are not set back, which could take them out of the
 * category.
 */
const occupied = `select distinct category from products as held, jsonb_array_elements_text(held.categories) as category
  where held.company_id = $1 and not exists (
    select from import_changes as other where other.company_id = $1 and other.import_id = $2 and other.kind = 'products'
      and other.record_id = held.id and other.version = held.version
      and (other.before::jsonb ? 'categories' or other.was_created and not ${hasVariantsThatStay('held.id')}))`

const statements = {
  variants: `select ${counted(`${isSame} and ${isUnmoved}`, `stored.id is not null and (change.version is null or ${isSame}) and (${isStill})`)},
      count(*) filter (where change.inventory_id is not null and stored.id is not null
        and case when change.was_created then ${isSame} and ${isUnmoved} else ${isStill} end)::int,
      count(*) filter (where change.inventory_id is not null)::int
    from import_changes as change ${join('variants')} ${level} where ${of('variants')}`,
  products: `select ${counted(`${isSame} and not ${hasVariantsThatStay('change.record_id')}`, isSame)}
    from import_changes as change ${join('products')} where ${of('products')}`,
  // A category stays with a product or a category in it. The categories that stay are the inner ones, and all above them.
  categories: `with recursive staying as (
      select own.id, own.parent_id from categories as own where own.company_id = $1
        and (not ${goes('categories')} or own.id in (${occupied}))
      union
      select above.id, above.parent_id from staying
      join categories as above on above.company_id = $1 and above.id = staying.parent_id
    ) select ${counted(`${isSame} and change.record_id not in (select id from staying)`, isSame)}
    from import_changes as change ${join('categories')} where ${of('categories')}`,
  outlets: `select ${counted(isSame, isSame)} from import_changes as change ${join('outlets')} where ${of('outlets')}`,
  customers: `select ${counted(
    `${isSame} and not ${remains('orders', 'customer_id', 'change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('customers')} where ${of('customers')}`,
  orders: `select ${counted(
    `${isSame} and not ${orderStays('change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('orders')} where ${of('orders')}`,
  transactions: `select ${counted(isFree, isSame)} from import_changes as change ${join('transactions')} where ${of('transactions')}`,
  refunds: `select ${counted(
    `${isFree} and not ${remains('transactions', 'refund_id', 'change.record_id')}`,
    isSame,
  )} from import_changes as change ${join('refunds')} where ${of('refunds')}`,
} as const

/**
 * What an undo would do now, or did. A record found to be in use at its turn stays nevertheless. Throws `not_found`,
 * and `conflict` if the import cannot be undone.
 */
export async function readUndo(database: Queryable, scope: Scope, id: string): Promise<string> {
  const { companyId } = scope
  const [row] = isId(id)
    ? await database.query(
        `select undo, state in ('undoing', 'undone') from imports where company_id = $1 and id = $2 and state <> 'sending'`,
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  if (row[1]) return JSON.stringify({ ...noUndoTally(), ...(row[0] !== null && JSON.parse(row[0])) })
  await requireUndoable(database, scope, id)
  let tally: UndoTally = noUndoTally()
  for (const [kind, text] of Object.entries(statements)) {
    const [counts] = await database.query(text, [companyId, id])
    const [deleted, restored, all, levels = 0, allLevels = 0] = (counts ?? []) as number[]
    const left = (all ?? 0) - (deleted ?? 0) - (restored ?? 0)
    tally = { ...tally, [kind]: { deleted, restored, left } }
    if (kind === 'variants') tally = { ...tally, stock: { restored: levels, left: allLevels - levels } }
  }
  return JSON.stringify(tally)
}
