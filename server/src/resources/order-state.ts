// The state of an order: how much of it is paid, refunded and returned. Every write of its transactions and refunds
// updates it, and takes what a payment added off the totals when it no longer counts.

import { isId } from '../core/ids.ts'
import type { Queryable, Row } from '../database/connect.ts'
import { keepsPlan } from '../database/statement.ts'
import { columnsOf, holdRows, inOrder } from '../engine/held-rows.ts'
import { lockedRecords } from '../engine/locked-records.ts'
import type { JsonObject, Key } from '../engine/record.ts'
import type { RecordChange, SideEffects } from '../engine/resource.ts'
import type { RowToReplace } from '../engine/store.ts'
import { laterPayments, type RewrittenPayment, rewrittenPayments, withRecounted } from './later-money.ts'
import { order } from './order.ts'
import { summedMembers, sumOrders } from './order-sums.ts'

/** The members of a transaction or a refund on which the state of its order depends. */
const concerned = ['orderId', 'refundId', 'amount', 'type', 'currency', 'summary', 'lineItems']

/** The stored part of the state; the rest follows from it and the order (`dueOf`). */
const members = ['paid', 'refunded', 'returned', 'returnedQuantity'] as const
const derived = [...members, 'due', 'paymentStatus', 'fulfilmentStatus'] as const

const { changed, write } = lockedRecords(order)

/** The orders of a transaction or a refund, before and after a write. */
const ordersOf = ({ scope, before, after }: RecordChange): Key[] =>
  [...new Set([before?.orderId, after.orderId])].flatMap((id) =>
    typeof id === 'string' && isId(id) ? [{ scope, id }] : [],
  )

/**
 * Locks the existing orders until the transaction ends: before their transactions and refunds, and before variants and
 * levels (held-variants.ts). `waits: false` throws instead of waiting, and the caller's transaction begins again.
 */
export const holdOrders = (
  transaction: Queryable,
  keys: readonly Key[],
  options?: { readonly waits: boolean },
): Promise<void> => holdRows(transaction, order.table, keys, options)

/** The row of a locked order: its text as it is stored, and its members with their present state. */
interface CurrentOrder {
  readonly text: string
  readonly order: JsonObject
  /** The stored part of the state, for a write that changes the order too: one write is one event. */
  readonly state: JsonObject
}

/** Reads a locked order with its present state, which it does not write; undefined if the order does not exist. */
export async function currentOrder(transaction: Queryable, key: Key): Promise<CurrentOrder | undefined> {
  const [row] = await sumOrders(transaction, [key])
  if (row === undefined) return undefined
  const text: string = row.at(-1)
  const before: JsonObject = JSON.parse(text)
  const state = summedMembers(row, before) ?? {}
  const summed = { ...before, ...state }
  return { text, state, order: { ...summed, ...order.derive(summed) } }
}

/** Updates the state of locked orders where it differs, and raises `order.updated`. */
async function updateStates(
  transaction: Queryable,
  keys: readonly Key[],
  payments: readonly RewrittenPayment[],
): Promise<void> {
  const ofOrder = Map.groupBy(payments, ({ scope, id }) => `${scope.companyId} ${id}`)
  for (let left = inOrder(keys); left.length > 0; ) {
    const rows = await sumOrders(transaction, left)
    await write(
      transaction,
      rows.flatMap((row, n) => {
        const key = left[n] as Key
        return row ? rewritten(key, row, ofOrder.get(`${key.scope.companyId} ${key.id}`) ?? []) : []
      }),
    )
    left = left.slice(rows.length)
  }
}

/** The row of an order with its new state; none if it has it already. */
function rewritten(key: Key, row: Row, payments: readonly RewrittenPayment[]): RowToReplace[] {
  const [, version, currency] = row
  const before: JsonObject = JSON.parse(row.at(-1))
  const summed = summedMembers(row, before)
  if (summed === undefined) return []
  const record: JsonObject = {
    ...before,
    ...summed,
    summary: withRecounted(before.summary as object | undefined, payments, { currency, ownCurrency: row.at(-2) }),
  }
  Object.assign(record, order.derive(record))
  const values = Object.fromEntries([...derived, 'summary'].map((member) => [member, record[member]]))
  return changed({ ...key, version, before }, values)
}

/** The effect of writes of transactions and refunds on their orders. */
export const orderSideEffects = (table: 'transactions' | 'refunds'): SideEffects => ({
  applies: (before, after) => ordersOf({ before, after } as RecordChange).length > 0,
  locksFirst: {
    isNeeded: ({ set, clear }) => concerned.some((member) => set[member] !== undefined || clear.includes(member)),
    keysOf: ordersOf,
    lock: holdOrders,
  },
  async write(transaction, changes) {
    // If a record's order changed before the record was locked, the new order is not locked yet.
    const updated = changes.filter(({ before }) => before !== undefined)
    await holdOrders(transaction, updated.flatMap(ordersOf), { waits: false })
    await updateStates(transaction, changes.flatMap(ordersOf), changes.flatMap(rewrittenPayments))
  },
  async removing(transaction, keys, remove) {
    const orders = await ordersNamed(transaction, table, keys)
    await holdOrders(transaction, orders)
    const payments = table === 'transactions' ? await laterPayments(transaction, keys) : []
    await remove()
    const left = payments.length > 0 ? await laterPayments(transaction, keys) : []
    const ids = new Set(left.map(({ before }) => before.id))
    const gone = payments.filter(({ before }) => !ids.has(before.id))
    await updateStates(transaction, orders, gone)
  },
})

/** The orders that stored transactions or refunds name. */
async function ordersNamed(transaction: Queryable, table: string, keys: readonly Key[]): Promise<Key[]> {
  const rows = await transaction.query(
    {
      name: `${table}_orders`,
      text: `
      select item.ordinality::int, stored.order_id from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id
      where ${keepsPlan('item.ordinality')}`,
    },
    columnsOf(keys),
  )
  return rows.flatMap(([ordinal, id]) => (isId(id) ? [{ scope: (keys[ordinal - 1] as Key).scope, id }] : []))
}
