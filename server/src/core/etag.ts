// The version of a record on the wire: an entity tag computed from the response, and the conditions that callers set on it (RFC 9110, sections 8.8.3 and 13.1).
import { hash } from 'node:crypto'
import { PARAMETER_CHARACTERS } from './limits.ts'
import { invalid, type MemberError, Problem } from './problem.ts'

/** What `If-Match` asks for: any version at all, or one of some strong tags. */
export type Condition = '*' | readonly string[]

/** 132 bits of the digest: a collision is not expected. */
const TAG_CHARACTERS = 22

/** The strong tag of a record's text. It changes exactly when the response changes, whatever the reason. */
export const etagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, TAG_CHARACTERS)}"`

/** Tags separated by commas; RFC 9110 lets elements of a list be empty. */
const listed = /^(?:\s*(?:(?:W\/)?(?:"[^"\s]*"|[\w-]+)\s*)?(?:,|$))+$/
const tags = /(?:W\/)?(?:"[^"\s]*"|[\w-]+)/g

/**
 * Reads `If-Match`, or `ifMatch` of a bulk item: `*`, or tags separated by commas. A tag without its quotes is
 * accepted; a weak one is accepted and never matches, as RFC 9110 requires. Returns a member error for anything else.
 */
export function readCondition(value: unknown, place: Pick<MemberError, 'in' | 'pointer'>): Condition | MemberError {
  const text = typeof value === 'string' && value.length <= PARAMETER_CHARACTERS ? value.trim() : ''
  if (text === '*') return text
  const sent = listed.test(text) ? text.match(tags) : null
  if (sent) return sent.map((tag) => (/["]/.test(tag) ? tag : `"${tag}"`))
  return { ...place, code: 'etag', message: 'must be an ETag that the service returned, such as "5t0aDqXSEy…", or *' }
}

/** True when a record's text is the version, or one of the versions, that a write was meant for. */
export const isMet = (condition: Condition, text: string): boolean =>
  condition === '*' || condition.includes(etagOf(text))

/** True when the reader has this version already. Tags are compared weakly, so that a cache's `W/` does no harm. */
export function isKnown(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || (ifNoneMatch.match(tags) ?? []).some((tag) => tag.replace('W/', '') === etag)
}

/** A tag that a record of the service can have. */
const ofRecord = new RegExp(`^"[\\w-]{${TAG_CHARACTERS}}"$`)

/** 412: the record no longer has the version that the caller read, or the condition can match no version. */
export const versionMismatch = (condition: Condition | undefined): Problem =>
  new Problem('version_mismatch', mismatchOf(Array.isArray(condition) ? condition : []))

function mismatchOf(tags: readonly string[]): string {
  if (tags.length === 0 || tags.some((tag) => ofRecord.test(tag)))
    return 'The record has changed since you read it. Read it again, then decide whether to repeat the change.'
  if (tags.every((tag) => tag.startsWith('W/')))
    return 'A weak ETag (W/) never matches. The service sends strong ones, so a proxy or the client has made it weak: send it as the service does, and turn off compression of the API in the proxy.'
  return 'If-Match (ifMatch of an item) is not an ETag of this service, so no version of the record matches. Send the ETag of the response in which you read the record.'
}

/** Throws 412 if the caller sent a condition and a record's text does not meet it. */
export function requireMatch(condition: Condition | undefined, text: string): void {
  if (condition && !isMet(condition, text)) throw versionMismatch(condition)
}

/** 400 for `If-Match` where it cannot be applied: ignoring it would break a guarantee that the caller asked for. Items of some requests, and of upserts, have `ifMatch` instead. */
export const cannotMatch = (items: 'match' | 'upsert' | undefined): Problem =>
  invalid([
    {
      in: 'header',
      pointer: 'if-match',
      code: 'unknown',
      message:
        items === 'match'
          ? 'applies to a single record; in a bulk request, send ifMatch with each item'
          : `must not be sent to this route${items === undefined ? '' : '; with mode=upsert, send ifMatch with the items'}`,
    },
  ])

/** 400 for `If-None-Match` on a write, which would be done although the caller asked for it only if there is no record. */
export const onlyForReads = (): Problem =>
  invalid([
    {
      in: 'header',
      pointer: 'if-none-match',
      code: 'unknown',
      message: 'applies to reads; to change only the version that you read, send If-Match',
    },
  ])
