// The tools that only read.

import type { JsonSchema } from '../../core/json-schema.ts'
import { gotSchema, idSchema as id, listedSchema, listPathOf, pathOf, resourceSchema } from './resources.ts'
import { answerOf, asData, dataSchema, input, type Tool } from './tool.ts'

/** Records of one answer by default and at most: an agent reads them all. */
const RECORDS = 20
const RECORDS_MOST = 50

const read = { permissions: ['read'], isIdempotent: true } as const
const text: JsonSchema = { type: 'string', minLength: 1, maxLength: 8_192 }
const limit: JsonSchema = { type: 'integer', minimum: 1, maximum: RECORDS_MOST, default: RECORDS }
const cursor: JsonSchema = { ...text, description: 'meta.nextCursor of the page before.' }
/** Query parameters by name. An empty one counts as not sent: a list would have all records. */
const scalars: JsonSchema = {
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'], minLength: 1 },
}
const meta: JsonSchema = { type: 'object' }
const page = dataSchema({ type: 'array' }, { meta })
const one = dataSchema({ type: 'object' })

const reports = ['sales', 'products', 'taxes', 'payments', 'customers', 'journal', 'low-stock', 'stock-value'] as const

export const readTools: readonly Tool[] = [
  {
    ...read,
    name: 'describe',
    title: 'Describe resources',
    description:
      'Without resource: the company, what the key may do, and the resources. With resource: its members with schemas (this company’s custom columns included), and what its list filters and sorts by. Call it before you create, update or filter.',
    input: input({ resource: resourceSchema }),
    output: one,
    run: async ({ resource }, ask) => {
      const { data } = await answerOf(ask, { method: 'GET', path: '/v1/console/resources' })
      if (resource !== undefined) return asData(data.find(({ one }: { one: string }) => one === resource))
      const { company, key } = await answerOf(ask, { method: 'GET', path: '/v1/whoami' })
      const { permissions, resources: limits } = key
      const reached = data.filter(({ one }: { one: string }) => limits === undefined || limits.includes(one))
      const resources = reached.map(({ one, description }: Record<string, unknown>) => ({ resource: one, description }))
      return asData({ company, permissions, ...(limits && { limitedTo: limits }), resources })
    },
  },
  {
    ...read,
    needsAll: true,
    name: 'search',
    title: 'Search',
    description:
      'Finds records of all resources by name (words in any order), phone number, e-mail, receipt number, SKU, barcode, external id or id; best first.',
    input: input({ q: { ...text, maxLength: 200 }, limit: { ...limit, maximum: 50 } }, 'q'),
    output: page,
    run: async ({ q, limit = RECORDS }, ask) => {
      const { data, meta } = await answerOf(ask, { method: 'GET', path: '/v1/search', query: { q, limit } })
      return asData(data, { meta })
    },
  },
  {
    ...read,
    name: 'get',
    title: 'Get a record',
    description: 'One record by its id. session-report takes the id of a session: what its till took, and should hold.',
    input: input({ resource: gotSchema, id }, 'resource', 'id'),
    output: one,
    run: async ({ resource, id }, ask) => asData(await answerOf(ask, { method: 'GET', path: pathOf(resource, id) })),
  },
  {
    ...read,
    name: 'list',
    title: 'List records',
    description: `Records of a resource. filters are the query parameters of its list: an exact member ("status": "active"), "searchByName": "esp", "createdAt[gte]": "2026-11-21"; of members that are lists, any of "a,b". inventory-history (by variantId, outletId, kind, orderId) has each change of stock with its reason; closing (by stationId, sessionId) the counted tills. meta.count is the number of all that match. At most ${RECORDS_MOST} a page.`,
    input: input(
      {
        resource: listedSchema,
        // It is a query parameter too, so some agents send it here.
        filters: { ...scalars, properties: { limit } },
        sortBy: text,
        sortOrder: { enum: ['asc', 'desc'] },
        limit,
        cursor,
      },
      'resource',
    ),
    output: page,
    run: async ({ resource, filters = {}, ...rest }, ask) => {
      const asked = { method: 'GET', path: listPathOf(resource), query: { limit: RECORDS, ...filters, ...rest } }
      const { data, meta } = await answerOf(ask, asked, { query: '/filters', own: rest })
      return asData(data, { meta })
    },
  },
  {
    ...read,
    name: 'report',
    title: 'Report',
    description:
      'Sums over days (sales, products, taxes, payments, customers, and journal, the bookkeeping entries: parameters from and to, such as "2026-11-01"; sales also groupBy, whose groups have names beside ids), stock that runs out (low-stock: below, limit), or the value of the stock (stock-value).',
    input: input({ report: { enum: reports }, parameters: scalars }, 'report'),
    output: one,
    run: async ({ report, parameters = {} }, ask) => {
      // The other formats are files for people.
      const query = { ...parameters, ...('format' in parameters && { format: 'json' }) }
      return asData(
        await answerOf(ask, { method: 'GET', path: `/v1/reports/${report}`, query }, { query: '/parameters' }),
      )
    },
  },
  {
    ...read,
    name: 'events',
    title: 'Events',
    description:
      'What changed, oldest first, with the former values in previous: the way to undo a change. Filter by type ("product.updated"), resource, recordId and since; go on after meta.nextCursor.',
    input: input({
      after: { ...text, description: 'meta.nextCursor of the page before.' },
      since: { ...text, description: 'A date-time.' },
      type: text,
      resource: text,
      recordId: id,
      limit,
    }),
    output: page,
    run: async ({ limit = RECORDS, ...rest }, ask) => {
      const { data, meta } = await answerOf(ask, { method: 'GET', path: '/v1/events', query: { ...rest, limit } })
      return asData(data, { meta })
    },
  },
  {
    ...read,
    needsAll: true,
    name: 'webhook_deliveries',
    title: 'Webhook deliveries',
    description:
      'What became of the events at an automation-trigger: each delivery with its state and its last response.',
    input: input({ triggerId: id, state: text, eventType: text, eventId: text, limit, cursor }, 'triggerId'),
    output: page,
    run: async ({ triggerId, limit = RECORDS, ...rest }, ask) => {
      const path = `${pathOf('automation-trigger', triggerId)}/deliveries`
      const { data, meta } = await answerOf(ask, { method: 'GET', path, query: { ...rest, limit } })
      return asData(data, { meta })
    },
  },
]
