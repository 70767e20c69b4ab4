// Authenticates by sign-in: by a browser's cookie in place of a key, the company or organization that the request
// names, and what the user's role allows there (decision 19).
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { denied, invalid, notFound, Problem, roleTooLow } from '../../core/problem.ts'
import { isAtLeast, type Role, Scope } from '../../core/scope.ts'
import { neededRole, type Route, type Surface } from '../route.ts'
import { type Admitted, type Caller, companySuspended, failureOf, type RateLimits } from './api-key.ts'
import { tokenOf } from './cookie.ts'
import { crossSite, requireCsrfToken } from './csrf.ts'

/** What a request applies to: a company, an organization, or, on the person surface, neither. */
interface SignInTenant {
  readonly companyId?: string
  readonly organizationId?: string
}

/** A sign-in at this moment, and what its user may do in a place. */
export interface KnownSignIn {
  readonly id: string
  readonly userId: string
  /** Undefined where the place does not exist, or the user is not a member. */
  readonly role: Role | undefined
  /** Why the company is suspended, and closed to its own members; empty if no reason was given. */
  readonly suspended: string | undefined
  /**
   * Whether the place, or a company of an organization, requires a second factor, and the sign-in was made without one.
   */
  readonly lacksSecondFactor: boolean
  /** Whether the user is a member of the company's organization, and so may view a suspended company. */
  readonly isOfOrganization: boolean
}

/**
 * Finds a sign-in by its token, always in the database. Undefined: it does not exist, or has ended; `removed`: its user's
 * account was deleted. `mayGuess` is as for keys (`FindKey`).
 */
export type FindSignIn = (
  token: string,
  place: SignInTenant,
  mayGuess?: () => Admitted,
) => Promise<KnownSignIn | 'removed' | undefined | null>

const keyHeaders = ['x-api-key', 'x-org-api-key', 'apikey'] as const
const placeHeaders = { company: 'x-company-id', organization: 'x-organization-id' } as const

/** Whether a request has a key, right or wrong: then its cookie is ignored. */
const hasKey = (headers: IncomingHttpHeaders): boolean => keyHeaders.some((name) => headers[name] !== undefined)

/** Whether a request uses a sign-in. On the person surface nothing else is accepted. */
export const isBySignIn = (request: FastifyRequest, surface: Surface): boolean =>
  surface === 'person' || (!hasKey(request.headers) && tokenOf(request) !== undefined)

/** Whether a request to a public route asks for a company's own data, by sign-in. */
export const asksByPerson = (request: FastifyRequest): boolean =>
  request.headers[placeHeaders.company] !== undefined && isBySignIn(request, 'company')

/** Authorizes a request by sign-in, or rejects with the problem to answer with. Undefined: a limit has answered it. */
export async function authenticatePerson(
  find: FindSignIn,
  request: FastifyRequest,
  route: Pick<Route, 'method' | 'permission' | 'forPeople' | 'forKeys'>,
  surface: Surface,
  limits?: RateLimits,
): Promise<Caller | undefined> {
  const token = hasKey(request.headers) ? undefined : tokenOf(request)
  if (token === undefined) throw notSignedIn()
  const refused = crossSite(request)
  if (refused) throw refused
  requireCsrfToken(request, token)
  const place = placeOf(request.headers, surface)

  const { mayFail, forgive } = failureOf(limits)
  const known = await find(token, place, mayFail).catch((error) => {
    forgive()
    throw error
  })
  if (known === null) return undefined
  if (known === undefined || known === 'removed') {
    if ((await mayFail?.()) === false) return undefined
    throw known === 'removed' ? signInRemoved() : notSignedIn()
  }
  forgive()
  if ((await limits?.admits(known.id)) === false) return undefined

  const { id: signInId, userId, role, suspended, lacksSecondFactor, isOfOrganization } = known
  const { companyId = '', organizationId } = place
  const ownerId = companyId || organizationId || userId
  const caller = { scope: Scope.grant(companyId, { organizationId, user: { id: userId, role, signInId } }), ownerId }
  if (surface === 'person') return caller
  // The answer is the same whether it belongs to another user or does not exist.
  if (role === undefined) throw notFound(surface, ownerId)
  if (lacksSecondFactor) throw secondFactorMissing(surface)
  const isRead = route.method === 'GET'
  if (suspended !== undefined && !(isOfOrganization && isRead)) throw companySuspended('x-company-id', suspended)
  if (route.forKeys)
    throw new Problem('permission_denied', 'This request describes the API key that it is sent with. Send an API key.')
  const needed = neededRole(route)
  if (!isAtLeast(role, needed)) throw roleTooLow(needed, `Your role is ${role}; this requires the role ${needed}.`)
  return caller
}

/** 403: the place requires more of sign-ins than this one has. */
export const secondFactorMissing = (surface: Surface): Problem =>
  denied(
    'factor_required',
    `${surface === 'organization' ? 'This organization, or one of its companies,' : 'This company or its organization'} requires a second factor, and you signed in without one. Sign in with your passkey; if you have none, add one or turn on two-step authentication under your profile.`,
    'second_factor_missing',
  )

/** 401: the sign-in of the cookie has ended. */
export const notSignedIn = (): Problem =>
  new Problem('not_signed_in', 'You are not signed in, or your sign-in has ended. Sign in.')

/** 401: the account of the cookie's user was deleted, with the last membership or by the operator. */
const signInRemoved = (): Problem =>
  new Problem(
    'not_signed_in',
    'Your account was deleted: an owner removed its last membership, or the operator deleted it. Ask an owner to invite you again.',
    [],
    { reason: 'membership_removed' },
  )

/** The company or organization that a request names. Throws 400 where it names none. */
function placeOf(headers: IncomingHttpHeaders, surface: Surface): SignInTenant {
  if (surface !== 'company' && surface !== 'organization') return {}
  const name = placeHeaders[surface]
  const id = headers[name]
  if (typeof id !== 'string' || id === '')
    throw invalid([
      {
        in: 'header',
        pointer: name,
        code: 'required',
        message: `is required with a sign-in: the id of the ${surface} that the request is about`,
      },
    ])
  return surface === 'company' ? { companyId: id } : { organizationId: id }
}
