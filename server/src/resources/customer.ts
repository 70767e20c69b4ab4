// Customer: a person or business that buys.
import {
  anything,
  dateTime,
  decimal,
  described,
  email,
  externalId,
  flag,
  list,
  name,
  reference,
  serverOwned,
} from '../engine/field.ts'
import { projectionPlaceholder } from '../engine/projection.ts'
import { resource } from '../engine/resource.ts'
import { address, isDeleted, otherNames, source } from './shapes.ts'

export const customer = resource({
  name: { one: 'customer', many: 'customers' },
  title: 'Customers',
  description: 'A person or business that buys. Deleting flags the record and keeps it.',
  fields: {
    email: email({
      description: 'E-mail address for receipts and messages. Two customers may have the same address.',
      example: 'ann@example.com',
    }),
    firstName: name({ description: 'First name of the customer.', example: 'Ann' }),
    lastName: name({ description: 'Last name of the customer.', example: 'Archer' }),
    phone: name({
      description: 'Phone number in any notation; searches compare it as text.',
      example: '+1 217 555 0100',
    }),
    outletId: reference({ description: 'The outlet that the customer belongs to, such as where they signed up.' }),
    externalId: externalId({ example: 'woo-4711' }),
    fromService: serverOwned(flag({ description: 'True if, and only if, the customer has an `externalId`.' })),
    totalSpent: decimal({
      description:
        'What the customer has spent so far, after refunds: a decimal string in the company’s currency. The caller maintains it.',
      example: '10.00',
    }),
    lastAction: dateTime({
      description: 'When the customer last bought or did something else. The caller maintains it.',
    }),
    tags: list(name(), {
      description: 'Words to group customers by. Lists filter by any of them.',
      example: ['regular'],
    }),
    billing: described(address(), 'Where invoices go.'),
    shipping: described(address(), 'Where deliveries go.'),
    metadata: list(anything(), {
      description: 'Your own data about the customer, usually {key, value}; any JSON is kept.',
    }),
    notes: list(anything(), { description: 'Remarks of the staff, usually {message, createdAt}; any JSON is kept.' }),
    source: source('How the customer was first recorded.'),
    isDeleted: isDeleted(),
  },
  elsewhere: {
    name: 'send firstName and lastName',
    company: 'send it in billing, or in shipping',
    address: 'send it as billing, or as shipping',
    addresses: 'send them as billing and shipping',
    ...otherNames('billing', 'billingAddress'),
    ...otherNames('shipping', 'shippingAddress'),
    ...otherNames('email', 'emailAddress'),
    ...otherNames('phone', 'phoneNumber'),
    ...otherNames('firstName', 'givenName'),
    ...otherNames('lastName', 'familyName'),
  },
  requireOneOf: ['email', 'phone', 'firstName', 'lastName', 'externalId'],
  derive: ({ externalId }) => ({ fromService: externalId !== undefined }),
  // `features/custom-tables` knows what a company's own tables add to its customers.
  projection: projectionPlaceholder,
  remove: 'soft',
  list: {
    sort: ['email', 'firstName', 'lastName'],
    search: ['email', 'firstName', 'lastName', 'phone'],
    exact: ['externalId', 'outletId', 'source'],
    selective: ['externalId'],
    any: ['tags'],
  },
  styleA: { one: ['customer', 'customers'], list: 'customers' },
  styleB: { one: 'customer', many: 'customers' },
  example: { email: 'ann@example.com', firstName: 'Ann', lastName: 'Archer', totalSpent: '10.00', tags: ['regular'] },
})
