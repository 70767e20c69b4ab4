// Files of customers and orders for imports, as shops export them.
import type { Body } from './contract.ts'
import type { Row } from './imports.ts'

/** How many records of each kind an import created, updated and left unchanged. */
export const counted = ({ summary }: Body) =>
  ['customers', 'orders', 'transactions', 'refunds'].map((kind) => Object.values(summary[kind]).join(' '))

/** The first line of an order of Shopify's export, with an item. */
const first = (name: string, more: Row): Row => ({
  Name: name,
  Id: `90${name.slice(1)}`,
  'Financial Status': 'paid',
  Currency: 'EUR',
  Shipping: '0.00',
  Taxes: '0.00',
  'Discount Amount': '0.00',
  'Refunded Amount': '0.00',
  'Outstanding Balance': '0.00',
  'Payment Method': 'manual',
  'Created at': '2025-03-30 01:30:00 +0100',
  'Paid at': '2025-03-30 01:31:00 +0100',
  ...more,
})
const item = (name: string, price: string, quantity = 1, more: Row = {}): Row => ({
  'Lineitem name': name,
  'Lineitem price': price,
  'Lineitem quantity': quantity,
  'Lineitem discount': '0.00',
  ...more,
})
const totals = (subtotal: string, total = subtotal): Row => ({ Subtotal: subtotal, Total: total })

/**
 * Six orders over nine lines: one of three items with a discount on one and one on all of them, two rates of tax and delivery; one
 * with prices that contain tax; a balance of a cent; one that is not paid; one returned in part, and one as a whole.
 */
export const shopifyOrders: Row[] = [
  {
    ...first('#1', { ...totals('83.00', '98.70'), Taxes: '10.80', Shipping: '4.90', 'Discount Amount': '10.00' }),
    Email: 'ANN@example.com',
    'Discount Code': 'SPRING',
    'Payment Method': 'shopify_payments',
    'Payment ID': 'pi_1',
    'Tax 1 Name': 'VAT 20%',
    'Tax 1 Value': '9.80',
    'Tax 2 Name': 'VAT 5%',
    'Tax 2 Value': '1.00',
    'Billing Name': 'Ann van Archer',
    'Billing City': 'Graz',
    'Billing Zip': "'0810",
    'Risk Level': 'Low',
    ...item('Mug', '12.50', 2, { 'Lineitem sku': 'MUG', 'Lineitem discount': '5.00' }),
  },
  { Name: '#1', ...item('Gift Card - $50', '50.00') },
  { Name: '#1', ...item('Poster', '23.00', 1, { 'Lineitem sku': 'NONE' }) },
  { ...first('#2', { ...totals('20.00'), Taxes: '3.33' }), ...item('Tee', '20.00') },
  { ...first('#3', { ...totals('189.80'), 'Outstanding Balance': '0.01' }), ...item('Box', '189.80') },
  {
    ...first('#4', { ...totals('7.00'), 'Financial Status': 'pending', 'Outstanding Balance': '7.00', 'Paid at': '' }),
    ...item('Pin', '3.50', 2),
  },
  {
    ...first('#5', { ...totals('30.00'), 'Financial Status': 'partially_refunded', 'Refunded Amount': '10.00' }),
    ...item('Cap', '15.00', 2),
  },
  {
    ...first('#6', { ...totals('40.00'), 'Financial Status': 'refunded', 'Refunded Amount': '40.00' }),
    'Cancelled at': '2025-04-02 10:00:00 +0200',
    ...item('Mug', '12.50', 2, { 'Lineitem sku': 'MUG' }),
  },
  { Name: '#6', ...item('Card', '15.00') },
]

/** Customers as Shopify exports them. */
export const shopifyCustomers: Row[] = [
  {
    'Customer ID': "'71",
    'First Name': 'Ann',
    'Last Name': 'Archer',
    Email: 'ann@example.com',
    Phone: "'+43316",
    'Accepts Email Marketing': 'yes',
    'Total Spent': '98.70',
    'Total Orders': 1,
    Tags: 'vip, regular',
    Note: 'Likes tea',
    'Default Address City': 'Graz',
    'Default Address Zip': "'08010",
    'Default Address Country Code': 'AT',
  },
  { 'Customer ID': "'72", 'First Name': 'Ben', 'Last Name': '', Email: '', Phone: '+1 217 555 0100' },
]
