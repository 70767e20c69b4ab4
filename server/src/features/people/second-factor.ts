// Second factors as stored: the sealed secret for one-time codes, the last accepted step, and the hashes of the recovery codes. A code
// is accepted once, on all servers together. Below, one-time codes by time (TOTP, RFC 6238) as authenticator apps compute them: six
// digits of an HMAC-SHA-1, every 30 seconds.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Seal } from '../../core/idempotency-claim.ts'
import { conflict, Problem } from '../../core/problem.ts'
import { type Database, hasRow, type Queryable } from '../../database/connect.ts'
import type { JsonObject } from '../../engine/record.ts'
import { type Reseal, resealColumn } from '../../engine/reseal.ts'
import { tokenHash } from './links.ts'

/** Recovery codes of a second factor: the number that services of the kind give. */
const RECOVERY_CODES = 10

/** A secret opens only for the user that it was sealed for. */
const contextOf = (userId: string): string => `second-factor ${userId}`

/** The second factor of a user, as the user sees it; undefined if it is off. */
export async function secondFactorOf(database: Queryable, userId: string): Promise<JsonObject | undefined> {
  const [row] = await database.query(
    `select iso_time(stored.confirmed_at), (select count(*)::int from recovery_codes where user_id = $1)
     from second_factors as stored where stored.user_id = $1 and stored.confirmed_at is not null`,
    [userId],
  )
  return row && { confirmedAt: row[0], recoveryCodesLeft: row[1] }
}

/** Stores a new secret, which counts only once it is confirmed, and returns it. Throws 409 if the second factor is on. */
export async function beginSecondFactor(transaction: Queryable, seal: Seal, userId: string): Promise<string> {
  // RFC 4226, section 4: 160 bits.
  const secret = base32(randomBytes(20))
  const [begun] = await transaction.query(
    `insert into second_factors as stored (user_id, secret, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = excluded.created_at
       where stored.confirmed_at is null
     returning 1`,
    [userId, seal.close(secret, contextOf(userId)), new Date().toISOString()],
  )
  if (begun === undefined)
    throw conflict('second_factor_on', 'The second factor is already on. Turn it off first to set up another app.')
  return secret
}

/**
 * Turns the second factor on with a first code, and returns the recovery codes; undefined if the code is wrong. Throws 409 if it is
 * on, or was not begun.
 */
export async function confirmSecondFactor(
  transaction: Queryable,
  seal: Seal,
  userId: string,
  code: string,
): Promise<string[] | undefined> {
  const [row] = await transaction.query(
    'select secret from second_factors where user_id = $1 and confirmed_at is null for update',
    [userId],
  )
  if (row === undefined)
    throw new Problem('conflict', 'There is nothing to confirm: the second factor is already on, or was not set up.')
  const step = acceptedStep(seal, userId, { sealed: row[0], last: 0 }, plain(code))
  if (step === undefined) return undefined
  await transaction.query('update second_factors set confirmed_at = $2, last_step = $3 where user_id = $1', [
    userId,
    new Date().toISOString(),
    step,
  ])
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await transaction.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::text[])', [
    userId,
    codes.map((one) => tokenHash(plain(one))),
  ])
  return codes
}

/** A recovery code: 80 random bits, so a fast hash of it is enough. In groups, for people who copy it by hand. */
const newRecoveryCode = (): string => (base32(randomBytes(10)).toLowerCase().match(/.{4}/g) as string[]).join('-')

/** A typed code without what people add or change: spaces, hyphens, case. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

/** The step of a right code; undefined for a wrong one, and for a secret that no key opens. */
function acceptedStep(
  seal: Seal,
  userId: string,
  { sealed, last }: { sealed: string | null; last: number },
  code: string,
): number | undefined {
  if (sealed === null || !isCode(code)) return undefined
  let secret: string
  try {
    secret = seal.open(sealed, contextOf(userId))
  } catch {
    return undefined
  }
  return stepOf(secret, code, last)
}

/**
 * Uses up a code of a user whose row is locked: a code of the app, or a recovery code. Returns whether it is right; undefined if the
 * second factor is off.
 */
export async function spendCode(
  transaction: Queryable,
  seal: Seal,
  userId: string,
  typed: string,
): Promise<boolean | undefined> {
  const [row] = await transaction.query(
    'select secret, last_step from second_factors where user_id = $1 and confirmed_at is not null for update',
    [userId],
  )
  if (row === undefined) return undefined
  const code = plain(typed)
  const step = acceptedStep(seal, userId, { sealed: row[0], last: Number(row[1]) }, code)
  return step === undefined
    ? hasRow(transaction, 'delete from recovery_codes where user_id = $1 and hash = $2 returning 1', [
        userId,
        tokenHash(code),
      ])
    : hasRow(transaction, 'update second_factors set last_step = $2 where user_id = $1 returning 1', [userId, step])
}

/**
 * Requires the second factor of a user whose row is locked, if it is on. Returns whether it is. Throws 401: `second_factor_required` without a code,
 * `invalid_second_factor` with a wrong one.
 */
export async function requireSecondFactor(
  transaction: Queryable,
  seal: Seal,
  userId: string,
  code: string | undefined,
): Promise<boolean> {
  const isRight = await spendCode(transaction, seal, userId, code ?? '')
  if (isRight === undefined || isRight) return isRight === true
  if (code === undefined)
    throw new Problem(
      'second_factor_required',
      'This account has a second factor. Send the same request with `code`: the six digits of the authenticator app, or a recovery code.',
    )
  throw new Problem('invalid_second_factor', 'The code is wrong, has expired, or was used already. Enter the next one.')
}

/** Turns a second factor off and removes its recovery codes. Returns whether there was one, also one not confirmed. */
export const removeSecondFactor = (transaction: Queryable, userId: string): Promise<boolean> =>
  hasRow(transaction, 'delete from second_factors where user_id = $1 returning 1', [userId])

/** Reseals each secret that another key sealed, except those that are replaced meanwhile. Returns how many. */
export const resealSecondFactors = (database: Database, reseal: Reseal): Promise<number> =>
  resealColumn(database, { table: 'second_factors', key: 'user_id', column: 'secret', contextOf }, reseal)

/**
 * Clears all secrets, which can no longer be opened: sign-ins go on to require the second factor, and only recovery codes are
 * accepted. Returns the number of users.
 */
export async function clearSecondFactorSecrets(database: Database): Promise<number> {
  await database.query('delete from second_factors where confirmed_at is null')
  const cleared = await database.query(
    'update second_factors set secret = null where secret is not null returning user_id',
  )
  return cleared.length
}

const STEP_SECONDS = 30
const DIGITS = 6
/** Steps by which the clock of a phone may differ: RFC 6238 advises one. */
const DRIFT_STEPS = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes as base32 without padding (RFC 4648, section 6), the form in which apps take a secret. */
function base32(bytes: Uint8Array): string {
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
