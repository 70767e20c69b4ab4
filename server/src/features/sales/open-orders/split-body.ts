// The body that splits an open order: the lines that move to a new order, and the new order's own members.

import { bodyError, invalid, orThrow } from '../../../core/problem.ts'
import { type Fields, list, number, object } from '../../../engine/field.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { resource } from '../../../engine/resource.ts'
import { bodySchema } from '../../../engine/schema.ts'
import { orderMember } from '../body.ts'
import { lineName, type NamedLine } from '../named-lines.ts'

/** A checked body. */
export interface SplitBody {
  readonly lines: readonly NamedLine[]
  /** Members of the new order; undefined for those that it does not have. */
  readonly own: JsonObject
}

/** Other members are refused, since the line is not stored: a misspelt `quantity` would move all units. */
const line = object(
  {
    ...lineName,
    quantity: number({
      description: 'Units to move; by default the whole line. Below zero for a line that takes goods back.',
      example: 1,
    }),
  },
  { title: 'OrderSplitLine', description: 'A line of the order that moves to the new order, whole or in part.' },
)

const sendLines = 'send what moves to the new order as lines, such as [{"lineItem": 0, "quantity": 1}]'

/** Declared like a resource, to share its checks and its shapes. */
export const orderSplit = resource({
  name: { one: 'order-split', many: 'order-splits' },
  title: 'Sales',
  description: 'The lines of an open order that move to a new one.',
  fields: {
    lines: {
      ...list(
        { ...line, schema: { ...line.schema, additionalProperties: false } },
        { description: 'The lines that move to the new order. At least one line must stay.' },
      ),
      required: true,
    },
    receiptId: orderMember('receiptId', 'The number of the new order; none by default.'),
    source: orderMember('source', 'Where the new order comes from.'),
    externalId: orderMember('externalId', 'The id of the new order in another system.'),
    customerId: orderMember('customerId', 'The customer of the new order; by default that of the first one.'),
    stationId: orderMember('stationId', 'The till of the new order; by default that of the first one.'),
    employee: orderMember('employee', 'The cashier of the new order; by default that of the first one.'),
    metadata: orderMember('metadata', 'Keys and values of the new order; by default those of the first one.'),
  } as Fields,
  remove: 'hard',
  list: {},
  elsewhere: {
    lineItems: sendLines,
    customSales: sendLines,
    items: sendLines,
    quantity: sendLines,
    payments: 'complete each of the two orders with its payments',
  },
  styleA: null,
  styleB: null,
  example: { lines: [{ lineItem: 0, quantity: 1 }], receiptId: 'R-1001-2' },
})

const schema = bodySchema(orderSplit)

/** Checks a body. Throws 400. */
export function readSplit(value: unknown): SplitBody {
  const { set, clear } = orThrow(schema.create(value))
  const { lines, ...own } = set as JsonObject & { readonly lines: readonly NamedLine[] }
  if (lines.length === 0)
    throw invalid([bodyError('/lines', 'minItems', 'must have at least one line, which moves to the new order')])
  for (const member of clear) own[member] = undefined
  return { lines, own }
}
