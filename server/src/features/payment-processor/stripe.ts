// Companies as customers at Stripe, by its official SDK: one try a call, all of it within a time, and no error that tells a secret.
import { Stripe } from 'stripe'
import { PROCESSOR_ANSWER_BYTES, PROCESSOR_PAGES, PROCESSOR_TIMEOUT_MS } from '../../core/limits.ts'
import { type Processor, ProcessorError } from './processor.ts'

/** How Stripe is reached. */
export interface StripeSettings {
  readonly secretKey: string
  /** Scheme, host and port of its API, where not https://api.stripe.com. */
  readonly apiBase?: string | undefined
  /** Milliseconds for a call, from the connection to the answer's last byte, where not `PROCESSOR_TIMEOUT_MS`. */
  readonly timeoutMs?: number | undefined
}

/** Characters of a customer's name that Stripe takes. */
const NAME_CHARACTERS = 256
/** Characters of what Stripe says that are kept. */
const SAID_CHARACTERS = 200
/** Clocks differ, and a customer may have been made while we waited for the answer. */
const SKEW_MS = 60 * 60 * 1000

/** Makes the processor; nothing is called yet. */
export function stripeProcessor({ secretKey, apiBase, timeoutMs = PROCESSOR_TIMEOUT_MS }: StripeSettings): Processor {
  const base = new URL(apiBase ?? 'https://api.stripe.com')
  const protocol = base.protocol === 'http:' ? 'http' : 'https'

  /** A client whose calls end with the signal. */
  const clientFor = (signal: AbortSignal) =>
    new Stripe(secretKey, {
      host: base.hostname,
      port: base.port || (protocol === 'http' ? '80' : '443'),
      protocol,
      timeout: timeoutMs,
      // When to try again is for the row to say, so that it is known after a restart too.
      maxNetworkRetries: 0,
      telemetry: false,
      appInfo: { name: 'Cashwrap' },
      httpClient: Stripe.createFetchHttpClient((url, init) => fetchBounded(url, init, signal)),
    })

  async function asking<T>(signal: AbortSignal, ask: (client: Stripe) => Promise<T>): Promise<T> {
    try {
      return await ask(clientFor(signal))
    } catch (error) {
      throw explained(error, secretKey)
    }
  }

  return {
    name: 'stripe',
    create: ({ companyId, organizationId, name, email }, key, signal) =>
      asking(signal, async (client) => {
        const customer = await client.customers.create(
          {
            name: [...name].slice(0, NAME_CHARACTERS).join(''),
            ...(email !== undefined && { email }),
            metadata: { company_id: companyId, organization_id: organizationId },
          },
          { idempotencyKey: key },
        )
        if (!isCustomer(customer)) throw new ProcessorError('Stripe answered without a customer.')
        return customer.id
      }),
    // A list, and not a search: what was made a moment ago is in it.
    find: ({ companyId, email }, since, signal) =>
      asking(signal, async (client) => {
        const gte = Math.floor((since.getTime() - SKEW_MS) / 1000)
        const made = { limit: 100, created: { gte }, ...(email !== undefined && { email }) }
        // Page by page, and not by the SDK, which would follow a list that goes round for ever.
        const seen = new Set<string>()
        for (let after: string | undefined; ; ) {
          const page = await client.customers.list({ ...made, ...(after !== undefined && { starting_after: after }) })
          if (!Array.isArray(page.data)) throw new ProcessorError('Stripe answered without a list of customers.')
          for (const customer of page.data) {
            if (!isCustomer(customer)) throw new ProcessorError('Stripe listed an object that is not a customer.')
            if (customer.metadata?.company_id === companyId) return customer.id
          }
          if (!page.has_more) return undefined
          after = page.data.at(-1)?.id
          if (after === undefined || seen.has(after))
            throw new ProcessorError('Stripe returned a list of customers that does not continue.')
          if (seen.add(after).size === PROCESSOR_PAGES)
            throw new ProcessorError(`Stripe has more customers than can be searched (${PROCESSOR_PAGES} pages).`)
        }
      }),
  }
}

const isCustomer = (answer: unknown): answer is Stripe.Customer => {
  const { id, object } = (answer ?? {}) as { id?: unknown; object?: unknown }
  return object === 'customer' && typeof id === 'string' && /^[\w-]{1,255}$/.test(id)
}

/** Fetches what can be an answer of Stripe's: JSON of a sensible size, an error where the status says so, and no redirect. */
async function fetchBounded(url: string | URL | Request, init: RequestInit | undefined, stop: AbortSignal) {
  const signal = init?.signal ? AbortSignal.any([init.signal, stop]) : stop
  const response = await fetch(url, { ...init, signal, redirect: 'manual' })
  const { status, headers } = response
  const text = await textUpTo(response, PROCESSOR_ANSWER_BYTES)
  const body = parsed(text)
  const isError = typeof body?.error === 'object' && body.error !== null
  if (body === undefined || response.ok === isError)
    throw new ProcessorError(`Stripe returned an unexpected response (status ${status}).`, {
      retryAfterMs: retryAfterOf(headers.get('retry-after')),
    })
  return new Response(text, { status, headers })
}

async function textUpTo(response: Response, bytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    // Leaving the loop closes the connection.
    if (length > bytes) break
    pieces.push(piece)
  }
  return length > bytes ? '' : Buffer.concat(pieces).toString()
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds of a `Retry-After` header, in seconds or as a date. */
function retryAfterOf(value: unknown): number {
  if (typeof value !== 'string') return 0
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : 0
}

/** Statuses that refuse what was asked for, so that asking the same again under the key is in vain. */
const refusing = new Set([400, 402, 404, 422])

function explained(error: unknown, secretKey: string): ProcessorError {
  if (error instanceof ProcessorError) return error
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const { detail } = error as { detail?: unknown }
    if (detail instanceof ProcessorError) return detail
    const { code, cause } = (detail ?? {}) as { code?: string; cause?: { code?: string } }
    return new ProcessorError(
      code === 'ETIMEDOUT'
        ? 'Stripe did not answer in time.'
        : `Stripe cannot be reached${cause?.code ? ` (${cause.code})` : ''}.`,
    )
  }
  if (error instanceof Stripe.errors.StripeError) {
    const { statusCode = 0, message, headers = {} } = error
    // Stripe keeps what became of a key, faults of its own too, and says when it repeats that.
    const isReplay = headers['idempotent-replayed'] === 'true'
    return new ProcessorError(
      `Stripe refused the request (status ${statusCode}): ${withoutSecret(message, secretKey)}`,
      {
        retryAfterMs: retryAfterOf(headers['retry-after']),
        isSpent: isReplay || refusing.has(statusCode),
      },
    )
  }
  return new ProcessorError('The call to Stripe failed.')
}

/** What Stripe says, shortened, without the key that it was called with or anything like one. */
const withoutSecret = (text: string, secretKey: string): string =>
  text
    .replaceAll(secretKey, '…')
    .replace(/\b[sr]k_(live|test)_[\w*]+/g, '…')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, SAID_CHARACTERS)
