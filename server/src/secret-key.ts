// The secret key in text: what one looks like, and how many there may be.
import { randomBytes } from 'node:crypto'

/** Characters of a secret key at least: 32 random ones are beyond guessing, whatever they are made of. */
const secretKeyCharacters = 32

/** A new one: 256 random bits, as 43 characters of base64url. */
export const newSecretKey = (): string => randomBytes(32).toString('base64url')

/**
 * The keys that a text names, one or two by a comma: the first seals, both open. Empty for an empty text; a sentence's end
 * for what is wrong with it, which shows nothing of it.
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
