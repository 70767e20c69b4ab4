// The HTTP side of idempotency keys (decisions §12): their owner, what they are bound to, and the response to a request whose work is done or in progress.

import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { type Claim, contextOf, type FindKept, inProgress, type Seal, sealedPrefix } from '../core/idempotency-claim.ts'
import type { IsGone } from '../core/is-gone.ts'
import { IDEMPOTENCY_KEY_CHARACTERS } from '../core/limits.ts'
import { invalid, type MemberError, Problem } from '../core/problem.ts'
import type { TraceContext } from '../core/trace-context.ts'
import { replays } from './metrics.ts'
import type { Answer, Method, Route } from './route.ts'

const replayed = replays.of()

/** The methods that take a key; the others can be repeated as they are. */
const keyedMethods: ReadonlySet<Method> = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Whether a route takes a key. It does not without an owner, nor on the person surface: bodies there hold passwords,
 * and not even a digest of a password may be stored beside its slow hash. Nor does a route of another protocol whose
 * requests contain requests of the API: each of these has its own key.
 */
export const takesIdempotencyKey = ({
  method,
  surface,
  takesBearer,
}: Pick<Route, 'method' | 'surface' | 'takesBearer'>): boolean =>
  keyedMethods.has(method) && surface !== 'public' && surface !== 'person' && !takesBearer

/** The key of a request, if any. Throws 400 for one that is empty, too long, unprintable, or sent twice. */
export function readKey(request: IncomingMessage): string | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  // A request that is made within this process has each header once, and no such list.
  const isOne = (request.headersDistinct?.['idempotency-key']?.length ?? 1) === 1
  if (isOne && /^[\x20-\x7e]+$/.test(key as string) && key.length <= IDEMPOTENCY_KEY_CHARACTERS) return key as string
  const message = isOne
    ? `must be 1 to ${IDEMPOTENCY_KEY_CHARACTERS} printable ASCII characters`
    : 'is sent twice; send it once'
  throw invalid([{ in: 'header', pointer: 'idempotency-key', code: isOne ? 'format' : 'duplicate', message }])
}

/**
 * What a key is bound to. Bodies with the same JSON value are the same, in any order of their members. A body that lost
 * something in parsing differs from one that contains only the rest. `asker` is the key or user, where the response
 * holds a secret: it is replayed to no other caller of the same company or organization.
 */
export function fingerprintOf(
  method: string,
  path: string,
  body: unknown,
  lossyValues: readonly MemberError[],
  asker?: string,
): string {
  const text = `${method} ${path}\n${canonical(body)}${ending(lossyValues, asker)}`
  return hash('sha256', text, 'base64url')
}

const ending = (lossyValues: readonly MemberError[], asker?: string): string => {
  const lost = lossyValues.map(({ pointer, code }) => `\n${code} ${pointer}`).sort()
  return `${lost.join('')}${asker === undefined ? '' : `\nby ${asker}`}`
}

/** The parameters of a query as a key is bound to them: the same in any order, and without parameters empty. */
export const queryText = (query: Readonly<Record<string, unknown>>): string => {
  const text = canonical(query)
  return text === '{}' ? '' : text
}

/** The beginning of the same fingerprint, computed from a long body in slices; pauses at each `yield`. */
export function* beginFingerprint(method: string, path: string, body: unknown): Generator<undefined, Hash> {
  const begun = createHash('sha256').update(`${method} ${path}\n`)
  yield* feed(begun, body)
  return begun
}

/** The complete fingerprint, from its beginning `begun`. */
export const endFingerprint = (begun: Hash, lossyValues: readonly MemberError[], asker?: string): string =>
  begun.update(ending(lossyValues, asker)).digest('base64url')

/** Values whose canonical text is made at once. */
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
      // Short elements are added together: one update for each takes longer than making their texts.
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

/** The end of a run of elements from `from` that are short together. */
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

/** What is left of a number of values minus those of one; a long text counts as many. */
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
    'This Idempotency-Key was used for another request: the method, path, query or body differs, or, where the response holds a secret, the caller. Use a new key for a new request.',
  )

/** 409 instead of a 5xx: the work is done, so sending the request again, under this key or another, would not help. */
const cannotShow = (): Problem =>
  new Problem(
    'conflict',
    'The request with this Idempotency-Key was carried out, but its response can no longer be shown: it was encrypted with a secret key that the service no longer has. Look up what it created instead of sending it again.',
  )

/** Whether this caller is not, or no longer, allowed to see the kept response. A response with a secret is bound to its caller. */
const isShutOut = ({ status, code }: Problem, { seal }: Claim): boolean =>
  status === 401 || (code === 'permission_denied' && seal === undefined)

/** Carries out requests under keys; `trace` is for the log. */
export type OnlyOnce = (
  claim: Claim,
  work: () => Answer | Promise<Answer>,
  isGone: IsGone,
  trace?: TraceContext,
) => Promise<Answer>

/**
 * Makes the function that carries a request out, or replays the first response of its key. The work itself writes the
 * claim. Any refusal (the claim is taken, the record is gone, the version differs) may mean that the work was done
 * before, so the stored response is looked up then. A first request costs no look-up.
 */
export function onlyOnce(find: FindKept, seal: Seal, log: Pick<Logger, 'error'>): OnlyOnce {
  const running = new Set<string>()

  function shown(text: string, claim: Claim, trace: TraceContext | undefined): string {
    if (!text.startsWith(sealedPrefix)) return text
    try {
      return seal.open(text, contextOf(claim))
    } catch (error) {
      log.error(
        { ownerId: claim.ownerId, ...(trace && { traceId: trace.traceId }), err: error },
        'replay of a kept response failed: it was encrypted with another secret key; add a key that was replaced less than a day ago as the second one, and check whether a server with an old key still runs',
      )
      throw cannotShow()
    }
  }

  return async (claim, work, isGone, trace) => {
    const held = contextOf(claim)
    if (running.has(held)) throw inProgress()
    running.add(held)
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500 || isShutOut(error, claim)) throw error
      const kept = await find(claim, isGone)
      if (kept === undefined) throw error
      if (kept.query !== claim.query || shown(kept.fingerprint, claim, trace) !== claim.fingerprint)
        throw otherRequest()
      replayed.value++
      return { status: kept.status, body: shown(kept.answer, claim, trace), headers: { 'idempotent-replayed': 'true' } }
    } finally {
      running.delete(held)
    }
  }
}
