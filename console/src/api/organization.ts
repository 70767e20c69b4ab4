// Data of an organization: its companies, plans, extensions, and its public profile.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { useParam } from './company.ts'
import { type RecordData, requestVersioned, type Versioned } from './records.ts'
import { get } from './request.ts'
import type { CompanyPage, ExtensionPage, Organization, PlanLimits, PlanPage } from './schemas.ts'

export const limitNames = ['outlets', 'stations', 'products', 'users'] as const satisfies readonly (keyof PlanLimits)[]

interface OrganizationPages {
  readonly companies: CompanyPage
  readonly extensions: ExtensionPage
}

/** The organization id in the address of the page. */
export const useOrganizationId = (): string => useParam('organizationId')

const base = '/v1/organization-api'

/** A list of an organization, page by page. */
export const organizationListQuery = <Many extends keyof OrganizationPages>(
  organizationId: string,
  many: Many,
  query: Readonly<Record<string, string | undefined>> = {},
) =>
  infiniteQueryOptions({
    queryKey: [organizationId, many, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      get<OrganizationPages[Many]>({ organizationId }, `${base}/${many}`, {
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
      (await get<PlanPage>({ organizationId }, `${base}/plans`, { query: { limit: 1000, sortBy: 'name' }, signal }))
        .data,
  })

/** The number of companies on a plan. */
export const companiesOnPlanQuery = (organizationId: string, planId: string) =>
  queryOptions({
    queryKey: [organizationId, 'companies', 'on-plan', planId],
    queryFn: async ({ signal }) =>
      (await get<CompanyPage>({ organizationId }, `${base}/companies`, { query: { planId, limit: 1 }, signal })).meta
        .count,
  })

/** Reads one of an organization's records, with its version. */
export const readOwned = <Row = RecordData>(
  organizationId: string,
  path: string,
  signal?: AbortSignal,
): Promise<Versioned<Row>> => requestVersioned<Row>({ organizationId }, `${base}/${path}`, { signal })

/** One of an organization's records; `path` is, for example, `plans/{id}`. */
export const ownedQuery = <Row = RecordData>(organizationId: string, path: string) =>
  queryOptions({
    queryKey: [organizationId, ...path.split('/'), 'one'],
    queryFn: ({ signal }) => readOwned<Row>(organizationId, path, signal),
  })

/** The organization itself. */
export const organizationQuery = (organizationId: string) => ownedQuery<Organization>(organizationId, 'organization')

/** Creates (POST) or changes (PATCH) one of an organization's records. */
export function writeOwned(
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
  return requestVersioned({ organizationId }, `${base}/${path}`, {
    method,
    body,
    headers: { ...(etag && { 'if-match': etag }), ...(key && { 'idempotency-key': key }) },
  })
}
