// Data of an organization: its companies, plans, extensions, and its public profile.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Company, useParam } from './company.ts'
import type { RecordData, Versioned } from './records.ts'
import { get, request } from './request.ts'

/** A company as its organization sees it. */
export interface OrganizationCompany extends Company {
  readonly accountId?: string
  readonly phone?: string
  readonly industry?: string
  readonly logo?: string
  readonly address?: Readonly<Record<string, string>>
  readonly externalId?: string
  readonly suspendedReason?: string
  readonly paymentCustomer?: { readonly state: string; readonly processor?: string; readonly lastError?: string }
  readonly createdAt: string
  readonly updatedAt: string
}

export const limitNames = ['outlets', 'stations', 'products', 'users'] as const
type LimitName = (typeof limitNames)[number]

export interface Plan {
  readonly id: string
  /** Absent for a plan shared by all organizations, which none of them may change. */
  readonly organizationId?: string
  readonly name: string
  /** A missing limit means unlimited. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>
  readonly status: 'active' | 'inactive'
  readonly isDefault: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Surface {
  readonly id?: string
  readonly platform?: string
  readonly type?: string
  readonly url?: string
}

export interface Extension {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly shortDescription?: string
  readonly category?: string
  readonly status: string
  readonly icon?: string
  readonly gallery?: readonly string[]
  readonly website?: string
  readonly price?: number
  readonly surfaces?: readonly Surface[]
  readonly createdAt: string
  readonly updatedAt: string
}

/** An extension in the public list. */
export type PublishedExtension = Extension & {
  readonly organization: {
    readonly id: string
    readonly name: string
    readonly logo?: string
    readonly organization_alias: string
  }
}

export interface Organization {
  readonly id: string
  readonly name: string
  /** Its name in public URLs. */
  readonly alias: string
  readonly logo?: string
}

interface PageOf<T> {
  readonly data: readonly T[]
  readonly meta: { readonly count: number; readonly nextCursor?: string }
}

/** The organization id in the address of the page. */
export const useOrganizationId = (): string => useParam('organizationId')

const base = '/v1/organization-api'

/** A list of an organization, page by page. */
export const organizationListQuery = <T>(
  organizationId: string,
  many: 'companies' | 'plans' | 'extensions',
  query: Readonly<Record<string, string | undefined>> = {},
) =>
  infiniteQueryOptions({
    queryKey: [organizationId, many, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      get<PageOf<T>>({ organizationId }, `${base}/${many}`, {
        query: { ...query, limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.nextCursor,
    placeholderData: (previous) => previous,
  })

/** All plans that an organization can choose from; there are few. */
export const plansQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'plans', 'all'],
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      (await get<PageOf<Plan>>({ organizationId }, `${base}/plans`, { query: { limit: 1000, sortBy: 'name' }, signal }))
        .data,
  })

/** The number of companies on a plan. */
export const companiesOnPlanQuery = (organizationId: string, planId: string) =>
  queryOptions({
    queryKey: [organizationId, 'companies', 'on-plan', planId],
    queryFn: async ({ signal }) =>
      (await get<PageOf<unknown>>({ organizationId }, `${base}/companies`, { query: { planId, limit: 1 }, signal }))
        .meta.count,
  })

/** Reads one of an organization's records, with its version. */
export async function readOwned(organizationId: string, path: string, signal?: AbortSignal): Promise<Versioned> {
  const { data, headers } = await request<RecordData>({ organizationId }, `${base}/${path}`, { signal })
  return { record: data, etag: headers.get('etag') ?? '' }
}

/** One of an organization's records; `path` is, for example, `plans/{id}`. */
export const ownedQuery = (organizationId: string, path: string) =>
  queryOptions({
    queryKey: [organizationId, ...path.split('/'), 'one'],
    queryFn: ({ signal }) => readOwned(organizationId, path, signal),
  })

/** The organization itself. */
export const organizationQuery = (organizationId: string) => ownedQuery(organizationId, 'organization')

/** Creates (POST) or changes (PATCH) one of an organization's records. */
export async function writeOwned(
  organizationId: string,
  path: string,
  write: {
    readonly method: 'POST' | 'PATCH'
    readonly body: Readonly<Record<string, unknown>>
    readonly etag?: string | undefined
    /** Idempotency key of a create. */
    readonly key?: string
  },
): Promise<Versioned> {
  const { method, body, etag, key } = write
  const { data, headers } = await request<RecordData>({ organizationId }, `${base}/${path}`, {
    method,
    body,
    headers: { ...(etag && { 'if-match': etag }), ...(key && { 'idempotency-key': key }) },
  })
  return { record: data, etag: headers.get('etag') ?? '' }
}
