// What is kept of a receiver's response: the beginning of its text, and its `Retry-After`.
import type { IncomingMessage } from 'node:http'
import { WEBHOOK_RETRY_AFTER_MS } from '../../core/limits.ts'

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
  const pieces: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const end = (isBroken: boolean) => {
      clearTimeout(timer)
      resolve({ text: textOf(Buffer.concat(pieces), bytes), isBroken })
      // If the response is complete, the next call can reuse the connection.
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
  // Streamed, so that a character that is cut in two is left out.
  const text = new TextDecoder().decode(read.subarray(0, bytes), { stream: true }).replaceAll('\0', '\u{fffd}')
  // The replacement character is longer than the invalid byte that it replaces.
  const fitting = Buffer.alloc(bytes)
  return fitting.toString('utf8', 0, new TextEncoder().encodeInto(text, fitting).written)
}

/** Characters of a secret that a response may repeat: fewer are useless, and would be found in any text. */
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
  return Number.isNaN(ms) ? undefined : Math.min(WEBHOOK_RETRY_AFTER_MS, Math.max(0, ms))
}

/** The oldest date format names no zone; like the others it means GMT. */
const timeOf = (date: string): number => Date.parse(date.endsWith('GMT') ? date : `${date} GMT`)
