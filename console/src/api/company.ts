// The company whose pages are open: its name, its currency, and what the user may do there.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type CompanyScope, get } from './request.ts'
import type { OwnCompany, SignIn } from './schemas.ts'
import { type CompanyRole, useSignIn } from './sign-in.ts'

export const companyQuery = (companyId: string) =>
  queryOptions({
    queryKey: [companyId, 'company'],
    staleTime: 60_000,
    queryFn: () => get<OwnCompany>({ companyId }, '/v1/company'),
  })

/** A parameter of the page's address, as named in `router.tsx`; empty if it has none. */
export const useParam = (name: string): string =>
  useParams({ strict: false, select: (params) => (params as Record<string, string>)[name] ?? '' })

/** The company id in the address of the page. */
export const useCompanyId = (): string => useParam('companyId')

/** The data that requests of a company's pages are about. */
export const useScope = (): CompanyScope => ({ companyId: useCompanyId() })

export const useCompany = (): OwnCompany => useSuspenseQuery(companyQuery(useCompanyId())).data

/** A user's role in a company: as its member, or else as a member of its organization; the least one where that is not known. */
export const roleIn = (
  { companies, organizations }: SignIn,
  { id, organizationId }: { readonly id?: string | undefined; readonly organizationId?: string | undefined },
): CompanyRole =>
  companies.find((company) => company.id === id)?.role ??
  organizations.find((organization) => organization.id === organizationId)?.role ??
  'viewer'

/** The user's role in the open company. */
export const useRole = (): CompanyRole => roleIn(useSignIn(), useCompany())

/** Whether the user may write; a viewer may not, and nobody while the company is suspended. */
export function useCanWrite(): boolean {
  const { status } = useCompany()
  return useRole() !== 'viewer' && status !== 'suspended'
}
