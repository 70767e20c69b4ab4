// A mail server for tests: it speaks SMTP over real sockets, keeps what it gets, and refuses what a test tells it to.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { MailSettings } from '../../src/features/mail/settings.ts'

/** A mail as it arrived. */
interface ReceivedMail {
  readonly to: readonly string[]
  readonly from: string
  /** By name in lower case, unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>
  readonly subject: string
  readonly text: string
  readonly html: string
  /** As it was sent. */
  readonly source: string
  /** Who signed in, if anyone. */
  readonly user: string | undefined
  readonly isEncrypted: boolean
}

interface MailServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Sign-ins that were tried. */
  readonly signIns: { readonly user: string; readonly password: string }[]
  /** Refuses connections from now on, or no longer. */
  down(): Promise<void>
  up(): Promise<void>
}

/** What it refuses: an error with the status that it answers. */
export interface Refusals {
  readonly recipient?: (address: string) => Error | undefined
  readonly message?: (count: number) => Error | undefined
}

/** An answer of a mail server. */
export const answer = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

/** The settings of a service that uses it. */
export const mailSettings = (port: number, more: Partial<MailSettings> = {}): MailSettings => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  user: undefined,
  from: { name: 'Corner Shop', address: 'pos@shop.example' },
  publicUrl: 'https://pos.shop.example',
  ...more,
})

/** Starts a mail server on a port, which stays its own while it is down; it stops with the test. */
export async function mailServer(
  t: { after(end: () => Promise<void>): void },
  { refusals = {}, ...options }: SMTPServerOptions & { refusals?: Refusals } = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const signIns: MailServer['signIns'] = []
  let count = 0
  const make = () =>
    new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: options.key ? [] : ['STARTTLS'],
      ...options,
      onAuth: ({ username, password }, _, callback) => {
        const user = username ?? ''
        signIns.push({ user, password: password ?? '' })
        callback(null, { user })
      },
      onRcptTo: ({ address }, _, callback) => callback(refusals.recipient?.(address)),
      onData: async (stream, session, callback) => {
        const source = await text(stream)
        const refusal = refusals.message?.(++count)
        if (refusal === undefined) {
          const { envelope, user, secure } = session
          const to = envelope.rcptTo.map(({ address }) => address)
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
          mails.push({ to, from, user: user as string, isEncrypted: secure, ...parsed(source) })
        }
        callback(refusal)
      },
    })
  let server: SMTPServer | undefined
  let port = 0
  const up = async () => {
    const next = make()
    server = next
    next.on('error', () => {})
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', () => resolve()))
    port = (next.server.address() as AddressInfo).port
  }
  const down = async () => {
    const last = server
    server = undefined
    if (last) await new Promise<void>((resolve) => last.close(() => resolve()))
  }
  await up()
  t.after(down)
  return { port, mails, signIns, up, down }
}

/** Reads a mail of two parts, as far as ours need it. */
function parsed(source: string): Pick<ReceivedMail, 'headers' | 'subject' | 'text' | 'html' | 'source'> {
  const { headers, body } = split(source)
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '') ?? []
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')))
  const part = (type: string) => {
    const found = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    return found ? decoded(found.body, found.headers.get('content-transfer-encoding') ?? '') : ''
  }
  return { headers, subject: headers.get('subject') ?? '', text: part('text/plain'), html: part('text/html'), source }
}

function split(source: string) {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/s.exec(line) ?? []
      return [name.toLowerCase(), words(value)]
    }),
  )
  return { headers, body: source.slice(end + 4) }
}

/** Encoded words (RFC 2047) as text. */
const words = (value: string): string =>
  value
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(coded, 'base64').toString() : quoted(coded.replaceAll('_', ' ')),
    )

const quoted = (coded: string): string =>
  Buffer.from(
    coded
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quoted(body) : body
}
