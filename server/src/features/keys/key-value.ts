// The value of a key: generated, checked by its checksum without a look-up, and hashed for storage (decisions §8).
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes = { company: 'posk_', organization: 'poso_' } as const

/** What a key gives access to: one company, or an organization. */
type KeyKind = keyof typeof prefixes

/** Characters of every value. */
export const keyLength = 41

function base62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = alphabet.charAt(rest % 62) + text
  return text
}

const checksum = (body: string): string => base62(crc32(body), 6)

/** A new value: prefix, 30 random base62 characters, 6 of their CRC32. */
export function newKeyValue(kind: KeyKind): string {
  const body = Array.from({ length: 30 }, () => alphabet.charAt(randomInt(62))).join('')
  return prefixes[kind] + body + checksum(body)
}

/** The kind of a well-formed value; undefined if form or checksum is wrong. */
export function kindOf(value: string): KeyKind | undefined {
  if (!/^pos[ko]_[0-9A-Za-z]{36}$/.test(value) || checksum(value.slice(5, 35)) !== value.slice(35)) return undefined
  return value.startsWith(prefixes.company) ? 'company' : 'organization'
}

/** What is stored of a value: its SHA-256 in hexadecimal. */
export const hashOf = (value: string): string => hash('sha256', value, 'hex')
