// What an undo does with each record of an import. One SQL statement a kind decides: an undo reads it for records that it has
// locked, and a preview counts it for all, so that both follow one rule. It also lists what an undo left.

import type { RowKey } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { planSettings } from '../../database/statement.ts'
import type { JsonObject } from '../../engine/record.ts'
import { requireUndoable } from './actions.ts'
import { type ChangeKind, changeKinds, importRow, noUndoTally, type UndoCounts, type UndoTally } from './import.ts'
import { keptLevels, writtenResources } from './recording.ts'

/** Lines of one response about what an undo left unchanged. */
export const IMPORT_LEFT_LINES = 10_000

/** A level whose stock the import set; `before` is null if nothing was counted. */
interface ChangedLevel {
  readonly id: string
  readonly before: number | null
}

/** What an undo does with a record, and with the levels whose stock the import set. */
export interface Decision {
  readonly id: string
  readonly wasCreated: boolean
  /** Whether the record itself is deleted or set back. */
  readonly revertsRecord: boolean
  /** The former values of its members. */
  readonly before: JsonObject
  /** The levels that are set back, and how many the import set. */
  readonly taken: readonly ChangedLevel[]
  readonly levels: number
  /** Why any of it stays. */
  readonly reason: string | undefined
  readonly name: string | undefined
}

/**
 * What makes PostgreSQL look each record up by its key. Right after an import it has no statistics of the changes and takes them for
 * few: with `exists` as a join, or with the index of those without a result, it would read all of them for each record.
 */
const eachByKey = 'offset 0'
const isWaiting = `coalesce(change.result, 'waiting') = 'waiting'`

/** The import ($1, $2) created the record `own` of a table, no write has touched it, and its turn has not come. */
const isPending = (table: string) => `exists (select from import_changes as change
  where change.company_id = $1 and change.import_id = $2 and change.kind = '${table}' and change.record_id = own.id
    and change.was_created and change.version = own.version and ${isWaiting} ${eachByKey})`

/** Records that refer to one of these, and are not deleted before it. */
const stays = (table: 'orders' | 'transactions' | 'refunds', column: string, id: string) =>
  `exists (select from ${table} as own where own.company_id = $1 and own.${column} = ${id} and not ${isPending(table)})`

/** An order of the import that stays: it was touched, or the import created it and something that belongs to it stays. */
const orderStays = (id: string) => `exists (
  select from import_changes as sale join orders as sold on sold.company_id = sale.company_id and sold.id = sale.record_id
  where sale.company_id = $1 and sale.import_id = $2 and sale.kind = 'orders' and sale.record_id = ${id}
    and (sold.version <> sale.version or sale.was_created
      and (${stays('transactions', 'order_id', id)} or ${stays('refunds', 'order_id', id)}
        or exists (select from refunds as refund where refund.company_id = $1 and refund.order_id = ${id}
          and ${stays('transactions', 'refund_id', 'refund.id')}))))`
/** Without its payments and refunds, an order that stays would look as if it was not paid. */
const ofOrderThatStays = `when ${orderStays('stored.order_id')}
  then 'Its order stays: it, or a payment or refund of it, was changed since the import.'`

/** Decides about the records of a kind whose turn has not come; `cases` say why one that still exists stays. */
const decided = (kind: ChangeKind, cases: string, stock = 'null::json as taken, 0 as levels', level = '') => `
  select change.record_id, change.number, change.was_created, change.before, stored.body,
    coalesce(stored.version = change.version, false) as is_same, ${stock},
    case when stored.id is null then 'It was deleted since.' ${cases} end as reason
  from import_changes as change
  left join ${kind} as stored on stored.company_id = change.company_id and stored.id = change.record_id ${level}
  where change.company_id = $1 and change.import_id = $2 and change.kind = '${kind}' and ${isWaiting}`

/** The same; `uses` are cases in which a record that the import created is in use. */
const plain = (kind: Exclude<ChangeKind, 'variants'>, uses: string) =>
  decided(
    kind,
    `when stored.version <> change.version then 'It was changed since the import.' when not change.was_created then null ${uses}`,
  )

const isSame = '(change.version is null or stored.version = change.version)'
/** A variant that was sold, or counted elsewhere, is in the shop's books. */
const isUnmoved = '(level.live = level.still and level.set = level.still and not level.is_moved)'
const variants = decided(
  'variants',
  `when change.was_created then case when not ${isSame} then 'It was changed since the import.'
       when not ${isUnmoved} then 'Its stock has moved since the import.' end
     when ${isSame} and level.still = level.set then null
     when change.version is null then 'Its stock has moved since the import.'
     when ${isSame} then 'Its stock has moved since the import, and stays; the rest is restored.'
     when level.set = 0 then 'It was changed since the import.'
     when level.still = level.set then 'It was changed since the import, and stays; its stock is restored.'
     else 'It was changed, and its stock has moved since the import.'`,
  `case when stored.id is not null and (not change.was_created or ${isSame} and ${isUnmoved}) then level.unmoved end as taken,
    level.set::int as levels`,
  `cross join lateral (
    select count(own.id) as live, count(written.id) as set, count(*) filter (where own.version = written.version) as still,
      coalesce(bool_or(written.moved), false) as is_moved,
      json_agg(json_build_object('id', own.id, 'before', written.before)) filter (where own.version = written.version) as unmoved
    from (
      select stored.id, stored.version from inventories as stored
      where stored.company_id = $1 and stored.variant_id = change.record_id and not stored.is_deleted
    ) as own
    full join json_to_recordset(${keptLevels('change')}) as written(id text, version int, before float8, moved boolean)
      on written.id = own.id) as level`,
)

/** A decision takes a record away from its product or category: it deletes the record, or sets it back to another one. */
const takesAway = (
  member: string,
  owner: string,
) => `decision.is_same and case when decision.was_created then decision.reason is null
  else decision.before::jsonb ? '${member}' and not decision.before::jsonb -> '${member}' ? ${owner} end`

const products = plain(
  'products',
  `when exists (
     select from variants as own where own.company_id = $1 and own.product_id = change.record_id and not exists (
       select from (${variants}) as decision
       where decision.record_id = own.id and ${takesAway('productId', 'change.record_id')} ${eachByKey}))
   then 'It has variants that stay.'`,
)

/** A category stays with a product or a category in it. The categories that stay are the inner ones, and all above them. */
const categories = `with recursive occupied as (
    select distinct category as id from products as held, jsonb_array_elements_text(held.categories) as category
    where held.company_id = $1 and not exists (
      select from (${products}) as decision where decision.record_id = held.id and ${takesAway('categories', 'category')} ${eachByKey})
  ), staying as (
    select own.id, own.parent_id from categories as own where own.company_id = $1
      and (not ${isPending('categories')} or own.id in (select id from occupied))
    union
    select above.id, above.parent_id from staying
    join categories as above on above.company_id = $1 and above.id = staying.parent_id
  ) ${plain(
    'categories',
    `when change.record_id in (select id from occupied) then 'Products are in it.'
     when change.record_id in (select parent_id from staying) then 'Categories are in it.'`,
  )}`

/** A record of a table is at the outlet; `condition` excludes deleted ones. */
const isAt = (table: string, condition = '') =>
  `exists (select from ${table} as used where used.company_id = $1 and used.outlet_id = change.record_id ${condition})`
const outlets = plain(
  'outlets',
  `when ${['stations', 'orders', 'transactions', 'catalog_visibilities'].map((table) => isAt(table)).join(' or ')}
     or ${isAt('customers', 'and not used.is_deleted')}
     or ${isAt(
       'inventories',
       `and not used.is_deleted and not exists (select from (${variants}) as decision, json_to_recordset(decision.taken) as taken(id text, before float8)
          where decision.record_id = used.variant_id and taken.id = used.id and (decision.was_created or taken.before is null) ${eachByKey})`,
     )}
     or exists (select from products as used where used.company_id = $1 and used.outlets ? change.record_id) then 'It is in use.'`,
)

const decisions: Readonly<Record<ChangeKind, string>> = {
  orders: plain('orders', `when ${orderStays('change.record_id')} then 'It has payments or refunds that stay.'`),
  transactions: plain('transactions', ofOrderThatStays),
  refunds: plain(
    'refunds',
    `${ofOrderThatStays} when ${stays('transactions', 'refund_id', 'change.record_id')} then 'It has payments that stay.'`,
  ),
  // If few orders have a customer, the last condition, which is always true, keeps PostgreSQL from reading the whole table for each one.
  customers: plain(
    'customers',
    `when ${stays('orders', 'customer_id', `change.record_id and own.customer_id <> ''`)} then 'It has orders.'`,
  ),
  variants,
  products,
  categories,
  outlets,
}

/** Decides about records that the transaction has locked, last written first. */
export async function decideUndo(
  transaction: Queryable,
  { companyId, id: importId }: RowKey,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<Decision[]> {
  const name = ['name', 'sku', 'receiptId', 'email', 'externalId'].map((member) => `body ->> '${member}'`).join()
  const rows = await transaction.query(
    `select record_id, was_created, is_same, reason, case when not was_created then before end, taken, levels, coalesce(${name})
     from (${decisions[kind]}) as decision where record_id = any ($3) order by number desc`,
    [companyId, importId, ids],
  )
  return rows.map(([id, wasCreated, isSame, reason, before, taken, levels, name]) => ({
    id,
    wasCreated,
    revertsRecord: wasCreated ? reason === null : isSame,
    before: before === null ? {} : JSON.parse(before),
    taken: JSON.parse(taken ?? '[]'),
    levels,
    reason: reason ?? undefined,
    name: name ?? undefined,
  }))
}

/** What an undo would do now, or did. Throws `not_found`, and `conflict` if the import cannot be undone. */
export async function readUndo(database: Database, scope: Scope, id: string): Promise<string> {
  const [undo, hasBegun] = await importRow(database, scope, id, `undo, state in ('undoing', 'undone')`)
  let tally: UndoTally = { ...noUndoTally(), ...(undo !== null && JSON.parse(undo)) }
  if (hasBegun) return JSON.stringify(tally)
  await requireUndoable(database, scope, id)
  await database.transaction(async (transaction) => {
    // Of a given company that is new to its statistics, PostgreSQL expects a single record, and would read all for each that was imported.
    await transaction.query(planSettings(transaction))
    for (const kind of changeKinds) {
      const rows = await transaction.query(
        `select case when reason is not null then 'left' when was_created then 'deleted' else 'restored' end,
           count(*)::int, coalesce(sum(json_array_length(taken)), 0)::int, sum(levels)::int
         from (${decisions[kind]}) as decision group by 1`,
        [scope.companyId, id],
      )
      for (const [became, count, levels, allLevels] of rows as [keyof UndoCounts, number, number, number][])
        tally = {
          ...tally,
          [kind]: { ...tally[kind], [became]: tally[kind][became] + count },
          stock: { restored: tally.stock.restored + levels, left: tally.stock.left + allLevels - levels },
        }
    }
  })
  return JSON.stringify(tally)
}

/** A record that an undo left, and why. */
export interface LeftRecord {
  readonly resource: string
  readonly id: string
  readonly name?: string
  readonly reason: string
}

/** What an undo left, in pages; `next` is the start of the next page. Throws `not_found`. */
export async function readLeft(
  database: Queryable,
  scope: Scope,
  id: string,
  after = 0,
): Promise<{ lines: LeftRecord[]; next: number | undefined }> {
  await importRow(database, scope, id, 'id')
  const rows = await database.query(
    `select number, kind, record_id, name, reason from import_changes
     where company_id = $1 and import_id = $2 and result = 'left' and number > $3 order by number limit ${IMPORT_LEFT_LINES + 1}`,
    [scope.companyId, id, after],
  )
  const page = rows.slice(0, IMPORT_LEFT_LINES)
  const lines = page.map(([, kind, recordId, name, reason]) => ({
    resource: writtenResources[kind as ChangeKind].name.one,
    id: recordId,
    ...(name !== null && { name }),
    reason: reason ?? '',
  }))
  return { lines, next: rows.length > page.length ? Number(page.at(-1)?.[0]) : undefined }
}
