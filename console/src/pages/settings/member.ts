// Members of a company or an organization: the requests to list and change them.
import { get, newIdempotencyKey, send } from '../../api/request.ts'
import type { Member, MemberCreate, MemberLink, NewMember } from '../../api/schemas.ts'
import type { CompanyRole } from '../../api/sign-in.ts'
import { pagesOf } from './pages-of.ts'
import type { Tenant } from './tenant.ts'

/** Whether it is an open invitation. */
export const isInvitation = ({ expiresAt }: Member): boolean => expiresAt !== undefined

export const rolesOf = ({ isCompany }: Tenant): readonly CompanyRole[] =>
  isCompany ? ['viewer', 'admin', 'owner'] : ['admin', 'owner']

/** A member's display name. */
export const calledAs = ({ name, email }: Member): string => name ?? email

export const membersQuery = (place: Tenant) => pagesOf(place, 'members', { sortBy: 'email' })

/** A member who was invited by e-mail address, which always makes a link. */
export type Invited = NewMember & Required<Pick<NewMember, 'link'>>

/** Invites a person, whether or not the address has an account. */
export const inviteMember = ({ scope, root }: Tenant, body: MemberCreate, idempotencyKey: string): Promise<Invited> =>
  get<Invited>(scope, `${root}/members`, {
    method: 'POST',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  })

export const changeRole = ({ scope, root }: Tenant, id: string, role: CompanyRole): Promise<Member> =>
  get<Member>(scope, `${root}/members/${id}`, { method: 'PATCH', body: { role } })

export const removeMember = ({ scope, root }: Tenant, id: string): Promise<Response> =>
  send(scope, `${root}/members/${id}`, { method: 'DELETE' })

/** A new link with which a member chooses a password, or accepts an invitation. */
export const makeLink = ({ scope, root }: Tenant, id: string): Promise<MemberLink> =>
  get<MemberLink>(scope, `${root}/members/${id}/link`, {
    method: 'POST',
    headers: { 'idempotency-key': newIdempotencyKey() },
  })
