// One call to a receiver: the request, what is kept of the response, and the result in words for the log.
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import {
  WEBHOOK_ANSWER_BYTES,
  WEBHOOK_ANSWER_MS,
  WEBHOOK_IDLE_MS,
  WEBHOOK_IDLE_SOCKETS,
  WEBHOOK_TIMEOUT_MS,
} from '../../core/limits.ts'
import { beginningOf, retryAfterMs, withoutSecret } from './answer.ts'
import { brokenAnswer, reasonOf } from './call-errors.ts'
import { headersOf } from './sign.ts'
import type { Targets } from './target.ts'

/** What is to be sent, and where. */
export interface WebhookCall {
  readonly url: string
  /** `webhook-id`: the same on each retry. */
  readonly id: string
  /** The trigger's `apiKey`; without it the call is not signed. */
  readonly secret?: string | undefined
  /** JSON. */
  readonly body: string
}

/** The result of a call. It succeeded if `status` is a 2xx, even if the response's text is incomplete. */
export interface CallResult {
  /** When the call began. */
  readonly at: string
  /** The status of the response; redirects are not followed. */
  readonly status?: number
  /** Why there was no response, or why its text ends early: a sentence. */
  readonly error?: string
  readonly durationMs: number
  /** The beginning of its text, at most `WEBHOOK_ANSWER_BYTES`; absent if there is none. */
  readonly answer?: string
  /** How long a receiver that refused asked to wait; at most `WEBHOOK_RETRY_AFTER_MS`. */
  readonly retryAfterMs?: number
}

export interface Sender {
  /**
   * Calls once. Rejects only if `signal` aborts or the sender is closed, with the reason: the receiver may or may not
   * have got the call.
   */
  call(call: WebhookCall, signal?: AbortSignal): Promise<CallResult>
  /** Ends the calls under way and all connections, and makes no more. */
  close(): void
}

/** `timeoutMs` replaces `WEBHOOK_TIMEOUT_MS`; `ca` replaces the authorities that Node trusts. */
export interface SenderSettings {
  readonly targets: Targets
  readonly timeoutMs?: number
  readonly ca?: string
}

/** The result of a call, before its time and duration are added. */
type Ending = Omit<CallResult, 'at' | 'durationMs'>

/** Whether a call succeeded. */
export const isSuccess = ({ status = 0 }: Pick<CallResult, 'status'>): boolean => status >= 200 && status < 300

/** Makes calls over its own connections, shared with no other part and without the environment's proxy. */
export function sender({ targets, timeoutMs = WEBHOOK_TIMEOUT_MS, ca }: SenderSettings): Sender {
  const { lookup } = targets
  const common = { lookup, timeout: WEBHOOK_IDLE_MS, maxFreeSockets: WEBHOOK_IDLE_SOCKETS }
  // Set explicitly, since the environment could change it.
  const tls = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const agents = [true, false].map((keepAlive) => ({
    'http:': new PlainAgent({ ...common, keepAlive }),
    'https:': new TlsAgent({ ...common, ...tls, keepAlive }),
  }))
  const [kept, fresh] = agents as [(typeof agents)[0], (typeof agents)[0]]
  const underWay = new Set<AbortController>()
  let isClosed = false

  /** Sends a request once; the promise is for the head of its response. */
  function send(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal, by: typeof kept) {
    const isTls = url.protocol === 'https:'
    const request: ClientRequest = (isTls ? tlsRequest : plainRequest)(url, {
      method: 'POST',
      headers,
      agent: by[isTls ? 'https:' : 'http:'],
      signal,
    })
    return new Promise<IncomingMessage>((resolve, reject) => {
      request.on('response', resolve)
      // After a response, errors say nothing new.
      request.on('error', (error) => reject(Object.assign(error, { wasReused: request.reusedSocket })))
      // A call answered by 101 would otherwise end without an error.
      request.on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
      request.end(body)
    })
  }

  async function carry({ url, id, secret, body }: WebhookCall, signal: AbortSignal): Promise<Ending> {
    // An IP address in place of a name is not looked up.
    const refusal = targets.refusal(url)
    if (refusal !== undefined) return { error: `The URL ${refusal}.` }
    const target = new URL(url)
    const headers = headersOf({ id, timestamp: Math.floor(Date.now() / 1000), body }, secret)
    const response = await send(target, headers, body, signal, kept).catch((error) => {
      // The receiver may have closed the connection before it saw any of the request.
      if (!error.wasReused || !isDrop(error) || signal.aborted) throw error
      return send(target, headers, body, signal, fresh)
    })
    const status = response.statusCode as number
    const { text: beginning, isBroken } = await beginningOf(response, WEBHOOK_ANSWER_BYTES, WEBHOOK_ANSWER_MS)
    const text = withoutSecret(beginning, secret)
    const pause = isSuccess({ status }) ? undefined : retryAfterMs(response.headers['retry-after'])
    return {
      status,
      ...(text !== '' && { answer: text }),
      ...(isBroken && { error: brokenAnswer }),
      ...(pause !== undefined && { retryAfterMs: pause }),
    }
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
      underWay.add(stopping)
      try {
        const ending = await carry(call, stopping.signal).catch((error): Ending => {
          if (!stopping.signal.aborted) return { error: reasonOf(error, call.url) }
          if (stopping.signal.reason !== late) throw stopping.signal.reason
          return { error: `No response within ${timeoutMs / 1000} s.` }
        })
        return { at, ...ending, durationMs: Math.round(performance.now() - begun) }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', stop)
        underWay.delete(stopping)
      }
    },
    close() {
      isClosed = true
      for (const stopping of underWay) stopping.abort(ended())
      for (const agent of agents.flatMap(Object.values)) agent.destroy()
    },
  }
}

const ended = () => new Error('Calls are ended.')

/** Whether the other side closed the connection. */
const isDrop = ({ code = '' }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'
