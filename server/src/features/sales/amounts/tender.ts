// How a sale is paid: what is left for cash, rounded to the smallest coin, the change, and what is still due.

import { amountText, nearest, negated, sum, sumText } from '../../../core/exact.ts'
import { bodyError, invalid, type Problem } from '../../../core/problem.ts'

import type { PaidPayment, Payment, SentPayment } from './sale.ts'
import type { Worksheet } from './worksheet.ts'

/** The computed payments, and what follows from them, in minor units. */
interface Tender {
  readonly payments: readonly { readonly amount: bigint; readonly change: bigint }[]
  readonly paid: bigint
  readonly due: bigint
  readonly change: bigint
  /** What is to be paid in cash: the rest after all other payments. */
  readonly cashTotal: bigint
  /** What rounding to the smallest coin added to the total, once the rest was paid in cash. */
  readonly cashRounding: bigint
}

/**
 * The payments of a sale, with the amount of the one that lacks it: what the others leave of the total, in cash rounded to
 * the smallest coin, which is `unit` in minor units.
 */
export function withRest(
  payments: readonly Payment[],
  total: bigint,
  unit: bigint,
  sheet: Worksheet,
): readonly Payment[] {
  const open = payments.findIndex(({ amount }) => amount === undefined)
  const payment = payments[open]
  if (payment === undefined) return payments
  const others = payments.filter((_, n) => n !== open)
  const rest = total - paidIn(others, sheet)
  const amount = wayOf(payment) * (isCash(payment) ? nearest(rest, unit) : rest)
  if (amount < 0n) {
    const why = `${payment.type === 'refund' ? 'a' : 'only a'} payment with the type "refund" goes to the customer`
    const message = `is required: the other payments leave ${amountText(rest, sheet.digits)}, and ${why}`
    sheet.refuse(`/payments/${open}/amount`, 'required', message)
  }
  return payments.with(open, { ...payment, amount: amountText(amount, sheet.digits) })
}

/**
 * Computes change and rest. A customer hands over `amount` + `change` in cash. Change is what exceeds the total: as it
 * was sent, otherwise taken from the last payment in cash first. `unit` is the smallest coin in minor units; `hadCash`
 * says whether cash was paid before, of which nothing is given back.
 */
export function tenderOf(
  payments: readonly Payment[],
  total: bigint,
  { unit, hadCash }: { readonly unit: bigint; readonly hadCash: boolean },
  sheet: Worksheet,
): Tender {
  const given = payments.map((payment) => {
    const way = wayOf(payment)
    const sent = sheet.input(payment.amount)
    const change = isCash(payment) && payment.change !== undefined ? sheet.input(payment.change) : undefined
    return { way, isCash: isCash(payment), sent, change, handed: way * sent + (change ?? 0n) }
  })
  const handed = (inCash: boolean) => sum(given.map((one) => (one.isCash === inCash ? one.handed : 0n)))
  const hasCash = hadCash || given.some((payment) => payment.isCash)
  const rest = total - handed(false)
  const cashTotal = nearest(rest, unit)
  let excess = hasCash && handed(true) > cashTotal ? handed(true) - cashTotal : 0n
  const settled = given.map(({ handed }) => ({ amount: handed, change: 0n }))
  const giveBack = (n: number, most: bigint) => {
    const { amount, change } = settled[n] as (typeof settled)[number]
    const back = [excess, most, amount].reduce((least, one) => (one < least ? one : least))
    if (back <= 0n) return
    excess -= back
    settled[n] = { amount: amount - back, change: change + back }
  }
  const lastFirst = given.flatMap(({ isCash, change }, n) => (isCash ? [{ n, change }] : [])).reverse()
  // Change that was sent was given. Any further excess is taken from payments without change, if there are any.
  for (const { n, change = 0n } of lastFirst) giveBack(n, change)
  for (const { n, change } of lastFirst) if (change === undefined) giveBack(n, excess)
  for (const { n } of lastFirst) giveBack(n, excess)
  const paid = sum(settled.map(({ amount }) => amount))
  const change = sum(settled.map((payment) => payment.change))
  const isSettled = hasCash && handed(true) - change === cashTotal
  const cashRounding = isSettled ? cashTotal - rest : 0n
  return {
    payments: settled.map(({ amount, change }, n) => {
      const { way, sent } = given[n] as (typeof given)[number]
      return { amount: way === 0n ? sent : way * amount, change }
    }),
    paid,
    due: total + cashRounding - paid,
    change,
    cashTotal,
    cashRounding,
  }
}

/** Refuses cash with change whose amount is what the customer handed over: the drawer would be expected to hold the change too. */
export function refuseHandedOver(payments: readonly Payment[], tender: Tender, sheet: Worksheet): void {
  for (const [n, payment] of payments.entries()) {
    const change = isCash(payment) && payment.type !== 'refund' ? sheet.input(payment.change) : 0n
    const kept = sheet.input(payment.amount) - change
    if (change <= 0n || kept <= 0n || tender.payments[n]?.amount !== kept) continue
    const limit = amountText(kept, sheet.digits)
    const message = `must be what stays in the drawer, ${limit}, if change is sent; without change, it is what the customer handed over`
    sheet.refuse(`/payments/${n}/amount`, 'maximum', message, Number(limit))
  }
}

/** What was paid, in minor units; money that went back counts below zero. */
export const paidIn = (payments: readonly Payment[], sheet: Worksheet): bigint =>
  sum(payments.map((one) => wayOf(one) * sheet.input(one.amount)))

/** What earlier payments leave of a total. */
export const leftOf = (total: string, earlier: readonly PaidPayment[]): string =>
  sumText([total, ...earlier.map((payment) => negated(signedAmount(payment)))], 0)

/**
 * The problem of payments as they were sent, with the amount of the one that lacked it. `total` is what they are to pay; without
 * it, only a tip can be wrong.
 */
export function wrongPayment(
  sent: readonly SentPayment[],
  computed: readonly { readonly amount?: string }[] | undefined,
  total: string | undefined,
  at: string,
): Problem | undefined {
  const payments = sent.map((payment, n) => ({
    ...payment,
    amount: payment.amount ?? (computed?.[n]?.amount as string),
  }))
  return tipAbovePayment(payments, at) ?? (total === undefined ? undefined : wrongWay(payments, total, at))
}

/** The problem of a tip that is more than its payment, which includes it. */
function tipAbovePayment(payments: readonly PaidPayment[], at: string): Problem | undefined {
  const sizeOf = (amount: string) => (amount.startsWith('-') ? negated(amount) : amount)
  const isAbove = ({ amount, tip }: PaidPayment) =>
    tip?.amount !== undefined && Number(sumText([tip.amount, negated(sizeOf(amount))], 0)) > 0
  const n = payments.findIndex(isAbove)
  if (n === -1) return undefined
  const limit = sizeOf(payments[n]?.amount as string)
  const message = `must not be more than the payment’s amount, ${limit}, which includes the tip`
  return invalid([bodyError(`${at}/payments/${n}/tip/amount`, 'maximum', message, Number(limit))])
}

/**
 * The problem of money that moves in the wrong direction: the direction follows from `total`, and for cash from what is
 * left of it after all other payments. Cash for returned goods was paid out; counted as taken in, the drawer would be
 * expected to hold twice that amount too much.
 */
function wrongWay(payments: readonly PaidPayment[], total: string, at: string): Problem | undefined {
  const moved = payments.map((payment) => ({ isCash: isCash(payment), amount: signedAmount(payment) }))
  const sumOf = (some: typeof moved) =>
    sumText(
      some.map(({ amount }) => amount),
      0,
    )
  const cash = moved.filter(({ isCash }) => isCash)
  const rest = sumText([total, negated(sumOf(moved.filter(({ isCash }) => !isCash)))], 0)
  const isWhole = Number(total) < 0 || Number(sumOf(moved)) < 0
  const [some, due] = isWhole ? [moved, total] : [cash, rest]
  const way = Math.sign(Number(sumOf(some)))
  if (way === 0 || way === (Number(due) < 0 ? -1 : 1)) return undefined
  const n = moved.findIndex((one) => some.includes(one) && Math.sign(Number(one.amount)) === way)
  const why = isWhole
    ? `since ${total} is to be paid`
    : `since the other payments leave ${due} of ${total} to be paid in cash`
  const message =
    way > 0
      ? `must not be a payment by the customer, ${why}; send what the customer gets with the type "refund"`
      : `must not be a payment to the customer, ${why}; send what the customer pays with the type "sale"`
  return invalid([bodyError(`${at}/payments/${n}/amount`, 'direction', message)])
}

/** Whether a payment of a sale, or of an order's `paymentMethods`, is in cash. */
export const isCash = ({ paymentMethod, paymentType }: Payment): boolean => (paymentMethod ?? paymentType) === 'cash'

/** The amount of a payment; below zero if it went back to the customer. */
function signedAmount(payment: PaidPayment): string {
  const way = wayOf(payment)
  return way < 0n ? negated(payment.amount) : way === 0n ? '0' : payment.amount
}

/**
 * Whether a payment is money in or money back, which also has a positive amount. A payment of another type, such as
 * void, is neither, as on orders.
 */
function wayOf({ type = 'sale', amount = '0' }: Payment): bigint {
  if (type === 'refund') return amount.startsWith('-') ? 1n : -1n
  return type === 'sale' ? 1n : 0n
}
