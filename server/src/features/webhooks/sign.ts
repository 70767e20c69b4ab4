// What a call says of itself in its headers: Standard Webhooks signs it with the trigger's secret, so that its receiver knows that it is ours (decisions §9).
import { createHmac } from 'node:crypto'
import { version } from '../../version.ts'

/** What is signed: the id that stays the same on each retry, the moment of this try, the body as it is sent. */
interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const prefix = 'whsec_'
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
/** What a header takes and every server reads alike. */
const visible = /^[!-~](?:[ -~]*[!-~])?$/

/** The key that a secret stands for: behind `whsec_` base64; anything else, and what is no base64 there, by all its UTF-8 bytes. */
function keyOf(secret: string): Buffer {
  const coded = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return coded !== '' && base64.test(coded) ? Buffer.from(coded, 'base64') : Buffer.from(secret, 'utf8')
}

/** The value of `webhook-signature`: `v1,` and the HMAC-SHA256 in base64. */
export function signature(secret: string, { id, timestamp, body }: Signed): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The headers of a call. Without a secret it is not signed; a secret from before that no header takes signs, and is not sent. */
export function headersOf(signed: Signed, secret: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(signed.body)),
    'accept-encoding': 'identity',
    'user-agent': `cashwrap/${version}`,
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    ...(secret && { 'webhook-signature': signature(secret, signed) }),
    ...(secret && visible.test(secret) && { 'x-api-key': secret }),
  }
}
