// The routes of single sign-on: a browser goes to the OpenID provider, comes back with an identity, and signs in with it. It can
// also accept an invitation (invitation-routes.ts) or be linked to an account (identities.ts).

import { fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { boolean, object, string } from '../../core/json-schema.ts'
import { Problem } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import { body } from '../../engine/body.ts'
import { flag, text } from '../../engine/field.ts'
import { clearCookie, setCookie } from '../../http/auth/cookie.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import type { OpenIdProvider, ProvenIdentity } from '../openid/provider.ts'
import { identityToken, type People, publicPost, signedInReplies, typedCode, unstored } from './bodies.ts'
import { absentWithoutProvider, noteUse, userOfIdentity } from './identities.ts'
import { acceptBySsoRoute } from './invitation-routes.ts'
import { invalidSso, openBegun, openProven, sealBegun, sealProven, spendChallenge, usedUp } from './links.ts'
import { countAnswer, forgiveAnswer, tryingCode } from './login-throttle.ts'
import { requireSecondFactor } from './second-factor.ts'
import { answerSignedIn } from './sign-ins.ts'
import { userById } from './users.ts'

/**
 * Requests that wait for the OpenID provider at once, which bounds the connections that callers without a sign-in open while it is slow,
 * and how many wait for their turn.
 */
const PROVIDER = { name: 'provider', atOnce: divided(16, 4), waiting: divided(200, 50) } as const

/** The page of the console to which the provider sends browsers back. */
const returnPath = '/console/sso'

const beginning = body(
  'SsoStart',
  {},
  {
    reauthenticate: flag({
      description:
        'Whether the person must sign in at the provider even if a session is open there, which may be another person’s. Default false.',
    }),
  },
  { reauthenticate: true },
)
const came = body(
  'SsoAnswer',
  {
    code: text({
      max: 4_000,
      description: 'The authorization code in the address to which the provider sent the browser.',
    }),
    state: text({ max: 200, description: 'The state in that address.' }),
  },
  { iss: text({ max: 2_000, description: 'The issuer in that address, if it has one (RFC 9207).' }) },
  { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'af0ifjsldkj' },
)

/**
 * The address of that page at an origin, which comes from the Host header. Throws 409 if it is not an origin, or if the
 * operator has set another origin: at another address someone else may read the code.
 */
function redirectUriAt(origin: string, publicOrigin: string | undefined): string {
  const url = URL.parse(returnPath, origin)
  if (url === null || (publicOrigin !== undefined && url.origin !== publicOrigin))
    throw new Problem(
      'conflict',
      `Single sign-on needs the address of the console: open it at ${publicOrigin ?? 'its name, such as https://pos.example'}.`,
    )
  return url.href
}

/** Sends the browser to the provider, and keeps what it must bring back in a cookie. */
async function begin({ seal, provider }: People, call: Call): Promise<Answer> {
  const { reauthenticate = false } = call.body === undefined ? {} : beginning.read(call.body)
  const { origin, isSecure } = call.visit()
  const { url, begun } = await provider.begin(redirectUriAt(origin, provider.publicOrigin), reauthenticate)
  return {
    ...json({ url }),
    headers: { 'set-cookie': setCookie('sso', sealBegun(seal, begun), isSecure), ...unstored },
  }
}

/** Redeems the provider's code. A failure of the provider is nobody's guess, so it is not counted. */
async function identify({ database, seal, provider }: People, call: Call): Promise<Answer> {
  const answer = came.read(call.body)
  const { ssoToken, isSecure } = call.visit()
  const begun = openBegun(seal, ssoToken, answer.state)
  await countAnswer(database, call.network())
  const identity = await redeemed()
  await forgiveAnswer(database, call.network())
  const { email, name } = identity
  const isLinked = (await userOfIdentity(database, identity)) !== undefined
  return {
    ...json({ token: sealProven(seal, identity), isLinked, email, name }),
    headers: { 'set-cookie': clearCookie(isSecure, 'sso'), ...unstored },
  }

  async function redeemed(): Promise<ProvenIdentity> {
    if (!(await spendChallenge(database, begun))) throw usedUp()
    return provider.identify(begun, answer).catch(async (error) => {
      if (error instanceof Problem && error.status >= 500) await forgiveAnswer(database, call.network())
      throw error
    })
  }
}

const path = '/v1/console/sso'

/** Whether a route exists only where the operator has set up a provider. */
export const isOfSso = ({ path }: Pick<Route, 'path'>): boolean => /^\/v1\/console\/(sso|identities)(\/|$)/.test(path)

/** The routes; requests to the provider wait in a semaphore of their own. */
export function ssoRoutes(people: People): Route[] {
  const asking = fairSemaphore(PROVIDER)
  const inTurn = (work: typeof begin) => (call: Call) =>
    asking({ tenant: call.network(), isGone: call.isGone }, () => work(people, call))
  return [
    {
      ...publicPost,
      path,
      operationId: 'beginSso',
      summary: 'Begin signing in at the OpenID provider',
      description: `Returns the address of the provider to which the browser goes, and sets a cookie with which it comes back within ten minutes: state, nonce and the code verifier of PKCE, encrypted. If an ID token says when the person signed in, \`reauthenticate\` is checked. ${absentWithoutProvider} The response is 409 if the request does not use the address that the operator has set, and 503 with \`reason\` \`provider_unreachable\` if the provider does not answer.`,
      body: { ...beginning.document, isOptional: true },
      replies: {
        200: {
          description: 'Where to go.',
          schema: object('SsoBeginning', {
            url: string('The address at the provider. It sends the browser back to `/console/sso`.'),
          }),
          example: { url: 'https://login.example.com/authorize?response_type=code&client_id=cashwrap' },
          headers: { 'Set-Cookie': 'A cookie for ten minutes, which scripts cannot read.' },
        },
      },
      problems: ['permission_denied', 'not_found', 'conflict'],
      semaphore: 'none',
      handle: inTurn(begin),
    },
    {
      ...publicPost,
      path: `${path}/identify`,
      operationId: 'identifyBySso',
      summary: 'Finish signing in at the OpenID provider',
      description: `Redeems the code at the provider, once, in the browser in which it was begun, and returns the identity as a token for the next request: it signs in, accepts an invitation, or is linked. Anything wrong is 401 \`invalid_sso\`; after fifty failures from a network within 15 minutes, the answer is 429. ${absentWithoutProvider}`,
      body: came.document,
      replies: {
        200: {
          description: 'Who the person is at the provider.',
          schema: object(
            'SsoIdentity',
            {
              token: string('Contains the encrypted identity; valid for five minutes, and only once.'),
              isLinked: boolean('Whether the identity is linked to an account, which it signs in.'),
              email: string('The address that the provider gives; it does not identify the person.'),
              name: string('The name that the provider gives.'),
            },
            ['token', 'isLinked'],
          ),
          example: { token: 'cws1_q83v', isLinked: true, email: 'ann@example.com', name: 'Ann Archer' },
          headers: { 'Set-Cookie': 'Ends the cookie.' },
        },
      },
      problems: ['invalid_sso', 'permission_denied', 'not_found', 'rate_limited'],
      semaphore: 'none',
      handle: inTurn(identify),
    },
    ssoSignInRoute(people),
    acceptBySsoRoute(people),
  ]
}

const signing = body('SsoSignIn', { token: identityToken }, { code: typedCode() }, { token: 'cws1_q83v' })
/** Signs in the account of an identity. A second factor is asked for as after a password, unless the operator vouches for the provider's. */
async function signIn({ database, seal, provider }: People, call: Call): Promise<Answer> {
  const { token, code } = signing.read(call.body)
  const proven = openProven(seal, token)
  if (proven === undefined) throw usedUp()
  const { isSecondFactor } = provider
  const userId = await userOfIdentity(database, proven.identity)
  const found = userId === undefined ? undefined : await userById(database, userId)
  if (found === undefined) throw unlinked(provider)
  return tryingCode(database, { ...found, code }, call, async (transaction) => {
    const user = await userById(transaction, found.id, true)
    if (!(await spendChallenge(transaction, proven))) throw usedUp()
    if (user === undefined || !(await noteUse(transaction, user.id, proven.identity, isSecondFactor)))
      throw unlinked(provider)
    const hasSecondFactor = isSecondFactor || (await requireSecondFactor(transaction, seal, user.id, code))
    return answerSignedIn(transaction, user, call, hasSecondFactor)
  })
}

const unlinked = ({ label }: OpenIdProvider): Problem =>
  invalidSso(
    `No account is linked to this identity of ${label}. Sign in with your password or passkey and link it under your profile, or open the link of an invitation.`,
  )

const ssoSignInRoute = (people: People): Route => ({
  ...publicPost,
  path: '/v1/console/sso/sign-in',
  operationId: 'signInBySso',
  summary: 'Sign in with an identity',
  description: `Replaces the password. A second factor is required as for \`/v1/console/sign-in\`, unless the operator relies on the provider’s own; a refused code leaves the token valid. An identity without a linked account gets 401 \`invalid_sso\`. ${absentWithoutProvider}`,
  body: signing.document,
  replies: signedInReplies,
  problems: [
    ...(['invalid_sso', 'second_factor_required', 'invalid_second_factor'] as const),
    ...(['permission_denied', 'not_found', 'rate_limited'] as const),
  ],
  handle: (call) => signIn(people, call),
})
