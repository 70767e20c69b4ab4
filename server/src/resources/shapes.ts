// Nested objects that several resources share (decisions §2): addresses, taxes, line items, summaries.
import {
  anything,
  decimal,
  description,
  flag,
  list,
  name,
  number,
  object,
  reference,
  required,
  text,
  url,
  word,
} from '../engine/field.ts'

/** An address for invoices or deliveries. */
export const address = () =>
  object(
    {
      firstName: name(),
      lastName: name(),
      company: name(),
      address1: name(),
      address2: name(),
      city: name(),
      state: name(),
      country: name(),
      postCode: name(),
      phone: name(),
      email: name(),
    },
    { title: 'Address' },
  )

/** Pairs that an integration stores with a record. */
export const metadata = () =>
  list(object({ key: required(name()), value: required(text()) }, { title: 'MetadataEntry' }))

/** One tax of a line or of a total. */
export const tax = () =>
  object(
    {
      name: name(),
      percentage: number(),
      amount: decimal(),
      id: reference(),
      taxTableId: reference(),
      taxTableName: name(),
      compounding: flag(),
      priority: number(),
    },
    { title: 'TaxEntry' },
  )

/** Part of a price, as an amount or as a percentage. */
export const share = () => object({ amount: decimal(), percentage: number() }, { title: 'Share' })

/** One line of an order or a refund. */
export const lineItem = ({ needsIds }: { needsIds: boolean }) =>
  object(
    {
      productId: needsIds ? required(reference()) : reference(),
      variantId: needsIds ? required(reference()) : reference(),
      name: name(),
      sku: name(),
      image: url(),
      description: description(),
      note: text(),
      price: decimal(),
      quantity: number(),
      subTotal: decimal(),
      total: decimal(),
      totalTax: decimal(),
      productExternalId: name(),
      variantExternalId: name(),
      lineItemExternalId: name(),
      internalId: name(),
      action: word('RESTOCK', 'REFUND_DAMAGE'),
      taxes: list(tax()),
      discount: object({ cartDiscount: share(), itemDiscount: share() }),
      fee: anything(),
    },
    { title: needsIds ? 'RefundLine' : 'OrderLine' },
  )

/** The totals of an order or a refund. */
export const summary = () =>
  object(
    {
      total: decimal(),
      subTotal: decimal(),
      totalTaxes: decimal(),
      discountTotal: decimal(),
      shippingTotal: decimal(),
      isTaxInclusive: flag(),
      taxes: list(tax()),
      tip: share(),
    },
    { title: 'Summary' },
  )
