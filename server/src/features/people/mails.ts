// The mails that people get: invitations, and links to a new password. Both are written when they are sent, so that
// they show the current state.
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { localTime, type Mail, mailTo, nameInMail } from '../mail/message.ts'
import type { WantedMail } from '../mail/outbox.ts'
import type { Compose } from '../mail/sending.ts'
import { findInvitation, type Invitation, placesOf } from './invitations.ts'
import { LINK_MS, MAILED_LINK_MS, RESET_KEPT_MS } from './limits.ts'
import { linkPath, makeMailedLink } from './links.ts'
import { linkNeedsFactor } from './required-factor.ts'
import { addressOf, type User, userByAddress, userById } from './users.ts'

/** The mail with the link of an invitation. */
export const invitationMail = (link: string): WantedMail => ({
  kind: 'invitation',
  content: { token: link.split('#token=')[1] },
  keptMs: LINK_MS,
})

/** The mail with a link to a new password, for the account with an address, if there is one. */
export const resetMail = (email: string): WantedMail => ({
  kind: 'password-reset',
  content: { email },
  keptMs: RESET_KEPT_MS,
})

/** Writes the mails of people; links begin with the public address of the service. */
export const peopleMails = (database: Database, publicUrl: string): Readonly<Record<string, Compose>> => ({
  invitation: async ({ token }) => {
    const invitation = await findInvitation(database, token).catch((error) => {
      // It was accepted, withdrawn or renewed meanwhile.
      if (error instanceof Problem) return undefined
      throw error
    })
    return invitation && writeInvitation(database, invitation, publicUrl + linkPath(token))
  },
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
    const found = await userByAddress(transaction, email)
    const user = found && (await userById(transaction, found.id, true))
    if (user === undefined || addressOf(user.email) !== addressOf(email)) return undefined
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
      `The link works once, for ${MAILED_LINK_MS / 60_000} minutes. Your password stays as it is until you use the link${needsFactor ? '.' : ', which also removes your passkeys and linked accounts of single sign-on.'}`,
      ...(needsFactor
        ? [
            'A company or organization of yours requires a second factor: first sign in with it, such as with your passkey, and then open the link in the same browser.',
          ]
        : []),
      'If it was not you, ignore this mail. Nobody can reset your password without this link, so do not forward it.',
    ],
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
