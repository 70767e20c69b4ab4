// Sends a mail to the mail server over SMTP, and says why it could not. Loaded only where mail is on.
import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'
import { oneLine } from './message.ts'
import { MailError, type MailTransport } from './sending.ts'
import { isMailAddress, type MailSettings } from './settings.ts'

/** Milliseconds for a connection and a greeting, and without a byte of the mail server. */
const MAIL_CONNECT_MS = 10_000
const MAIL_SILENT_MS = 20_000
/** Characters of the mail server's answer that the log shows. */
const MAIL_REASON_CHARACTERS = 200

const isOnThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Opens nothing yet: each mail has a connection of its own. */
export function smtpTransport({ host, port, isSecure, user, from, publicUrl }: MailSettings): MailTransport {
  const smtp = createTransport({
    host,
    port,
    secure: isSecure,
    requireTLS: user !== undefined && !isOnThisMachine(host),
    ...(user && { auth: { user: user.name, pass: user.password } }),
    connectionTimeout: MAIL_CONNECT_MS,
    greetingTimeout: MAIL_CONNECT_MS,
    socketTimeout: MAIL_SILENT_MS,
    // A mail is made of texts only.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const idHost = new URL(publicUrl).hostname
  return {
    async send(id, { to, subject, text, html }, signal) {
      if (!isMailAddress(to)) throw new MailError('The address cannot receive mail.', true)
      try {
        await smtp.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${idHost}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
      } catch (error) {
        throw mailErrorOf(error)
      }
    },
  }
}

/** What nodemailer says of a failure. */
interface SmtpFailure {
  readonly code?: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number
  readonly message: string
}

/** Whether a refusal is final: of the recipient or of the mail itself. What the operator can correct, such as a refused relay, is tried again. */
function isFinalRefusal({ command = '', response = '', responseCode = 0 }: SmtpFailure): boolean {
  if (responseCode < 500) return false
  if (command === 'DATA') return !/^\d{3}[ -]5\.7\.\d/.test(response)
  // RFC 3463: 5.1 is the address, 5.2.1 a mailbox that takes no mail; 5.7, which mail servers answer here too, is policy.
  const [, enhanced] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const isOfRecipient =
    enhanced === undefined ? responseCode === 550 || responseCode === 553 : /^5\.(1\.\d+|2\.1)$/.test(enhanced)
  return command === 'RCPT TO' && isOfRecipient
}

function mailErrorOf(error: unknown): MailError {
  const { code = 'ESMTP', command = '', response, responseCode = 0, message } = error as SmtpFailure
  // An answer to AUTH might repeat what was sent.
  const said =
    command.startsWith('AUTH') || code === 'EAUTH' ? `sign-in refused, ${responseCode}` : (response ?? message)
  const reason = oneLine(`${code}: ${said.replaceAll(/[^\s<>@]+@[^\s<>@]+/g, '…')}`, MAIL_REASON_CHARACTERS)
  return new MailError(reason, isFinalRefusal(error as SmtpFailure))
}
