// One-time codes by time (TOTP, RFC 6238) as authenticator apps compute them: six digits of an HMAC-SHA-1, every 30 seconds.

import { createHmac, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** Steps by which the clock of a phone may differ: RFC 6238 advises one. */
const DRIFT_STEPS = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes as base32 without padding (RFC 4648, section 6), the form in which apps take a secret. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The bytes of a base32 text. */
function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** The step of a time in milliseconds. */
export const stepAt = (ms: number): number => Math.floor(ms / 1000 / STEP_SECONDS)

/** The code of a secret, in base32, at a step (RFC 4226, section 5.3). */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (digest.at(-1) as number) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step after `last`, close to now, whose code this is; undefined if there is none. */
export function stepOf(secret: string, code: string, last: number, now = Date.now()): number | undefined {
  const current = stepAt(now)
  for (let step = current - DRIFT_STEPS; step <= current + DRIFT_STEPS; step++)
    if (step > last && timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))) return step
  return undefined
}

/** Whether a text has the form of a code. */
export const isCode = (text: string): boolean => /^\d{6}$/.test(text)

/**
 * The URI from which an app reads a secret, as a QR code. It omits algorithm, digits and period, which are the
 * defaults, so that the code has fewer and larger squares.
 */
export const otpauthUri = (secret: string, email: string): string =>
  `otpauth://totp/Cashwrap:${encodeURIComponent(email)}?secret=${secret}&issuer=Cashwrap`
