// Inventory history: each change of a managed variant's stock, in the order in which it happened (decisions §6). The only code that writes it.

import { later } from '../core/date-time.ts'
import { newId } from '../core/ids.ts'
import type { Queryable } from '../database/connect.ts'
import { byCompany } from '../database/one-company.ts'
import { keepsPlan } from '../database/statement.ts'
import { choice, name, quantity, reference, serverOwned, text } from '../engine/field.ts'
import { insertMany, type ManyRows } from '../engine/many-rows.ts'
import { resource } from '../engine/resource.ts'
import { keyOf, type VariantKey } from './held-variants.ts'

/** Characters of the reason for a change of stock: a sentence or two, in each entry of the history. */
const REASON_CHARACTERS = 500

/** The cause of a change: RECOUNT is a level that was set, ADJUSTMENT also stock written through an inventory record or a variant. */
export const movements = ['SALE', 'RETURN', 'RECEIVED', 'DAMAGE', 'THEFT', 'LOSS', 'TRANSFER', 'ADJUSTMENT'] as const
export type MovementKind = (typeof movements)[number] | 'RECOUNT'

export const reason = () => text({ max: REASON_CHARACTERS, description: 'The reason; the history shows it.' })

export const inventoryHistory = resource(
  {
    name: { one: 'inventory-history', many: 'inventory-history' },
    title: 'Inventory history',
    description:
      'Each change of the stock of a variant whose `manageStock` is true. Entries are only added. Those of a variant at an outlet form an unbroken chain: the first begins at 0, each begins where the one before ended, and the last ends at the stock.',
    fields: {
      inventoryId: serverOwned(reference({ description: 'The inventory record that changed.' })),
      productId: reference({ description: 'The product that the variant belonged to at the time.' }),
      variantId: serverOwned(reference({ description: 'The variant whose stock changed.' })),
      outletId: serverOwned(reference({ description: 'Where the stock changed.' })),
      kind: serverOwned(
        choice([...movements, 'RECOUNT'], {
          description: 'Why it changed: RECOUNT if a quantity was set, otherwise what the caller said of the movement.',
        }),
      ),
      previousStock: serverOwned(quantity({ description: 'Units before the change.', example: 12 })),
      newStock: serverOwned(quantity({ description: 'Units after the change.', example: 10 })),
      delta: serverOwned(
        quantity({ description: '`newStock` − `previousStock`; negative if stock left the outlet.', example: -2 }),
      ),
      reason: reason(),
      orderId: reference({
        description:
          'The order whose sale, completion, refund or void moved the stock. Absent from other changes, and from those made before this member existed.',
      }),
      refundId: reference({ description: 'The refund that moved the stock, if one did.' }),
      keyId: name({ description: 'The API key that made the change.' }),
      userId: name({ description: 'The user who made the change in the console, if no key did.' }),
    },
    remove: 'hard',
    list: { exact: ['inventoryId', 'productId', 'variantId', 'outletId', 'kind', 'orderId'], selective: ['orderId'] },
    styleA: null,
    styleB: null,
    example: {
      inventoryId: '6740a1f2c3d4e5f6a7b8c9d8',
      productId: '6740a1f2c3d4e5f6a7b8c9d1',
      variantId: '6740a1f2c3d4e5f6a7b8c9d4',
      outletId: '6740a1f2c3d4e5f6a7b8c9d2',
      kind: 'SALE',
      previousStock: 12,
      newStock: 10,
      delta: -2,
      reason: 'Sale R-1001',
      orderId: '6740a1f2c3d4e5f6a7b8c9d5',
      keyId: '6740a1f2c3d4e5f6a7b8c9e0',
    },
  },
  { isAppendOnly: true },
)

/** A variant at an outlet. An existing variant has one stock there, and one chain of entries. */
export interface LevelKey extends VariantKey {
  readonly outletId: string
}

/** What a change of stock belongs to: the order of the sale, refund or void that made it, and the refund. */
export interface StockCause {
  readonly reason: string | undefined
  readonly orderId?: string | undefined
  readonly refundId?: string | undefined
}

/** A change of the stock of a level. */
export interface HistoryEntry extends LevelKey, StockCause {
  readonly inventoryId: string
  readonly productId: string | undefined
  readonly kind: MovementKind
  readonly previousStock: number
  readonly newStock: number
  /** The time of the change, from the record that changed. */
  readonly at: string
}

/** One text for a level. */
export const levelKey = ({ scope, variantId, outletId }: LevelKey) => keyOf(scope.companyId, variantId, outletId)

/** The difference of two quantities, without the error of binary fractions. */
const difference = (newStock: number, previousStock: number) => Number((newStock - previousStock).toFixed(6))

const insertInto =
  'insert into inventory_history (company_id, id, created_at, inventory_id, product_id, variant_id, outlet_id, kind, order_id, body)'
const append: ManyRows = {
  name: 'inventory_history_insert',
  into: insertInto,
  row: (of) => `$1, ${[0, 1, 2, 3, 4, 5, 6, 7].map(of).join(', ')}, ${of(8)}::json`,
}

/**
 * Adds entries; those of one level in their order and after its existing ones, whatever the clocks say. The caller has
 * locked the variants, and passes only entries of managed ones. `read` are the last entries of their levels, if the
 * caller has read them since.
 */
export async function appendHistory(
  transaction: Queryable,
  entries: readonly HistoryEntry[],
  read?: ReadonlyMap<string, ChainEnd>,
): Promise<void> {
  if (entries.length === 0) return
  const levels = () => [...new Map(entries.map((entry) => [levelKey(entry), entry])).values()]
  const older = read ?? (await lastEntries(transaction, levels()))
  const times = new Map<string, string>()
  const chains = Map.groupBy(entries, levelKey)
  const all = [...chains].flatMap(([key, own]) => inChain(own, older.get(key)?.newStock ?? 0))
  const rows = all.map((entry) => {
    const { scope, inventoryId, productId, variantId, outletId, kind, previousStock, newStock } = entry
    const key = levelKey(entry)
    const last = older.get(key)
    const from = last ? later(entry.at, last.at) : entry.at
    const at = from > (times.get(key) ?? '') ? from : (times.get(key) as string)
    times.set(key, at)
    const id = newId()
    const delta = difference(newStock, previousStock)
    const references = { inventoryId, productId, variantId, outletId }
    const { reason, orderId, refundId } = entry
    const { companyId, keyId, user } = scope
    const change = { kind, previousStock, newStock, delta, reason, orderId, refundId, keyId, userId: user?.id }
    const record = { id, ...references, ...change, createdAt: at, companyId }
    return { ...entry, id, at, body: JSON.stringify(record) }
  })
  if (transaction.isSharded) {
    for (const own of byCompany(transaction, rows, ({ scope }) => scope.companyId))
      await insertMany(
        transaction,
        append,
        [own[0]?.scope.companyId],
        own.map(({ id, at, inventoryId, productId = '', variantId, outletId, kind, orderId = '', body }) => [
          id,
          at,
          inventoryId,
          productId,
          variantId,
          outletId,
          kind,
          orderId,
          body,
        ]),
      )
    return
  }
  await transaction.query(
    {
      name: 'inventory_history_append',
      text: `
      ${insertInto}
      select * from rows from (
        unnest($1::text[]), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]), unnest($5::text[]),
        unnest($6::text[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), json_array_elements($10::json))`,
    },
    [
      rows.map(({ scope }) => scope.companyId),
      rows.map(({ id }) => id),
      rows.map(({ at }) => at),
      rows.map(({ inventoryId }) => inventoryId),
      rows.map(({ productId }) => productId ?? ''),
      rows.map(({ variantId }) => variantId),
      rows.map(({ outletId }) => outletId),
      rows.map(({ kind }) => kind),
      rows.map(({ orderId }) => orderId ?? ''),
      `[${rows.map(({ body }) => body).join(',')}]`,
    ],
  )
}

/** The reason of a change without an entry: one from before there was a history. */
export const beforeHistory = 'Changed before its history began.'

/**
 * Entries of one level in the order in which its stock changed. Those of one record keep their order, and a record that
 * leaves the level comes before its replacement. They begin where the chain ends; if they do not, an extra entry says
 * so.
 */
function inChain(entries: readonly HistoryEntry[], stock: number): HistoryEntry[] {
  const records = [...Map.groupBy(entries, ({ inventoryId }) => inventoryId).values()]
  const chain: HistoryEntry[] = []
  for (let last = stock; records.length > 0; ) {
    const at = Math.max(
      0,
      records.findIndex(([first]) => first?.previousStock === last),
    )
    const [own] = records.splice(at, 1) as [HistoryEntry[]]
    const first = own[0] as HistoryEntry
    if (first.previousStock !== last)
      chain.push({
        ...first,
        kind: 'ADJUSTMENT',
        previousStock: last,
        newStock: first.previousStock,
        reason: beforeHistory,
        orderId: undefined,
        refundId: undefined,
      })
    chain.push(...own)
    last = own.at(-1)?.newStock ?? last
  }
  return chain
}

/** Where the chain of a level ends. */
export type ChainEnd = Pick<HistoryEntry, 'at' | 'newStock' | 'inventoryId' | 'productId'>

/**
 * The last entry of each level that has one, by `levelKey`. The bound and the order match one index, so that PostgreSQL
 * never prefers another one and scans the entries of all levels by time.
 */
export async function lastEntries(transaction: Queryable, levels: readonly LevelKey[]): Promise<Map<string, ChainEnd>> {
  if (levels.length === 0) return new Map()
  const rows = await transaction.query(
    {
      name: 'inventory_history_last',
      text: `
      select item.company_id, item.variant_id, item.outlet_id, last.created_at, last.body ->> 'newStock',
        last.inventory_id, last.product_id
      from unnest($1::text[], $2::text[], $3::text[]) with ordinality as item(company_id, variant_id, outlet_id, number)
      cross join lateral (
        select variant_id, outlet_id, created_at, body, inventory_id, product_id from inventory_history as entry
        where entry.company_id = item.company_id and (entry.variant_id, entry.outlet_id) <= (item.variant_id, item.outlet_id)
        order by entry.variant_id desc, entry.outlet_id desc, entry.created_at desc, entry.id desc limit 1
      ) as last
      where last.variant_id = item.variant_id and last.outlet_id = item.outlet_id and ${keepsPlan('item.number')}`,
    },
    [
      levels.map(({ scope }) => scope.companyId),
      levels.map(({ variantId }) => variantId),
      levels.map(({ outletId }) => outletId),
    ],
  )
  return new Map(
    rows.map(([companyId, variantId, outletId, at, newStock, inventoryId, productId]) => [
      keyOf(companyId, variantId, outletId),
      { at, newStock: Number(newStock), inventoryId, productId: productId || undefined },
    ]),
  )
}
