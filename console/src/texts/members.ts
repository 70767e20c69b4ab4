// What people read in place of the names of members: `firstName` → “First name”.
// A map, as of all words that records may hold: of an object `constructor` would be one of them.
const known = new Map(
  Object.entries({
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
    parentId: 'Category above',
    createdAt: 'Created',
    updatedAt: 'Changed',
    fromService: 'Made here',
    isDeleted: 'Deleted',
    isOnSale: 'On sale',
    manageStock: 'Count its stock',
    allowBackorder: 'May be sold below zero',
    taxId: 'Tax id',
    taxTable: 'Tax table',
    deviceId: 'Device id',
    isVirtual: 'Virtual',
    totalSpent: 'Spent in all',
    lastAction: 'Last seen',
    receiptId: 'Receipt',
    url: 'URL',
    originalUrl: 'Original URL',
    mimeType: 'Type of file',
    productType: 'Kind',
    minPrice: 'Lowest price',
    maxPrice: 'Highest price',
    menuOrder: 'Order in menus',
    sequenceNumber: 'Number',
    sessionNumber: 'Number',
    openTime: 'Opened',
    closeTime: 'Closed',
    paymentMethod: 'Paid by',
    postCode: 'Post code',
    address2: 'Address, line 2',
    address1: 'Address',
    triggerUrl: 'URL',
    triggerType: 'Events',
    customTriggerName: 'Name',
    referenceLinkedCollection: 'Refers to',
    referenceLinkedField: 'By its member',
  }),
)

/** A member's name for people. */
export function labelOf(member: string): string {
  const label = known.get(member)
  if (label !== undefined) return label
  const words = member
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
