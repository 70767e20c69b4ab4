// The two texts of a call: what a receiver is sent (decisions §9), signed by Standard Webhooks, and what is kept of its
// response.
import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { camelCase } from '../../engine/resource.ts'
import { secretPrefix } from '../../resources/trigger-key.ts'
import { version } from '../../version.ts'

/** Longest `Retry-After` of a receiver that is respected: the longest pause between attempts is as long. */
const RETRY_AFTER_MS = 24 * 60 * 60 * 1000

/** An event as its row holds it; `data` and `previous` are JSON texts, sent on unchanged. */
export interface EventText {
  readonly id: string
  readonly type: string
  readonly createdAt: string
  readonly resource: string
  readonly data: string
  readonly previous?: string | null | undefined
  /** The trace of its write (`traceparent`), if that had one. */
  readonly traceparent?: string | null | undefined
  /** Who made the write, as JSON. */
  readonly actor?: string | null | undefined
}

/** An event with its number in the feed. */
export interface SequencedEvent extends EventText {
  readonly sequence: number
}

/** The approximate number of characters sent for it. */
export const charactersOf = ({ data, previous }: EventText): number => data.length + (previous?.length ?? 0)

/** The trigger that it is sent to, as the receiver sees it. */
export interface Addressee {
  readonly companyId: string
  readonly triggerId: string
  readonly customTriggerName: string | undefined
  /** The member `triggerId` of the trigger's record, set by its owner. */
  readonly ownTriggerId: string | undefined
  /** Whether calls carry records. Otherwise they carry ids only. */
  readonly carriesRecords: boolean
}

/** The body of a call. The record is under its resource's name, the data of a custom event under `data`. */
export function messageOf(event: EventText, addressee: Addressee): string {
  const { id, type, createdAt, resource, data, previous, actor } = event
  const { companyId, triggerId, customTriggerName, ownTriggerId, carriesRecords } = addressee
  const trigger = { id: triggerId, triggerId: ownTriggerId }
  const ids = JSON.stringify({
    id,
    eventType: type,
    timestamp: createdAt,
    companyId,
    triggerId,
    customTriggerName,
    trigger,
    ...(!carriesRecords && resource !== 'custom' && { [camelCase(resource)]: idOf(data) }),
  })
  const head = actor == null ? ids : `${ids.slice(0, -1)},"actor":${actor}}`
  if (!carriesRecords) return head
  const member = resource === 'custom' ? 'data' : camelCase(resource)
  return `${head.slice(0, -1)},"${member}":${data}${previous == null ? '' : `,"previous":${previous}`}}`
}

/** The member with a record's id: `id`, or `_id` if the resource has that. */
function idOf(data: string): { readonly id?: unknown; readonly _id?: unknown } {
  const { id, _id } = JSON.parse(data)
  return _id === undefined ? { id } : { _id }
}

/** What is signed: the id that stays the same on each retry, the time of this attempt, the body as it is sent. */
interface Signed {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** The key in a secret: base64 after `whsec_`; any other text as its UTF-8 bytes. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8')

/** The value of `webhook-signature`: `v1,` and the HMAC-SHA256 in base64. */
export function signature(secret: string, { id, timestamp, body }: Signed): string {
  return `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** What a call is signed with, and its trace. */
export interface Signing {
  /** The trigger's `apiKey`; without it the call is not signed. */
  readonly secret?: string | undefined
  /** The former secrets, with which the call is signed too. */
  readonly formerSecrets?: readonly string[] | undefined
  /** The header `traceparent`: the trace of the event's write. */
  readonly traceparent?: string | undefined
}

/**
 * The headers of a call. Without a secret it is not signed. The former secrets are not sent themselves. A receiver accepts
 * the call if one of the signatures is by the secret that it knows.
 */
export function headersOf(
  signed: Signed,
  { secret, formerSecrets = [], traceparent }: Signing,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(signed.body)),
    'accept-encoding': 'identity',
    'user-agent': `cashwrap/${version}`,
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    ...(secret && { 'webhook-signature': signaturesOf([secret, ...formerSecrets], signed) }),
    ...(traceparent && { traceparent }),
    ...(secret && { 'x-api-key': secret }),
  }
}

/** One signature for each secret; a secret that was restored is among the former ones too, and must not sign twice. */
const signaturesOf = (secrets: readonly string[], signed: Signed): string =>
  [...new Set(secrets)].map((one) => signature(one, signed)).join(' ')

/** The beginning of a response's text. */
interface Beginning {
  /** Valid UTF-8 without U+0000, which PostgreSQL cannot store. */
  readonly text: string
  /** The connection ended before the text did, or the text did not end in time. */
  readonly isBroken: boolean
}

/**
 * Reads at most `bytes` of a response, for at most `ms`; closes the connection of a longer or slower one. Never
 * rejects.
 */
export function beginningOf(response: IncomingMessage, bytes: number, ms: number): Promise<Beginning> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const end = (isBroken: boolean) => {
      clearTimeout(timer)
      resolve({ text: textOf(Buffer.concat(chunks), bytes), isBroken })
      // If the response is complete, the next call can reuse the connection.
      response.destroy()
    }
    const timer = setTimeout(() => end(true), ms)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > bytes) end(false)
    })
    response.on('end', () => end(false))
    response.on('error', () => end(true))
    response.on('close', () => end(!response.complete))
  })
}

function textOf(read: Buffer, bytes: number): string {
  // Streamed, so that a character that is cut in two is left out.
  const text = new TextDecoder().decode(read.subarray(0, bytes), { stream: true }).replaceAll('\0', '\u{fffd}')
  // The replacement character is longer than the invalid byte that it replaces.
  const fitting = Buffer.alloc(bytes)
  return fitting.toString('utf8', 0, new TextEncoder().encodeInto(text, fitting).written)
}

/** Characters of a secret that a response may repeat: fewer are useless to others, and would be found in any text. */
const repeated = 4

/** A response's text without parts of the secret it was sent, even if the text was cut within them. */
export function withoutSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || secret.length < repeated) return text
  const forms = [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])]
  return forms.reduce((left, form) => {
    const rest = left.replaceAll(form, hidden)
    for (let length = form.length - 1; length >= repeated; length--)
      if (rest.endsWith(form.slice(0, length))) return rest.slice(0, -length) + hidden
    return rest
  }, text)
}
const hidden = '***'

const httpDate = /^[A-Z][a-z]+,? .*\d\d:\d\d:\d\d/

/** Milliseconds of a `Retry-After`, in seconds or as a date (RFC 9110); undefined if it says nothing. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  const value = header?.trim() ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate.test(value) ? timeOf(value) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(RETRY_AFTER_MS, Math.max(0, ms))
}

/** The oldest date format names no zone; like the others it means GMT. */
const timeOf = (date: string): number => Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
