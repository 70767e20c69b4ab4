// What the two hand-written services accept: copied beside each one, so that both check the same.

const text = { type: 'string' }

/** A customer in a request. */
export const customerBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    email: { type: 'string', format: 'email' },
    firstName: text,
    lastName: text,
    phone: text,
    outletId: text,
    externalId: text,
    totalSpent: { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,6})?$' },
    lastAction: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: text },
    billing: { type: 'object' },
    notes: { type: 'array', items: { type: 'object' } },
    source: text,
  },
}

/** The parameters of a list: one outlet, or a part of a last name. */
export const listQuery = {
  type: 'object',
  properties: {
    outletId: text,
    lastName: text,
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    count: { type: 'boolean', default: false },
  },
}
