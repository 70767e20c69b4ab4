// Tips that are given with a later payment of a sale, whose total may have them already.

import { currencyDigits } from '../../core/currency.ts'
import { amountText, decimalText, limitedTo, notNegative, sum } from '../../core/exact.ts'
import { invalid } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import type { JsonObject, Key } from '../../engine/record.ts'
import type { Payment, SentPayment, Share } from './amounts/sale.ts'
import { refuseTips } from './amounts/uncounted.ts'
import { Worksheet } from './amounts/worksheet.ts'
import { earlierPayments } from './records-of-order.ts'

/** Decimals that an amount can have (`decimalPattern`): a tip counts as it was sent, as the payment does that includes it. */
const AMOUNT_DECIMALS = 6

/** A sale of which `due` is to be paid. */
interface TippedSale {
  readonly key: Key
  readonly stored: JsonObject
  /** The tip that the total of the order has. */
  readonly before: Share | undefined
  readonly due: string
  readonly currency: string
  readonly ownCurrency: string | undefined
}

/**
 * What the tips of payments add to the total of a sale, in their order; zero is undefined. A tip that the total has already, and that no
 * earlier payment shows, is not added again. Throws 400 for a tip without an amount.
 */
export async function addedTips(
  transaction: Queryable,
  payments: readonly SentPayment[],
  { key, stored, before, due, currency, ownCurrency }: TippedSale,
): Promise<readonly (string | undefined)[]> {
  const sheet = new Worksheet(AMOUNT_DECIMALS)
  refuseTips({ payments }, undefined, sheet)
  if (sheet.errors.length > 0) throw invalid(sheet.errors)
  const tipIn = ({ tip }: Pick<Payment, 'tip'>) => notNegative(sheet.input(tip?.amount))
  const tips = payments.map((payment) => ((payment.type ?? 'sale') === 'sale' ? tipIn(payment) : 0n))
  if (sum(tips) === 0n || Number(due) <= 0) return tips.map(() => undefined)
  const counted = await earlierPayments(transaction, key, currency, String(ownCurrency))
  const ids = new Set<unknown>(counted.map(({ id }) => id))
  const { paymentMethods = [] } = stored as { readonly paymentMethods?: readonly (Payment & JsonObject)[] }
  const shown = paymentMethods.filter(({ transactionId: id }) => id === undefined || ids.has(id))
  const unpaidTip = notNegative(sheet.input(before?.amount) - sum(shown.map(tipIn)))
  let left = limitedTo(unpaidTip, sheet.input(due))
  return tips.map((tip) => {
    const known = limitedTo(tip, left)
    left -= known
    const added = decimalText(amountText(tip - known, AMOUNT_DECIMALS), currencyDigits(currency))
    return tip === known ? undefined : added
  })
}
