// The owner of keys and members: the open company or organization, and the user's permissions there.
import { useCanWrite, useCompany, useParam, useRole } from '../../api/company.ts'
import type { Scope } from '../../api/request.ts'
import { type CompanyRole, useSignIn } from '../../api/sign-in.ts'

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly isCompany: boolean
  readonly scope: Scope
  /** The prefix of its paths. */
  readonly root: '/v1' | '/v1/organization-api'
  /** What the user may read. */
  readonly role: CompanyRole
  /** What the user may change: a viewer's while the company is suspended. */
  readonly writesAs: CompanyRole
  /** The time zone of shown times; without it, the browser's. */
  readonly timezone: string | undefined
}

export function useCompanyTenant(): Tenant {
  const { id, name, timezone } = useCompany()
  const role = useRole()
  const writesAs = useCanWrite() ? role : 'viewer'
  return { id, name, isCompany: true, scope: { companyId: id }, root: '/v1', role, writesAs, timezone }
}

/** Undefined if the user is not a member of the organization. */
export function useOrganizationTenant(): Tenant | undefined {
  const id = useParam('organizationId')
  const found = useSignIn().organizations.find((organization) => organization.id === id)
  if (found === undefined) return undefined
  const { name, role } = found
  const scope = { organizationId: id }
  return { id, name, isCompany: false, scope, root: '/v1/organization-api', role, writesAs: role, timezone: undefined }
}
