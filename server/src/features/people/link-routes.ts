// Inspects and uses links: for the first owner, for a new password, and for an account created from an invitation.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import type { Seal } from '../../core/idempotency-claim.ts'
import { newId } from '../../core/ids.ts'
import { boolean, object, string, time } from '../../core/json-schema.ts'
import { bodyError, invalid } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import {
  exampleToken,
  personEmail,
  personName,
  publicPost,
  signedInReplies,
  typedCode,
  typedPassword,
  unstored,
} from './bodies.ts'
import { invitationOf, invitationShown, makeAccount } from './invitation-routes.ts'
import { findInvitation } from './invitations.ts'
import { findLink, type Link, spendLink } from './links.ts'
import { forgetFailures } from './login-throttle.ts'
import { insertMember } from './members.ts'
import { choosePassword } from './password-reset.ts'
import { answerSignedIn, showsFactor } from './sign-ins.ts'
import { addressOf, createUser, hashPassword, requireStrong } from './users.ts'
import { linkNeedsFactor } from './ways-in.ts'

const token = () => text({ max: 100, description: 'The part of the link after `#token=`.' })
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
  return choosePassword(database, seal, call, link, sent)
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
  await forgetFailures(database, addressOf(email))
  return answer
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
