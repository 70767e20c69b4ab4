// The members of a sale from which its amounts are computed, as types: those of an order, and its payments.

import type { Field } from '../../../engine/field.ts'
import type { customSale, lineItem, orderPayment, summary } from '../../../resources/sale-shapes.ts'
import type { share } from '../../../resources/shapes.ts'

type ShapeOf<Made extends (...of: never[]) => Field<any>> =
  ReturnType<Made> extends Field<infer T> ? Readonly<T> : never

export type LineItem = ShapeOf<typeof lineItem>
export type CustomSale = ShapeOf<typeof customSale>
export type Share = ShapeOf<typeof share>
export type Summary = ShapeOf<typeof summary>
export type Tax = Readonly<NonNullable<LineItem['taxes']>[number]>

/** A payment: of a sale's `payments` as a transaction has it, or of an order's `paymentMethods`. */
export type Payment = ShapeOf<typeof orderPayment> & { readonly paymentMethod?: string; readonly type?: string }

/** The body of a sale or an order, checked. Members that are not named here are kept as they are. */
export interface Sale {
  readonly currency?: string
  readonly outletId?: string
  readonly lineItems?: readonly LineItem[]
  readonly customSales?: readonly CustomSale[]
  readonly cartDiscount?: Share
  readonly cartFees?: readonly unknown[]
  readonly summary?: Summary
  readonly payments?: readonly Payment[]
  readonly paymentMethods?: readonly Payment[]
  readonly balance?: string
}

/** A payment as it was sent. One payment of a sale or refund can lack its amount. */
export interface SentPayment {
  readonly paymentMethod: string
  readonly amount?: string
  readonly change?: string
  readonly tip?: { readonly amount?: string }
  readonly [member: string]: unknown
}

/** A payment with its amount. */
export interface PaidPayment extends SentPayment {
  readonly amount: string
}
