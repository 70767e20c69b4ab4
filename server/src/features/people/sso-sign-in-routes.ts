// What follows a sign-in at the OpenID provider: the proven identity signs its account in, or creates the account of an invitation.

import { denied, Problem } from '../../core/problem.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { text } from '../../engine/field.ts'
import type { Answer, Call, Route } from '../../http/route.ts'
import type { OpenIdProvider, ProvenIdentity } from '../openid/provider.ts'
import { exampleToken, personName, publicPost, signedInReplies, typedCode } from './bodies.ts'
import { addIdentity, linkedAlready, noteUse, userOfIdentity } from './identities.ts'
import { joinAsNew } from './invitation-routes.ts'
import { findInvitation, type Invitation } from './invitations.ts'
import { invalidLink } from './links.ts'
import { codeTriedBy, trying } from './login-throttle.ts'
import { requireSecondFactor } from './second-factor.ts'
import { answerSignedIn } from './sign-ins.ts'
import { absentWithoutProvider, invalidSso, openProven, type Sso, usedUp } from './sso-tokens.ts'
import { spendChallenge } from './tokens.ts'
import { addressOf, userById } from './users.ts'

const proof = text({ max: 8_000, description: 'The `token` of the identity.' })
const signing = body('SsoSignIn', { token: proof }, { code: typedCode() }, { token: 'cws1_q83v' })
const accepting = body(
  'SsoInvitation',
  { token: proof, invitation: text({ max: 100, description: 'The part of the invitation’s link after `#token=`.' }) },
  { name: personName() },
  { token: 'cws1_q83v', invitation: exampleToken, name: 'Ann Archer' },
)

/** Signs in the account of an identity. A second factor is asked for as after a password, unless the operator vouches for the provider's. */
async function signIn({ database, seal, provider }: Sso, call: Call): Promise<Answer> {
  const { token, code } = signing.read(call.body)
  const proven = openProven(seal, token)
  if (proven === undefined) throw usedUp()
  const { isSecondFactor } = provider
  const userId = await userOfIdentity(database, proven.identity)
  const found = userId === undefined ? undefined : await userById(database, userId)
  if (found === undefined) throw unlinked(provider)
  return trying(database, await codeTriedBy(database, found, call, code), () =>
    retriedTransaction(database, async (transaction) => {
      const user = await userById(transaction, found.id, true)
      if (!(await spendChallenge(transaction, proven))) throw usedUp()
      if (user === undefined || !(await noteUse(transaction, user.id, proven.identity, isSecondFactor)))
        throw unlinked(provider)
      const hasSecondFactor = isSecondFactor || (await requireSecondFactor(transaction, seal, user.id, code))
      return answerSignedIn(transaction, user, call, hasSecondFactor)
    }),
  )
}

const unlinked = ({ label }: OpenIdProvider): Problem =>
  invalidSso(
    `No account is linked to this identity of ${label}. Sign in with your password or passkey and link it under your profile, or open the link of an invitation.`,
  )

/** Creates the account of an invitation for an identity whose address the provider has verified. */
async function accept({ database, seal, provider }: Sso, call: Call): Promise<Answer> {
  const { token, invitation: link, name } = accepting.read(call.body)
  const proven = openProven(seal, token)
  if (proven === undefined) throw usedUp()
  const { identity } = proven
  const invitation = await findInvitation(database, link)
  if (invitation === undefined) throw invalidLink('This link does not belong to an invitation.')
  requireInvited(provider, identity, invitation)
  if ((await userOfIdentity(database, identity)) !== undefined) throw linkedAlready()
  return joinAsNew(database, call, {
    token: link,
    invitation,
    email: invitation.email,
    name: name ?? invitation.name ?? identity.name,
    hasSecondFactor: provider.isSecondFactor,
    taken: () =>
      new Problem(
        'conflict',
        `The address ${invitation.email} has an account already. Sign in to it another way to accept the invitation; then you can link ${provider.label} under your profile.`,
      ),
    made: async (transaction, { id }) => {
      if (!(await spendChallenge(transaction, proven))) throw usedUp()
      await addIdentity(transaction, id, identity, provider.isSecondFactor)
    },
  })
}

/** Throws 403 unless the provider says that the person's address is verified, and it is the invited one. */
function requireInvited(
  { label }: OpenIdProvider,
  { email, isEmailVerified }: ProvenIdentity,
  invitation: Invitation,
): void {
  if (email !== undefined && isEmailVerified && addressOf(email) === addressOf(invitation.email)) return
  const said = email === undefined ? 'no address' : `${email}${isEmailVerified ? '' : ', which it has not verified'}`
  throw denied(
    'other_address',
    `The invitation is for ${invitation.email}, and ${label} says ${said}. Create an account with a password, or ask for an invitation to an address that ${label} has verified.`,
  )
}

/** The routes. */
export const ssoSignInRoutes = (sso: Sso): Route[] => [
  {
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
    handle: (call) => signIn(sso, call),
  },
  {
    ...publicPost,
    path: '/v1/console/sso/accept',
    operationId: 'acceptInvitationBySso',
    summary: 'Accept an invitation with an identity',
    description: `Creates an account without a password under the invited address, links the identity and signs in. The response is 403 unless the provider says that the person’s address is verified, and it is the invited one. It is 409 if the address has an account, or the identity is linked to one: sign in to that account, and accept with \`/v1/console/link/accept\`. ${absentWithoutProvider}`,
    body: accepting.document,
    replies: signedInReplies,
    problems: ['invalid_sso', 'invalid_link', 'permission_denied', 'not_found', 'conflict', 'rate_limited'],
    handle: (call) => accept(sso, call),
  },
]
