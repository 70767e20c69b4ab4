// A request as ordered steps: identify, authorize, admit the body, parse, authorize again, idempotency, wait, handle,
// send. Every error goes to Fastify's error handler.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Condition, cannotMatch, onlyForReads, readCondition } from '../core/etag.ts'
import { type Claim, contextOf } from '../core/idempotency-claim.ts'
import { BODY_BYTES } from '../core/limits.ts'
import { invalid, Problem } from '../core/problem.ts'
import { inTrace } from '../tracing/tracer.ts'
import { callOf, tenantOf } from './call.ts'
import { answerInReach } from './call-reach.ts'
import { declaredBytes, measuredBody, SMALL_BODY_BYTES } from './connection/body-memory.ts'
import { admitFile, type FileBody, fileBody } from './connection/streamed-body.ts'
import { continueWhenRead } from './connection/unread-body.ts'
import { allowingOrigins } from './cors.ts'
import { withinDeadline } from './deadline.ts'
import { logged } from './error-response.ts'
import { endFingerprint, fingerprintOf, queryText, readKey, takesIdempotencyKey } from './idempotency.ts'
import { authorizeAgain, identify } from './identify.ts'
import type { ReadBody } from './json.ts'
import { durationsOf } from './metrics.ts'
import { pathOf } from './paths.ts'
import { queryReader } from './query.ts'
import type { RegisteredRoute, Shared } from './registered-route.ts'
import { traceOf } from './request-trace.ts'
import { type Answer, type Call, type Route, resourceOf } from './route.ts'
import { endStream, send } from './send.ts'

/**
 * Bytes that count for a file being uploaded in chunks of 1 MB: the chunk that fills up, the surplus, and the statement
 * that carries it.
 */
const FILE_HELD_BYTES = 4 * 1024 * 1024

const noQuery = {}
const noBody: ReadBody = { value: undefined, lossyValues: [] }
const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Adds a route to the server. */
export function register(server: FastifyInstance, route: Route, shared: Shared): void {
  const registered: RegisteredRoute = {
    route,
    shared,
    resource: resourceOf(route),
    semaphore: shared.semaphores[route.semaphore ?? (route.isBulk ? 'bulk' : 'other')],
    deadlineMs: route.deadlineMs ?? shared.deadlineMs,
    readQuery: route.isPage ? () => noQuery : queryReader(route.query, route.filteredList),
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
      parameters: route.query,
    },
    onRequest: (request, reply, done) => identify(registered, request, reply, done),
    ...(route.method !== 'GET' && {
      preParsing: (request, reply, payload, done) => {
        let body = payload
        try {
          body = admitBody(registered, request, reply, payload)
        } catch (error) {
          return done(error as Error)
        }
        done(null, body)
      },
    }),
    handler: (request, reply) => carryOut(registered, request, reply),
  })
}

/** Step 3: reserves memory for the body before any of it is read. Throws 413 and 503. */
function admitBody<T>({ route, shared }: RegisteredRoute, request: FastifyRequest, reply: FastifyReply, payload: T): T {
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
    if (bytes === undefined) body = measuredBody(payload as never, () => counted.grow(BODY_BYTES)) as T
  }
  continueWhenRead(request.raw, body as never, reply.raw)
  return body
}

/** Steps 4 to 9, of a request whose body Fastify has read and parsed (`read-body.ts`). */
function carryOut(registered: RegisteredRoute, request: FastifyRequest, reply: FastifyReply) {
  const { route, shared } = registered
  const path = pathOf(request.url)
  const query = registered.readQuery(request.url.slice(path.length + 1))
  // Refusals also say that nothing was done.
  if (query.dryRun === true) reply.header('dry-run', 'true')
  const read = parsedBody(route, request)
  const isDigested = request.headers['idempotency-key'] !== undefined
  const file = route.takesFile && fileBody(request.raw, reply.raw, { most: route.takesFile.bytes, isDigested })
  const begun = performance.now()
  const deadline = begun + registered.deadlineMs - request.spentMs
  const call = callOf(request, reply, {
    route,
    path,
    query,
    read,
    file,
    deadline,
    untaken: shared.untaken,
    claim: claimOf(registered, request, { path, query, read, file }),
    ifMatch: ifMatchOf(route, request),
    authorizeAgain: () => authorizeAgain(registered, request),
  })
  const begin = () => whenAuthorizedAgain(registered, request, call)
  const answer = inTrace(traceOf(request.raw), () => answerInReach(route, call.scope, begin))
  if (!(answer instanceof Promise)) return void send(route, shared.untaken, request, reply, answer)
  if (file) answer.then(file.leave, file.leave)
  noteWrite(registered, call.scope.companyId, answer)
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
 * Step 5: authorizes a write again, since the key or the member may be gone: a body may take minutes to arrive.
 * This comes before the idempotency key, which would replay earlier responses.
 */
function whenAuthorizedAgain(registered: RegisteredRoute, request: FastifyRequest, call: Call) {
  const work = () => onceInTurn(registered, request, call)
  if (registered.route.method === 'GET' || request.caller === null) return work()
  const authorized = authorizeAgain(registered, request)
  return authorized ? authorized.then(work) : work()
}

/** Steps 6 to 8: runs the handler, one request at a time per idempotency key, in its tenant's turn. */
function onceInTurn({ route, shared, semaphore }: RegisteredRoute, request: FastifyRequest, call: Call) {
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
function noteWrite(
  { route, shared }: RegisteredRoute,
  companyId: string,
  answer: Promise<Answer | Answer<Buffer>>,
): void {
  if (route.method === 'GET' || companyId === '') return
  answer.then(
    ({ status }) => status < 300 && shared.wrote(companyId),
    () => {},
  )
}

/** A request as far as it has been read. */
type ReadRequest = Pick<Call, 'path' | 'query'> & { readonly read: ReadBody; readonly file: FileBody | undefined }

/** What the work writes so that it is done once; undefined without an Idempotency-Key. */
function claimOf(
  { route, shared, isKeyed, status }: RegisteredRoute,
  { raw, caller }: FastifyRequest,
  { path, query, read, file }: ReadRequest,
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

/** The version that `If-Match` asks for. Throws 400 for a wrong one, where the route takes none, and for `If-None-Match`. */
function ifMatchOf(route: Route, { headers, method }: FastifyRequest): Condition | undefined {
  const sent = headers['if-match']
  if (method === 'GET' || method === 'HEAD') return undefined
  if (headers['if-none-match'] !== undefined) throw onlyForReads()
  if (sent === undefined) return undefined
  if (!route.takesIfMatch) {
    const modes = route.query?.mode?.enum as readonly string[] | undefined
    throw cannotMatch(
      route.isBulk && route.method !== 'POST' ? 'match' : modes?.includes('upsert') ? 'upsert' : undefined,
    )
  }
  const read = readCondition(sent, { in: 'header', pointer: 'if-match' })
  if (typeof read === 'object' && 'message' in read) throw invalid([read])
  return read
}
