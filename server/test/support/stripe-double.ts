// A double of Stripe that speaks its wire format over HTTP: forms in, JSON out, idempotency keys that keep their answers, lists by creation time.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A received call. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly form: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

/** A customer as Stripe has it. */
export interface DoubleCustomer {
  readonly id: string
  readonly object: 'customer'
  readonly created: number
  readonly name: string
  readonly email: string | null
  readonly metadata: Readonly<Record<string, string>>
}

/** A failure instead of Stripe's response. `made` carries the request out first, so that only the response is lost. */
export interface Trouble {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** No response at all: the connection stays open, or is cut. */
  readonly silence?: 'open' | 'cut'
  readonly made?: true
  /** The response is stored under the key, as Stripe stores its own failures. */
  readonly kept?: true
}

export interface StripeDouble {
  readonly url: string
  readonly customers: DoubleCustomer[]
  readonly seen: Seen[]
  /** The failure of each create; undefined for none. */
  trouble: (create: number, form: Seen['form']) => Trouble | undefined
  /** The failure of each list. */
  listTrouble: (query: URLSearchParams) => Trouble | undefined
  /** Forgets all idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
  creates(): Seen[]
}

/** The error object of Stripe. */
export const stripeError = (type: string, message: string): string => JSON.stringify({ error: { type, message } })

const secret = /^Bearer sk_test_\w+$/

/** Starts a double, which stops with the test. */
export async function stripeDouble(t: Pick<TestContext, 'after'>): Promise<StripeDouble> {
  const keys = new Map<string, { readonly form: string; readonly status: number; readonly body: string }>()
  const customers: DoubleCustomer[] = []
  const seen: Seen[] = []
  let creates = 0

  function make(form: Readonly<Record<string, string>>): string {
    const metadata = Object.fromEntries(
      Object.entries(form).flatMap(([name, value]) => {
        const [, member] = /^metadata\[(\w+)\]$/.exec(name) ?? []
        return member ? [[member, value]] : []
      }),
    )
    const customer: DoubleCustomer = {
      id: `cus_${String(customers.length + 1).padStart(14, '0')}`,
      object: 'customer',
      created: Math.floor(Date.now() / 1000),
      name: form.name ?? '',
      email: form.email ?? null,
      metadata,
    }
    customers.push(customer)
    return JSON.stringify(customer)
  }

  function create(text: string, form: Seen['form'], key: string, response: ServerResponse): void {
    const trouble = double.trouble(++creates, form)
    const kept = keys.get(key)
    if (trouble === undefined || trouble.made) {
      const stored = kept ?? { form: text, status: 200, body: make(form) }
      keys.set(key, stored)
      if (stored.form !== text) {
        send(response, 400, stripeError('idempotency_error', 'Keys can only be used with the same parameters.'))
        return
      }
      if (trouble === undefined) {
        send(response, stored.status, stored.body, kept && { 'idempotent-replayed': 'true' })
        return
      }
    }
    const { status = 200, body = '', headers, silence } = trouble
    if (trouble.kept) keys.set(key, { form: text, status, body })
    if (silence === 'cut') response.socket?.destroy()
    else if (silence === undefined) send(response, status, body, headers)
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const trouble = double.listTrouble(query)
    if (trouble?.silence === 'open') return
    if (trouble) {
      send(response, trouble.status ?? 200, trouble.body ?? '')
      return
    }
    const after = query.get('starting_after')
    const wanted = customers
      .filter(({ created }) => created >= Number(query.get('created[gte]') ?? 0))
      .filter(({ email }) => query.get('email') === null || email === query.get('email'))
      .reverse()
    const from = after === null ? 0 : wanted.findIndex(({ id }) => id === after) + 1
    const limit = Number(query.get('limit') ?? 10)
    const data = wanted.slice(from, from + limit)
    const has_more = from + limit < wanted.length
    send(response, 200, JSON.stringify({ object: 'list', url: '/v1/customers', has_more, data }))
  }

  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { method = '', url = '', headers } = request
    const { pathname, searchParams } = new URL(url, 'http://double')
    const form = Object.fromEntries(new URLSearchParams(text))
    seen.push({ method, path: pathname, form, headers })
    if (!secret.test(headers.authorization ?? ''))
      return send(response, 401, stripeError('invalid_request_error', `Invalid API Key: ${headers.authorization}`))
    if (pathname !== '/v1/customers')
      return send(response, 404, stripeError('invalid_request_error', 'Unrecognized URL'))
    if (method === 'GET') return list(searchParams, response)
    create(text, form, String(headers['idempotency-key']), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const double: StripeDouble = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    customers,
    seen,
    trouble: () => undefined,
    listTrouble: () => undefined,
    forgetKeys: () => keys.clear(),
    creates: () => seen.filter(({ method }) => method === 'POST'),
  }
  return double
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_double', ...headers }).end(body)
}
