// The secret key as text: its form, and how many there may be.
import { randomBytes } from 'node:crypto'
import { OperatorError } from './core/operator-error.ts'

/** The minimum length of a secret key: 32 random characters cannot be guessed, from any alphabet. */
const secretKeyCharacters = 32

/** A new one: 256 random bits, as 43 characters of base64url. */
export const newSecretKey = (): string => randomBytes(32).toString('base64url')

/**
 * The keys in a text, one or two separated by a comma: the first seals, both open. Empty for an empty text; for an
 * invalid one the rest of a sentence that says why, without showing it.
 */
export function secretKeysIn(text: string): readonly string[] | string {
  if (text.trim() === '') return []
  const keys = text.split(',').map((key) => key.trim())
  if (keys.length > 2) return 'must be one key, or two separated by a comma'
  if (keys.some((key) => key.length < secretKeyCharacters))
    return `must have at least ${secretKeyCharacters} characters, such as the key that \`cashwrap secret\` prints; separate two keys by a comma`
  if (new Set(keys).size < keys.length) return 'must be two different keys, if there are two'
  return keys
}

/** Throws OperatorError if a server has no secret key, and may not make one: with DATABASE_URL, others may have another. */
export function requireSecretKey({
  secretKeys,
  databaseUrl,
}: {
  readonly secretKeys: readonly string[]
  readonly databaseUrl: string | undefined
}): void {
  if (secretKeys.length === 0 && databaseUrl !== undefined)
    throw new OperatorError(
      'With DATABASE_URL, CASHWRAP_SECRET_KEY must be set to the key that encrypts secrets in the database, the same on all its servers; `cashwrap secret` prints a new one.',
    )
}
