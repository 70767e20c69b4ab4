// What keys and members belong to: the open company or the open organization, and what the person may do there.
import { useCompany, useParam, useRole } from '../../api/company.ts'
import type { Whose } from '../../api/request.ts'
import { type CompanyRole, useSignIn } from '../../api/sign-in.ts'

export interface Place {
  readonly id: string
  readonly name: string
  readonly isCompany: boolean
  readonly whose: Whose
  /** The beginning of its routes' paths. */
  readonly root: '/v1' | '/v1/organization-api'
  readonly role: CompanyRole
  /** Times are shown in it; without it in the browser's. */
  readonly timezone: string | undefined
}

export function useCompanyPlace(): Place {
  const { id, name, timezone } = useCompany()
  return { id, name, isCompany: true, whose: { companyId: id }, root: '/v1', role: useRole(), timezone }
}

/** Undefined where the person is no member of the organization. */
export function useOrganizationPlace(): Place | undefined {
  const id = useParam('organizationId')
  const found = useSignIn().organizations.find((organization) => organization.id === id)
  if (found === undefined) return undefined
  const { name, role } = found
  const whose = { organizationId: id }
  return { id, name, isCompany: false, whose, root: '/v1/organization-api', role, timezone: undefined }
}
