// The columns of customer files, by the shop that they come from.

import type { AddressMember } from '../addresses.ts'
import type { Table } from '../table.ts'

/** The members of a row: those of a customer, and those of the two addresses. */
export type CustomerMember =
  | 'id'
  | 'email'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'phone'
  | 'totalSpent'
  | 'tags'
  | 'note'
  | AddressMember

/** The table of a shop's customers; `prefix` makes the ids of a shop those of no other. */
export type CustomerTable = Table<CustomerMember> & { readonly prefix: string }

const shopify: CustomerTable = {
  ...{ kind: 'customers', shop: 'shopify', source: 'shopify', prefix: 'shopify-customer-' },
  what: 'a customers export of Shopify',
  headings: {
    id: ['Customer ID'],
    email: ['Email'],
    firstName: ['First Name'],
    lastName: ['Last Name'],
    phone: ['Phone'],
    totalSpent: ['Total Spent'],
    tags: ['Tags'],
    note: ['Note'],
    'billing.company': ['Default Address Company', 'Company'],
    'billing.address1': ['Default Address Address1', 'Address1'],
    'billing.address2': ['Default Address Address2', 'Address2'],
    'billing.city': ['Default Address City', 'City'],
    'billing.state': ['Default Address Province Code', 'Province Code', 'Province'],
    'billing.country': ['Default Address Country Code', 'Country Code', 'Country'],
    'billing.postCode': ['Default Address Zip', 'Zip'],
    'billing.phone': ['Default Address Phone'],
  },
  required: [['email', 'id', 'phone']],
  signs: {
    atLeast: 3,
    of: ['accepts email marketing', 'accepts marketing', 'accepts sms marketing', 'total spent', 'total orders', 'tax exempt'], // biome-ignore format: one list
  },
}

const woocommerce: CustomerTable = {
  ...{ kind: 'customers', shop: 'woocommerce', source: 'woo-commerce', prefix: 'woocommerce-customer-' },
  what: 'a customers export of WooCommerce',
  headings: {
    id: ['ID', 'customer_id', 'Username', 'user_login'],
    email: ['user_email', 'Email', 'billing_email'],
    name: ['Name', 'display_name'],
    firstName: ['first_name', 'billing_first_name'],
    lastName: ['last_name', 'billing_last_name'],
    phone: ['billing_phone'],
    totalSpent: ['Total Spend'],
    'billing.firstName': ['billing_first_name'],
    'billing.lastName': ['billing_last_name'],
    'billing.company': ['billing_company'],
    'billing.address1': ['billing_address_1'],
    'billing.address2': ['billing_address_2'],
    'billing.city': ['billing_city', 'City'],
    'billing.state': ['billing_state', 'Region'],
    'billing.country': ['billing_country', 'Country / Region'],
    'billing.postCode': ['billing_postcode', 'Postal Code'],
    'shipping.firstName': ['shipping_first_name'],
    'shipping.lastName': ['shipping_last_name'],
    'shipping.company': ['shipping_company'],
    'shipping.address1': ['shipping_address_1'],
    'shipping.address2': ['shipping_address_2'],
    'shipping.city': ['shipping_city'],
    'shipping.state': ['shipping_state'],
    'shipping.country': ['shipping_country'],
    'shipping.postCode': ['shipping_postcode'],
    'shipping.phone': ['shipping_phone'],
  },
  required: [['email', 'id', 'phone']],
  signs: {
    atLeast: 3,
    of: ['user login', 'user email', 'user registered', 'billing city', 'billing postcode', 'username', 'last active', 'sign up', 'total spend', 'aov'], // biome-ignore format: one list
  },
}

const square: CustomerTable = {
  ...{ kind: 'customers', shop: 'square', source: 'square', prefix: 'square-customer-' },
  what: 'a customer directory export of Square',
  headings: {
    id: ['Square Customer ID', 'Reference ID'],
    email: ['Email Address', 'Email'],
    firstName: ['First Name', 'Given Name'],
    lastName: ['Last Name', 'Surname', 'Family Name'],
    phone: ['Phone Number', 'Phone'],
    totalSpent: ['Lifetime Spend'],
    tags: ['Groups'],
    note: ['Memo', 'Note'],
    'billing.company': ['Company Name', 'Company'],
    'billing.address1': ['Street Address 1', 'Address Line 1'],
    'billing.address2': ['Street Address 2', 'Address Line 2'],
    'billing.city': ['City', 'Locality', 'Suburb'],
    'billing.state': ['State', 'Province', 'County'],
    'billing.postCode': ['Postal Code', 'Postcode', 'ZIP Code'],
    'billing.country': ['Country'],
  },
  required: [['email', 'id', 'phone']],
  signs: {
    atLeast: 3,
    of: ['square customer id', 'creation source', 'first visit', 'last visit', 'transaction count', 'lifetime spend', 'email subscription status', 'instant profile', 'memo', 'nickname'], // biome-ignore format: one list
  },
}

const plain: CustomerTable = {
  ...{ kind: 'customers', shop: 'plain', source: 'import', prefix: '' },
  what: 'a plain file of customers',
  headings: {
    id: ['ID'],
    email: ['Email', 'E-mail', 'Email address'],
    name: ['Name'],
    firstName: ['First name'],
    lastName: ['Last name'],
    phone: ['Phone'],
    totalSpent: ['Total spent'],
    tags: ['Tags'],
    note: ['Note'],
    'billing.company': ['Company'],
    'billing.address1': ['Address 1'],
    'billing.address2': ['Address 2'],
    'billing.city': ['City'],
    'billing.state': ['State'],
    'billing.country': ['Country'],
    'billing.postCode': ['Postcode'],
  },
  required: [['email', 'id', 'phone']],
  signs: { atLeast: 2, of: ['email', 'e-mail', 'email address', 'phone', 'name', 'first name', 'last name'] },
}

/** The tables; those with headings of their own first. */
export const customerTables: readonly CustomerTable[] = [shopify, square, woocommerce, plain]
