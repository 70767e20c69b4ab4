// Voids of sales: in one transaction the payments become void, the order is cancelled, and the goods come back.

import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ItemResult } from '../../engine/record.ts'
import { only } from '../../engine/single.ts'
import { updateStates } from '../../resources/order-state.ts'
import { earlierRefunds, holdSale, moveBack, type ReturnParts } from './held-sale.ts'
import type { StockLine } from './lines.ts'

/** Cancels a sale that was made by mistake: its payments become void, and its goods go back to the shelf. Throws 404 and 409. */
export async function voidSale(
  parts: ReturnParts,
  transaction: Queryable,
  { scope, id, restocks }: { readonly scope: Scope; readonly id: string; readonly restocks: boolean },
): Promise<string> {
  const { key, order } = await holdSale(transaction, scope, id)
  if (order.status === 'cancelled') throw new Problem('conflict', 'The sale has already been cancelled.')
  if (order.status !== 'completed')
    throw new Problem('conflict', 'Only a completed sale without refunds can be voided. Refund it instead.')
  if ((await earlierRefunds(transaction, key)).length > 0)
    throw new Problem('conflict', 'The sale has refunds and cannot be voided. Refund the rest instead.')
  const closeTime = await heldCloseTime(transaction, scope, order.sessionId)
  if (closeTime)
    throw new Problem('conflict', `The session of the sale was closed at ${closeTime}. Refund the sale instead.`)
  const lines: readonly StockLine[] = restocks ? (order.lineItems ?? []) : []
  const stock = await moveBack(transaction, scope, {
    lines,
    outletId: order.outletId,
    reason: `Void of ${order.receiptId ?? id}`,
  })
  const rows = await transaction.query(
    {
      name: 'sales_transactions',
      text: `select id from transactions where company_id = $1 and order_id = $2 and type in ('', 'sale', 'refund') order by created_at, id`,
    },
    [scope.companyId, id],
  )
  const transactions = await parts.transactions.updateMany(
    rows.map(([of]) => ({ scope, id: of, value: { type: 'void' } })),
    transaction,
  )
  await updateStates(transaction, [key])
  const [shownOrder] = (await parts.orders.updateMany(
    [{ scope, id, value: { status: 'cancelled' } }],
    transaction,
  )) as [ItemResult]
  const texts = transactions.map((one) => only(one).text).join(',')
  return `{"order":${only(shownOrder).text},"transactions":[${texts}],"stock":${JSON.stringify(stock)}}`
}

/** When a session was closed, if it was. The lock makes a closing wait for the end of the transaction, so that it sees the void. */
async function heldCloseTime(
  transaction: Queryable,
  { companyId }: Scope,
  sessionId: string | undefined,
): Promise<string | undefined> {
  if (sessionId === undefined) return undefined
  const text = 'select close_time from sessions where company_id = $1 and id = $2 for share'
  const [row] = await transaction.query({ name: 'sales_session_hold', text }, [companyId, sessionId])
  return row?.[0]
}
