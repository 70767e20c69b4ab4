// Idempotency keys on the side of HTTP (decisions §12): whose they are, what they are bound to, and what a request is answered whose work is done, or under way.
import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { type Claim, contextOf, type FindKept, inProgress, type Seal, sealedPrefix } from '../core/idempotency-claim.ts'
import { IDEMPOTENCY_KEY_CHARACTERS } from '../core/limits.ts'
import { invalid, type MemberError, Problem } from '../core/problem.ts'
import type { Answer, Method, Route } from './route.ts'

/** The methods that take a key; the others can be repeated as they are. */
export const keyedMethods: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a route takes a key: not where nobody owns it, and not on the person surface, where bodies hold passwords, of which
 * not even a digest is to be kept beside the one that is slow to guess.
 */
export const takesIdempotencyKey = ({ method, surface }: Pick<Route, 'method' | 'surface'>): boolean =>
  keyedMethods.has(method) && surface !== 'public' && surface !== 'person'

/** The key that a request carries, if any. Throws 400 for one that is empty, too long, unprintable, or sent twice. */
export function readKey(request: IncomingMessage): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  const isOne = request.headersDistinct['idempotency-key']?.length === 1
  if (isOne && /^[\x20-\x7e]+$/.test(key as string) && key.length <= IDEMPOTENCY_KEY_CHARACTERS) return key as string
  const message = isOne
    ? `must be 1 to ${IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters`
    : 'is sent twice; a request has one'
  throw invalid([{ in: 'header', pointer: 'idempotency-key', code: isOne ? 'format' : 'duplicate', message }])
}

/**
 * What a key is bound to. Bodies that are the same JSON value are the same body, in whatever order their members stand; one
 * of which parsing lost something is another than the one that says no more than what was left of it. `asker`, a key or a
 * person, where the answer holds a secret, which is repeated to nobody else of the same company or organization.
 */
export function fingerprintOf(
  method: string,
  path: string,
  body: unknown,
  losses: readonly MemberError[],
  asker?: string,
): string {
  const text = `${method} ${path}\n${canonical(body)}${ending(losses, asker)}`
  return hash('sha256', text, 'base64url')
}

const ending = (losses: readonly MemberError[], asker?: string): string => {
  const lost = losses.map(({ pointer, code }) => `\n${code} ${pointer}`).sort()
  return `${lost.join('')}${asker === undefined ? '' : `\nby ${asker}`}`
}

/** The beginning of the same fingerprint, made of a long body in slices; gives way at each `yield`. */
export function* beginFingerprint(method: string, path: string, body: unknown): Generator<undefined, Hash> {
  const begun = createHash('sha256').update(`${method} ${path}\n`)
  yield* feed(begun, body)
  return begun
}

/** The fingerprint of which `begun` is the beginning. */
export const endFingerprint = (begun: Hash, losses: readonly MemberError[], asker?: string): string =>
  begun.update(ending(losses, asker)).digest('base64url')

/** Values of which the canonical text is made at once. */
const VALUES_AT_ONCE = 500

function* feed(into: Hash, value: unknown): Generator<undefined, void> {
  if (typeof value !== 'object' || value === null || isShort(value)) {
    into.update(canonical(value))
    yield
  } else if (Array.isArray(value)) {
    let before = '['
    for (let at = 0; at < value.length; ) {
      into.update(before)
      before = ','
      // Short ones together: to feed each by itself takes longer than to make it.
      const end = shortRun(value, at)
      if (end > at) into.update(value.slice(at, end).map(canonical).join(','))
      else yield* feed(into, value[at])
      at = Math.max(end, at + 1)
      yield
    }
    into.update(before === '[' ? '[]' : ']')
  } else {
    let before = '{'
    for (const member of Object.keys(value as object).sort()) {
      into.update(`${before}${JSON.stringify(member)}:`)
      before = ','
      yield* feed(into, (value as Record<string, unknown>)[member])
    }
    into.update('}')
  }
}

/** The end of a run of elements from `from` on that together are short. */
function shortRun(items: readonly unknown[], from: number): number {
  let left = VALUES_AT_ONCE
  let end = from
  while (end < items.length) {
    left = remaining(items[end], left)
    if (left < 0) break
    end++
  }
  return end
}

const isShort = (value: unknown): boolean => remaining(value, VALUES_AT_ONCE) >= 0

/** What is left of so many values when those of one are taken off; a long text counts for many. */
function remaining(value: unknown, values: number): number {
  let left = values - 1
  if (typeof value === 'string') return left - (value.length >> 10)
  if (typeof value !== 'object' || value === null) return left
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (left < 0) return left
    left = remaining(item, left)
  }
  return left
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value).sort()
  return `{${members.map((member) => `${JSON.stringify(member)}:${canonical((value as Record<string, unknown>)[member])}`).join(',')}}`
}

const otherRequest = (): Problem =>
  new Problem(
    'idempotency_conflict',
    'This Idempotency-Key was used for another request: its method, path or body differ, or, where a secret is answered, who asks. Take a new key for new work.',
  )

/** 409, and no 5xx: the work is done, so sending the request again, under this key or another, would not help. */
const cannotShow = (): Problem =>
  new Problem(
    'conflict',
    'The work of this Idempotency-Key was done, but its answer can no longer be shown: it was sealed with a secret that the service has no more. Look for what it made instead of sending it again.',
  )

/** Whether who asks may not, or not any more: what others were answered is not for him. A secret's answer is bound to who asked. */
const isShutOut = ({ status, code }: Problem, { seal }: Claim): boolean =>
  status === 401 || (code === 'permission_denied' && seal === undefined)

/** Carries out requests under keys. */
export type OnlyOnce = (claim: Claim, work: () => Answer | Promise<Answer>, isGone: () => boolean) => Promise<Answer>

/**
 * Makes the function that carries a request out, or answers what the first one under its key was answered. The claim is
 * written by the work itself. Whatever speaks against the work (the claim is taken, the record is gone, the version is
 * another) may be because it was done before, so what is kept is looked up then; a first request costs no look-up.
 */
export function onlyOnce(find: FindKept, seal: Seal, log: Pick<Logger, 'error'>): OnlyOnce {
  const running = new Set<string>()

  function shown(text: string, claim: Claim): string {
    if (!text.startsWith(sealedPrefix)) return text
    try {
      return seal.open(text, contextOf(claim))
    } catch (error) {
      log.error(
        { ownerId: claim.ownerId, err: error },
        'an answer that is kept for retries was sealed with another secret and cannot be shown; does a server with the old one still run?',
      )
      throw cannotShow()
    }
  }

  return async (claim, work, isGone) => {
    const held = contextOf(claim)
    if (running.has(held)) throw inProgress()
    running.add(held)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || isShutOut(error, claim)) throw error
      const kept = await find(claim, isGone)
      if (kept === undefined) throw error
      if (shown(kept.fingerprint, claim) !== claim.fingerprint) throw otherRequest()
      return { status: kept.status, body: shown(kept.answer, claim), headers: { 'idempotent-replayed': 'true' } }
    } finally {
      running.delete(held)
    }
  }
}
