// Records of a company: lists page by page, single records with their version, and writes that update what is shown.
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useScope } from './company.ts'
import { type CompanyScope, get, newIdempotencyKey, request, send } from './request.ts'
import type { Resource } from './resources.ts'
import type {
  AutomationTrigger,
  Category,
  Closing,
  InventoryHistory,
  Order,
  Outlet,
  PageMeta,
  Product,
  Refund,
  Transaction,
  Variant,
  WebhookDelivery,
} from './schemas.ts'

export type RecordData = { readonly id: string; readonly createdAt: string; readonly updatedAt?: string } & Readonly<
  Record<string, any>
>

/** When a sale, refund, payment or movement of cash happened. */
export const happenedAt = ({ occurredAt, createdAt }: RecordData): string => occurredAt ?? createdAt

/** Records by the plural path name of their list, for pages that are about them. */
interface Records {
  readonly 'automation-triggers': AutomationTrigger
  readonly categories: Category
  readonly closings: Closing
  readonly 'inventory-history': InventoryHistory
  readonly orders: Order
  readonly outlets: Outlet
  readonly products: Product
  readonly refunds: Refund
  readonly transactions: Transaction
  readonly variants: Variant
}
export type RecordOf<Many extends string> = Many extends keyof Records
  ? Records[Many]
  : Many extends `automation-trigger/${string}/deliveries`
    ? WebhookDelivery
    : RecordData

/** A record and the version that was read. */
export interface Versioned<Row = RecordData> {
  readonly record: Row
  readonly etag: string
}

/** Sends a request whose response is a record, and returns it with its version. */
export async function requestVersioned<Row = RecordData>(
  ...asked: Parameters<typeof request>
): Promise<Versioned<Row>> {
  const { data, headers } = await request<Row>(...asked)
  return { record: data, etag: headers.get('etag') ?? '' }
}

/** A page of a Style B list. */
export interface Page<Row = RecordData> {
  readonly data: readonly Row[]
  readonly meta: PageMeta
}

/** A page that was requested without a cursor: it has the exact number of records. */
type FirstPage<Row> = Page<Row> & { readonly meta: { readonly count: number } }

/** Query parameters of a Style B list, except for its cursor. */
export type ListQuery = Readonly<Record<string, string | number | boolean | undefined>>

/** Ids of records whose deletion can still be undone: no list shows them. */
export const leaving = new Set<string>()

/** A page without the records that are being deleted. */
export function withoutLeaving<Row extends { readonly id: string }>(page: Page<Row>): Page<Row> {
  const data = page.data.filter(({ id }) => !leaving.has(id))
  if (data.length === page.data.length) return page
  const { count } = page.meta
  const shown = count !== undefined && { count: count - (page.data.length - data.length) }
  return { ...page, data, meta: { ...page.meta, ...shown } }
}

/** A list that grows page by page with a cursor. `meta.count` of the first page is exact. */
export const listQuery = <Many extends string>(
  { companyId }: CompanyScope,
  many: Many,
  query: ListQuery = {},
  limit = 100,
) =>
  infiniteQueryOptions({
    queryKey: [companyId, many, 'list', query, limit],
    queryFn: async ({ pageParam, signal }) =>
      withoutLeaving(
        await get<Page<RecordOf<Many>>>({ companyId }, `/v1/${many}`, {
          query: { ...query, limit, cursor: pageParam },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: (previous) => previous,
  })

/** The first records of a list, for pickers and small sections. */
export const someQuery = <Many extends string>({ companyId }: CompanyScope, many: Many, query: ListQuery = {}) =>
  queryOptions({
    queryKey: [companyId, many, 'some', query],
    queryFn: ({ signal }) =>
      get<FirstPage<RecordOf<Many>>>({ companyId }, `/v1/${many}`, { query: { limit: 20, ...query }, signal }),
  })

export const recordQuery = <Many extends string>({ companyId }: CompanyScope, one: string, many: Many, id: string) =>
  queryOptions({
    queryKey: [companyId, many, 'one', id],
    queryFn: ({ signal }) => readRecord<RecordOf<Many>>({ companyId }, one, id, signal),
  })

export const readRecord = <Row = RecordData>(
  scope: CompanyScope,
  one: string,
  id: string,
  signal?: AbortSignal,
): Promise<Versioned<Row>> => requestVersioned<Row>(scope, `/v1/${one}/${encodeURIComponent(id)}`, { signal })

/** Invalidates the cached records of one kind, so that pages that show them read them again. */
export async function refresh(client: QueryClient, companyId: string, many: string): Promise<void> {
  const stale = [many, ...(computedFrom[many] ?? [])]
  await Promise.all(stale.map((one) => client.invalidateQueries({ queryKey: [companyId, one] })))
}

/** What the server computes from records: a variant's price is in its product, a customer's spending has orders and refunds, and a session's report cash movements. */
const computedFrom: Readonly<Record<string, readonly string[]>> = {
  variants: ['products'],
  orders: ['spending'],
  refunds: ['spending'],
  'cash-movements': ['sessions'],
}

/**
 * Creates a record, or changes the version that was read. Throws `ApiProblem`: 412 after another change. A create has an
 * idempotency key, so that a retry after a broken connection creates no second record. Its response is not cached if it
 * contains a secret.
 */
export function useSave({ one, many, members }: Pick<Resource, 'one' | 'many' | 'members'>) {
  const scope = useScope()
  const client = useQueryClient()
  const hasSecret = members.some(({ isSecret }) => isSecret)
  return useMutation({
    ...(hasSecret && { gcTime: 0 }),
    mutationFn: ({ id, etag, body, key }: SaveRequest) =>
      requestVersioned(scope, id === undefined ? `/v1/${one}` : `/v1/${one}/${encodeURIComponent(id)}`, {
        method: id === undefined ? 'POST' : 'PATCH',
        body,
        headers: {
          ...(etag !== undefined && etag !== '' && { 'if-match': etag }),
          ...(id === undefined && { 'idempotency-key': key ?? newIdempotencyKey() }),
        },
      }),
    onSuccess: async (versioned, { id }) => {
      if (id !== undefined || !hasSecret)
        client.setQueryData(recordQuery(scope, one, many, versioned.record.id).queryKey, versioned)
      await refresh(client, scope.companyId, many)
    },
  })
}

interface SaveRequest {
  /** Without it, a record is created. */
  readonly id?: string
  readonly etag?: string
  readonly body: Readonly<Record<string, unknown>>
  /** Idempotency key of a create: the same for each attempt of one form. */
  readonly key?: string
}

/** Restores a deleted record. */
export const restoreRecord = (scope: CompanyScope, one: string, id: string): Promise<RecordData> =>
  get<RecordData>(scope, `/v1/${one}/${encodeURIComponent(id)}/restore`, { method: 'POST' })

/** Deletes a record; `keepalive` sends the request even if the page is being closed. */
export const removeRecord = (scope: CompanyScope, one: string, id: string, keepalive = false): Promise<Response> =>
  send(scope, `/v1/${one}/${encodeURIComponent(id)}`, { method: 'DELETE', keepalive })
