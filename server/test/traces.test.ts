// Traces: a caller's trace goes through the service to the calls of webhooks, and spans arrive at a real receiver of OTLP over HTTP.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { readTraceparent, traceparentOf } from '../src/core/trace-context.ts'
import { copyDatabase } from './support/database.ts'
import { emptyDatabase, serve, until } from './support/program.ts'
import { serveHere } from './support/served.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${parentId}-01`

/** A span as OTLP's JSON has it. */
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: {
    readonly key: string
    readonly value: { readonly stringValue?: string; readonly intValue?: number }
  }[]
  readonly links?: { readonly traceId: string; readonly spanId: string }[]
}

/** An HTTP server that keeps what it is sent, unless it refuses it; closed with the test. */
async function listener(t: { after(work: () => void): void }) {
  const requests: { readonly url: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] =
    []
  const answer = { status: 200 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    if (answer.status === 200) requests.push({ url: request.url ?? '', headers: request.headers, body })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, answer }
}

const callAt = (url: string, key: string, method: string, path: string, body?: unknown, headers = {}) =>
  fetch(url + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

test('only a complete traceparent is accepted', () => {
  assert.deepEqual(readTraceparent(traceparent), { traceId, spanId: parentId, flags: 1 })
  assert.equal(traceparentOf({ traceId, spanId: parentId, flags: 1 }), traceparent)
  // A later version may have more.
  assert.deepEqual(readTraceparent(`01-${traceId}-${parentId}-00-more`), { traceId, spanId: parentId, flags: 0 })
  const wrong = [
    ...['', 'x', `${traceparent}-more`, traceparent.toUpperCase(), ` ${traceparent}`, `ff-${traceId}-${parentId}-01`],
    ...[`00-${'0'.repeat(32)}-${parentId}-01`, `00-${traceId}-${'0'.repeat(16)}-01`, `00-${traceId}-${parentId}-1`],
  ]
  for (const header of [...wrong, undefined, [traceparent]])
    assert.equal(readTraceparent(header), undefined, String(header))
})

test('wrong settings of traces are refused by name', () => {
  for (const OTEL_EXPORTER_OTLP_ENDPOINT of ['collector:4318', 'grpc://collector:4317', 'collector'])
    assert.throws(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT }), {
      message: /^OTEL_EXPORTER_OTLP_ENDPOINT must be an/,
    })
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
  for (const OTEL_TRACES_SAMPLER_ARG of ['2', '-1', 'all'])
    assert.throws(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG }), {
      message: /^OTEL_TRACES_SAMPLER_ARG is ".*"; it must be a number from 0 to 1\.$/,
    })
  assert.equal(readConfig({ OTEL_SERVICE_NAME: 'shops' }).traces, undefined)
})

test('without an exporter a trace is in the log, and is handed on to webhooks as it came', async (t) => {
  const receiver = await listener(t)
  const { connection, drop } = await copyDatabase()
  t.after(drop)
  const written: string[] = []
  const log = pino({ level: 'debug' }, { write: (line) => written.push(line) })
  const { url, first } = await serveHere(t, connection, { log, webhooks: {}, webhookAllow: ['127.0.0.1'] })
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callAt(url, first.companyKey, method, path, body, headers)
  const trigger = { triggerType: 'customer.*', triggerUrl: receiver.url }
  assert.equal((await call('POST', '/v1/automation-trigger', trigger)).status, 201)
  const created = await call('POST', '/v1/customer', { firstName: 'Ada' }, { traceparent })
  const { id } = (await created.json()) as { id: string }
  await call('PATCH', `/v1/customer/${id}`, { firstName: 'Grace' }, { traceparent: 'nonsense' })
  await call('GET', '/v1/nothing', undefined, { traceparent })
  await until('both calls', () => receiver.requests.length === 2)
  assert.deepEqual(
    receiver.requests.map(({ headers }) => headers.traceparent),
    [traceparent, undefined],
  )
  const answered = () => written.filter((line) => line.includes('"answered"'))
  await until('all lines', () => answered().length >= 4)
  const lines = answered().map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map((line) => [line.method, line.status, line.traceId]),
    [
      ['POST', 201, undefined],
      ['POST', 201, traceId],
      ['PATCH', 200, undefined],
      ['GET', 404, traceId],
    ],
  )
})

test('with an exporter each request has its spans, a batch links to its requests, and webhooks continue the trace; while the collector refuses, the log has the reason in one sentence', async (t) => {
  const receiver = await listener(t)
  const collector = await listener(t)
  collector.answer.status = 401
  const server = await serve(t, {
    ...(await emptyDatabase(t)),
    CASHWRAP_WEBHOOK_ALLOW: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'shops',
  })
  const { companyId, companyKey } = server.said
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    callAt(server.url, companyKey, method, path, body, headers)
  const refused = () =>
    server
      .log()
      .split('\n')
      .find((text) => text.includes('sending traces failed'))
  await call('GET', '/v1/outlets')
  await until('the failure is logged', () => refused() !== undefined)
  assert.equal(JSON.parse(refused() ?? '').reason, 'Unauthorized 401')
  collector.answer.status = 200

  await call('POST', '/v1/automation-trigger', {
    triggerType: 'customer.*',
    triggerUrl: `${receiver.url}/secret`,
  })
  const parents = Array.from({ length: 8 }, (_, n) => `${traceId.slice(0, 31)}${n}`)
  const created = await Promise.all(
    parents.map((own) =>
      call('POST', '/v1/customer', { firstName: 'Ada' }, { traceparent: `00-${own}-${parentId}-01` }),
    ),
  )
  assert.ok(created.every(({ status }) => status === 201))
  await call('GET', '/v1/customers', undefined, { traceparent })
  await until('all calls', () => receiver.requests.length === parents.length)
  assert.equal((await server.stop()).code, 0)

  const texts = collector.requests.map(({ body }) => body).join('\n')
  for (const secret of [companyId, companyKey, 'Ada', '/secret']) assert.ok(!texts.includes(secret), secret)
  const resources = collector.requests.flatMap(({ url, body }) => {
    assert.equal(url, '/v1/traces')
    return JSON.parse(body).resourceSpans as { resource: object; scopeSpans: { spans: Span[] }[] }[]
  })
  assert.match(JSON.stringify(resources[0]?.resource), /"service\.name".*"shops"/)
  const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  const ids = new Map(spans.map((span) => [span.spanId, span]))
  const attribute = (span: Span | undefined, name: string) =>
    Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0]

  const requests = spans.filter(({ name }) => name === 'POST /v1/customer')
  assert.deepEqual(requests.map((span) => span.traceId).sort(), parents)
  assert.ok(requests.every((span) => span.parentSpanId === parentId && span.kind === 2))
  assert.ok(requests.every((span) => attribute(span, 'http.response.status_code') === 201))
  const batches = spans.filter(({ name }) => name === 'batch')
  const linked = batches.flatMap(({ links = [], parentSpanId }) => [
    ...links.map(({ spanId }) => spanId),
    ...(parentSpanId ? [parentSpanId] : []),
  ])
  for (const { spanId } of requests) {
    assert.ok(linked.includes(spanId), 'each request is in a batch')
    const wait = spans.find(({ name, parentSpanId }) => name === 'wait batch' && parentSpanId === spanId)
    assert.ok(batches.some((batch) => batch.spanId === wait?.links?.[0]?.spanId))
  }
  const statement = spans.find(({ name }) => name.startsWith('customers_insert'))
  assert.equal(ids.get(statement?.parentSpanId ?? '')?.name, 'batch')
  assert.deepEqual([statement?.kind, attribute(statement, 'db.system.name')], [3, 'postgresql'])
  const list = spans.find(({ name }) => name === 'GET /v1/customers')
  assert.equal(list?.traceId, traceId)
  assert.ok(spans.some((span) => span.kind === 3 && span.parentSpanId === list?.spanId))

  const calls = spans.filter(({ name }) => name === 'POST webhook')
  assert.equal(calls.length, parents.length)
  for (const { spanId, traceId: own, parentSpanId } of calls) {
    assert.ok(requests.some((request) => request.spanId === parentSpanId))
    assert.ok(receiver.requests.some(({ headers }) => headers.traceparent === `00-${own}-${spanId}-01`))
  }
})
