// Nested objects of a sale and of a refund (decisions §2): lines, taxes, totals, payments. Their descriptions define every amount.
import {
  anything,
  decimal,
  described,
  description,
  type Field,
  flag,
  integer,
  list,
  name,
  number,
  object,
  reference,
  required,
  text,
  url,
  usualWord,
  word,
} from '../engine/field.ts'
import { share } from './shapes.ts'

/** No order has as many lines. */
export const ORDER_LINES = 1_000_000

/** An amount of a sale. */
const money = (about: string, example: string) =>
  decimal({ description: `${about} A decimal string in the sale’s \`currency\`.`, example })

/** How a payment was made, or paid back. `Cash` is cash: only cash has change, coins and a drawer. */
export const paymentMethod = (description: string) =>
  usualWord(['cash', 'credit_card', 'gift_card', 'store_credit'], { description })

/** A payment method as transactions store it. */
export const usualMethod = paymentMethod('').canonical as (method: string) => string

/** Whether a price contains tax. */
const taxed = 'Contains the tax if `summary.isTaxInclusive` is true.'

const tax = () =>
  object(
    {
      name: name({ description: 'Name of the tax on the receipt.', example: 'VAT' }),
      percentage: number({ description: 'The rate in percent: `20` is 20 %.', example: 20 }),
      amount: money('The tax that is charged at this rate, after all discounts.', '4.50'),
      id: reference({ description: 'Identifies the tax in your system or in its tax table.', example: 'vat-20' }),
      taxTableId: reference({
        description: 'The tax table that the rate comes from: `taxTable` of the product.',
        example: 'standard',
      }),
      taxTableName: name({ description: 'Name of that tax table at the time.', example: 'Standard rate' }),
      compounding: flag({
        description: 'Whether it is computed on the price plus the taxes of lower `priority`, not on the price alone.',
      }),
      priority: number({
        description:
          'The order in which several taxes are computed, the lowest first. By default, their position in the list, from 1.',
        example: 1,
      }),
    },
    { title: 'TaxEntry', description: 'One tax rate, and its amount on a line or in a sale.' },
  )

/** What a line sells or takes back. */
const lineIdentity = (isRefund: boolean, verb: string) => {
  const id = (about: string): Field<string> => {
    const of = reference({ description: about })
    return isRefund ? required(of) : of
  }
  return {
    productId: id(`The product that is ${verb}. It need not exist in the catalogue.`),
    variantId: id(`The variant of the product that is ${verb}. It need not exist in the catalogue.`),
    ...(isRefund && {
      position: integer(0, ORDER_LINES, {
        description:
          'Position of the line in the order’s `lineItems`, or in its `customSales` if `productId` is `custom-sale`, from 0.',
        example: 0,
      }),
    }),
    name: name({
      description: `Name of the item on the receipt; it stays if the product changes.${isRefund ? '' : ' In a sale, a line without a name gets that of its product.'}`,
      example: 'Espresso beans',
    }),
    sku: name({
      description: `Stock keeping unit of the variant at the time of the sale.${isRefund ? '' : ' In a sale, a line without `variantId` gets the variant that has it.'}`,
      example: 'ESP-1-250',
    }),
    image: url({ description: 'URL of a picture of the item.', example: 'https://cdn.example.com/beans.jpg' }),
    description: description({ description: 'Details for the receipt, such as size and colour.', example: '250 g' }),
    note: text({
      description: 'A remark on this line by the cashier or the customer.',
      example: 'Ground for filter',
    }),
  }
}

/** What one unit costs, and all of them. */
const lineAmounts = (verb: string) => ({
  price: money(
    `Price of one unit, before any discount. ${taxed}${verb === 'sold' ? ' In `POST /v1/sale` it is the variant’s current price if it is left out.' : ''}`,
    '12.50',
  ),
  quantity: number({ description: `Units ${verb}; weighed goods have decimals, such as 0.35 kg.`, example: 2 }),
  subTotal: money(`\`price\` × \`quantity\`, before any discount. ${taxed}`, '25.00'),
  total: money(
    `What the line costs after all discounts: \`subTotal\` − \`itemDiscount\` − \`cartDiscount\`. ${taxed}`,
    '22.50',
  ),
  totalTax: money('The tax on `total`: the sum of `taxes`.', '4.50'),
})

/** What identifies a line, and what it sells, in other systems. */
const lineReferences = (isRefund: boolean) => ({
  productExternalId: name({
    description: 'The product in another system, such as your shop software.',
    example: 'woo-118',
  }),
  variantExternalId: name({
    description: 'The variant in another system, such as your shop software.',
    example: 'woo-119',
  }),
  lineItemExternalId: name({
    description: isRefund
      ? 'The `lineItemExternalId` of the order’s line that is returned.'
      : 'Identifies the line in another system, such as your shop software.',
    example: 'woo-line-7',
  }),
  internalId: name({
    description: isRefund
      ? 'The `internalId` of the order’s line that is returned.'
      : 'Identifies the line on the till. A refund repeats it for the line that is returned.',
    example: 'line-1',
  }),
})

/** One line of an order or a refund. */
export const lineItem = ({ isRefund }: { isRefund: boolean }) => {
  const verb = isRefund ? 'returned' : 'sold'
  return object(
    {
      ...lineIdentity(isRefund, verb),
      ...lineAmounts(verb),
      ...lineReferences(isRefund),
      action: word(['RESTOCK', 'REFUND_DAMAGE'], {
        description: 'What happens to a returned item: back to stock, or not. The till moves the stock itself.',
      }),
      taxes: list(tax(), { description: 'The taxes on this line, one entry for each rate.' }),
      discount: object(
        {
          cartDiscount: described(
            share(),
            'This line’s part of the order’s `cartDiscount`, for all its units together.',
          ),
          itemDiscount: described(share(), 'The discount on this line alone, for all its units together.'),
        },
        {
          title: 'LineDiscount',
          description:
            'What is taken off `subTotal`. Both discounts are positive amounts, or negative where `quantity` is negative.',
        },
      ),
      fee: anything({
        description:
          'A fee for this line, such as a bottle deposit, usually {name, amount}. Part of `summary.total` only.',
      }),
    },
    isRefund
      ? {
          title: 'RefundLine',
          description: 'A line of the order that is returned, whole or in part. Amounts are positive.',
        }
      : { title: 'OrderLine', description: 'A product or variant that is sold, with its price, discounts and taxes.' },
  )
}

/** The totals of an order or a refund. */
export const summary = () =>
  object(
    {
      total: money(
        '`subTotal` − `discountTotal` + `totalTaxes` (unless `isTaxInclusive`) + `shippingTotal` + fees + tip.',
        '29.50',
      ),
      subTotal: money('The `subTotal` of all lines and the `total` of all custom sales, before any discount.', '25.00'),
      totalTaxes: money('All taxes, after all discounts: the sum of `taxes`.', '4.50'),
      discountTotal: money('All discounts on lines and on the cart, as a positive amount.', '2.50'),
      shippingTotal: money('The charge for delivery, without tax unless `isTaxInclusive` is true.', '0.00'),
      isTaxInclusive: flag({
        description: 'Whether prices and line totals contain tax, as usual in Europe; if not, tax is added to them.',
      }),
      taxes: list(tax(), { description: 'The taxes of the whole sale, one entry for each rate.' }),
      tip: described(share(), 'The tip, part of `total`. It is neither taxed nor discounted.'),
      cashRounding: money(
        'What rounding to the smallest coin adds to `total` if the remainder is paid, or paid back, in cash; negative if it reduces the total. Payments add up to `total` + `cashRounding`.',
        '-0.01',
      ),
    },
    {
      title: 'Summary',
      description:
        'The totals, computed by the till. The service stores them as they are sent; in a refund they are positive amounts that are paid back.',
    },
  )

/** A line without a product. */
export const customSale = () =>
  object(
    {
      customSaleId: name({ description: 'Identifies the custom sale on the till.', example: 'custom-1' }),
      name: name({ description: 'Name on the receipt.', example: 'Gift wrapping' }),
      price: money(`Price of one unit. ${taxed}`, '1.50'),
      quantity: number({ description: 'Units sold; decimals are allowed.', example: 1 }),
      applyTaxes: flag({ description: 'Whether it is taxed. If not, `totalTax` is zero.' }),
      total: money(`\`price\` × \`quantity\`. ${taxed}`, '1.50'),
      totalTax: money('The tax on `total`: the sum of `taxes`.', '0.30'),
      taxes: list(tax(), { description: 'The taxes on it, one entry for each rate.' }),
    },
    { title: 'CustomSale' },
  )

/** A payment as an order shows it. */
export const orderPayment = () =>
  object(
    {
      transactionId: reference({ description: 'The transaction that records this payment.' }),
      paymentType: paymentMethod('How it was paid: the `paymentMethod` of the transaction.'),
      amount: money('What it pays of `summary.total`, tip included, change not included.', '20.00'),
      timestamp: name({ description: 'When it was paid, as a date-time.', example: '2026-11-21T09:30:00.000Z' }),
      processor: name({ description: 'The payment processor, such as `stripe`; absent for cash.', example: 'stripe' }),
      change: money('Cash given back. The customer handed over `amount` + `change`.', '0.00'),
      tip: described(share(), 'The part of `amount` that is a tip.'),
    },
    { title: 'OrderPayment' },
  )

/** Money paid back, as a refund shows it. */
export const refundPayment = () =>
  object(
    {
      paymentType: paymentMethod('How it was paid back: the `paymentMethod` of the transaction.'),
      amount: money('What was paid back this way, as a positive amount.', '12.50'),
      transactionId: reference({ description: 'The transaction of the type `refund` that records this payment.' }),
    },
    { title: 'RefundPayment' },
  )
