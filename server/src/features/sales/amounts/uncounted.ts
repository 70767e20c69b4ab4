// Members of a sale that would count as nothing, such as a discount whose amount has an unknown name: they are refused.

import { stepTo } from '../../../core/problem.ts'
import { hasNumber, type Misnamed, misnamed, notCounted } from './misnamed.ts'
import type { PricedItem } from './priced-items.ts'
import type { CustomSale, LineItem, Sale, Share, Summary } from './sale.ts'
import type { Worksheet } from './worksheet.ts'

/** Whether a discount or tip counts by its amount or percentage. */
const counts = (sent: Share | undefined): boolean => sent?.amount !== undefined || sent?.percentage !== undefined

/** Whether a discount or tip has a number, but would count as nothing. One of words alone stands for none. */
const isUncounted = (sent: Share | undefined): boolean => sent !== undefined && !counts(sent) && hasNumber(sent)

/** Refuses what would count as nothing in a sale whose total is computed: the customer would pay another amount. */
export function refuseUncounted(
  sale: Sale,
  items: readonly PricedItem[],
  isInclusive: boolean,
  sheet: Worksheet,
): void {
  const { lineItems = [], customSales = [], cartDiscount, cartFees, summary = {} } = sale
  for (const [n, line] of lineItems.entries()) refuseInLine(`/lineItems/${n}`, line, sheet)
  for (const [n, item] of customSales.entries())
    if (item.applyTaxes !== false) refuseTaxes(`/customSales/${n}`, item, sheet)
  // Without an amount of its own, the discount on the cart is the sum of the lines' parts.
  if (!lineItems.some(({ discount }) => counts(discount?.cartDiscount)))
    refuseShare('/cartDiscount', cartDiscount, sheet)
  refuseTips(sale, summary.tip, sheet)
  const refuse = (name: Misnamed, meant: string = name) => refuseMisnamed('/summary', summary, { name, meant }, sheet)
  const isDiscounted = cartDiscount !== undefined || lineItems.some(({ discount }) => discount !== undefined)
  if (summary.shippingTotal === undefined) refuse('shippingTotal')
  if (summary.tip === undefined && !hasTip(sale)) refuse('tip')
  if (!isDiscounted) refuse('cartDiscount', 'cartDiscount of the sale')
  if (cartFees === undefined && items.every(({ fee }) => fee === 0n)) refuse('cartFees', 'cartFees of the sale')
  const isTaxAdded = !isInclusive && items.some((item) => !isUntaxed(item))
  if (summary.isTaxInclusive === undefined && isTaxAdded)
    refuseMisnamed('/summary', summary, { name: 'isTaxInclusive', holds: (value) => value === true }, sheet)
  refuseUntaxed(items, summary, sheet)
}

/** Refuses a member under the name that it has in other systems. */
function refuseMisnamed(
  at: string,
  object: object,
  { name, meant = name, holds }: MeantMember,
  sheet: Worksheet,
): void {
  const member = misnamed(object, name, holds)
  if (member !== undefined) sheet.refuse(stepTo(member, at), 'unknown', notCounted(meant))
}

interface MeantMember {
  readonly name: Misnamed
  /** What the message calls it; by default its name. */
  readonly meant?: string
  /** Whether a value would count under the right name; by default, an amount. */
  readonly holds?: (value: unknown) => boolean
}

const isUntaxed = ({ taxes, bareTax }: PricedItem): boolean => taxes.length === 0 && bareTax === 0n

/** Refuses taxes that no line has: under another name, or as a rate in the summary, which only sums the taxes of lines. */
function refuseUntaxed(items: readonly PricedItem[], summary: Summary, sheet: Worksheet): void {
  const untaxed = items.filter(isUntaxed)
  for (const { at, sent } of untaxed) {
    const isTaxFree = (sent as CustomSale).applyTaxes === false
    if ((sent.taxes ?? sent.totalTax) === undefined && !isTaxFree) refuseMisnamed(at, sent, { name: 'taxes' }, sheet)
  }
  if (untaxed.length < items.length || items.length === 0) return
  if (summary.totalTaxes === undefined)
    refuseMisnamed('/summary', summary, { name: 'taxes', meant: 'taxes of the lines' }, sheet)
  for (const [n, { percentage, amount }] of (summary.taxes ?? []).entries())
    if (percentage && amount === undefined)
      sheet.refuse(
        `/summary/taxes/${n}`,
        'unknown',
        'is on no line, so it would not count; send it in taxes of the lines',
      )
}

function refuseShare(at: string, sent: Share | undefined, sheet: Worksheet): void {
  if (isUncounted(sent)) sheet.refuse(`${at}/amount`, 'required', 'is required, unless percentage is sent')
}

/** Whether a payment has a tip: without an amount of its own, the tip of the sale is the sum of those of its payments. */
const hasTip = ({ payments = [] }: Pick<Sale, 'payments'>): boolean => payments.some(({ tip }) => counts(tip))

/** Refuses tips that have a number, but no amount. */
export function refuseTips(sale: Pick<Sale, 'payments'>, tip: Share | undefined, sheet: Worksheet): void {
  const { payments = [] } = sale
  if (counts(tip)) return
  if (!hasTip(sale)) refuseShare('/summary/tip', tip, sheet)
  for (const [n, { tip }] of payments.entries())
    if (isUncounted(tip) || (hasNumber(tip?.percentage) && tip?.amount === undefined))
      sheet.refuse(`/payments/${n}/tip/amount`, 'required', 'is required; a percentage is computed in summary.tip only')
}

function refuseInLine(at: string, line: LineItem, sheet: Worksheet): void {
  const { discount = {} } = line
  refuseTaxes(at, line, sheet)
  if (line.discount === undefined) refuseMisnamed(at, line, { name: 'discount.itemDiscount' }, sheet)
  if (line.fee === undefined) refuseMisnamed(at, line, { name: 'fee' }, sheet)
  refuseShare(`${at}/discount/itemDiscount`, discount.itemDiscount, sheet)
  refuseShare(`${at}/discount/cartDiscount`, discount.cartDiscount, sheet)
  if (discount.itemDiscount ?? discount.cartDiscount) return
  const sent: Readonly<Record<string, unknown>> = discount
  const misplaced = ['percentage', 'amount'].find((member) => hasNumber(sent[member]))
  if (misplaced)
    sheet.refuse(`${at}/discount/${misplaced}`, 'unknown', 'is not known here; send it in discount.itemDiscount')
  else if (isUncounted(discount as Share))
    sheet.refuse(`${at}/discount/itemDiscount`, 'required', 'is required, with an amount or a percentage')
}

/** Refuses taxes without a rate or an amount. */
function refuseTaxes(at: string, { taxes = [] }: LineItem | CustomSale, sheet: Worksheet): void {
  for (const [n, { percentage, amount }] of taxes.entries())
    if (percentage === undefined && amount === undefined)
      sheet.refuse(`${at}/taxes/${n}/percentage`, 'required', 'is required, unless amount is sent; 0 means no tax')
}
