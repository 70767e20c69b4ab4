// A request as ordered steps: identify, authorize, admit the body, parse, authorize again, idempotency, wait, handle,
// send. Every error goes to Fastify's error handler.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { FairSemaphore } from '../concurrency/fair-semaphore.ts'
import { type Condition, cannotMatch, readCondition } from '../core/etag.ts'
import { type Claim, contextOf, type Seal } from '../core/idempotency-claim.ts'
import { BODY_BYTES } from '../core/limits.ts'
import { denied, invalid, Problem } from '../core/problem.ts'
import { inTrace } from '../tracing/tracer.ts'
import { authenticate, type Caller, type FindKey, isLegacy, type KnownKey, type RateLimits } from './auth/api-key.ts'
import { takeBearer } from './auth/bearer.ts'
import { crossSite } from './auth/csrf.ts'
import type { RateLimiter } from './auth/rate-limit.ts'
import { asksByPerson, authenticatePerson, type FindSignIn, isBySignIn } from './auth/session.ts'
import { callOf, tenantOf } from './call.ts'
import { answerInReach } from './call-reach.ts'
import { type Bodies, declaredBytes, type Held, measured } from './connection/body-memory.ts'
import { continueWhenRead } from './connection/expect-continue.ts'
import type { FairStart } from './connection/fair-start.ts'
import type { Answers } from './connection/response-memory.ts'
import { admitFile, type FileBody, fileBody } from './connection/streamed-body.ts'
import { showedKey } from './connection/unauthenticated-connections.ts'
import { type AllowOrigin, allowingOrigins } from './cors.ts'
import { withinDeadline } from './deadline.ts'
import { logged } from './error-response.ts'
import { endFingerprint, fingerprintOf, type OnlyOnce, queryText, readKey, takesIdempotencyKey } from './idempotency.ts'
import type { ReadBody } from './json.ts'
import { SMALL_BODY_BYTES } from './limits.ts'
import { durationsOf, noteRoute } from './metrics.ts'
import { pathOf } from './paths.ts'
import { queryReader } from './query.ts'
import { type KeyRequest, noteAtEnd } from './request-note.ts'
import { traceOf } from './request-trace.ts'
import type { Answer, Call, Route, SemaphoreName, Surface } from './route.ts'
import { endStream, send } from './send.ts'

/**
 * Bytes that count for a file being uploaded in chunks of 1 MB: the chunk that fills up, the surplus, and the statement
 * that carries it.
 */
const FILE_HELD_BYTES = 4 * 1024 * 1024

/** What all routes share. */
export interface Shared {
  readonly findKey: FindKey
  readonly findSignIn: FindSignIn
  /** Called for each request that a key authorized. */
  readonly keyUsed: (keyId: string) => void
  /** Called with each request of a company's key that has ended. */
  readonly keyRequested: ((request: KeyRequest) => void) | undefined
  /**
   * Called after each successful request other than a GET, even if the client is gone: the company may have written.
   */
  readonly wrote: (companyId: string) => void
  readonly seal: Seal
  readonly log: Logger
  readonly once: OnlyOnce
  readonly limiter: RateLimiter | undefined
  /** Starts a request of a tenant in a turn of the event loop that has a place for it. */
  readonly begin: FairStart
  readonly semaphores: Readonly<Record<SemaphoreName, FairSemaphore | undefined>>
  readonly held: Bodies
  readonly untaken: Answers
  readonly deadlineMs: number
  /** Origins whose pages may call private endpoints. */
  readonly corsOrigins: ReadonlySet<string>
}

/** A route with what is shared, and what is derived once from its declaration. */
interface Step {
  readonly route: Route
  readonly shared: Shared
  /** The semaphore before the handler; undefined where the route waits elsewhere. */
  readonly semaphore: FairSemaphore | undefined
  readonly deadlineMs: number
  readonly readQuery: (search: string) => Call['query']
  readonly isKeyed: boolean
  readonly allowOrigin: AllowOrigin
  /** Where its durations are counted. */
  readonly durations: ReturnType<typeof durationsOf>
  /** The status of a success. */
  readonly status: number
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    /** Milliseconds of the deadline that were spent on finding the key. */
    spentMs: number
    held: Held | null
  }
  interface FastifyContextConfig {
    takesFile?: boolean
    takesBearer?: boolean
  }
}

type Done = (error?: Error) => void

const legacyDeprecation = '@1735689600' // RFC 9745; the older header name is deprecated since 2025
/**
 * Responses to one key are private: shared caches must not store them, and a client's own revalidates (RFC 9111, section 5.2.2).
 * Responses to a person, and those with a secret, are not stored at all: another person may use the browser next.
 */
const ownAnswer = 'private, no-cache'
const variesBy = {
  company: 'x-api-key, apikey, cookie, x-company-id',
  organization: 'x-org-api-key, cookie, x-organization-id',
  person: 'cookie',
} as const
const noQuery = {}
const noBody: ReadBody = { value: undefined, lossyValues: [] }
const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Adds a route to the server. */
export function register(server: FastifyInstance, route: Route, shared: Shared): void {
  const step: Step = {
    route,
    shared,
    semaphore: shared.semaphores[route.semaphore ?? (route.isBulk ? 'bulk' : 'other')],
    deadlineMs: route.deadlineMs ?? shared.deadlineMs,
    readQuery: route.isPage ? () => noQuery : queryReader(route.query),
    isKeyed: takesIdempotencyKey(route),
    allowOrigin: allowingOrigins(shared.corsOrigins, route),
    durations: durationsOf(route.path),
    status: Number(Object.keys(route.replies)[0]),
  }
  server.route({
    method: route.method,
    ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
    url: fastifyPath(route.path),
    config: {
      takesFile: route.takesFile !== undefined,
      takesBearer: route.takesBearer === true,
      isBulk: route.isBulk === true,
    },
    onRequest: (request, reply, done) => identify(step, request, reply, done),
    ...(route.method !== 'GET' && {
      preParsing: (request, reply, payload, done) => {
        let body = payload
        try {
          body = admitBody(step, request, reply, payload)
        } catch (error) {
          return done(error as Error)
        }
        done(null, body)
      },
    }),
    handler: (request, reply) => carryOut(step, request, reply),
  })
}

/** Step 1: identifies the caller. Sets the headers that depend on it, and lets the request begin at its tenant's turn. */
function identify(step: Step, request: FastifyRequest, reply: FastifyReply, done: Done) {
  const { route, shared, deadlineMs } = step
  noteRoute(request.raw, step.durations)
  const refused = route.takesBearer ? takeBearer(request, shared.corsOrigins) : undefined
  const surface = surfaceOf(route, request)
  // Also on responses without a key: a cache must not serve them to a client that has one.
  if (route.takesCompanyKey) reply.header('vary', 'x-api-key, cookie, x-company-id')
  else if (surface !== 'public') reply.header('vary', variesBy[surface])
  step.allowOrigin(request, reply)
  if (refused) return done(refused)
  if (surface === 'public') return done(route.isForOwnPages ? crossSite(request) : undefined)
  if (isBySignIn(request, surface)) reply.header('cache-control', 'no-store')
  else reply.header('cache-control', route.hasSecret ? 'no-store' : ownAnswer)
  if (isLegacy(request.headers, surface, route.path)) reply.header('deprecation', legacyDeprecation)
  const admit = (caller: Caller | undefined) => {
    // A rate limit has answered.
    if (caller === undefined) return
    request.caller = inItsTrace(caller, request)
    showedKey(request.raw.socket)
    if (caller.scope.keyId !== undefined) shared.keyUsed(caller.scope.keyId)
    shared.begin(tenantOf(request), request, done)
  }
  try {
    const caller = authorize(step, request, surface, shared.limiter?.(request, reply), noted(step, request))
    if (!(caller instanceof Promise)) return admit(caller)
    const begun = performance.now()
    const found = (caller: Caller | undefined) => {
      request.spentMs = performance.now() - begun
      admit(caller)
    }
    withinDeadline(caller, deadlineMs, found, done)
  } catch (error) {
    done(error as Error)
  }
}

/** Notes the request under its key, once the key is known to be valid. */
function noted({ route, shared }: Step, { raw, id, url }: FastifyRequest) {
  const { keyRequested } = shared
  if (keyRequested === undefined) return undefined
  return (key: KnownKey) => noteAtEnd(raw, { key, route, id, url }, keyRequested)
}

/** The caller, with the trace that the request belongs to: what it writes passes it on. */
function inItsTrace(caller: Caller, { raw }: FastifyRequest): Caller {
  const trace = traceOf(raw)
  return trace === undefined ? caller : { ...caller, scope: caller.scope.inTrace(trace) }
}

/**
 * The surface for which a request is checked: if a route may be called with or without a company, the request's headers
 * decide.
 */
const surfaceOf = ({ surface, takesCompanyKey }: Route, request: FastifyRequest): Surface =>
  takesCompanyKey && (request.headers['x-api-key'] !== undefined || asksByPerson(request)) ? 'company' : surface

/** Step 2: whether the key or the sign-in may call the route. Undefined: a rate limit has answered. */
function authorize(
  { route, shared }: Step,
  request: FastifyRequest,
  surface: Surface,
  limits?: RateLimits,
  known?: (key: KnownKey) => void,
) {
  if (isBySignIn(request, surface)) return authenticatePerson(shared.findSignIn, request, route, surface, limits)
  const { headers, method } = request
  const { path, forPeople, permission } = route
  return authenticate(shared.findKey, { headers, method, path, forPeople, permission, known }, surface, limits)
}

/** Step 3: reserves memory for the body before any of it is read. Throws 413 and 503. */
function admitBody<T>({ route, shared }: Step, request: FastifyRequest, reply: FastifyReply, payload: T): T {
  const tenant = tenantOf(request)
  if (route.takesFile) {
    admitFile(request.raw, route.takesFile)
    request.held = shared.held.hold(tenant, FILE_HELD_BYTES, reply.raw)
    return payload
  }
  const bytes = declaredBytes(request)
  // Fastify reads nothing of it and answers 413.
  if (bytes !== undefined && bytes > BODY_BYTES) return payload
  let body = payload
  if (bytes !== 0) {
    const counted = shared.held.hold(tenant, bytes ?? SMALL_BODY_BYTES, reply.raw)
    request.held = counted
    if (bytes === undefined) body = measured(payload as never, () => counted.grow(BODY_BYTES)) as T
  }
  continueWhenRead(request.raw, body as never, reply.raw)
  return body
}

/** Steps 4 to 9, of a request whose body Fastify has read and parsed (`read-body.ts`). */
function carryOut(step: Step, request: FastifyRequest, reply: FastifyReply) {
  const { route, shared } = step
  const path = pathOf(request.url)
  const query = step.readQuery(request.url.slice(path.length + 1))
  // Refusals also say that nothing was done.
  if (query.dryRun === true) reply.header('dry-run', 'true')
  const read = parsedBody(route, request)
  const isDigested = request.headers['idempotency-key'] !== undefined
  const file = route.takesFile && fileBody(request.raw, reply.raw, { most: route.takesFile.bytes, isDigested })
  const begun = performance.now()
  const deadline = begun + step.deadlineMs - request.spentMs
  const call = callOf(request, reply, {
    ...{ route, path, query, read, file, deadline, untaken: shared.untaken },
    claim: claimOf(step, request, { path, query, read, file }),
    ifMatch: ifMatchOf(route, request),
    authorizeAgain: () => authorizeAgain(step, request),
  })
  const begin = () => whenAuthorizedAgain(step, request, call)
  const answer = inTrace(traceOf(request.raw), () => answerInReach(route, call.scope, begin))
  if (!(answer instanceof Promise)) return void send(route, shared.untaken, request, reply, answer)
  if (file) answer.then(file.leave, file.leave)
  noteWrite(step, call.scope.companyId, answer)
  request.held?.during(answer)
  // Uses callbacks: if the handler returned a promise, each request would cost four more, two of them made by Fastify.
  const settle = (settled: Answer | Answer<Buffer>) => {
    const ms = performance.now() - begun
    if (ms > 1_000 && !route.isHeldBack) shared.log.warn(logged(request, settled.status, ms), 'request was slow')
    send(route, shared.untaken, request, reply, settled)
  }
  withinDeadline(answer, deadline - begun, settle, (error) => void reply.send(error), endStream)
}

/**
 * Step 4: the parsed body. Throws 400 if the route needs a body that is missing, or if parsing lost something of it.
 */
function parsedBody(route: Route, request: FastifyRequest): ReadBody {
  const read = (request.body as ReadBody | undefined) ?? noBody
  if (route.body && !route.body.isOptional && read.value === undefined && route.method !== 'DELETE')
    throw new Problem('malformed_body', 'The body is empty; send JSON.')
  if (read.lossyValues.length > 0 && !route.isBulk) throw invalid(read.lossyValues)
  return read
}

/**
 * Step 5: authorizes a write again, since the key or the member may be gone by now: a body may take minutes to arrive.
 * This comes before the idempotency key, which would replay earlier responses.
 */
function whenAuthorizedAgain(step: Step, request: FastifyRequest, call: Call) {
  if (step.route.method === 'GET' || request.caller === null) return onceInTurn(step, request, call)
  const authorized = authorizeAgain(step, request)
  return authorized ? authorized.then(() => onceInTurn(step, request, call)) : onceInTurn(step, request, call)
}

/** Steps 6 to 8: runs the handler, one request at a time per idempotency key, in its tenant's turn. */
function onceInTurn({ route, shared, semaphore }: Step, request: FastifyRequest, call: Call) {
  const handle = () => {
    if (request.caller !== null) call.expect(0)
    return route.handle(call)
  }
  const { claim, isGone } = call
  const inTurn = () => (semaphore ? semaphore({ tenant: tenantOf(request), isGone }, async () => handle()) : handle())
  // Only reads return Buffers (shared between callers), so the cast to Answer is safe.
  return claim ? shared.once(claim, inTurn as () => Promise<Answer>, isGone, call.scope.trace) : inTurn()
}

/** Notes that a company may have written, once the request has succeeded. */
function noteWrite({ route, shared }: Step, companyId: string, answer: Promise<Answer | Answer<Buffer>>): void {
  if (route.method === 'GET' || companyId === '') return
  answer.then(
    ({ status }) => status < 300 && shared.wrote(companyId),
    () => {},
  )
}

/** A request as far as it has been read. */
type Bound = Pick<Call, 'path' | 'query'> & { readonly read: ReadBody; readonly file: FileBody | undefined }

/** What the work writes so that it is done once; undefined without an Idempotency-Key. */
function claimOf(
  { route, shared, isKeyed, status }: Step,
  { raw, caller }: FastifyRequest,
  { path, query, read, file }: Bound,
): Claim | undefined {
  // A dry run keeps nothing, so it is bound to no key.
  if (!isKeyed || caller === null || query.dryRun === true) return undefined
  const key = readKey(raw)
  if (key === undefined) return undefined
  const { ownerId, scope } = caller
  const asker = route.hasSecret ? scope.actorId : undefined
  const bound = { ownerId, key, status, query: queryText(query) }
  if (file) return fileClaim(bound, `${route.method} ${raw.url}`, file)
  const { value, lossyValues, begun } = read
  const fingerprint = begun
    ? endFingerprint(begun, lossyValues, asker)
    : fingerprintOf(route.method, path, value, lossyValues, asker)
  const claim = { ...bound, fingerprint }
  return route.hasSecret ? { ...claim, seal: (text) => shared.seal.close(text, contextOf(claim)) } : claim
}

/** A claim whose fingerprint is known once the body has been read. */
const fileClaim = (claim: Omit<Claim, 'fingerprint'>, request: string, file: FileBody): Claim => ({
  ...claim,
  get fingerprint() {
    return fingerprintOf(request, '', file.digest(), [])
  },
})

/** Authorizes a request again, without counting it against a limit. A removed member is answered 403, not 404. */
function authorizeAgain(step: Step, request: FastifyRequest): void | Promise<void> {
  const caller = authorize(step, request, surfaceOf(step.route, request))
  if (!(caller instanceof Promise)) return
  return caller.then(
    () => {},
    (error) => {
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      throw denied('membership_removed', 'Your membership was removed; ask an administrator to invite you again.')
    },
  )
}

/** The version that `If-Match` asks for. Throws 400 for a wrong one, and where the route takes none. */
function ifMatchOf(route: Route, { headers, method }: FastifyRequest): Condition | undefined {
  const sent = headers['if-match']
  if (sent === undefined || method === 'GET' || method === 'HEAD') return undefined
  if (!route.takesIfMatch) throw cannotMatch(route.isBulk ?? false)
  const read = readCondition(sent, { in: 'header', pointer: 'if-match' })
  if (typeof read === 'object' && 'message' in read) throw invalid([read])
  return read
}
