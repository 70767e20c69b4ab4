// Webhook calls as their receiver gets them: verified (Standard Webhooks), then typed by their event.
import { SignatureError } from './errors.ts'
import type { WebhookCall } from './generated/events.ts'

/** Headers in any of the forms that servers have them. */
type HeadersLike =
  | { readonly get: (name: string) => string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/
const bytesOf = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

export const webhooks = {
  /**
   * Verifies a call and returns its body. `raw` is the body exactly as received, `secret` the trigger's `apiKey`; several
   * while it changes. Throws a `SignatureError` for a call that is not genuine, or older than `toleranceSeconds`.
   * Throws a `TypeError` for a body that was parsed, and without a secret.
   */
  async unwrap(
    raw: string | Uint8Array | ArrayBuffer,
    headers: HeadersLike,
    secret: string | readonly string[],
    { toleranceSeconds = 300 }: { readonly toleranceSeconds?: number } = {},
  ): Promise<WebhookCall> {
    if (typeof raw !== 'string' && !ArrayBuffer.isView(raw) && !(raw instanceof ArrayBuffer))
      throw new TypeError(
        'raw must be the body exactly as received, as text or bytes, not what a JSON parser made of it.',
      )
    const secrets = [secret].flat()
    if (secrets.length === 0 || !secrets.every(Boolean))
      throw new TypeError('secret must be the apiKey of the trigger: it is missing or empty.')
    const [id, sent, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      headerOf(headers, name),
    )
    if (!id || !sent || !signatures) throw new SignatureError('The call is not signed: a webhook header is missing.')
    if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= toleranceSeconds))
      throw new SignatureError('The call is too old, or the clock of this machine is wrong.')
    const body = typeof raw === 'string' ? raw : new TextDecoder().decode(raw)
    const signed = new TextEncoder().encode(`${id}.${sent}.${body}`)
    for (const one of secrets) {
      const key = await keyOf(one)
      for (const signature of signatures.split(' ')) {
        const [version, text = ''] = signature.split(',', 2)
        if (version !== 'v1' || !base64.test(text)) continue
        // Compares in constant time.
        if (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed)) return JSON.parse(body)
      }
    }
    throw new SignatureError('No signature of the call is by this secret.')
  },
}

/** The key in a secret: base64 after `whsec_`; any other text as its bytes. */
function keyOf(secret: string) {
  const coded = secret.startsWith('whsec_') ? secret.slice(6) : ''
  const bytes = coded !== '' && base64.test(coded) ? bytesOf(coded) : new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([own]) => own.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value.join(' ') : (value as string | undefined)
}
