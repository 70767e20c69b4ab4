// One call to a receiver: what is sent, what is taken of the answer, and how it ended, in words that the log can show.
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
  /** The trigger's `apiKey`; without it nothing is signed. */
  readonly secret?: string | undefined
  /** JSON. */
  readonly body: string
}

/** How a call ended. It succeeded when `status` is a 2xx, whatever became of the answer's text. */
export interface CallResult {
  /** When it began. */
  readonly at: string
  /** Of the answer; redirects are not followed. */
  readonly status?: number
  /** Why there was no answer, or why its text ends early: a sentence. */
  readonly error?: string
  readonly durationMs: number
  /** How its text begins, `WEBHOOK_ANSWER_BYTES` at most; left out when there is none. */
  readonly answer?: string
  /** How long the receiver asked for silence, when it took nothing; `WEBHOOK_RETRY_AFTER_MS` at most. */
  readonly retryAfterMs?: number
}

export interface Sender {
  /** Calls once. Rejects only when `signal` aborts or the sender is closed, with the reason: whether anything came through is then not known. */
  call(call: WebhookCall, signal?: AbortSignal): Promise<CallResult>
  /** Ends the calls that are under way, and all connections; none is made from then on. */
  close(): void
}

/** `timeoutMs` in place of `WEBHOOK_TIMEOUT_MS`; `ca` in place of the authorities that Node trusts. */
export interface SenderSettings {
  readonly targets: Targets
  readonly timeoutMs?: number
  readonly ca?: string
}

/** What a call came to, before it is told when and how long. */
type Ending = Omit<CallResult, 'at' | 'durationMs'>

/** Whether a call succeeded. */
export const isSuccess = ({ status = 0 }: Pick<CallResult, 'status'>): boolean => status >= 200 && status < 300

/** Makes calls over connections of its own, which no proxy of the environment and no other part of the program shares. */
export function sender({ targets, timeoutMs = WEBHOOK_TIMEOUT_MS, ca }: SenderSettings): Sender {
  const { lookup } = targets
  const common = { lookup, timeout: WEBHOOK_IDLE_MS, maxFreeSockets: WEBHOOK_IDLE_SOCKETS }
  // Said here since the environment could say otherwise.
  const tls = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) }
  const agents = [true, false].map((keepAlive) => ({
    'http:': new PlainAgent({ ...common, keepAlive }),
    'https:': new TlsAgent({ ...common, ...tls, keepAlive }),
  }))
  const [kept, fresh] = agents as [(typeof agents)[0], (typeof agents)[0]]
  const underWay = new Set<AbortController>()
  let isClosed = false

  /** Sends a request once; the promise is of its answer's head. */
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
      // Once there is a response they say nothing new.
      request.on('error', (error) => reject(Object.assign(error, { wasReused: request.reusedSocket })))
      // So ends one that is answered by 101 without an error.
      request.on('close', () => reject(Object.assign(new Error('no response'), { code: 'ECONNRESET' })))
      request.end(body)
    })
  }

  async function carry({ url, id, secret, body }: WebhookCall, signal: AbortSignal): Promise<Ending> {
    // An address in the place of a name is looked up by nobody.
    const refusal = targets.refusal(url)
    if (refusal !== undefined) return { error: `The URL ${refusal}.` }
    const target = new URL(url)
    const headers = headersOf({ id, timestamp: Math.floor(Date.now() / 1000), body }, secret)
    const response = await send(target, headers, body, signal, kept).catch((error) => {
      // The receiver may have closed the connection before it saw any of this.
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

/** Whether a connection ended by its other side. */
const isDrop = ({ code = '' }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'
