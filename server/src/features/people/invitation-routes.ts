// Invitations as their recipients see them: what the link offers, and how it is accepted: with an existing account, or with one
// that is created from it, with a password or with an identity of the OpenID provider.

import { listOf, object, string } from '../../core/json-schema.ts'
import { bodyError, denied, invalid, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import type { OpenIdProvider, ProvenIdentity } from '../openid/provider.ts'
import {
  exampleToken,
  identityToken,
  linkToken,
  ownPost,
  type People,
  personName,
  publicPost,
  role,
  signedInReplies,
} from './bodies.ts'
import { absentWithoutProvider, addIdentity, linkedAlready, userOfIdentity } from './identities.ts'
import { findInvitation, type Invitation, joinBy, placesOf, spendInvitation } from './invitations.ts'
import { invalidLink, openProven, spendChallenge, usedUp } from './links.ts'
import { choosing, forgetFailures } from './login-throttle.ts'
import { answerSignedIn } from './sign-ins.ts'
import { addressOf, createUser, hashPassword, isAddressTaken, requireStrong, type User } from './users.ts'
import { holdSignedIn } from './ways-in.ts'

const accepted = body('InvitationAccepted', { token: linkToken() }, {}, { token: exampleToken })

/** Members of an inspected invitation link that other links do not have. */
export const invitationShown = {
  name: string('For an invitation: the name that the owner typed; absent if they typed none.'),
  role: { ...role, description: 'For an invitation: the role that the account gets.' },
  companyName: string('For an invitation to one company: its name.'),
  companies: {
    ...listOf({ type: 'string' }),
    description: 'For an invitation: names of the companies it gives access to, at most twenty.',
  },
  companyCount: { type: 'integer', description: 'For an invitation: the number of companies it gives access to.' },
  invitedBy: {
    ...object(
      'Inviter',
      {
        email: string('The address that the inviter signs in with.', 'olga@example.com'),
        name: string('What other people see of the inviter; absent if they have set none.'),
      },
      ['email'],
    ),
    description: 'For an invitation: the owner who made the link.',
  },
}

/** What an invitation is for, as its recipient sees it. */
export async function invitationOf(database: Database, invitation: Invitation) {
  const { email, name, expiresAt, role, invitedBy } = invitation
  const { id: _, ...inviter } = invitedBy
  return {
    kind: 'invitation',
    email,
    name,
    expiresAt,
    role,
    invitedBy: inviter,
    ...(await placesOf(database, invitation)),
  }
}

/** What the recipient chose for a new account. */
interface Chosen {
  readonly token: string
  readonly password: string
  readonly email?: string | undefined
  readonly name?: string | undefined
}

/** Creates an account from an invitation, makes it the member and signs it in. Throws 400 for a taken address, 429 after ten. */
export async function makeAccount(
  database: Database,
  call: Call,
  { token, password, ...chosen }: Chosen,
  invitation: Invitation,
): Promise<Answer> {
  const email = chosen.email ?? invitation.email
  const name = chosen.name ?? invitation.name
  requireStrong(password, [email, name])
  return joinAsNew(database, call, {
    token,
    invitation,
    email,
    name,
    hash: () => hashPassword(password),
    taken: takenForNew,
  })
}

interface NewAccount {
  readonly token: string
  readonly invitation: Invitation
  readonly email: string
  readonly name: string | undefined
  /** Hashes its password; absent for an account without one. */
  readonly hash?: () => Promise<string>
  /** What to answer where the address has an account. */
  readonly taken: () => Problem
  /** What else is stored of the account, in the same transaction. */
  readonly made?: (transaction: Queryable, user: User) => Promise<void>
  /** Whether the person has shown a second factor. */
  readonly hasSecondFactor?: boolean
}

/** Creates the account of an invitation, makes it the member and signs it in. Throws `taken` for a taken address, 429 after ten. */
async function joinAsNew(database: Database, call: Call, wanted: NewAccount): Promise<Answer> {
  const { token, invitation, email, name, hash, taken, made, hasSecondFactor } = wanted
  const join = async () => {
    const passwordHash = await hash?.()
    return retriedTransaction(database, async (transaction) => {
      const spent = await spendInvitation(transaction, token)
      const user = await createUser(transaction, { id: spent.userId, email, name, passwordHash })
      await made?.(transaction, user)
      await joinBy(transaction, spent, user)
      return answerSignedIn(transaction, user, call, hasSecondFactor)
    })
  }
  const choice = { by: invitation.place.organizationId, network: call.network() }
  const answer = await choosing(database, choice, join).catch((error) => {
    throw isAddressTaken(error) ? taken() : error
  })
  await forgetFailures(database, email)
  return answer
}

const takenForNew = () =>
  invalid([
    bodyError(
      '/email',
      'taken',
      'cannot be used for a new account. If it is yours, sign in to accept the invitation; otherwise choose another address',
    ),
  ])

/** The route for accepting with the signed-in account. */
export function invitationRoutes({ database }: People): Route[] {
  return [
    {
      ...ownPost,
      path: '/v1/console/link/accept',
      operationId: 'acceptInvitation',
      summary: 'Accept an invitation',
      description:
        'Makes the signed-in account the member, even if the invitation has another address. A link works once: of two concurrent requests, one succeeds. If the account is already a member, the answer is 409 and the link stays valid.',
      body: accepted.document,
      replies: {
        200: {
          description: 'What the account now has access to.',
          schema: object(
            'AcceptedInvitation',
            {
              id: string('Id of the member.'),
              role,
              companyId: string('For an invitation to one company: its id.'),
              organizationId: string('The organization of the invitation or of that company.'),
            },
            ['id', 'role', 'organizationId'],
          ),
          example: {
            id: '6740a1f2c3d4e5f6a7b8c9e3',
            role: 'admin',
            companyId: '6740a1f2c3d4e5f6a7b8c900',
            organizationId: '6740a1f2c3d4e5f6a7b8c901',
          },
        },
      },
      problems: ['invalid_link', 'conflict'],
      handle: async (call) => {
        const { token } = accepted.read(call.body)
        return retriedTransaction(database, async (transaction) => {
          const invitation = await spendInvitation(transaction, token)
          const user = await holdSignedIn(transaction, call)
          await joinBy(transaction, invitation, user)
          const { id, role, place } = invitation
          return json({ id, role, ...place })
        })
      },
    },
  ]
}

const acceptedBySso = body(
  'SsoInvitation',
  { token: identityToken, invitation: linkToken('The part of the invitation’s link after `#token=`.') },
  { name: personName() },
  { token: 'cws1_q83v', invitation: exampleToken, name: 'Ann Archer' },
)

/** Creates the account of an invitation for an identity whose address the provider has verified. */
async function acceptBySso({ database, seal, provider }: People, call: Call): Promise<Answer> {
  const { token, invitation: link, name } = acceptedBySso.read(call.body)
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

/** The route for accepting with an identity of the OpenID provider, which creates the account. */
export const acceptBySsoRoute = (people: People): Route => ({
  ...publicPost,
  path: '/v1/console/sso/accept',
  operationId: 'acceptInvitationBySso',
  summary: 'Accept an invitation with an identity',
  description: `Creates an account without a password under the invited address, links the identity and signs in. The response is 403 unless the provider says that the person’s address is verified, and it is the invited one. It is 409 if the address has an account, or the identity is linked to one: sign in to that account, and accept with \`/v1/console/link/accept\`. ${absentWithoutProvider}`,
  body: acceptedBySso.document,
  replies: signedInReplies,
  problems: ['invalid_sso', 'invalid_link', 'permission_denied', 'not_found', 'conflict', 'rate_limited'],
  handle: (call) => acceptBySso(people, call),
})
