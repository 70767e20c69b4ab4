// How a refund is paid back: as the service itself would, unless someone chooses other methods or amounts.
import { useState } from 'react'
import type { SaleRefunded } from '../../api/schemas.ts'
import { minus, sumOf } from '../../parts/decimal.ts'
import { useComputed } from './use-computed.ts'

/** Money that goes back by a method. The last one without a typed amount pays what the others leave. */
interface PaidBack {
  readonly paymentMethod: string
  readonly amount?: unknown
}

export type Payback = ReturnType<typeof usePayback>

/** Those of the refund that `body` asks for, which is undefined while nothing is chosen. */
export function usePayback(orderId: string, body: object | undefined, isSending: boolean) {
  const path = `/v1/sale/${orderId}/refund?dryRun=true`
  const { computed, isCurrent, problem } = useComputed<SaleRefunded>(path, body, isSending)
  const [chosen, choose] = useState<readonly PaidBack[]>()
  // Of an exchange, more can go back than was paid; the service does not guess how.
  const needed = problem?.errors.find(({ pointer, code }) => pointer === '/payments' && code === 'required')?.limit
  const proposed = needed === undefined ? computed?.transactions : [{ paymentMethod: '', amount: String(needed) }]
  const total = sumOf(proposed?.map(({ amount }) => amount) ?? [])
  const rows = chosen ?? withRest(proposed?.map(({ paymentMethod = '', amount }) => ({ paymentMethod, amount })) ?? [])
  const left = sumOf([total, ...rows.map(({ amount }) => minus(String(amount)))])
  // The currency may have no decimals.
  const rest = left.startsWith('-') ? '0' : left.replace(/\.0+$/, '')
  const payments = rows.map(({ paymentMethod, amount = rest }) => ({ paymentMethod, amount }))
  const isComputed = body !== undefined && needed === undefined && problem === undefined
  const summary = isComputed ? computed?.refund.summary : undefined
  return {
    payments,
    /** What is paid back in all, however it is divided between methods. */
    total,
    /** The refund's sums, if more or less is paid back, such as in coins. */
    differing: sumOf([summary?.total]) === total ? undefined : summary,
    isKnown: body !== undefined && proposed !== undefined,
    /** Whether the service’s proposal is awaited, and what is shown is at most the one for earlier input. */
    isStale: body !== undefined && chosen === undefined && !isCurrent && problem === undefined,
    isNeeded: needed !== undefined,
    /** What someone chose in place of the service’s own proposal. */
    chosen,
    /** Why the refund would be refused, other than for want of a method. */
    problem: needed === undefined ? problem : undefined,
    /** What to send: nothing while the service’s own proposal is right. */
    sent: (chosen !== undefined || needed !== undefined) && {
      payments: payments.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== ''))),
    },
    change: (n: number, next: Partial<PaidBack>) =>
      choose(rows.map((row, at) => (at === n ? { ...row, ...next } : row))),
    add: () => choose([...payments, { paymentMethod: '' }]),
    remove: (n: number) => choose(withRest(rows.filter((_, at) => at !== n))),
  }
}

/** The last one follows the total until its amount is typed. */
const withRest = (rows: readonly PaidBack[]): readonly PaidBack[] =>
  rows.map(({ paymentMethod, amount }, n) => ({ paymentMethod, ...(n < rows.length - 1 && { amount }) }))
