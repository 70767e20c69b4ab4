// One call to a receiver over HTTP: the request, its deadline, and the result in words for the log.
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { readTraceparent, type TraceContext, traceparentOf } from '../../core/trace-context.ts'
import type { Attempt } from '../../resources/webhook-delivery.ts'
import { type OpenSpan, tracing } from '../../tracing/tracer.ts'
import { beginningOf, headersOf, retryAfterMs, type Signing, withoutSecret } from './message.ts'
import { refusalOf, type Targets } from './target.ts'

/** Milliseconds for a call to a receiver, from the look-up of its name to the headers of its response (decisions §9). */
const TIMEOUT_MS = 15_000
/** Bytes that are read and stored of a receiver's response (decisions §9). */
const ANSWER_BYTES = 4096
/**
 * Milliseconds to wait for the text of a response after its headers. The text decides nothing, so a slow one must not
 * block other calls.
 */
const ANSWER_MS = 2_000
/** Milliseconds for which a connection to a receiver is kept for the next call: shorter than most servers keep theirs (5 s). */
const IDLE_MS = 4_000
/** Such connections for each host: as many as one trigger may have calls at once. */
const IDLE_SOCKETS = 20

/** What is to be sent, and where. */
export interface WebhookCall extends Signing {
  readonly url: string
  /** `webhook-id`: the same on each retry. */
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** The result of a call. It succeeded if `status` is a 2xx, even if the response's text is incomplete. */
export interface CallResult extends Attempt {
  /** How long a receiver that refused asked to wait; at most `RETRY_AFTER_MS`. */
  readonly retryAfterMs?: number
}

export interface Sender {
  /**
   * Calls once. Rejects only if `signal` aborts or the sender is closed, with the reason: the receiver may or may not
   * have got the call.
   */
  call(call: WebhookCall, signal?: AbortSignal): Promise<CallResult>
  /** Ends the running calls and all connections, and makes no more. */
  close(): void
}

/** `timeoutMs` replaces `TIMEOUT_MS`; `ca` replaces the authorities that Node trusts. */
export interface SenderSettings {
  readonly targets: Targets
  readonly timeoutMs?: number
  readonly ca?: string
}

/** A result without its time and duration. */
type Ending = Omit<CallResult, 'at' | 'durationMs'>

/** Whether a call succeeded. */
export const isSuccess = ({ status = 0 }: Pick<CallResult, 'status'>): boolean => status >= 200 && status < 300

/** Makes calls over its own connections, shared with no other part and without the environment's proxy. */
export function sender({ targets, timeoutMs = TIMEOUT_MS, ca }: SenderSettings): Sender {
  const kept = agentsOf(targets, ca, true)
  const fresh = agentsOf(targets, ca, false)
  const inFlight = new Set<AbortController>()
  let isClosed = false

  /** Sends a call as a span of the trace of its event's write, if that had one. */
  async function sendTraced(call: WebhookCall, signal: AbortSignal): Promise<Ending> {
    const trace = readTraceparent(call.traceparent)
    const span = trace && beginSpan(trace, call.url)
    const context = span?.context ?? trace
    let ending: Ending = {}
    try {
      ending = await send({ ...call, traceparent: context && traceparentOf(context) }, signal)
      return ending
    } finally {
      endSpan(span, ending)
    }
  }

  async function send(call: WebhookCall, signal: AbortSignal): Promise<Ending> {
    // An IP address in place of a name is not looked up.
    const refusal = targets.refusal(call.url)
    if (refusal !== undefined) return { error: `The URL ${refusal}.` }
    const headers = headersOf({ id: call.id, timestamp: Math.floor(Date.now() / 1000), body: call.body }, call)
    const response = await request(call, headers, signal, kept).catch((error) => {
      // The receiver may have closed the connection before it saw any of the request.
      if (!error.wasReused || !isDrop(error) || signal.aborted) throw error
      return request(call, headers, signal, fresh)
    })
    return endingOf(response, call.secret)
  }

  return {
    async call(call, signal) {
      signal?.throwIfAborted()
      if (isClosed) throw ended()
      const at = new Date().toISOString()
      const begun = performance.now()
      const stopping = new AbortController()
      const late = new Error('late')
      const timer = setTimeout(() => stopping.abort(late), timeoutMs)
      const stop = () => stopping.abort(signal?.reason)
      signal?.addEventListener('abort', stop)
      inFlight.add(stopping)
      try {
        const ending = await sendTraced(call, stopping.signal).catch((error): Ending => {
          if (!stopping.signal.aborted) return { error: reasonOf(error, call.url) }
          if (stopping.signal.reason !== late) throw stopping.signal.reason
          return { error: `No response within ${timeoutMs / 1000} s.` }
        })
        return { at, ...ending, durationMs: Math.round(performance.now() - begun) }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        inFlight.delete(stopping)
      }
    },
    close() {
      isClosed = true
      for (const stopping of inFlight) stopping.abort(ended())
      for (const agent of [...Object.values(kept), ...Object.values(fresh)]) agent.destroy()
    },
  }
}

/** Begins the span of a call, if traces are on. It names the host only: the rest of a URL may hold a secret. */
function beginSpan(parent: TraceContext, url: string): OpenSpan | undefined {
  const attributes = { 'http.request.method': 'POST', 'server.address': URL.parse(url)?.hostname ?? '' }
  return tracing.tracer?.begin({ name: 'POST webhook', kind: 'client', parent, attributes })
}

function endSpan(span: OpenSpan | undefined, { status }: Ending): void {
  const error = status === undefined ? 'unreachable' : status >= 400 ? String(status) : undefined
  span?.end({ ...(status !== undefined && { attributes: { 'http.response.status_code': status } }), error })
}

type Agents = ReturnType<typeof agentsOf>

function agentsOf({ lookup }: Targets, ca: string | undefined, keepAlive: boolean) {
  const common = { lookup, timeout: IDLE_MS, maxFreeSockets: IDLE_SOCKETS, keepAlive }
  // Set explicitly, since the environment could change it.
  const tls = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  return { 'http:': new PlainAgent(common), 'https:': new TlsAgent({ ...common, ...tls }) }
}

/** Sends a request once; the promise is for the head of its response. */
function request(
  { url, body }: WebhookCall,
  headers: Record<string, string>,
  signal: AbortSignal,
  agents: Agents,
): Promise<IncomingMessage> {
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const settings = { method: 'POST', headers, agent: agents[isTls ? 'https:' : 'http:'], signal }
  const sent: ClientRequest = (isTls ? tlsRequest : plainRequest)(target, settings)
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    // Errors after a response are ignored.
    sent.on('error', (error) => reject(Object.assign(error, { wasReused: sent.reusedSocket })))
    // A call answered by 101 would otherwise end without an error.
    sent.on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
    sent.end(body)
  })
}

/** Reads what is kept of a response. */
async function endingOf(response: IncomingMessage, secret: string | undefined): Promise<Ending> {
  const status = response.statusCode as number
  const { text: beginning, isBroken } = await beginningOf(response, ANSWER_BYTES, ANSWER_MS)
  const text = withoutSecret(beginning, secret)
  const isRedirect = status >= 300 && status < 400 && response.headers.location !== undefined
  const pause = isSuccess({ status }) ? undefined : retryAfterMs(response.headers['retry-after'])
  return {
    status,
    ...(text !== '' && { answer: text }),
    ...(isRedirect ? { error: redirected } : isBroken && { error: brokenAnswer }),
    ...(pause !== undefined && { retryAfterMs: pause }),
  }
}

const ended = () => new Error('Calls are ended.')

/** Whether the other side closed the connection. */
const isDrop = ({ code = '' }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** For a response with a status whose text did not end. */
const brokenAnswer = 'The response body was cut off or did not end in time; its status counts.'

/** For a redirect, such as one to https or to a path with a slash. */
const redirected = 'The receiver redirected the call. Redirects are not followed: set triggerUrl to the final address.'

const incomplete = "The receiver's certificate is from an authority that is not trusted, or its chain is incomplete."
const dropped = 'The receiver closed the connection before it answered.'
const selfSigned = "The receiver's certificate is self-signed."
const away = 'There is no network route to the receiver.'

const sentences: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: dropped,
  EPIPE: dropped,
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: away,
  ENETUNREACH: away,
  EADDRNOTAVAIL: away,
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  CERT_REVOKED: "The receiver's certificate was revoked.",
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: incomplete,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: incomplete,
  UNABLE_TO_GET_ISSUER_CERT: incomplete,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: incomplete,
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another name.",
  HPE_HEADER_OVERFLOW: 'The response headers are too long.',
}

/** How looking up a name failed. */
const lookups: Readonly<Record<string, string>> = {
  ENOTFOUND: 'does not exist',
  ENODATA: 'has no address',
  ETIMEOUT: 'could not be resolved in time',
  EAI_AGAIN: 'could not be resolved in time',
  ESERVFAIL: 'cannot be resolved at the moment',
  EREFUSED: 'cannot be resolved at the moment',
  EBADNAME: 'is not a name that can be resolved',
}

/** Why a call got no response, in one sentence for the log. It leaves out everything of an error except its code, since that may contain anything. */
export function reasonOf(error: unknown, url: string): string {
  const refusal = refusalOf(error)
  if (refusal !== undefined) return `The URL ${refusal}.`
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const ofName = lookups[code]
  if (ofName !== undefined || syscall?.startsWith('query') || syscall === 'getaddrinfo')
    return `The name ${new URL(url).hostname} ${ofName ?? 'cannot be resolved at the moment'}.`
  if (sentences[code] !== undefined) return sentences[code]
  if (code.startsWith('HPE_')) return 'The response is not HTTP.'
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return 'The receiver supports no TLS at this address, or only versions that cannot be used.'
  return code === '' ? 'The call failed.' : `The call failed (${code}).`
}
