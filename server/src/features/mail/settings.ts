// The settings of mail: the mail server, the sender, and the address of the console in links.
import { OperatorError } from '../../core/operator-error.ts'

/** How mail is sent. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps`). Otherwise STARTTLS is used where the mail server offers it. */
  readonly isSecure: boolean
  /** With a user, STARTTLS is required, unless the mail server is on this machine. */
  readonly user: { readonly name: string; readonly password: string } | undefined
  readonly from: { readonly name: string; readonly address: string }
  /** Where people reach the console: scheme, host and port. Never taken from a request, whose `Host` anyone can choose. */
  readonly publicUrl: string
}

/** A plain address, without comments or quotes: what a mail server accepts in an envelope. */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]+$/u.test(text)

/**
 * Reads the settings of mail; undefined if there is no mail server. `publicUrl`: where people open the console, if that is set. Throws an
 * OperatorError that names the variable.
 */
export function mailOf(environment: NodeJS.ProcessEnv, publicUrl: string | undefined): MailSettings | undefined {
  const { CASHWRAP_SMTP_URL, CASHWRAP_MAIL_FROM } = environment
  const from = CASHWRAP_MAIL_FROM ? senderOf(CASHWRAP_MAIL_FROM) : undefined
  if (!CASHWRAP_SMTP_URL) return undefined
  const server = serverOf(CASHWRAP_SMTP_URL)
  if (from === undefined)
    throw new OperatorError(
      'CASHWRAP_MAIL_FROM is not set; with CASHWRAP_SMTP_URL it must be the sender of mails, such as pos@example.com.',
    )
  if (publicUrl === undefined)
    throw new OperatorError(
      'CASHWRAP_PUBLIC_URL is not set; with CASHWRAP_SMTP_URL it must be the address at which people open the console, such as https://pos.example.com: links in mails begin with it.',
    )
  return { ...server, from, publicUrl }
}

/** Whether percent signs in a part of a URL do not encode UTF-8. */
function isBadlyEncoded(part: string): boolean {
  try {
    decodeURIComponent(part)
    return false
  } catch {
    return true
  }
}

function serverOf(text: string): Pick<MailSettings, 'host' | 'port' | 'isSecure' | 'user'> {
  const url = URL.parse(text)
  const isUsable =
    url !== null &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === '' &&
    (url.username === '') === (url.password === '') &&
    ![url.username, url.password].some(isBadlyEncoded)
  // The value is not shown: it may contain a password.
  if (!isUsable)
    throw new OperatorError(
      'CASHWRAP_SMTP_URL must be of the form smtp://user:password@host:587 or smtps://user:password@host:465; encode special characters in user and password, such as %40 for @.',
    )
  const isSecure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || (isSecure ? 465 : 587)
  const user =
    url.username === ''
      ? undefined
      : { name: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
  return { host, port, isSecure, user }
}

function senderOf(text: string): MailSettings['from'] {
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  const address = (bracketed ?? text).trim()
  if (!isMailAddress(address) || /[\p{Cc}]/u.test(name))
    throw new OperatorError(
      `CASHWRAP_MAIL_FROM is ${JSON.stringify(text)}; it must be an address, such as pos@example.com or "Corner Shop <pos@example.com>".`,
    )
  return { name: name.trim().replaceAll('"', '') || 'Cashwrap', address }
}
