// Custom tables, their fields and rows in the API, and what is refetched when one of them changes.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Page, type RecordData, refresh, requestVersioned, type Versioned } from '../../api/records.ts'
import { type CompanyScope, get, newIdempotencyKey, type RequestOptions, request } from '../../api/request.ts'
import type { Resource } from '../../api/resources.ts'
import type { CustomTable, CustomTableDataRow, CustomTableDataRowId, CustomTableField } from '../../api/schemas.ts'

export const fieldTypes = [
  'string',
  'number',
  'boolean',
  'date',
  'json-string',
] as const satisfies readonly CustomTableField['type'][]

/** A field as an input needs it, stored or not. */
export type FieldShape = Omit<CustomTableField, '_id' | 'tableId' | 'companyId' | 'createdAt' | 'updatedAt'>

export const isLink = ({ referenceLinkedCollection }: CustomTableField): boolean =>
  referenceLinkedCollection === 'customers'

const key = ({ companyId }: CompanyScope) => [companyId, 'custom-tables'] as const

export const tablesQuery = (scope: CompanyScope) =>
  queryOptions({
    queryKey: [...key(scope), 'list'],
    queryFn: ({ signal }) => get<CustomTable[]>(scope, '/v1/api/custom-tables', { query: { limit: 1000 }, signal }),
  })

/** Requests one record that has `_id`, and returns it with `id` and its version. */
async function one(scope: CompanyScope, path: string, options: RequestOptions): Promise<Versioned> {
  const { record, etag } = await requestVersioned<Record<string, any>>(scope, path, options)
  return { record: recordFrom(record), etag }
}

const write = (
  scope: CompanyScope,
  path: string,
  { body, over, key = newIdempotencyKey() }: Write,
): Promise<Versioned> =>
  over === undefined
    ? one(scope, path, { method: 'POST', body, headers: { 'idempotency-key': key } })
    : one(scope, `${path}/${over.record.id}`, { method: 'PUT', body, headers: { 'if-match': over.etag } })

interface Write {
  readonly body: Readonly<Record<string, unknown>>
  /** The version that was read; without it, a record is created, once for each key. */
  readonly over?: Versioned | undefined
  readonly key?: string
}

export const readTable = (scope: CompanyScope, id: string, signal?: AbortSignal): Promise<Versioned> =>
  one(scope, `/v1/api/custom-table/${encodeURIComponent(id)}`, { signal })

export const writeTable = (scope: CompanyScope, wanted: Write): Promise<Versioned> =>
  write(scope, '/v1/api/custom-table', wanted)

export const tableQuery = (scope: CompanyScope, id: string) =>
  queryOptions({
    queryKey: [...key(scope), 'one', id],
    queryFn: ({ signal }) => readTable(scope, id, signal),
  })

export const tableOf = ({ record }: Versioned): CustomTable => record as unknown as CustomTable

export const readField = (scope: CompanyScope, id: string, signal?: AbortSignal): Promise<Versioned> =>
  one(scope, `/v1/api/custom-table-field/${id}`, { signal })

export const writeField = (scope: CompanyScope, tableId: string, wanted: Write): Promise<Versioned> =>
  write(scope, '/v1/api/custom-table-field', {
    ...wanted,
    body: { ...(wanted.over === undefined && { tableId: { $oid: tableId } }), ...wanted.body },
  })

export const fieldsQuery = (scope: CompanyScope, tableId: string) =>
  queryOptions({
    queryKey: [...key(scope), 'fields', tableId],
    queryFn: ({ signal }) =>
      get<CustomTableField[]>(scope, '/v1/api/custom-table-fields', { query: { tableId, limit: 1000 }, signal }),
  })

/** The plural name under which rows of a table are cached. */
export const rowsOf = (tableId: string): string => `rows of ${tableId}`

const pathOf = (table: string): string => `/v1/api/custom-table-data/${encodeURIComponent(table)}`

/** The singular name under which a row is changed and deleted, as other records are. */
export const rowOf = (table: string): string => `api/custom-table-data/${encodeURIComponent(table)}`

const recordFrom = (data: Record<string, any>): RecordData => ({ ...data, id: data._id.$oid }) as unknown as RecordData

/** Rows in the order of their creation, page by page. */
export const rowsQuery = (scope: CompanyScope, tableId: string, table: string) =>
  infiniteQueryOptions({
    queryKey: [scope.companyId, rowsOf(tableId), 'list', table],
    queryFn: async ({ pageParam: skip, signal }): Promise<Page> => {
      const query = { skip, limit: 100, total: skip === 0 || undefined }
      const { data, headers } = await request<Record<string, any>[]>(scope, pathOf(table), { query, signal })
      return {
        data: data.map(recordFrom),
        meta: { count: Number(headers.get('x-total-count') ?? 0), skip, limit: 100 },
      }
    },
    initialPageParam: 0,
    getNextPageParam: ({ data, meta }) => (data.length < meta.limit ? undefined : meta.skip + meta.limit),
  })

/** The number of rows of a table. */
export const countQuery = (scope: CompanyScope, tableId: string, table: string) =>
  queryOptions({
    queryKey: [scope.companyId, rowsOf(tableId), 'count', table],
    queryFn: async ({ signal }) => {
      const { headers } = await request(scope, pathOf(table), { query: { limit: 1, total: true }, signal })
      return Number(headers.get('x-total-count') ?? 0)
    },
  })

/** All rows as of one moment. */
export const allRows = (scope: CompanyScope, table: string): Promise<readonly CustomTableDataRow[]> =>
  get<readonly CustomTableDataRow[]>(scope, pathOf(table))

export const readRow = (scope: CompanyScope, table: string, id: string, signal?: AbortSignal): Promise<Versioned> =>
  one(scope, `${pathOf(table)}/${encodeURIComponent(id)}`, { signal })

/** The response contains only the row's id, so the row is read again. */
export async function writeRow(
  scope: CompanyScope,
  table: string,
  { body, over, key = newIdempotencyKey() }: Write,
): Promise<Versioned> {
  const { rowId } =
    over === undefined
      ? await get<CustomTableDataRowId>(scope, pathOf(table), {
          method: 'POST',
          body,
          headers: { 'idempotency-key': key },
        })
      : await get<CustomTableDataRowId>(scope, `${pathOf(table)}/${over.record.id}`, {
          method: 'PUT',
          body,
          headers: { 'if-match': over.etag },
        })
  return readRow(scope, table, rowId.$oid)
}

export const removeTable = (scope: CompanyScope, id: string): Promise<unknown> =>
  get(scope, `/v1/api/custom-table/${id}`, { method: 'DELETE' })

export const removeField = (scope: CompanyScope, id: string): Promise<unknown> =>
  get(scope, `/v1/api/custom-table-field/${id}`, { method: 'DELETE' })

/** Creates the field that links a row to its customer, under a free name. */
export function extendCustomers(
  scope: CompanyScope,
  tableId: string,
  fields: readonly CustomTableField[],
): Promise<Versioned> {
  const taken = new Set(fields.map(({ name }) => name))
  const name = ['customer', 'customer-id', 'linked-customer'].find((one) => !taken.has(one)) ?? `customer-${Date.now()}`
  const body = { name, type: 'string', required: true, referenceLinkedCollection: 'customers' }
  return writeField(scope, tableId, { body })
}

/** Refetches tables, the members of customers, and customers themselves. */
export async function structureChanged(
  client: QueryClient,
  { companyId }: CompanyScope,
  tableId?: string,
): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: key({ companyId }) }),
    client.invalidateQueries({ queryKey: [companyId, 'resources'] }),
    refresh(client, companyId, 'customers'),
    ...(tableId === undefined ? [] : [refresh(client, companyId, rowsOf(tableId))]),
  ])
}

/** The collection that a field's values are ids of, if it is one of ours. */
export function collectionOf(
  { referenceLinkedCollection: many, referenceLinkedField: member = 'id' }: FieldShape,
  resources: readonly Resource[],
): string | undefined {
  return member === 'id' && resources.some((resource) => resource.many === many) ? many : undefined
}
