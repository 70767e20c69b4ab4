// The objects inside the records of the contract (contract.ts): addresses, line items, taxes, summaries.
import {
  anything,
  decimal,
  description,
  email,
  flag,
  type Kind,
  list,
  name,
  object,
  price,
  reference,
  required,
  text,
  url,
  word,
} from './kinds.ts'

export const address = object({
  firstName: name,
  lastName: name,
  company: name,
  address1: name,
  address2: name,
  city: name,
  state: name,
  country: name,
  postCode: name,
  phone: name,
  email: { ...name, values: email.values },
})
export const pairs = list(object({ key: required(name), value: required(text) }))
export const tax = object({
  name,
  percentage: price,
  amount: decimal,
  id: reference,
  taxTableId: reference,
  taxTableName: name,
  compounding: flag,
  priority: price,
})
export const share = object({ amount: decimal, percentage: price })
export const summary = object({
  total: decimal,
  subTotal: decimal,
  totalTaxes: decimal,
  discountTotal: decimal,
  shippingTotal: decimal,
  isTaxInclusive: flag,
  taxes: list(tax),
  tip: share,
})
export const lineItem = (id: Kind) =>
  object({
    productId: id,
    variantId: id,
    name,
    sku: name,
    image: url,
    description,
    note: text,
    price: decimal,
    quantity: price,
    subTotal: decimal,
    total: decimal,
    totalTax: decimal,
    productExternalId: name,
    variantExternalId: name,
    lineItemExternalId: name,
    internalId: name,
    action: word('RESTOCK'),
    taxes: list(tax),
    discount: object({ cartDiscount: share, itemDiscount: share }),
    fee: anything,
  })
export const source = word('woo-commerce')
