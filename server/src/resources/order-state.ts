// What became of an order: how much of it is paid, refunded and returned. Every write of its transactions and refunds updates it.

import { currencyDigits } from '../core/currency.ts'
import { later } from '../core/date-time.ts'
import { sumText } from '../core/exact.ts'
import { isId, newId } from '../core/ids.ts'
import { STATEMENT_CHARACTERS } from '../core/limits.ts'
import { type Queryable, type Row, serializationFailure } from '../database/connect.ts'
import { columnsOf, holdRows, inOrder } from '../engine/held-rows.ts'
import type { JsonObject, Key } from '../engine/record.ts'
import type { RecordChange, SideEffects } from '../engine/resource.ts'
import { type RowToReplace, store } from '../engine/store.ts'
import { writing } from '../engine/writing.ts'
import { order } from './order.ts'

/** The members of a transaction or a refund on which the state of its order depends. */
const concerned = ['orderId', 'refundId', 'amount', 'type', 'currency', 'summary', 'lineItems']

/** The stored part of the state; the rest follows from it and the order (`dueOf`). */
const members = ['paid', 'refunded', 'returned', 'returnedQuantity'] as const
const derived = [...members, 'due', 'paymentStatus', 'fulfilmentStatus'] as const

const { replace } = store(order)
const { shown } = writing(order)

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

/** The sums of an order's transactions and refunds in its own currency, for locked orders. */
const sums = {
  name: 'orders_sums',
  most: STATEMENT_CHARACTERS,
  text: `
  select item.ordinality::int, stored.version, company.currency, money.paid::text, money.refunded::text,
    goods.returned::text, goods.quantity::text, stored.body
  from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
  join orders as stored on stored.company_id = item.company_id and stored.id = item.id
  join companies as company on company.id = stored.company_id
  cross join lateral (select coalesce(nullif(stored.currency, ''), company.currency) as currency offset 0) as own
  cross join lateral (
    select coalesce(sum(amount) filter (where type in ('', 'sale')), 0) as paid,
      coalesce(sum(abs(amount)) filter (where type = 'refund'), 0) as refunded
    from transactions as payment
    where payment.company_id = stored.company_id and payment.order_id = stored.id
      and coalesce(nullif(payment.currency, ''), company.currency) = own.currency
  ) as money
  cross join lateral (
    select coalesce(sum(abs((refund.body #>> '{summary,total}')::numeric)), 0) as returned,
      coalesce(sum((
        select sum(coalesce((line ->> 'quantity')::numeric, 1)) from json_array_elements(refund.body -> 'lineItems') as line
      )), 0) as quantity
    from refunds as refund
    where refund.company_id = stored.company_id and refund.order_id = stored.id
      and coalesce(nullif(refund.body ->> 'currency', ''), company.currency) = own.currency
  ) as goods
  order by item.ordinality`,
}

/** Updates the state of locked orders where it differs, and raises `order.updated`. */
export async function updateStates(transaction: Queryable, keys: readonly Key[]): Promise<void> {
  const left = inOrder(keys)
  while (left.length > 0) {
    const rows = await transaction.query(sums, columnsOf(left))
    const cut = rows.findIndex((row) => row.at(-1) === null)
    const came = cut === -1 ? rows : rows.slice(0, cut)
    const writes = came.flatMap((row) => rewritten(left[row[0] - 1] as Key, row) ?? [])
    if (writes.length > 0 && (await replace(transaction, writes, true)).some((result) => result !== 'written'))
      throw movedMeanwhile()
    left.splice(0, cut === -1 ? left.length : (came.at(-1)?.[0] ?? 1))
  }
}

/** The row of an order with its new state; undefined if it has it already. */
function rewritten(key: Key, row: Row): RowToReplace | undefined {
  const [, version, currency, paid, refunded, returned, quantity, body] = row
  const before: JsonObject = JSON.parse(body)
  const digits = currencyDigits(String(before.currency ?? currency))
  const [paidText, refundedText, returnedText] = [paid, refunded, returned].map((sum) => sumText([sum], digits))
  const record: JsonObject = {
    ...before,
    ...{ paid: paidText, refunded: refundedText, returned: returnedText, returnedQuantity: Number(quantity) },
  }
  if (before.paid === undefined && [paid, refunded, returned].every((sum) => Number(sum) === 0)) return undefined
  Object.assign(record, order.derive(record))
  const changed = derived.filter((member) => record[member] !== before[member])
  if (changed.length === 0) return undefined
  record.updatedAt = later(new Date().toISOString(), String(before.updatedAt))
  const previous = Object.fromEntries(changed.map((member) => [member, before[member] ?? null]))
  const event = { id: newId(), type: `${order.name.one}.updated`, previous: JSON.stringify(previous) }
  return { ...key, version, body: shown(record), events: [event], claims: [] }
}

/** The data has changed since it was read: a serialization failure, so that the transaction is retried. */
const movedMeanwhile = (): Error => serializationFailure('Another transaction changed the order at the same time.')

/** The effect of writes of transactions and refunds on their orders. */
export const orderSideEffects = (table: 'transactions' | 'refunds'): SideEffects => ({
  applies: (before, after) => ordersOf({ before, after } as RecordChange).length > 0,
  locksFirst: {
    isNeeded: ({ set, clear }) => concerned.some((member) => set[member] !== undefined || clear.includes(member)),
    keysOf: ordersOf,
    lock: holdOrders,
  },
  async write(transaction, changes) {
    // A record whose order changed before it was locked has an order that is not locked yet.
    const updated = changes.filter(({ before }) => before !== undefined)
    await holdOrders(transaction, updated.flatMap(ordersOf), { waits: false })
    await updateStates(transaction, changes.flatMap(ordersOf))
  },
  async removing(transaction, keys, remove) {
    const orders = await ordersNamed(transaction, table, keys)
    await holdOrders(transaction, orders)
    await remove()
    await updateStates(transaction, orders)
  },
})

/** The orders that stored transactions or refunds name. */
async function ordersNamed(transaction: Queryable, table: string, keys: readonly Key[]): Promise<Key[]> {
  const rows = await transaction.query(
    {
      name: `${table}_orders`,
      text: `
      select item.ordinality::int, stored.order_id from unnest($1::text[], $2::text[]) with ordinality as item(company_id, id, ordinality)
      join ${table} as stored on stored.company_id = item.company_id and stored.id = item.id`,
    },
    columnsOf(keys),
  )
  return rows.flatMap(([ordinal, id]) => (isId(id) ? [{ scope: (keys[ordinal - 1] as Key).scope, id }] : []))
}
