// Companies as customers at Stripe, by its official SDK: one attempt per call, with one time limit, and no error that
// reveals a secret.
import { Stripe } from 'stripe'
import { type Processor, ProcessorError } from './processor.ts'

/** Milliseconds for a call to the payment processor, connection and response together: typical ones take less than one second. */
const PROCESSOR_TIMEOUT_MS = 20_000
/** Bytes of the processor's response: a page of 100 customers takes some 100 KB. */
const PROCESSOR_ANSWER_BYTES = 4 * 1024 * 1024
/** Pages of 100 customers that are searched for one customer; half of the lease ends the search earlier where pages are slow. */
const PROCESSOR_PAGES = 500

/** The connection to Stripe. */
export interface StripeSettings {
  readonly secretKey: string
  /** Scheme, host and port of its API. */
  readonly apiBase: string
  /** Milliseconds for a call, from the connection to the last byte; instead of `PROCESSOR_TIMEOUT_MS`. */
  readonly timeoutMs?: number | undefined
}

/** The maximum characters of a customer's name at Stripe. */
const NAME_CHARACTERS = 256
/** Characters that are kept of Stripe's messages. */
const SAID_CHARACTERS = 200
/** Clocks differ, and a customer may have been created while this server waited for the response. */
const SKEW_MS = 60 * 60 * 1000

/** Makes the processor; calls nothing yet. */
export function stripeProcessor({ secretKey, apiBase, timeoutMs = PROCESSOR_TIMEOUT_MS }: StripeSettings): Processor {
  const base = new URL(apiBase)
  const protocol = base.protocol === 'http:' ? 'http' : 'https'

  /** A client whose calls end with the signal. */
  const clientFor = (signal: AbortSignal) =>
    new Stripe(secretKey, {
      host: base.hostname,
      port: base.port || (protocol === 'http' ? '80' : '443'),
      protocol,
      timeout: timeoutMs,
      // The row decides when to retry, so that it is known after a restart too.
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
    find: (company, since, signal) => asking(signal, (client) => findCustomer(client, company, since)),
  }
}

/** The customer of a company. A list, not a search: it includes what was created a moment ago. */
async function findCustomer(
  client: Stripe,
  { companyId, email }: Parameters<Processor['find']>[0],
  since: Date,
): Promise<string | undefined> {
  const gte = Math.floor((since.getTime() - SKEW_MS) / 1000)
  const made = { limit: 100, created: { gte }, ...(email !== undefined && { email }) }
  // Page by page without the SDK, which would follow an endless list.
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
}

const isCustomer = (answer: unknown): answer is Stripe.Customer => {
  const { id, object } = (answer ?? {}) as { id?: unknown; object?: unknown }
  return object === 'customer' && typeof id === 'string' && /^[\w-]{1,255}$/.test(id)
}

/**
 * Fetches only what can be a response of Stripe: JSON of a sensible size, an error if the status says so, and no
 * redirect.
 */
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
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop closes the connection.
    if (length > bytes) break
    chunks.push(chunk)
  }
  return length > bytes ? '' : Buffer.concat(chunks).toString()
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

/** Statuses that refuse the request, so that repeating it under the same key is useless. */
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
    // Stripe stores the result for a key, including its own errors, and marks repeated results.
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

/** Stripe's message, shortened, without the key of the call or anything like one. */
const withoutSecret = (text: string, secretKey: string): string =>
  text
    .replaceAll(secretKey, '…')
    .replace(/\b[sr]k_(live|test)_[\w*]+/g, '…')
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, SAID_CHARACTERS)
