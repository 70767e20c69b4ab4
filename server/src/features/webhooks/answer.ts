// What is taken of a receiver's answer: how its text begins, and for how long it asks for silence.
import type { IncomingMessage } from 'node:http'
import { WEBHOOK_RETRY_AFTER_MS } from '../../core/limits.ts'

/** How an answer's text begins. */
interface Beginning {
  /** Valid UTF-8 without U+0000, which no text of the database holds. */
  readonly text: string
  /** The connection ended before the text did, or the text did not end in time. */
  readonly isBroken: boolean
}

/** Reads `bytes` of an answer at most, for `ms` at most; of one that is longer or later the connection is ended. Never rejects. */
export function beginningOf(response: IncomingMessage, bytes: number, ms: number): Promise<Beginning> {
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const end = (isBroken: boolean) => {
      clearTimeout(timer)
      resolve({ text: textOf(Buffer.concat(pieces), bytes), isBroken })
      // Of one that came to its end this leaves the connection to the next call.
      response.destroy()
    }
    const timer = setTimeout(() => end(true), ms)
    response.on('data', (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (length > bytes) end(false)
    })
    response.on('end', () => end(false))
    response.on('error', () => end(true))
    response.on('close', () => end(!response.complete))
  })
}

function textOf(read: Buffer, bytes: number): string {
  // Streamed, so that a character which is cut in two is left out.
  const text = new TextDecoder().decode(read.subarray(0, bytes), { stream: true }).replaceAll('\0', '\u{fffd}')
  // What stands in for bytes that are no UTF-8 is longer than they were.
  const fitting = Buffer.alloc(bytes)
  return fitting.toString('utf8', 0, new TextEncoder().encodeInto(text, fitting).written)
}

/** Characters of a secret that an answer may repeat: fewer open nothing, and would be found in any text. */
const repeated = 4

/** An answer's text without what it repeats of the secret that was sent to it, also where the text was cut within it. */
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

/** Milliseconds that a `Retry-After` asks for, in seconds or as a date (RFC 9110); undefined when it says nothing. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  const value = header?.trim() ?? ''
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate.test(value) ? timeOf(value) - now : Number.NaN
  return Number.isNaN(ms) ? undefined : Math.min(WEBHOOK_RETRY_AFTER_MS, Math.max(0, ms))
}

/** The oldest form of a date names no zone, and means GMT as all do. */
const timeOf = (date: string): number => Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
