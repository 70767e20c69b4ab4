// Forgotten passwords: a link to a new one is mailed to the address of the account, if there is one. Then a password is
// chosen with it, or with a link that an owner or the operator handed on.

import type { Seal } from '../../core/idempotency-claim.ts'
import { object, string } from '../../core/json-schema.ts'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { denied, notFound, Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { type Mail, mailTo } from '../mail/message.ts'
import type { Outbox, WantedMail } from '../mail/outbox.ts'
import { type Compose, wakeMail } from '../mail/sending.ts'
import { publicPost, unstored } from './bodies.ts'
import { removeIdentities } from './identities.ts'
import { dropLinks, type Link, MAILED_LINK_MS, makeMailedLink, spendLink } from './links.ts'
import {
  codeTriedBy,
  countReset,
  forgetFailures,
  mayReset,
  RESETS_OF_ADDRESS,
  RESETS_OF_NETWORK,
  trying,
} from './login-throttle.ts'
import { removePasskeys } from './passkeys.ts'
import { requireSecondFactor } from './second-factor.ts'
import { answerSignedIn, showsFactor, signOutAll } from './sign-ins.ts'
import { addressOf, hashPassword, requireStrong, setPassword, type User, userByAddress, userById } from './users.ts'
import { linkNeedsFactor } from './ways-in.ts'

/** Milliseconds after which a request for a new password has expired. */
const RESET_KEPT_MS = 60 * 60 * 1000

const asked = body(
  'PasswordReset',
  { email: text({ max: NAME_CHARACTERS, description: 'The address that the account signs in with, in any case.' }) },
  {},
  { email: 'ann@example.com' },
)

const message = `If this address has an account, a link to set a new password is on its way to it. The link works once, for ${MAILED_LINK_MS / 60_000} minutes.`

/** Whether the address has an account is looked up when the mail is written: the answer, and its time, cannot depend on it. */
async function askForReset(database: Database, outbox: Outbox, call: Call): Promise<Answer> {
  const { email } = asked.read(call.body)
  if (!outbox.isOn)
    throw new Problem(
      'conflict',
      'This service sends no mail. Ask an owner to make a link under Members, or the operator to run `cashwrap user reset-password`.',
    )
  await countReset(database, call.network())
  if (await mayReset(database, addressOf(email))) await outbox.put(database, [resetMail(email)])
  wakeMail()
  return { ...json({ statusCode: 202, message }, 202), headers: unstored }
}

/** The route. */
export const resetRoutes = (database: Database, outbox: Outbox): Route[] => [
  {
    ...publicPost,
    path: '/v1/console/password-reset',
    operationId: 'askForPasswordReset',
    summary: 'Request a link to set a new password',
    description: `Mails the link to the address, if it has an account. The response is the same if it has none. An address gets at most ${RESETS_OF_ADDRESS} mails within 15 minutes; after ${RESETS_OF_NETWORK} requests from a network, the response is 429. It is 409 \`conflict\` if the service has no mail server.`,
    body: asked.document,
    replies: {
      202: {
        description: 'The request was taken.',
        schema: object('PasswordResetTaken', {
          statusCode: { const: 202, description: 'The status of the response, 202.' },
          message: string('What happens next, in a sentence for people.'),
        }),
        example: { statusCode: 202, message },
      },
    },
    problems: ['permission_denied', 'conflict', 'rate_limited'],
    handle: (call) => askForReset(database, outbox, call),
  },
]

/** The mail with a link to a new password, for the account with an address, if there is one. */
const resetMail = (email: string): WantedMail => ({
  kind: 'password-reset',
  content: { email },
  keptMs: RESET_KEPT_MS,
})

/** Writes that mail when it is sent, so that it shows the current state; the link begins with the public address of the service. */
export const resetMails = (database: Database, publicUrl: string): Readonly<Record<string, Compose>> => ({
  'password-reset': async ({ email }) => {
    const made = await resetLink(database, email)
    return made && writeReset(made, publicUrl)
  },
})

interface ResetLink {
  readonly user: User
  readonly link: string
  /** Whether it works only in a browser that is signed in with a passkey, or another second factor. */
  readonly needsFactor: boolean
}

/** A link for the account that has an address while it is made: a change of the address waits, and ends the link. */
const resetLink = (database: Database, email: string): Promise<ResetLink | undefined> =>
  retriedTransaction(database, async (transaction) => {
    const user = await userByAddress(transaction, email, true)
    if (user === undefined) return undefined
    const needsFactor = await linkNeedsFactor(transaction, user.id)
    return { user, link: await makeMailedLink(transaction, user.id), needsFactor }
  })

const writeReset = ({ user, link, needsFactor }: ResetLink, publicUrl: string): Mail =>
  mailTo(user.email, {
    subject: 'Reset your password',
    heading: 'Cashwrap',
    paragraphs: [
      `Someone asked to reset the password of the account ${user.email}. To choose a new password, use this link:`,
    ],
    action: { label: 'Reset password', url: publicUrl + link },
    notes: [
      `The link works once, for ${MAILED_LINK_MS / 60_000} minutes. Your password stays as it is until you use the link${needsFactor ? '.' : ', which also removes your passkeys and your linked single sign-on accounts.'}`,
      ...(needsFactor
        ? [
            'A company or organization of yours requires a second factor: first sign in with it, such as with your passkey, and then open the link in the same browser.',
          ]
        : []),
      'If it was not you, ignore this mail. Nobody can reset your password without this link, so do not forward it.',
    ],
  })

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
export async function choosePassword(
  database: Database,
  seal: Seal,
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
  const answer = await trying(database, await codeTriedBy(database, { id, email }, call, code), () =>
    retriedTransaction(database, async (transaction) => {
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
    }),
  )
  await forgetFailures(database, addressOf(email))
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
