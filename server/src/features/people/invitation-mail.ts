// The mail with the link of an invitation: when it is sent, and what it says.

import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { localTime, type Mail, mailTo, nameInMail } from '../mail/message.ts'
import type { Outbox, WantedMail } from '../mail/outbox.ts'
import { type Compose, wakeMail } from '../mail/sending.ts'
import { findInvitation, type Invitation, placesOf } from './invitations.ts'
import { LINK_MS, linkPath } from './links.ts'
import { mayMailInvitation } from './login-throttle.ts'
import type { MemberPlace } from './memberships.ts'
import { addressOf } from './users.ts'

/** Puts the link of an invitation into the outbox; what the answer says of it. */
export async function mailInvitation(
  transaction: Queryable,
  outbox: Outbox,
  { organizationId }: MemberPlace,
  { link, email }: { link: string | undefined; email: string },
): Promise<{ isMailed: true } | undefined> {
  if (!outbox.isOn || link === undefined) return undefined
  if (!(await mayMailInvitation(transaction, organizationId, addressOf(email)))) return undefined
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

/** Writes that mail when it is sent, so that it shows the current state; the link begins with the public address of the service. */
export const invitationMails = (database: Database, publicUrl: string): Readonly<Record<string, Compose>> => ({
  invitation: async ({ token }) => {
    const invitation = await findInvitation(database, token).catch((error) => {
      // It was accepted, withdrawn or renewed meanwhile.
      if (error instanceof Problem) return undefined
      throw error
    })
    return invitation && writeInvitation(database, invitation, publicUrl + linkPath(token))
  },
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
