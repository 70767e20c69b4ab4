// Inspects and uses links: for the first owner, for a new password, and for an account created from an invitation.

import { newId } from '../../core/ids.ts'
import { boolean, object, string, time } from '../../core/json-schema.ts'
import { bodyError, denied, invalid, notFound } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import {
  exampleToken,
  hashing,
  linkToken,
  type People,
  personEmail,
  personName,
  publicPost,
  signedInReplies,
  typedCode,
  typedPassword,
  unstored,
} from './bodies.ts'
import { removeIdentities } from './identities.ts'
import { invitationOf, invitationShown, makeAccount } from './invitation-routes.ts'
import { findInvitation } from './invitations.ts'
import { dropLinks, findLink, type Link, spendLink } from './links.ts'
import { forgetFailures, tryingCode } from './login-throttle.ts'
import { insertMember } from './members.ts'
import { removePasskeys } from './passkeys.ts'
import { requireSecondFactor } from './second-factor.ts'
import { answerSignedIn, showsFactor, signOutAll } from './sign-ins.ts'
import { createUser, hashPassword, requireStrong, setPassword, userById } from './users.ts'
import { linkNeedsFactor } from './ways-in.ts'

const looked = body('LinkToken', { token: linkToken() }, {}, { token: exampleToken })
const used = body(
  'LinkUse',
  {
    token: linkToken(),
    password: typedPassword('The new password: 10 to 200 characters.'),
  },
  { email: personEmail(), name: personName(), code: typedCode() },
  { token: exampleToken, password: 'four words of my own', email: 'ann@example.com', name: 'Ann Archer' },
)

/** The routes. */
export const linkRoutes = (people: People): Route[] => [inspectRoute(people), redeemRoute(people)]

async function redeemLink(people: People, call: Call): Promise<Answer> {
  const { database } = people
  const sent = used.read(call.body)
  // Checked before hashing, so that only the holder of a link can cause that work.
  const invitation = await findInvitation(database, sent.token)
  if (invitation !== undefined) return makeAccount(database, call, sent, invitation)
  const link = await findLink(database, sent.token)
  const { email, name } = sent
  if (link.kind === 'first') {
    if (email === undefined)
      throw invalid([bodyError('/email', 'required', 'is required: the first owner signs in with it')])
    return makeFirstOwner(database, call, link, { ...sent, email })
  }
  if (email !== undefined || name !== undefined)
    throw invalid([
      bodyError(email === undefined ? '/name' : '/email', 'unknown', 'must be left out: the account already has it'),
    ])
  return choosePassword(people, call, link, sent)
}

/** Creates the first owner of an organization, and signs the owner in. */
async function makeFirstOwner(
  database: Database,
  call: Call,
  link: Link,
  { token, email, name, password }: { token: string; email: string; name?: string; password: string },
): Promise<Answer> {
  requireStrong(password, [email, name])
  const passwordHash = await hashPassword(password)
  const answer = await retriedTransaction(database, async (transaction) => {
    await spendLink(transaction, token)
    const user = await createUser(transaction, { email, name, passwordHash })
    const organizationId = link.organizationId as string
    await insertMember(transaction, { companyId: undefined, organizationId }, { id: newId(), user, role: 'owner' })
    return answerSignedIn(transaction, user, call)
  })
  await forgetFailures(database, email)
  return answer
}

/** What a password link is used with. */
interface LinkUse {
  readonly token: string
  readonly password: string
  readonly code?: string | undefined
}

/**
 * Stores the new password of a link's user, removes passkeys and linked identities, signs the user out everywhere and in here:
 * addresses are unverified, so another person may have made the account and added them. A second factor is required as at a sign-in.
 */
async function choosePassword(
  { database, seal }: People,
  call: Call,
  link: Link,
  { token, password, code }: LinkUse,
): Promise<Answer> {
  const id = link.userId as string
  const email = link.email as string
  requireStrong(password, [email])
  await mayKeepFactors(database, call, id)
  const passwordHash = await hashPassword(password)
  // If two users use links that each made for the other, one gives way and retries.
  const answer = await tryingCode(database, { id, email, code }, call, async (transaction) => {
    const user = await userById(transaction, id, true)
    if (user === undefined) throw notFound('user', id)
    const isOn = await requireSecondFactor(transaction, seal, id, code)
    const keepsFactors = await mayKeepFactors(transaction, call, id)
    await spendLink(transaction, token)
    await setPassword(transaction, id, passwordHash)
    if (!keepsFactors) {
      await removePasskeys(transaction, id)
      await removeIdentities(transaction, id)
    }
    await signOutAll(transaction, id)
    await dropLinks(transaction, id)
    return answerSignedIn(transaction, { ...user, passwordHash }, call, isOn || keepsFactors)
  })
  await forgetFailures(database, email)
  return answer
}

/**
 * Whether a link to a new password leaves the user's passkeys and identities: a mailbox must not be enough to replace those that a place
 * requires, so the link then works only in a browser that is signed in with one. Throws 403 in any other.
 */
async function mayKeepFactors(database: Queryable, call: Call, userId: string): Promise<boolean> {
  if (!(await linkNeedsFactor(database, userId))) return false
  if (await showsFactor(database, userId, call.visit().token)) return true
  throw denied(
    'link_needs_factor',
    'A company or organization of yours requires a second factor, and a link cannot replace yours. Sign in with it in this browser, such as with your passkey, and open the link again, which stays valid. If you have lost it, ask the operator to run `cashwrap user reset-password`.',
    'second_factor_missing',
  )
}

async function linkOf(database: Database, call: Call, token: string) {
  const invitation = await findInvitation(database, token)
  if (invitation !== undefined) return invitationOf(database, invitation)
  const { kind, userId, email, expiresAt, organizationName } = await findLink(database, token)
  const needsSecondFactor =
    userId !== undefined &&
    (await linkNeedsFactor(database, userId)) &&
    !(await showsFactor(database, userId, call.visit().token))
  return { kind, email, expiresAt, organizationName, ...(needsSecondFactor && { needsSecondFactor }) }
}

const inspectRoute = ({ database }: People): Route => ({
  ...publicPost,
  path: '/v1/console/link/look',
  operationId: 'lookAtLink',
  summary: 'Read what a link is for',
  description:
    'Shows what a link is for, without using it. For an invitation, the answer names the inviter and what the invitation gives access to.',
  body: looked.document,
  replies: {
    200: {
      description: 'What it is for.',
      schema: object(
        'Link',
        {
          kind: {
            type: 'string',
            enum: ['first', 'password', 'invitation'],
            description:
              '`first`: creates the first owner. `password`: sets the password of an account. `invitation`: makes an account a member.',
          },
          email: string(
            'Address of the account whose password is set. For an invitation: what the owner typed, which is only a label.',
          ),
          expiresAt: time('When the link stops working.'),
          organizationName: string('The organization that the first owner gets, or that the invitation is for.'),
          needsSecondFactor: boolean(
            'True if this is a `password` link that works only in a browser signed in to the account with its passkey, or another second factor, and this browser is not; absent otherwise.',
          ),
          ...invitationShown,
        },
        ['kind', 'expiresAt'],
      ),
      example: { kind: 'password', email: 'ann@example.com', expiresAt: '2026-11-28T09:30:00.000Z' },
    },
  },
  problems: ['invalid_link', 'permission_denied'],
  handle: async (call) => {
    const { token } = looked.read(call.body)
    return { ...json(await linkOf(database, call, token)), headers: unstored }
  },
})

const redeemRoute = (people: People): Route => ({
  ...publicPost,
  path: '/v1/console/link/use',
  semaphore: 'none',
  operationId: 'useLink',
  summary: 'Set a password or create an account with a link',
  description:
    'Signs the user in here and out everywhere else. A link works once: of two concurrent requests, one succeeds. A `first` link needs `email`. An `invitation` link creates an account under `email`, or under the address of the invitation if `email` is absent, and that account becomes the member. An address that has an account is 400 with code `taken` at `/email`: sign in with it, and accept with `/v1/console/link/accept`. After ten such answers for an organization, or fifty failures from a network, within 15 minutes, the answer is 429. A `password` link also removes the passkeys and linked identities of the account. If the account has a second factor, the link needs `code`, as a sign-in does; a refused code leaves the link valid. If a company or organization of the person requires a second factor and the account has one other than codes, a `password` link gets 403 `second_factor_missing` and stays valid. In a browser that is signed in to the account with that factor, the link works, and passkeys and identities stay.',
  body: used.document,
  replies: signedInReplies,
  problems: [
    'invalid_link',
    'second_factor_required',
    'invalid_second_factor',
    'second_factor_missing',
    'permission_denied',
    'conflict',
    'not_found',
    'rate_limited',
  ],
  handle: hashing(people, redeemLink),
})
