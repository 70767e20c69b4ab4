// Customer: a person or business that buys.
import {
  anything,
  dateTime,
  decimal,
  email,
  externalId,
  flag,
  list,
  name,
  reference,
  serverOwned,
  word,
} from '../engine/field.ts'
import { projectionPlaceholder } from '../engine/projection.ts'
import { resource } from '../engine/resource.ts'
import { address } from './shapes.ts'

export const customer = resource({
  name: { one: 'customer', many: 'customers' },
  title: 'Customers',
  description: 'A person or business that buys. Deleting flags the record and keeps it.',
  fields: {
    email: email(),
    firstName: name(),
    lastName: name(),
    phone: name(),
    outletId: reference({ description: 'The outlet that the customer belongs to.' }),
    externalId: externalId(),
    fromService: serverOwned(flag({ description: 'True when the customer has an externalId.' })),
    totalSpent: decimal(),
    lastAction: dateTime(),
    tags: list(name()),
    billing: address(),
    shipping: address(),
    metadata: list(anything(), { description: 'Usually {key, value}.' }),
    notes: list(anything(), { description: 'Usually {message, createdAt}.' }),
    source: word('manual', 'api', 'pos', 'import', 'woo-commerce'),
    isDeleted: serverOwned(flag()),
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
    any: ['tags'],
  },
  styleA: { one: ['customer', 'customers'], list: 'customers' },
  styleB: { one: 'customer', many: 'customers' },
  example: { email: 'ann@example.com', firstName: 'Ann', lastName: 'Archer', totalSpent: '10.00', tags: ['regular'] },
})
