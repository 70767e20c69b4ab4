// Passwords: which are accepted, and their Argon2id hashes (RFC 9106), which are slow on purpose.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { ARGON2, PASSWORD_LEAST, PASSWORD_MOST, PASSWORDS } from '../../core/limits.ts'
import { addressOf } from './address.ts'
import { isObvious } from './obvious-passwords.ts'

const derive = promisify(argon2)
const [saltBytes, hashBytes] = [16, 32]

/** The semaphore for hashing: few at once in a process; others wait in queues by network. */
export const passwordSemaphore = (): FairSemaphore => fairSemaphore(PASSWORDS)

/** One text for all ways in which keyboards encode it (RFC 8265, section 4.2). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFC'))

/** The hash of a password as a PHC string, with its salt and cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const { memoryKiB, passes, lanes } = ARGON2
  const hash = await digest(password, { salt, memoryKiB, passes, lanes })
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${lanes}$${base64(salt)}$${base64(hash)}`
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/**
 * Whether a password matches a hash. Without a hash it does not, after the same time: response times must not reveal
 * whether a user exists and has a password.
 */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, lanes, salt = '', hash = ''] = phc.exec(stored ?? '') ?? []
  const wanted = Buffer.from(hash, 'base64')
  if (wanted.length !== hashBytes) {
    await digest(password, { salt: Buffer.alloc(saltBytes), ...ARGON2 })
    return false
  }
  const cost = { memoryKiB: Number(memory), passes: Number(passes), lanes: Number(lanes) }
  return timingSafeEqual(await digest(password, { salt: Buffer.from(salt, 'base64'), ...cost }), wanted)
}

/** Whether a hash was made with other costs than today's, so that hashing again is worthwhile. */
export const isOutdated = (stored: string): boolean =>
  !stored.startsWith(`$argon2id$v=19$m=${ARGON2.memoryKiB},t=${ARGON2.passes},p=${ARGON2.lanes}$`)

const digest = (
  password: string,
  { salt, memoryKiB, passes, lanes }: { salt: Buffer; memoryKiB: number; passes: number; lanes: number },
): Promise<Buffer> =>
  derive('argon2id', {
    message: bytesOf(password),
    nonce: salt,
    parallelism: lanes,
    tagLength: hashBytes,
    memory: memoryKiB,
    passes,
  })

/** Base64 without padding, as in PHC strings. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/**
 * Why a password is refused, as the end of a sentence; undefined if it is accepted. `known` is what others know of the
 * person.
 */
export function refusalOf(password: string, known: readonly (string | undefined)[]): string | undefined {
  const characters = [...password.normalize('NFC')].length
  if (characters < PASSWORD_LEAST) return `must have at least ${PASSWORD_LEAST} characters; a few words work well`
  if (characters > PASSWORD_MOST) return `must not have more than ${PASSWORD_MOST} characters`
  const plain = addressOf(password).trim()
  const reported = known
    .flatMap((text) => (text === undefined ? [] : [text, text.split('@')[0] as string]))
    .map(addressOf)
  if (reported.includes(plain)) return 'must not be the e-mail address or the name'
  if (isObvious(plain)) return 'must not be easy to guess; a few words that only you connect work well'
  return undefined
}
