// Derives from an order, and from what was paid, refunded and returned, what is due, and how far payment and delivery
// are.

import { decimalsOf, exact, isNear, negated, plus, rounded, sumText, whole } from '../core/exact.ts'

/** How far an order is paid, and whether the customer has the goods. */
export const paymentStatuses = ['unpaid', 'partially-paid', 'paid', 'partially-refunded', 'refunded'] as const
export const fulfilmentStatuses = ['unfulfilled', 'fulfilled', 'partially-returned', 'returned', 'cancelled'] as const

interface CountedLine {
  readonly quantity?: number
}

/** The members of an order from which the others follow. */
interface DueMembers {
  readonly status?: string
  readonly source?: string
  readonly summary?: { readonly total?: string; readonly cashRounding?: string }
  readonly lineItems?: readonly CountedLine[]
  readonly customSales?: readonly CountedLine[]
  readonly paid?: string
  readonly refunded?: string
  readonly returned?: string
  readonly returnedQuantity?: number
}

/**
 * The totals of an update of a sale, with its cash rounding if they leave it out: the service computed it, and the till that sends other
 * totals may not know it. The customer would owe it again.
 */
export function withCashRounding<S extends { readonly cashRounding?: string }>(
  { summary }: { readonly summary?: S },
  before: { readonly completedAt?: string; readonly summary?: S } | undefined,
): { readonly summary?: S } {
  const cashRounding = before?.completedAt && before.summary?.cashRounding
  if (!cashRounding || summary === undefined || summary.cashRounding !== undefined) return {}
  return { summary: { ...summary, cashRounding } }
}

/** The derived members; none before anything was paid or came back. Without a total, nobody knows what is due. */
export function dueOf(order: DueMembers) {
  const { paid, refunded = '0' } = order
  if (paid === undefined) return { due: undefined, paymentStatus: undefined, fulfilmentStatus: undefined }
  const terms = dueTerms(order, [negated(paid), refunded])
  const due = terms && sumText(terms, 0)
  return {
    due,
    paymentStatus: due === undefined ? undefined : paymentStatus(order, { paid, refunded, due }),
    fulfilmentStatus: fulfilmentStatus(order),
  }
}

/**
 * The terms of `due`; `back` is what was paid, as an amount that is owed to the customer. For a cancelled order only
 * `back` counts; an order without a total has none.
 */
function dueTerms(
  { status, summary = {}, returned = '0' }: DueMembers,
  back: readonly string[],
): readonly string[] | undefined {
  const { total, cashRounding = '0' } = summary
  if (status === 'cancelled') return back
  return total === undefined ? undefined : [total, cashRounding, negated(returned), ...back]
}

const signOf = (amount: string): number => Number(exact(amount).n > 0n) - Number(exact(amount).n < 0n)

/**
 * The status follows from `due` first, so that a list of unpaid orders is complete; then from what the shop has kept, `paid` − `refunded`.
 *
 * | due           | kept          | and                                                      | status             |
 * |---------------|---------------|----------------------------------------------------------|--------------------|
 * | above zero    | nothing       |                                                          | unpaid             |
 * | above zero    | above zero    |                                                          | partially-paid     |
 * | zero or below | above zero    | nothing was paid back                                    | paid               |
 * | zero or below | above zero    | something was paid back                                  | partially-refunded |
 * | zero or below | nothing       | money or goods went back, or the order is cancelled      | refunded           |
 * | zero or below | nothing       | otherwise: the order costs nothing, or is a return       | paid               |
 */
function paymentStatus(
  { status, returned = '0' }: DueMembers,
  { paid, refunded, due }: { readonly paid: string; readonly refunded: string; readonly due: string },
): (typeof paymentStatuses)[number] {
  const kept = signOf(sumText([paid, negated(refunded)], 0))
  const isKept = kept > 0
  const isPaidBack = signOf(refunded) > 0 || kept < 0
  // A total can be finer than its currency: what no payment can pay is not due.
  if (rounded(exact(due), decimalsOf(paid)) > 0n) return isKept ? 'partially-paid' : 'unpaid'
  if (isKept) return isPaidBack ? 'partially-refunded' : 'paid'
  return isPaidBack || signOf(returned) > 0 || status === 'cancelled' ? 'refunded' : 'paid'
}

const completed = ['completed', 'refunded', 'partial-refund']

/** Web shops take the money before they send the goods: the status of their orders does not say who has the goods. */
const webShops = ['shopify', 'woocommerce']

function fulfilmentStatus({
  status = '',
  source = '',
  lineItems = [],
  customSales = [],
  returnedQuantity = 0,
}: DueMembers): (typeof fulfilmentStatuses)[number] | undefined {
  if (returnedQuantity > 0) {
    const quantities = [...lineItems, ...customSales].map(({ quantity = 1 }) => exact(Math.max(quantity, 0)))
    const sold = quantities.reduce(plus, whole(0n))
    const returned = exact(returnedQuantity)
    const isAll = isNear(returned, sold) || plus(sold, exact(-returnedQuantity)).n <= 0n
    return isAll ? 'returned' : 'partially-returned'
  }
  if (status === 'cancelled') return 'cancelled'
  if (webShops.includes(source)) return undefined
  return completed.includes(status) ? 'fulfilled' : 'unfulfilled'
}
