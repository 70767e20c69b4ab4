// Members of a sale under the names that other systems give them: as further members they would be kept, and count as nothing.

import { bodyError, invalid, type Problem, stepTo } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import type { CustomSale, LineItem, Sale } from './sale.ts'

/** Names in other systems, in lower case without punctuation. A name that is merely similar may mean something else. */
const others = {
  variantId: ['variantid', 'variationid', 'itemvariationid', 'catalogobjectid'],
  productId: ['productid'],
  quantity: ['quantity', 'qty'],
  price: [
    'unitprice',
    'itemprice',
    'baseprice',
    'basepricemoney',
    'grossprice',
    'netprice',
    'priceoverride',
    'saleprice',
  ],
  'discount.itemDiscount': [
    'discounts',
    'itemdiscount',
    'discountamount',
    'discounttotal',
    'discountpercentage',
    'discountpercent',
    'discountrate',
  ],
  fee: ['fees'],
  taxes: [
    'tax',
    'taxamount',
    'taxlines',
    'taxtotal',
    'totaltax',
    'taxrate',
    'taxpercentage',
    'taxpercent',
    'vat',
    'vatrate',
  ],
  isTaxInclusive: ['taxinclusive', 'taxincluded', 'taxesincluded', 'pricesincludetax', 'istaxincluded'],
  shippingTotal: ['shipping', 'totalshipping', 'shippingamount', 'shippingcost', 'shippingprice', 'delivery'],
  tip: ['tips', 'tipamount', 'tiptotal', 'totaltip', 'gratuity'],
  cartDiscount: ['discount', 'discounts', 'cartdiscount', 'discountamount', 'totaldiscount', 'totaldiscounts'],
  cartFees: ['fee', 'fees', 'cartfees', 'totalfees', 'surcharge', 'servicecharge'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Misnamed = keyof typeof others

/** Whether a member is an id in the till's own data, by its name. */
const isId = (member: string): boolean => /^id$|Id$|_id$/.test(member)

/**
 * Whether a value holds a number other than zero, also as a text such as `10 %`. Words do not count: a name, a type or a reason is
 * no amount, and tills send it without one too.
 */
export function hasNumber(value: unknown): boolean {
  if (typeof value === 'string') return /^[-+]?[\d.,]*\d\s*%?$/.test(value.trim()) && /[1-9]/.test(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'number' && value !== 0
  return Object.entries(value).some(([member, one]) => !isId(member) && hasNumber(one))
}

/** The members that hold the number of an amount in other systems. */
const amounts = ['amount', 'price', 'total', 'value', 'rate', 'percentage'] as const

/** Whether a value is an amount, or a list or object of amounts. Others have numbers too, such as an address. */
const isAmount = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? [value].flat().some((one) => amounts.some((member) => hasNumber((one as JsonObject | null)?.[member])))
    : hasNumber(value)

/** The member of an object that has this meaning under a name of another system, if it holds something; by default, an amount. */
export function misnamed(
  object: object,
  name: Misnamed,
  holds: (value: unknown) => unknown = isAmount,
): string | undefined {
  const names: readonly string[] = others[name]
  const isOther = ([member, value]: [string, unknown]) =>
    names.includes(member.toLowerCase().replaceAll(/[^a-z]/g, '')) && holds(value)
  return Object.entries(object).find(isOther)?.[0]
}

/** The member that holds the price of a line under another name. */
export const misnamedPrice = (line: LineItem | CustomSale): string | undefined => misnamed(line, 'price')

/** What the error of a misnamed member says. */
export const notCounted = (meant: string): string => `is not known here, so it would not count; did you mean ${meant}?`

/** The problem of a quantity under another name: one unit would be sold, and move stock. */
export function misnamedQuantity({ lineItems = [], customSales = [] }: Sale, at: string): Problem | undefined {
  for (const [list, lines] of Object.entries({ lineItems, customSales }))
    for (const [n, line] of lines.entries()) {
      // Zero counts too: such a line sells nothing.
      const isSent = (value: unknown) => value !== null && value !== ''
      const member = line.quantity === undefined ? misnamed(line, 'quantity', isSent) : undefined
      const message = 'is not known here, so one unit would be sold; did you mean quantity?'
      if (member !== undefined) return invalid([bodyError(stepTo(member, `${at}/${list}/${n}`), 'unknown', message)])
    }
  return undefined
}
