// The quote of a sale on the wire: its computed amounts, and which of the sent sums differ. Nothing is stored.

import type { JsonSchema } from '../../core/json-schema.ts'
import { orThrow, type Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { closed, documents } from '../../engine/documents.ts'
import { once } from '../../engine/idempotency.ts'
import type { JsonObject } from '../../engine/record.ts'
import { json, type Route } from '../../http/route.ts'
import { order } from '../../resources/order.ts'
import { settingsOf } from './amounts/checked-sums.ts'
import { quoteOf } from './amounts/quote.ts'
import type { Sale } from './amounts/sale.ts'
import { wrongPayment } from './amounts/tender.ts'
import { otherCurrency, payment, quoteBody, readSale, sale } from './body.ts'
import { lineCompletion } from './line-products.ts'
import { withLineVariants } from './line-variants.ts'
import { tillOutlets } from './session.ts'
import { taxTablesOf } from './tax-tables.ts'

const amount = (description: string): JsonSchema => ({
  type: 'string',
  description: `${description} A decimal string in \`currency\`.`,
  examples: ['15.00'],
})

const sent = Object.entries(order.ownFields).filter(([, { serverOwned }]) => !serverOwned)

const quotedOrder: JsonSchema = {
  title: 'QuotedOrder',
  description: 'The order as it was sent, with every amount computed.',
  type: 'object',
  properties: Object.fromEntries(sent.map(([member, { schema }]) => [member, schema])),
  required: ['summary', 'balance', 'currency'],
}

const schema: JsonSchema = {
  title: 'SaleQuote',
  description: 'What a sale comes to.',
  type: 'object',
  properties: {
    order: quotedOrder,
    payments: {
      type: 'array',
      items: payment().schema,
      description: 'The payments as they would be stored: cash that is too much is given back as change.',
    },
    checks: {
      ...order.ownFields.checks?.schema,
      description: 'The amounts that were sent and differ, at most 100. The list is empty if the sums are right.',
    },
    currency: { type: 'string', description: 'ISO 4217 code of all amounts.', examples: ['EUR'] },
    total: amount('What the sale costs: `summary.total`.'),
    paid: amount('What the payments add up to, without change.'),
    due: amount('What is still to be paid, negative if too much was paid.'),
    change: amount('The cash to give back.'),
    cashTotal: amount(
      'The amount to pay in cash: the remainder after all other payments, rounded to the smallest coin.',
    ),
    cashRounding: amount('What that rounding adds to the total if the remainder is paid in cash; otherwise zero.'),
  },
  required: ['order', 'payments', 'checks', 'currency', 'total', 'paid', 'due', 'change', 'cashTotal', 'cashRounding'],
}

const line = { productId: '6740a1f2c3d4e5f6a7b8c9d1', price: '12.50', quantity: 2 }
const taxes = [{ name: 'VAT', percentage: 20 }]
const request = {
  currency: 'EUR',
  lineItems: [{ ...line, taxes }],
  payments: [{ paymentMethod: 'cash', amount: '50.00' }],
}
const example = {
  order: {
    currency: 'EUR',
    lineItems: [
      { ...line, subTotal: '25.00', total: '25.00', totalTax: '5.00', taxes: [{ ...taxes[0], amount: '5.00' }] },
    ],
    summary: {
      isTaxInclusive: false,
      subTotal: '25.00',
      discountTotal: '0.00',
      totalTaxes: '5.00',
      taxes: [{ ...taxes[0], amount: '5.00' }],
      total: '30.00',
    },
    balance: '0.00',
  },
  payments: [{ paymentMethod: 'cash', amount: '30.00', change: '20.00' }],
  checks: [],
  currency: 'EUR',
  total: '30.00',
  paid: '30.00',
  due: '0.00',
  change: '20.00',
  cashTotal: '30.00',
  cashRounding: '0.00',
}

/** The route. */
export const quoteRoutes = (database: Database): Route[] => [
  {
    method: 'POST',
    path: '/v1/sale/quote',
    surface: 'company',
    permission: 'read',
    tag: sale.title,
    operationId: 'quoteSale',
    summary: 'Quote a sale',
    description:
      'Takes the body of `POST /v1/sale` and computes every amount: lines, discounts, taxes, totals, what is still due, change, and the rounding of cash. Lines without `taxes` get those of the tax table that applies. Nothing is stored.',
    body: { schema: closed(documents(sale).create), example: request },
    replies: { 200: { description: 'The computed sale.', schema, example } },
    handle: ({ scope, body, claim }) =>
      once(database, claim, async (connection) => {
        const checked = orThrow(readSale(body, '', quoteBody))
        // As in a sale, since the product decides the taxes.
        const [named] = await withLineVariants(connection, scope.companyId, [{ order: checked.order, at: '' }])
        const sold = orThrow(named as JsonObject | Problem)
        const complete = await lineCompletion(connection, scope.companyId, [sold])
        const atTill = await tillOutlets(connection, scope.companyId, [sold])
        const settings = await settingsOf(connection, scope.companyId)
        const sent: Sale = { ...atTill(complete(sold, settings.currency)), payments: checked.payments }
        const wrong = otherCurrency(checked.payments, checked.order.currency ?? settings.currency, '')
        if (wrong) throw wrong
        const [taxTables] = await taxTablesOf(connection, scope.companyId, [sent])
        const quote = orThrow(quoteOf(sent, { ...settings, taxTables }))
        const { payments, ...order } = quote.computed
        const wrongMoney = wrongPayment(checked.payments, payments, quote.totals.total, '')
        if (wrongMoney) throw wrongMoney
        const answer = { order, payments, checks: quote.checks, currency: order.currency, ...quote.totals }
        return json(answer)
      }),
  },
]
