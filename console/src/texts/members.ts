// The labels of members: `firstName` → “First name”.
import { inSentence, translated } from '../language.ts'

const labels: Readonly<Record<string, string>> = translated('members', {
  id: 'Id',
  _id: 'Id',
  sku: 'SKU',
  email: 'E-mail',
  externalId: 'External id',
  companyId: 'Company',
  outletId: 'Outlet',
  stationId: 'Station',
  productId: 'Product',
  variantId: 'Variant',
  customerId: 'Customer',
  orderId: 'Order',
  refundId: 'Refund',
  sessionId: 'Session',
  transactionId: 'Transaction',
  accountId: 'Account',
  parentId: 'Parent category',
  createdAt: 'Created',
  occurredAt: 'Date',
  updatedAt: 'Updated',
  fromService: 'Made here',
  isDeleted: 'Deleted',
  images: 'Pictures',
  isOnSale: 'On sale',
  manageStock: 'Track stock',
  api: 'API',
  pos: 'Till',
  'woo-commerce': 'WooCommerce',
  allowBackorder: 'Sell when out of stock',
  taxId: 'Tax id',
  taxTable: 'Tax table',
  'pay-in': 'Paid in',
  'pay-out': 'Paid out',
  drop: 'Drop to safe or bank',
  float: 'Float added',
  RESTOCK: 'Back on the shelf',
  REFUND_DAMAGE: 'Damaged, not restocked',
  isTaxInclusive: 'Prices include tax',
  outletIds: 'Outlets',
  productTypes: 'Product types',
  isDefault: 'Default',
  deviceId: 'Device id',
  isVirtual: 'Virtual',
  totalSpent: 'Total spent, as entered',
  lastAction: 'Last seen',
  receiptId: 'Receipt',
  'partial-refund': 'Partially refunded',
  url: 'URL',
  originalUrl: 'Original URL',
  mimeType: 'File type',
  productType: 'Product type',
  minPrice: 'Lowest price',
  maxPrice: 'Highest price',
  menuOrder: 'Menu order',
  sequenceNumber: 'Number',
  sessionNumber: 'Number',
  openTime: 'Opened',
  closeTime: 'Closed',
  openingAmount: 'Opening float',
  closingAmount: 'Counted cash',
  paymentMethod: 'Payment method',
  postCode: 'Postcode',
  address2: 'Address line 2',
  address1: 'Address',
  triggerUrl: 'URL',
  apiKey: 'Secret',
  triggerType: 'Events',
  customTriggerName: 'Name',
  maxParallel: 'Concurrent calls',
  referenceLinkedCollection: 'Refers to',
  referenceLinkedField: 'Linked field',
})

/** The label of a member. */
export function labelOf(member: string): string {
  // Records may contain any word: an object has a `constructor` too.
  if (Object.hasOwn(labels, member)) return labels[member] as string
  const words = member
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of an open vocabulary in words; names that are no words of the API, such as a till's own payment methods, stay as they are. */
export const wordOf = (value: string): string => (isWord(value) ? labelOf(value) : value)

/** The same inside of a sentence. */
export const wordInSentence = (value: string): string => (isWord(value) ? inSentence(labelOf(value)) : value)

const isWord = (value: string): boolean => /^[a-z]+([_-][a-z]+)*$/.test(value)
