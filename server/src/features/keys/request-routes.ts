// The routes that show the last requests of a company's key: to the company's admins, and to its organization.

import { isId } from '../../core/ids.ts'
import { type JsonSchema, object, string, time } from '../../core/json-schema.ts'
import { organizationOf } from '../../core/scope.ts'
import { type Database, requireRow } from '../../database/connect.ts'
import { type Call, json, type Route } from '../../http/route.ts'
import { type KeyRequestLog, REQUESTS_OF_KEY } from './request-log.ts'

const requestSchema: JsonSchema = object(
  'KeyRequest',
  {
    at: time('When the request arrived.'),
    method: string('The HTTP method.'),
    path: string(
      'The path and the query. Ids, numbers and named choices are as they were sent; `{name}` stands for every other value, since it may name a person.',
    ),
    status: {
      type: 'integer',
      description: 'The status of the response; absent if the client left before the response began.',
    },
    ms: { type: 'number', description: 'Milliseconds until the response had been sent.' },
    requestId: string('The `x-request-id` of the response.'),
  },
  ['at', 'method', 'path', 'ms', 'requestId'],
)

const limit = 100
const common = {
  method: 'GET',
  tag: 'Keys',
  query: {
    status: {
      type: 'string',
      pattern: '^[1-5](xx|\\d\\d)$',
      description: 'Only requests with this status, such as `404`, or of this class, such as `4xx`.',
      examples: ['4xx'],
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: REQUESTS_OF_KEY,
      default: limit,
      description: 'How many requests to return at most.',
    },
  },
  replies: {
    200: {
      description: 'The requests, newest first.',
      schema: object('KeyRequests', {
        data: { type: 'array', items: requestSchema, description: 'One entry for each request.' },
      }),
      example: {
        data: [
          {
            at: '2026-11-21T09:30:00.000Z',
            method: 'GET',
            path: '/v1/customers?limit=50&search={search}',
            status: 200,
            ms: 3.4,
            requestId: 'b1e7a3a0-5a55-4be5-9d0f-0c53a9ad5f0c',
          },
        ],
      },
    },
  },
  problems: ['not_found'],
  description: `The last ${REQUESTS_OF_KEY.toLocaleString('en')} requests of the key within 30 days, including refused ones, but without bodies, headers and values that may name a person. A request appears within seconds. Under heavy load some are left out, and a crash loses all of them.`,
} as const satisfies Partial<Route>

const keyId: JsonSchema = string('Id of the key.', '6740a1f2c3d4e5f6a7b8c902')

/** The routes; `log` has what this process has noted but not written yet. */
export function keyRequestRoutes(database: Database, log: KeyRequestLog | undefined): Route[] {
  /** Throws `not_found` unless the company has the key. */
  async function answer({ query }: Call, companyId: string, id: string) {
    const lasting = `select 1 from api_keys where company_id = $1 and id = $2 and (delete_at is null or delete_at > now())`
    await requireRow(database, 'key', id, lasting, [companyId, id])
    await log?.flush()
    const data = await requestsOf(database, companyId, id, { status: query.status, limit: query.limit ?? limit })
    return json({ data })
  }
  return [
    {
      ...common,
      path: '/v1/keys/{id}/requests',
      params: { id: keyId },
      surface: 'company',
      forPeople: 'admin',
      operationId: 'listOwnKeyRequests',
      summary: 'List recent requests made with a key',
      handle: (call) => answer(call, call.scope.companyId, call.params.id as string),
    },
    {
      ...common,
      path: '/v1/organization-api/companies/{id}/keys/{keyId}/requests',
      params: {
        id: string('Id of the company.', '6740a1f2c3d4e5f6a7b8c900'),
        keyId,
      },
      surface: 'organization',
      operationId: 'listCompanyKeyRequests',
      summary: 'List recent requests made with a key of a company',
      handle: async (call) => {
        const id = call.params.id as string
        const own = 'select 1 from companies where organization_id = $1 and id = $2'
        await requireRow(database, 'company', id, own, [organizationOf(call), id])
        return answer(call, id, call.params.keyId as string)
      },
    },
  ]
}

/** The newest requests of a key, newest first; `status` is a status, or a class such as `4xx`. */
async function requestsOf(
  database: Database,
  companyId: string,
  keyId: string,
  { status, limit }: { readonly status?: string | undefined; readonly limit: number },
): Promise<unknown[]> {
  if (!isId(keyId)) return []
  const [least, most] = status?.endsWith('xx')
    ? [Number(status[0]) * 100, Number(status[0]) * 100 + 99]
    : [Number(status ?? 0), Number(status ?? 999)]
  const rows = await database.query(
    `select iso_time(at), method, path, status, ms, request_id from (
       select * from key_requests where company_id = $1 and key_id = $2 order by at desc, id desc limit $3
     ) as stored
     where $4::int is null or status between $4 and $5 order by at desc, id desc limit $6`,
    [companyId, keyId, REQUESTS_OF_KEY, status === undefined ? null : least, most, limit],
  )
  return rows.map(([at, method, path, status, ms, requestId]) => ({
    at,
    method,
    path,
    ...(status !== null && { status }),
    ms: Number(ms),
    requestId,
  }))
}
