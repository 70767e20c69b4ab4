// The company whose pages are open: what it is called, what it counts in, and what the person may do there.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { get } from './request.ts'
import { type CompanyRole, useSignIn } from './sign-in.ts'

export interface Company {
  readonly id: string
  readonly name: string
  readonly email?: string
  readonly organizationId: string
  readonly planId?: string
  readonly country?: string
  readonly currency?: string
  readonly timezone?: string
  readonly status: string
}

export const companyQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'company'],
    staleTime: 60_000,
    queryFn: () => get<Company>({ companyId }, '/v1/company'),
  })

/** A part of the page's address by its name in `router.tsx`; empty where it has none. */
export const useParam = (name: string): string =>
  useParams({ strict: false, select: (params) => (params as Record<string, string>)[name] ?? '' })

/** The id in the address of a company's pages. */
export const useCompanyId = (): string => useParam('companyId')

/** Whose data the requests of a company's pages are about. */
export const useWhose = (): { readonly companyId: string } => ({ companyId: useCompanyId() })

export const useCompany = (): Company => useSuspenseQuery(companyQuery(useCompanyId())).data

/** The person's role in the open company: of a member of the company, else of one of its organization. */
export function useRole(): CompanyRole {
  const { companies, organizations } = useSignIn()
  const { id, organizationId } = useCompany()
  return (
    companies.find((company) => company.id === id)?.role ??
    organizations.find((organization) => organization.id === organizationId)?.role ??
    'viewer'
  )
}

/** Whether the person may write; a viewer only looks. */
export const useCanWrite = (): boolean => useRole() !== 'viewer'
