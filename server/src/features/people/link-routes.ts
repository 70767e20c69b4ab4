// Inspects and uses links: for the first owner, for a new password, and for an account created from an invitation.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { bodyError, denied, invalid, notFound } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import {
  body,
  boolean,
  object,
  personEmail,
  personName,
  publicPost,
  signedInReplies,
  string,
  time,
  typedCode,
  typedPassword,
  unstored,
  wrongPassword,
} from './bodies.ts'
import { removeIdentities } from './identities.ts'
import { invitationOf, invitationShown, makeAccount } from './invitation-routes.ts'
import { findInvitation } from './invitations.ts'
import { dropLinks, findLink, type Link, makeOwner, spendLink } from './links.ts'
import { codeTriedBy, forget, trying } from './login-throttle.ts'
import { removePasskeys } from './passkeys.ts'
import { linkNeedsFactor, showsFactor } from './required-factor.ts'
import { requireSecondFactor } from './second-factor.ts'
import { answerSignedIn, signOutAll } from './sign-ins.ts'
import { addressOf, createUser, hashPassword, refusalOf, setPassword, type User, userById } from './users.ts'

const token = () => text({ max: 100, description: 'The part of the link after `#token=`.' })
const exampleToken = 'b3J8sQ1n0w6fM0hYd0Jb1r2c3S4e5V6x9Kd7Lm8No9P'
const looked = body('LinkToken', { token: token() }, {}, { token: exampleToken })
const used = body(
  'LinkUse',
  {
    token: token(),
    password: typedPassword('The new password: 10 to 200 characters.'),
  },
  { email: personEmail(), name: personName(), code: typedCode() },
  { token: exampleToken, password: 'four words of my own', email: 'ann@example.com', name: 'Ann Archer' },
)

/** The routes; hashing waits in the semaphore `passwords`. */
export const linkRoutes = (database: Database, seal: Seal, passwords: FairSemaphore): Route[] => [
  inspectRoute(database),
  redeemRoute(database, seal, passwords),
]

async function redeemLink(database: Database, seal: Seal, call: Call): Promise<Answer> {
  const { token, password, email, name, code } = used.read(call.body)
  // Checked before hashing, so that only the holder of a link can cause that work.
  const invitation = await findInvitation(database, token)
  if (invitation !== undefined) return makeAccount(database, call, { token, password, email, name }, invitation)
  const link = await findLink(database, token)
  if (link.kind === 'first' && email === undefined)
    throw invalid([bodyError('/email', 'required', 'is required: the first owner signs in with it')])
  if (link.kind === 'password' && (email !== undefined || name !== undefined))
    throw invalid([
      bodyError(email === undefined ? '/name' : '/email', 'unknown', 'must be left out: the account already has it'),
    ])
  const refusal = refusalOf(password, [email ?? link.email, name])
  if (refusal !== undefined) throw wrongPassword('/password', 'weak', refusal)
  if (link.userId !== undefined) await mayKeepFactors(database, call, link.userId)
  const passwordHash = await hashPassword(password)
  const { userId } = link
  const codes =
    userId === undefined
      ? undefined
      : await codeTriedBy(database, { id: userId, email: link.email as string }, call, code)
  // If two users use links that each made for the other, one gives way and retries.
  const answer = await trying(database, codes, () =>
    retriedTransaction(database, async (transaction) => {
      if (link.kind !== 'first') {
        const { user, hasFactor } = await choosePassword(transaction, seal, call, { token, link, passwordHash, code })
        return answerSignedIn(transaction, user, call, hasFactor)
      }
      const user = await makeFirstOwner(transaction, token, link, { email: email as string, name, passwordHash })
      return answerSignedIn(transaction, user, call)
    }),
  )
  await forget(database, addressOf(email ?? (link.email as string)))
  return answer
}

/** Creates the first owner of an organization. */
async function makeFirstOwner(
  transaction: Queryable,
  token: string,
  link: Link,
  chosen: { email: string; name: string | undefined; passwordHash: string },
): Promise<User> {
  await spendLink(transaction, token)
  const user = await createUser(transaction, chosen)
  const organizationId = link.organizationId as string
  await makeOwner(transaction, { userId: user.id, email: user.email, organizationId })
  return user
}

/** What a password link is used with. */
interface Choice {
  readonly token: string
  readonly link: Link
  readonly passwordHash: string
  readonly code: string | undefined
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

/**
 * Stores the new password, removes passkeys and linked identities and signs the user out everywhere: addresses are unverified, so
 * another person may have made the account and added them. A second factor is required as at a sign-in.
 */
async function choosePassword(
  transaction: Queryable,
  seal: Seal,
  call: Call,
  choice: Choice,
): Promise<{ user: User; hasFactor: boolean }> {
  const { token, link, passwordHash, code } = choice
  const user = await userById(transaction, link.userId as string, true)
  if (user === undefined) throw notFound('user', link.userId as string)
  const isOn = await requireSecondFactor(transaction, seal, user.id, code)
  const keepsFactors = await mayKeepFactors(transaction, call, user.id)
  await spendLink(transaction, token)
  await setPassword(transaction, user.id, passwordHash)
  if (!keepsFactors) {
    await removePasskeys(transaction, user.id)
    await removeIdentities(transaction, user.id)
  }
  await signOutAll(transaction, user.id)
  await dropLinks(transaction, user.id)
  return { user: { ...user, passwordHash }, hasFactor: isOn || keepsFactors }
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

const inspectRoute = (database: Database): Route => ({
  ...publicPost,
  path: '/v1/console/link/look',
  operationId: 'lookAtLink',
  summary: 'Look at a link',
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

const redeemRoute = (database: Database, seal: Seal, passwords: FairSemaphore): Route => ({
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
  handle: (call) => passwords({ tenant: call.network(), isGone: call.isGone }, () => redeemLink(database, seal, call)),
})
