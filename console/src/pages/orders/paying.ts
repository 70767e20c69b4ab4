// How an order is paid: amounts, sums and change as the service computes them, and what would keep it from being sold.
import { useState } from 'react'
import type { RecordData } from '../../api/records.ts'
import type { Sale, SalePaid } from '../../api/schemas.ts'
import { isZero, sumOf } from '../../parts/decimal.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { amountOf, hasOpenItems, isReturn } from './entries.ts'
import type { ShownPayment } from './PaymentRows.tsx'
import { useComputed } from './use-computed.ts'

export type Paying = ReturnType<typeof usePaying>

/**
 * The payments of an order; `about` is what is sent besides them. A payment without a typed amount pays what the others leave. What is due
 * is asked separately only where the response to the payments does not show it: after a deposit, if nothing is due, or if they are wrong.
 */
export function usePaying(order: RecordData, about: object, isSending: boolean) {
  const [rows, choose] = useState<readonly ShownPayment[]>([{ paymentMethod: 'cash' }])
  const isOpen = hasOpenItems(order)
  const path = `/v1/sale/${order.id}/${isOpen ? 'complete' : 'payments'}?dryRun=true`
  // Sums do not depend on stock, and goods that are missing are asked about beside them.
  const asked = { ...about, ...(isOpen && { oversell: true }) }
  const isReadable = !Object.values(about).some((value) => value instanceof Unreadable)
  const [isDueAsked, askDue] = useState(isOpen && amountOf(order.paid) !== undefined)
  const unpaid = useComputed<Sale>(path, isDueAsked && isReadable ? { ...asked, payments: [] } : undefined, isSending)
  const due = isOpen ? unpaid.computed?.order.due : order.due
  const isNothing = due !== undefined && isZero(due)
  const isPayout = due?.startsWith('-') ?? isReturn(order)
  const type = isPayout ? 'refund' : 'sale'
  const payments = isNothing
    ? []
    : rows.map(({ paymentMethod, amount }) => ({ paymentMethod, type, ...(amount !== '' && { amount }) }))
  const isComplete = rows.every(({ paymentMethod, amount }) => paymentMethod !== '' && !(amount instanceof Unreadable))
  const paid = useComputed<SalePaid & Partial<Sale>>(
    path,
    isReadable && isComplete ? { ...asked, payments } : undefined,
    isSending,
  )
  if (isOpen && !isDueAsked && (paid.problem || isZero(paid.computed?.order.summary?.total ?? '1'))) askDue(true)
  const isDueKnown = !isDueAsked || unpaid.isCurrent
  const problem = unpaid.problem ?? (isDueKnown ? paid.problem : undefined)
  const shown = rows.map((row, n) => ({
    ...row,
    amount: row.amount ?? paid.computed?.transactions[n]?.amount ?? '',
  }))
  const changes = paid.computed?.order.paymentMethods?.slice(-rows.length).map(({ change }) => change) ?? []
  return {
    payments: shown,
    /** What was chosen and typed, without computed amounts. */
    typed: rows,
    /** The sums; without the payments if these are wrong. */
    computed: problem ? (paid.computed ?? unpaid.computed) : paid.computed,
    /** What the customer gets back of the cash. */
    change: sumOf(payments.length > 0 ? changes : []),
    isStale: !(paid.isCurrent && isDueKnown) && problem === undefined,
    isReady: paid.isCurrent && isDueKnown,
    /** Whether nothing is left to pay, such as after a deposit. */
    isNothing,
    /** Whether the shop pays the customer, such as what a deposit is above the total. */
    isPayout,
    /** Whether the stock of an item falls below zero. */
    isShort: (paid.computed?.stock ?? unpaid.computed?.stock)?.some(({ stock }) => stock < 0) ?? false,
    problem,
    sent: isReadable && isComplete ? { ...about, payments } : undefined,
    edit: (n: number, next: Partial<ShownPayment>) =>
      choose(rows.map((row, at) => (at === n ? { ...row, ...next } : row))),
    add: () => choose([...shown, { paymentMethod: '' }]),
    remove: (n: number) => choose(rows.filter((_, at) => at !== n)),
  }
}
