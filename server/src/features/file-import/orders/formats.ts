// The formats of order files.

import type { RefusedEntry } from '../columns.ts'
import type { CsvFile } from '../csv.ts'
import { type Export, exportOf, type FileLayout } from '../table.ts'
import type { FileOrder } from './order.ts'
import { plainOrders, readPlainOrders } from './plain.ts'
import { readShopifyOrders, shopifyOrders } from './shopify.ts'
import { readWooOrders, woocommerceOrders } from './woocommerce.ts'
import { loadOrders } from './write.ts'

type Read = (file: CsvFile, timezone: string | null) => AsyncIterable<FileOrder | RefusedEntry>

/** What the columns become, if that is not called as in the tables. */
const shown = {
  ...{ id: 'externalId', name: 'receiptId', number: 'receiptId', order: 'externalId', email: 'customerId' },
  ...{ financialStatus: 'status', createdAt: 'occurredAt', date: 'occurredAt', orderedAt: 'occurredAt' },
  ...{ note: 'customerNote', subtotal: 'summary.subTotal', shippingTotal: 'summary.shippingTotal' },
  ...{ taxes: 'summary.totalTaxes', totalTaxes: 'summary.totalTaxes', taxItems: 'summary.taxes' },
  ...{ taxIncluded: 'summary.isTaxInclusive', total: 'summary.total', tip: 'summary.tip' },
  ...{ discount: 'cartDiscount', discountCode: 'cartDiscount', orderDiscount: 'cartDiscount' },
  ...{ duties: 'cartFees', fees: 'cartFees', outstanding: 'balance', cancelledAt: 'status' },
  ...{ paidAt: 'paymentMethods', paymentMethod: 'paymentMethods', paymentAmount: 'paymentMethods' },
  ...{ paymentReference: 'paymentMethods', reference: 'paymentMethods' },
  ...{ refunded: 'refunds', refundedAt: 'refunds', refunds: 'refunds' },
  ...{ itemName: 'lineItems', itemSku: 'lineItems', itemQuantity: 'lineItems', itemPrice: 'lineItems' },
  ...{ itemDiscount: 'lineItems', item: 'lineItems', sku: 'lineItems', quantity: 'lineItems', price: 'lineItems' },
  ...{ tax: 'lineItems', taxRate: 'lineItems', taxName: 'lineItems' },
}

const format = <Member extends string>(table: FileLayout<Member>, read: Read): Export =>
  exportOf(table, shown as Partial<Record<Member, string>>, (loading) =>
    loadOrders((timezone) => read(loading.load.file, timezone), loading),
  )

export const orderFormats: readonly Export[] = [
  format(shopifyOrders, readShopifyOrders),
  format(woocommerceOrders, readWooOrders),
  format(plainOrders, readPlainOrders),
]
