// The columns of customer files, by the shop that they come from.

import { type AddressMember, addressHeadings, woocommerceAddress } from '../addresses.ts'
import type { Layout } from '../layout.ts'

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

/** The layout of a shop's customers; `prefix` keeps the ids of one shop apart from those of another. */
export type CustomerLayout = Layout<CustomerMember> & { readonly prefix: string }

const common = {
  kind: 'customers',
  as: { id: 'externalId', name: 'firstName', note: 'notes' },
  // What identifies a customer: of these, a row has at least one.
  required: [['email', 'id', 'phone']],
} as const

const shopify: CustomerLayout = {
  ...common,
  shop: 'shopify',
  source: 'shopify',
  prefix: 'shopify-customer-',
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
    ...addressHeadings('billing', {
      company: ['Default Address Company', 'Company'],
      address1: ['Default Address Address1', 'Address1'],
      address2: ['Default Address Address2', 'Address2'],
      city: ['Default Address City', 'City'],
      state: ['Default Address Province Code', 'Province Code', 'Province'],
      country: ['Default Address Country Code', 'Country Code', 'Country'],
      postCode: ['Default Address Zip', 'Zip'],
      phone: ['Default Address Phone'],
    }),
  },
  signs: {
    atLeast: 3,
    of: ['accepts email marketing', 'accepts marketing', 'accepts sms marketing', 'total spent', 'total orders', 'tax exempt'], // biome-ignore format: one list
  },
}

const woocommerce: CustomerLayout = {
  ...common,
  shop: 'woocommerce',
  source: 'woo-commerce',
  prefix: 'woocommerce-customer-',
  what: 'a customers export of WooCommerce',
  headings: {
    id: ['ID', 'customer_id', 'Username', 'user_login'],
    email: ['user_email', 'Email', 'billing_email'],
    name: ['Name', 'display_name'],
    firstName: ['first_name', 'billing_first_name'],
    lastName: ['last_name', 'billing_last_name'],
    phone: ['billing_phone'],
    totalSpent: ['Total Spend'],
    ...addressHeadings('billing', {
      ...woocommerceAddress('billing'),
      city: ['billing_city', 'City'],
      state: ['billing_state', 'Region'],
      country: ['billing_country', 'Country / Region'],
      postCode: ['billing_postcode', 'Postal Code'],
    }),
    ...addressHeadings('shipping', { ...woocommerceAddress('shipping'), phone: ['shipping_phone'] }),
  },
  signs: {
    atLeast: 3,
    of: ['user login', 'user email', 'user registered', 'billing city', 'billing postcode', 'username', 'last active', 'sign up', 'total spend', 'aov'], // biome-ignore format: one list
  },
}

const square: CustomerLayout = {
  ...common,
  shop: 'square',
  source: 'square',
  prefix: 'square-customer-',
  what: 'a customer directory export of Square',
  needs: 'columns of Square such as Square Customer ID, Creation Source and First Visit',
  headings: {
    id: ['Square Customer ID', 'Reference ID'],
    email: ['Email Address', 'Email'],
    firstName: ['First Name', 'Given Name'],
    lastName: ['Last Name', 'Surname', 'Family Name'],
    phone: ['Phone Number', 'Phone'],
    totalSpent: ['Lifetime Spend'],
    tags: ['Groups'],
    note: ['Memo', 'Note'],
    ...addressHeadings('billing', {
      company: ['Company Name', 'Company'],
      address1: ['Street Address 1', 'Address Line 1'],
      address2: ['Street Address 2', 'Address Line 2'],
      city: ['City', 'Locality', 'Suburb'],
      state: ['State', 'Province', 'County'],
      postCode: ['Postal Code', 'Postcode', 'ZIP Code'],
      country: ['Country'],
    }),
  },
  signs: {
    atLeast: 3,
    of: ['square customer id', 'creation source', 'first visit', 'last visit', 'transaction count', 'lifetime spend', 'email subscription status', 'instant profile', 'memo', 'nickname'], // biome-ignore format: one list
  },
}

const plain: CustomerLayout = {
  ...common,
  shop: 'plain',
  source: 'import',
  prefix: '',
  what: 'a plain file of customers',
  needs: 'a column Email, ID or Phone, and at least two of Email, Phone, Name, First name and Last name',
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
    ...addressHeadings('billing', {
      company: ['Company'],
      address1: ['Address 1'],
      address2: ['Address 2'],
      city: ['City'],
      state: ['State'],
      country: ['Country'],
      postCode: ['Postcode'],
    }),
  },
  signs: { atLeast: 2, of: ['email', 'e-mail', 'email address', 'phone', 'name', 'first name', 'last name'] },
}

/** The layouts; those with headings of their own first. */
export const customerLayouts: readonly CustomerLayout[] = [shopify, square, woocommerce, plain]
