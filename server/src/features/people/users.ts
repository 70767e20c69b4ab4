// Users: the people who sign in, their addresses, and their passwords, kept as Argon2id hashes (RFC 9106). A user
// belongs to no company; memberships give access.

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type FairSemaphore, fairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { newId } from '../../core/ids.ts'
import { bodyError, Problem } from '../../core/problem.ts'
import { divided } from '../../core/worker-share.ts'
import { isUniqueFault, namedValues, type Queryable } from '../../database/connect.ts'
import { wrongPassword } from './bodies.ts'

/** Characters of a password (NIST SP 800-63B requires at least 8, and at least 64 to be accepted). */
const PASSWORD_LEAST = 10
const PASSWORD_MOST = 200
/**
 * Argon2id with OWASP's minimum: 19 MiB, two passes, parallelism 1. One hash takes some 20 ms. Also how many run at
 * once, which bounds the memory and cores that unauthenticated callers can use, and how many wait.
 */
const ARGON2 = { memoryKiB: 19_456, passes: 2, lanes: 1 } as const
const PASSWORDS = { name: 'password', atOnce: divided(2, 1), waiting: divided(200, 50) } as const

/** An address in the form in which it is compared and unique: case and Unicode variants of a character do not count. */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase()

/** A user, with what only the service may see. */
export interface User {
  readonly id: string
  readonly email: string
  readonly name?: string
  readonly passwordHash?: string
}

const columns = 'stored.id, stored.email, stored.name, stored.password_hash'

/** A user as shown to themselves. */
export const shownUser = ({ id, email, name, passwordHash }: User) => ({
  id,
  email,
  name,
  hasPassword: passwordHash !== undefined,
})

/** The user with an address in any notation, locked until the transaction ends if `isHeld`; undefined if there is none. */
export const userByAddress = (database: Queryable, email: string, isHeld = false): Promise<User | undefined> =>
  userWhere(database, 'stored.address = $1', addressOf(email), isHeld)

/** The user with an id, likewise. */
export const userById = (database: Queryable, id: string, isHeld = false): Promise<User | undefined> =>
  userWhere(database, 'stored.id = $1', id, isHeld)

async function userWhere(database: Queryable, condition: string, value: string, isHeld: boolean) {
  const lock = isHeld ? 'for no key update' : ''
  const [row] = await database.query(`select ${columns} from users as stored where ${condition} ${lock}`, [value])
  return row && namedValues<User>(row, ['id', 'email', 'name', 'passwordHash'])
}

/** A new user; without an id, one is generated. */
interface NewUser {
  readonly id?: string
  readonly email: string
  readonly name?: string | undefined
  readonly passwordHash?: string | undefined
}

/** Creates a user and invalidates the first owner's link (the next start prints another if needed). Throws 409 for a taken address. */
export async function createUser(
  transaction: Queryable,
  { id = newId(), email, name, passwordHash }: NewUser,
): Promise<User> {
  const now = new Date().toISOString()
  await transaction.query("delete from sign_in_links where kind = 'first' and used_at is null")
  try {
    await transaction.query(
      `insert into users (id, email, address, name, password_hash, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $6)`,
      [id, email, addressOf(email), name ?? null, passwordHash ?? null, now],
    )
  } catch (error) {
    throw isUniqueFault(error) ? takenAddress() : error
  }
  return { id, email, ...(name !== undefined && { name }), ...(passwordHash !== undefined && { passwordHash }) }
}

/** The code of the only refusal that reveals that an address has an account. */
const TAKEN = 'taken'

/** Whether an error is that refusal. */
export const isAddressTaken = (error: unknown): boolean =>
  error instanceof Problem && error.errors.some(({ code }) => code === TAKEN)

/** 409: an address belongs to one user. */
export const takenAddress = (): Problem => new Problem('conflict', taken, [bodyError('/email', TAKEN, taken)])
const taken = 'This e-mail address cannot be used: another account signs in with it.'

/** Stores a user's new password. */
export async function setPassword(transaction: Queryable, id: string, passwordHash: string): Promise<void> {
  await transaction.query('update users set password_hash = $2, updated_at = $3 where id = $1', [
    id,
    passwordHash,
    new Date().toISOString(),
  ])
}

/** Stores a user's new values. Throws the unique index's error if the address is another user's. */
export async function changeUser(transaction: Queryable, { id, email, name, passwordHash }: User): Promise<void> {
  await transaction.query(
    'update users set email = $2, address = $3, name = $4, password_hash = $5, updated_at = $6 where id = $1',
    [id, email, addressOf(email), name ?? null, passwordHash ?? null, new Date().toISOString()],
  )
}

const derive = promisify(argon2)
const saltBytes = 16
const hashBytes = 32

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

/** Throws 400 for a new password that is refused. */
export function requireStrong(password: string, known: readonly (string | undefined)[]): void {
  const refusal = refusalOf(password, known)
  if (refusal !== undefined) throw wrongPassword('/password', 'weak', refusal)
}

/** Ten characters and more; shorter passwords are refused by their length. */
const usual = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwerty12345 qwerty123456 qwertzuiop asdfghjkl; zaq12wsxcde3 q1w2e3r4t5
  q1w2e3r4t5y6 password12 password123 password1234 password12345 password123! passw0rd123 p@ssw0rd123 p@ssword123
  passwort123 passwort1234 kennwort123 contraseña1 motdepasse1 administrator adminadmin admin12345 admin123456 letmein123
  letmeinnow welcome123 welcome1234 welcome123! willkommen willkommen1 iloveyou12 iloveyou123 sunshine123 football123
  baseball123 princess123 superman123 trustno1trustno1 changeme123 changemenow abcdefghij abcdefghijk abcdefghijkl
  abc1234567 abcd123456 a123456789 1234567890a 12345678910 0987654321 9876543210 1029384756 1472583690 pointofsale
  cashwrap123 cashwrap1234 cashregister`.split(/\s+/),
)

const ascending = '01234567890123456789abcdefghijklmnopqrstuvwxyz'
const descending = [...ascending].reverse().join('')

/** Whether a password, in lower case, is common, a run of characters, or a few characters repeated. */
function isObvious(password: string): boolean {
  if (usual.has(password) || ascending.includes(password) || descending.includes(password)) return true
  for (let length = 1; length <= 4; length++)
    if ([...password].every((character, at, all) => character === all[at % length])) return true
  const half = password.slice(0, password.length / 2)
  return password === half + half && (usual.has(half) || ascending.includes(half) || half === 'password')
}
