// People for tests: users with memberships, and calls as their browsers make them.
import { newId } from '../../src/core/ids.ts'
import type { Role } from '../../src/core/scope.ts'
import { makeLink } from '../../src/features/people/links.ts'
import { tryingPassword } from '../../src/features/people/login-throttle.ts'
import { answerSignedIn } from '../../src/features/people/sign-ins.ts'
import { createUser, type User, userById } from '../../src/features/people/users.ts'
import type { Visit } from '../../src/http/auth/cookie.ts'
import type { Call } from '../../src/http/route.ts'
import { sessions } from './nodes.ts'
import { until } from './program.ts'
import type { Caller, Reply, TestService } from './service.ts'

/** The password of all test users. */
export const password = 'four words of our own'

/** Its hash at the least cost: checking one of full cost takes 35 ms of processor time at each sign-in. */
const quickHash = '$argon2id$v=19$m=8,t=1,p=1$c2FsdCBvZiBhbGwgdGVzdA$+iX0t84k0NaDrpoyS9wW9+PCOoyg7Ab6JSLTienYzSE'

/** What a person is a member of. */
export type Place = { readonly companyId: string } | { readonly organizationId: string }

/** Makes a person a member of a place. */
export async function join({ database }: TestService, userId: string, place: Place, role: Role): Promise<string> {
  const id = newId()
  const now = new Date().toISOString()
  const { companyId = null, organizationId = null } = place as Partial<Record<'companyId' | 'organizationId', string>>
  await database.query(
    `insert into members (id, user_id, company_id, organization_id, role, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)`,
    [id, userId, companyId, organizationId, role, now],
  )
  return id
}

/** A user with a password, optionally with a role in a place. */
export async function newUser(
  service: TestService,
  place?: Place,
  role: Role = 'owner',
  passwordHash = quickHash,
): Promise<{ id: string; email: string }> {
  const email = `${newId()}@people.example`
  const { id } = await service.database.transaction((transaction) => createUser(transaction, { email, passwordHash }))
  if (place) await join(service, id, place, role)
  return { id, email }
}

/** The cookie pair that a browser sends back. */
export const cookieOf = ({ headers }: Pick<Reply, 'headers'>): string =>
  headers.getSetCookie()[0]?.split(';')[0] as string

/** The pair of the known-browser cookie, among the received ones. */
export const knownCookieOf = ({ headers }: Pick<Reply, 'headers'>): string =>
  headers.getSetCookie()[1]?.split(';')[0] as string

/** A browser with a signed-in person. */
export interface Browser {
  readonly cookie: string
  /** The known-browser cookie. */
  readonly knownCookie: string
  readonly csrfToken: string
  readonly signInId: string
  readonly userId: string
  /** Calls without a company or organization. */
  readonly call: Caller
  /** Calls about a place, optionally at another server. */
  about(place: Place, at?: string): Caller
}

/**
 * Counts wrong passwords for an account from a network as the service does, without checking any: each check takes 35 ms. For
 * tests of what follows from the count.
 */
export async function countWrong(
  { database }: TestService,
  email: string,
  { times, network }: { readonly times: number; readonly network: () => string },
): Promise<void> {
  const wrong = new Error('The password is wrong.')
  for (let n = 0; n < times; n++) {
    const call = { visit: () => ({}), network } as Pick<Call, 'visit' | 'network'>
    await tryingPassword(database, email, call as Call, () => Promise.reject(wrong)).catch((error) => {
      if (error !== wrong) throw error
    })
  }
}

/** Signs in a person that has `password`. */
export async function signIn(service: TestService, email: string): Promise<Browser> {
  const reply = await service.caller()('POST', '/v1/console/sign-in', { email, password })
  if (reply.status !== 200) throw new Error(reply.text)
  return browserOf(service, reply)
}

/** The browser that got the response of a sign-in. */
export function browserOf(service: TestService, reply: Pick<Reply, 'headers' | 'body'>): Browser {
  const { csrfToken, signInId, user } = reply.body
  const cookie = cookieOf(reply)
  const headers = { cookie, 'x-csrf-token': csrfToken }
  return {
    cookie,
    knownCookie: knownCookieOf(reply),
    csrfToken,
    signInId,
    userId: user.id,
    call: service.caller(headers),
    about: (place, at) => service.caller({ ...headers, ...placeHeader(place) }, at),
  }
}

/** The header that names the company or organization of a call. */
export const placeHeader = (place: Place): Record<string, string> =>
  'companyId' in place ? { 'x-company-id': place.companyId } : { 'x-organization-id': place.organizationId }

/** A first visit of a browser, without cookies. */
const visitOf = (origin: string): Visit => ({
  isSecure: false,
  token: undefined,
  browserToken: undefined,
  ssoToken: undefined,
  origin,
  address: '127.0.0.1',
  userAgent: '',
})

/** A new person with a role in a place, signed in as by `signIn`, without the time that checking a password takes. */
export async function person(service: TestService, place: Place, role: Role = 'owner'): Promise<Browser> {
  const { id } = await newUser(service, place, role)
  const { headers, body } = await service.database.transaction(async (transaction) =>
    answerSignedIn(transaction, (await userById(transaction, id)) as User, { visit: () => visitOf(service.url) }),
  )
  const cookies = (headers?.['set-cookie'] ?? []) as readonly string[]
  return browserOf(service, {
    headers: new Headers(cookies.map((cookie) => ['set-cookie', cookie])),
    body: JSON.parse(body as string),
  })
}

/** The token of a link for a new person without a password. */
export async function invited({ database }: TestService): Promise<string> {
  return database.transaction(async (transaction) => {
    const { id } = await createUser(transaction, { email: `${newId()}@people.example` })
    return tokenIn(await makeLink(transaction, id))
  })
}

/** The token of an invitation to a new company, from its owner. */
export async function invitation(service: TestService, email = `${newId()}@people.example`): Promise<string> {
  const place = { companyId: (await service.company()).id }
  const owner = await person(service, place)
  const { body } = await owner.about(place)('POST', '/v1/members', { email, role: 'viewer' })
  return tokenIn(body.link)
}

/** Resolves once a statement, or several, wait for a row that another transaction has locked. */
export const someoneWaits = ({ database }: TestService, count = 1): Promise<void> =>
  until('statements wait for a row', async () => {
    // The others may all be in use by what waits.
    const rows = await database.reserved.query(
      `select 1 from ${sessions} where datname = current_database() and wait_event in ('transactionid', 'tuple')`,
    )
    return rows.length >= count
  })

/** The token of a link's path. */
export const tokenIn = (link: string): string => link.split('#token=')[1] as string
