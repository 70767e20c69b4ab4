// The mails to people: the link to a new password, which anyone can ask for, and the link of an invitation. Each is put into
// the outbox, and written when it is sent.

import { object, string } from '../../core/json-schema.ts'
import { NAME_CHARACTERS } from '../../core/limits.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { body } from '../../engine/body.ts'
import { text } from '../../engine/field.ts'
import { type Answer, type Call, json, type Route } from '../../http/route.ts'
import { localTime, type Mail, mailTo, nameInMail } from '../mail/message.ts'
import type { Outbox, WantedMail } from '../mail/outbox.ts'
import { type Compose, wakeMail } from '../mail/sending.ts'
import { type People, publicPost, unstored } from './bodies.ts'
import { findInvitation, type Invitation, placesOf } from './invitations.ts'
import { LINK_MS, linkPath, MAILED_LINK_MS, makeMailedLink } from './links.ts'
import { countReset, mayMailInvitation, mayReset, RESETS_OF_ADDRESS, RESETS_OF_NETWORK } from './login-throttle.ts'
import type { MemberPlace } from './memberships.ts'
import { type User, userByAddress } from './users.ts'
import { linkNeedsFactor } from './ways-in.ts'

/** Writes the mails when they are sent, so that they show the current state; links begin with the public address of the service. */
export const peopleMails = (database: Database, publicUrl: string): Readonly<Record<string, Compose>> => ({
  'password-reset': async ({ email }) => {
    const made = await resetLink(database, email)
    return made && writeReset(made, publicUrl)
  },
  invitation: async ({ token }) => {
    const invitation = await findInvitation(database, token).catch((error) => {
      // It was accepted, withdrawn or renewed meanwhile.
      if (error instanceof Problem) return undefined
      throw error
    })
    return invitation && writeInvitation(database, invitation, publicUrl + linkPath(token))
  },
})

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
async function askForReset({ database, outbox }: People, call: Call): Promise<Answer> {
  const { email } = asked.read(call.body)
  if (!outbox.isOn)
    throw new Problem(
      'conflict',
      'This service sends no mail. Ask an owner to make a link under Members, or the operator to run `cashwrap user reset-password`.',
    )
  await countReset(database, call.network())
  if (await mayReset(database, email)) await outbox.put(database, [resetMail(email)])
  wakeMail()
  return { ...json({ statusCode: 202, message }, 202), headers: unstored }
}

/** The route. */
export const resetRoutes = (people: People): Route[] => [
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
    handle: (call) => askForReset(people, call),
  },
]

/** The mail with a link to a new password, for the account with an address, if there is one. */
const resetMail = (email: string): WantedMail => ({
  kind: 'password-reset',
  content: { email },
  keptMs: RESET_KEPT_MS,
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

/** Puts the link of an invitation into the outbox; what the answer says of it. */
export async function mailInvitation(
  transaction: Queryable,
  outbox: Outbox,
  { organizationId }: MemberPlace,
  { link, email }: { link: string | undefined; email: string },
): Promise<{ isMailed: true } | undefined> {
  if (!outbox.isOn || link === undefined) return undefined
  if (!(await mayMailInvitation(transaction, organizationId, email))) return undefined
  await outbox.put(transaction, [invitationMail(link)])
  return { isMailed: true }
}

/** Lets mails be sent at once, when the transaction has committed. */
export async function woken<T>(done: Promise<T>): Promise<T> {
  const answer = await done
  wakeMail()
  return answer
}

const invitationMail = (link: string): WantedMail => ({
  kind: 'invitation',
  content: { token: link.split('#token=')[1] },
  keptMs: LINK_MS,
})

async function writeInvitation(database: Database, invitation: Invitation, url: string): Promise<Mail> {
  const { place, role, email, expiresAt, invitedBy } = invitation
  const [{ organizationName, companyName }, timezone] = await Promise.all([
    placesOf(database, invitation),
    timezoneOf(database, place.companyId),
  ])
  const called = nameInMail(companyName ?? organizationName)
  const inviter = invitedBy.name === undefined ? invitedBy.email : `${nameInMail(invitedBy.name)} (${invitedBy.email})`
  const access =
    companyName === undefined
      ? `You get access to ${called} and all its companies, as ${roleNames[role]}.`
      : `You get access to ${called}, as ${roleNames[role]}.`
  return mailTo(email, {
    subject: `Join ${nameInMail(companyName ?? organizationName)} on Cashwrap`,
    heading: called,
    paragraphs: [`${inviter} has invited you to ${called}.`, access],
    action: { label: 'Accept invitation', url },
    notes: [
      `The link works once, until ${localTime(expiresAt, timezone)}. The person who opens it can accept the invitation, so do not forward this mail.`,
      'If you do not know the sender, ignore this mail.',
    ],
  })
}

const roleNames = { viewer: 'a viewer', admin: 'an admin', owner: 'an owner' } as const

async function timezoneOf(database: Database, companyId: string | undefined): Promise<string> {
  if (companyId === undefined) return 'UTC'
  const [row] = await database.query('select timezone from companies where id = $1', [companyId])
  return row?.[0] ?? 'UTC'
}
