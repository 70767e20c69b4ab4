// The owner of keys and members: the open company or organization, and the user's permissions there.
import { useCompany, useParam, useRole } from '../../api/company.ts'
import type { Whose } from '../../api/request.ts'
import { type CompanyRole, useSignIn } from '../../api/sign-in.ts'

export interface Tenant {
  readonly id: string
  readonly name: string
  readonly isCompany: boolean
  readonly whose: Whose
  /** The prefix of its paths. */
  readonly root: '/v1' | '/v1/organization-api'
  readonly role: CompanyRole
  /** The time zone of shown times; without it, the browser's. */
  readonly timezone: string | undefined
}

export function useCompanyTenant(): Tenant {
  const { id, name, timezone } = useCompany()
  return { id, name, isCompany: true, whose: { companyId: id }, root: '/v1', role: useRole(), timezone }
}

/** Undefined if the user is not a member of the organization. */
export function useOrganizationTenant(): Tenant | undefined {
  const id = useParam('organizationId')
  const found = useSignIn().organizations.find((organization) => organization.id === id)
  if (found === undefined) return undefined
  const { name, role } = found
  const whose = { organizationId: id }
  return { id, name, isCompany: false, whose, root: '/v1/organization-api', role, timezone: undefined }
}
