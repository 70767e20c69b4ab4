// Members of a sale under the names that other systems give them: as further members they would be kept, and count as nothing.

import { bodyError, invalid, type Problem, stepTo } from '../../../core/problem.ts'
import type { Sale } from './sale.ts'

/** Names in other systems, in lower case without punctuation. A name that is merely similar may mean something else. */
const others = {
  variantId: ['variantid', 'variationid', 'itemvariationid', 'catalogobjectid'],
  productId: ['productid'],
  quantity: ['quantity', 'qty'],
  'discount.itemDiscount': ['discounts', 'itemdiscount', 'discountamount', 'discounttotal', 'discountpercentage'],
  fee: ['fees'],
  taxes: ['tax', 'taxamount', 'taxlines', 'taxtotal', 'totaltax', 'taxrate', 'vat', 'vatrate'],
  isTaxInclusive: ['taxinclusive', 'taxincluded', 'taxesincluded', 'pricesincludetax', 'istaxincluded'],
  shippingTotal: ['shipping', 'totalshipping', 'shippingamount', 'shippingcost', 'shippingprice', 'delivery'],
  tip: ['tips', 'tipamount', 'tiptotal', 'totaltip', 'gratuity'],
  cartDiscount: ['discount', 'discounts', 'cartdiscount', 'discountamount', 'totaldiscount', 'totaldiscounts'],
  cartFees: ['fee', 'fees', 'cartfees', 'totalfees', 'surcharge', 'servicecharge'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Misnamed = keyof typeof others

/** The member of an object that other systems call so, if it holds something. */
export function misnamed(object: object, name: Misnamed, holds: (value: unknown) => unknown): string | undefined {
  const names: readonly string[] = others[name]
  const isOther = ([member, value]: [string, unknown]) =>
    names.includes(member.toLowerCase().replaceAll(/[^a-z]/g, '')) && holds(value)
  return Object.entries(object).find(isOther)?.[0]
}

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
