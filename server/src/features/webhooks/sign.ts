// The headers of a call: Standard Webhooks signs it with the trigger's secret, so that its receiver can verify the
// sender (decisions §9).
import { createHmac } from 'node:crypto'
import { version } from '../../version.ts'

/** What is signed: the id that stays the same on each retry, the time of this attempt, the body as it is sent. */
interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const prefix = 'whsec_'
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
/** Characters that a header may contain and every server reads alike. */
const visible = /^[!-~](?:[ -~]*[!-~])?$/

/** The key in a secret: base64 after `whsec_`; any other text, or invalid base64, as its UTF-8 bytes. */
function keyOf(secret: string): Buffer {
  const coded = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return coded !== '' && base64.test(coded) ? Buffer.from(coded, 'base64') : Buffer.from(secret, 'utf8')
}

/** The value of `webhook-signature`: `v1,` and the HMAC-SHA256 in base64. */
export function signature(secret: string, { id, timestamp, body }: Signed): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/**
 * The headers of a call. Without a secret it is not signed; an old secret that no header can carry signs, but is not
 * sent.
 */
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
