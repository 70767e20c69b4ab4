// How an order is paid: amounts, sums and change as the service computes them, and what would keep it from being sold.
import { useState } from 'react'
import type { RecordData } from '../../api/records.ts'
import type { Sale, SalePaid } from '../../api/schemas.ts'
import { isZero, sumOf } from '../../parts/decimal.ts'
import { Unreadable } from '../../parts/unreadable.ts'
import { hasOpenItems, isPayout } from './entries.ts'
import type { ShownPayment } from './PaymentRows.tsx'
import { useComputed } from './use-computed.ts'

export type Paying = ReturnType<typeof usePaying>

/** The payments of an order; `about` is what is sent besides them. A payment without a typed amount pays what the others leave. */
export function usePaying(order: RecordData, about: object, isSending: boolean) {
  const [rows, choose] = useState<readonly ShownPayment[]>([{ paymentMethod: 'cash' }])
  const type = isPayout(order) ? 'refund' : 'sale'
  const values = [...Object.values(about), ...rows.map(({ amount }) => amount)]
  const isReadable =
    !values.some((value) => value instanceof Unreadable) && rows.every(({ paymentMethod }) => paymentMethod !== '')
  const payments = rows.map(({ paymentMethod, amount }) => ({ paymentMethod, type, ...(amount !== '' && { amount }) }))
  const isOpen = hasOpenItems(order)
  const body = isReadable ? { ...about, payments } : undefined
  const path = `/v1/sale/${order.id}/${isOpen ? 'complete' : 'payments'}?dryRun=true`
  // Sums do not depend on stock, and goods that are missing are asked about beside them.
  const asked = body && { ...body, ...(isOpen && { oversell: true }) }
  const { computed, isCurrent, problem } = useComputed<SalePaid & Partial<Sale>>(path, asked, isSending)
  const shown = rows.map((row, n) => ({
    ...row,
    amount: row.amount ?? computed?.transactions[n]?.amount ?? '',
  }))
  const [first] = rows
  const isNothing =
    first !== undefined && first.amount === undefined && isZero(computed?.transactions[0]?.amount ?? '1')
  const changes = computed?.order.paymentMethods?.slice(-rows.length).map(({ change }) => change) ?? []
  return {
    payments: shown,
    computed,
    /** What the customer gets back of the cash. */
    change: sumOf(rows.length > 0 ? changes : []),
    isStale: !isCurrent && problem === undefined,
    isReady: body !== undefined && isCurrent,
    /** Whether nothing is left to pay, such as after a deposit. */
    isNothing: isNothing && problem === undefined,
    /** Whether the stock of an item falls below zero. */
    isShort: computed?.stock?.some(({ stock }) => stock < 0) ?? false,
    problem,
    /** What to send; nothing is paid if nothing is left to pay. */
    sent: body && { ...body, payments: isNothing ? [] : payments },
    edit: (n: number, next: Partial<ShownPayment>) =>
      choose(rows.map((row, at) => (at === n ? { ...row, ...next } : row))),
    add: () => choose([...shown, { paymentMethod: '' }]),
    remove: (n: number) => choose(rows.filter((_, at) => at !== n)),
  }
}
