// The routes of people: signing in and out here, the others by their files.

import type { Logger } from 'pino'
import type { Seal } from '../../core/idempotency-claim.ts'
import { listOf, object, string } from '../../core/json-schema.ts'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { body } from '../../engine/body.ts'
import { done, doneReplies } from '../../engine/documents.ts'
import { text } from '../../engine/field.ts'
import { clearCookie } from '../../http/auth/cookie.ts'
import { csrfTokenOf } from '../../http/auth/csrf.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { OpenIdProvider } from '../openid/provider.ts'
import {
  companyMembers,
  consoleChapter,
  hashing,
  ownRoute,
  type People,
  publicPost,
  role,
  signedIn,
  signedInExample,
  signedInReplies,
  typedCode,
  typedPassword,
} from './bodies.ts'
import { identityRoutes } from './identities.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { linkRoutes } from './link-routes.ts'
import { tryingCode, tryingPassword } from './login-throttle.ts'
import { resetRoutes } from './mails.ts'
import { memberChapter, memberRoutes } from './member-routes.ts'
import { ownPlaces, placeRoutes } from './memberships.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { requireSecondFactor } from './second-factor.ts'
import { secondFactorRoutes, signInRuleRoutes } from './second-factor-routes.ts'
import { answerSignedIn, ownUser, personOf } from './sign-ins.ts'
import { ssoRoutes } from './sso-routes.ts'
import { userRoutes } from './user-routes.ts'
import { isPassword, passwordSemaphore, shownUser, type User, userByAddress, userById } from './users.ts'

const { organizationName: _, ...ownCompany } = companyMembers

const credentials = body(
  'Credentials',
  {
    email: text({ max: NAME_CHARACTERS, description: 'The address that the user signs in with, in any case.' }),
    password: typedPassword('As it was typed; it is neither logged nor stored.'),
  },
  { code: typedCode() },
  { email: 'ann@example.com', password: 'four words of my own' },
)

/** A single 401 for everything that can be wrong. */
const invalidCredentials = () => new Problem('invalid_credentials', 'The e-mail address or the password is wrong.')

async function beginSignIn({ database, seal }: People, call: Call): Promise<Answer> {
  const { email, password, code } = credentials.read(call.body)
  const user = await tryingPassword(database, email, call, async () => {
    const found = await userByAddress(database, email)
    if (!(await isPassword(password, found?.passwordHash)) || found === undefined) throw invalidCredentials()
    return found
  })
  return tryingCode(database, { ...user, code }, call, async (transaction) => {
    // The password may have changed meanwhile, which signed out everyone with the old one.
    const now = await userById(transaction, user.id, true)
    if (now?.passwordHash !== user.passwordHash) throw invalidCredentials()
    const hasSecondFactor = await requireSecondFactor(transaction, seal, user.id, code)
    return answerSignedIn(transaction, now as User, call, hasSecondFactor)
  })
}

const common = { path: '/v1/console/sign-in', semaphore: 'none' } as const satisfies Partial<Route>

const signInRoute = (people: People): Route => ({
  ...common,
  ...publicPost,
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'Sets the cookie that keeps the browser signed in for 30 days, or until it is unused for 7. After ten wrong passwords for an account within 15 minutes, or fifty from an address, no password is checked until the 15 minutes are over: 429 with `Retry-After`. A browser in which the user signed in before, recognized by a second cookie, has its own ten attempts, whatever is tried elsewhere. If the account has a second factor, a right password without `code` gets 401 `second_factor_required`, and one with a wrong code 401 `invalid_second_factor`; wrong codes are limited like passwords, but counted separately.',
  body: credentials.document,
  replies: signedInReplies,
  problems: [
    'invalid_credentials',
    'second_factor_required',
    'invalid_second_factor',
    'permission_denied',
    'rate_limited',
  ],
  handle: hashing(people, beginSignIn),
})

const readSignInRoute = ({ database }: People): Route => ({
  ...common,
  ...ownRoute,
  method: 'GET',
  operationId: 'readSignIn',
  summary: 'See who is signed in',
  description:
    'Includes the person’s memberships, at most a hundred of each kind; `GET /v1/console/companies` lists all companies that the person has access to.',
  replies: {
    200: {
      description: 'Who is signed in, and where.',
      schema: object('SignIn', {
        ...signedIn,
        organizations: {
          ...listOf(
            object('OwnOrganization', {
              id: string('Identifies the organization: send it as `x-organization-id`.'),
              name: string('What people call the organization.'),
              role,
            }),
          ),
          description: 'The organizations that the user is a member of.',
        },
        companies: {
          ...listOf(object('OwnCompanyAccess', ownCompany, ['id', 'name', 'role', 'organizationId', 'status'])),
          description: 'The companies that the user is a member of.',
        },
      }),
      example: {
        ...signedInExample,
        organizations: [{ id: '6740a1f2c3d4e5f6a7b8c901', name: 'Corner Shops', role: 'owner' }],
        companies: [],
      },
    },
  },
  handle: async (call) => {
    const { id, signInId } = personOf(call)
    const [user, places] = await Promise.all([ownUser(database, call), ownPlaces(database, id)])
    const csrfToken = csrfTokenOf(call.visit().token as string)
    return json({ user: shownUser(user), csrfToken, signInId, ...places })
  },
})

const signOutRoute = ({ database }: People): Route => ({
  ...common,
  ...ownRoute,
  method: 'DELETE',
  operationId: 'signOut',
  summary: 'Sign out',
  replies: doneReplies('No user is signed in.', signedOut),
  handle: async (call) => {
    await database.query('delete from sign_ins where id = $1', [personOf(call).signInId])
    return { ...json(done(signedOut)), headers: { 'set-cookie': clearCookie(call.visit().isSecure) } }
  },
})
const signedOut = 'You are signed out.'

/** The chapters of people in the reference. */
export const peopleChapters = { ...consoleChapter, ...memberChapter }

/** All routes of people who sign in, in the order of the reference. */
export function peopleRoutes(
  database: Database,
  seal: Seal,
  outbox: Outbox,
  provider: OpenIdProvider = noProvider,
  log?: Logger,
): Route[] {
  const people: People = { database, seal, outbox, provider, passwords: passwordSemaphore(), log }
  const groups = [
    ...[memberRoutes, signInRuleRoutes, signInRoutes, userRoutes, secondFactorRoutes, passkeyRoutes, ssoRoutes],
    ...[identityRoutes, placeRoutes, linkRoutes, resetRoutes, invitationRoutes],
  ]
  // Accounts, sign-ins and links are of no company.
  return groups.flatMap((routes) => routes(people)).map((route) => ({ ...route, reachesEverything: true }))
}

const signInRoutes = (people: People): Route[] =>
  [signInRoute, readSignInRoute, signOutRoute].map((route) => route(people))

/** For routes that are only read, not called. */
const noProvider: OpenIdProvider = {
  label: '',
  isSecondFactor: false,
  publicOrigin: undefined,
  begin: () => Promise.reject(new Error('There is no provider.')),
  identify: () => Promise.reject(new Error('There is no provider.')),
}
