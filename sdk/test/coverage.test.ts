// Every operation of openapi.sdk.json is exactly one method, and each method sends what its operation says.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { modelOf } from '../emit/model.ts'
import { files } from '../emit/print-typescript.ts'
import { Cashwrap } from '../src/index.ts'

const root = new URL('../../', import.meta.url)
const document = JSON.parse(readFileSync(new URL('openapi.sdk.json', root), 'utf8'))
const model = modelOf(document)
const methods = model.resources.flatMap((resource) => resource.methods.map((method) => ({ resource, method })))
const operations: { operationId: string; parameters?: { $ref?: string }[] }[] = Object.values(document.paths).flatMap(
  (path) => Object.values(path as object),
)

test('the generated files are what the emitter writes', () => {
  for (const [name, text] of Object.entries(files(model)))
    assert.ok(
      readFileSync(new URL(`sdk/src/generated/${name}`, root), 'utf8') === text,
      `${name} is stale: npm run sdk`,
    )
})

test('every operation is one method, and no resource has another', () => {
  const ids = methods.map(({ method }) => method.operationId)
  assert.deepEqual(ids.toSorted(), operations.map(({ operationId }) => operationId).toSorted())
  const client: any = new Cashwrap({ baseUrl: '' })
  assert.deepEqual(
    Object.keys(client),
    model.resources.map(({ name }) => name),
  )
  for (const { name, methods: own } of model.resources) {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(client[name])).filter((one) => one !== 'constructor')
    assert.deepEqual(
      names.filter((one) => one !== 'edit'),
      own.map((method) => method.name),
    )
  }
})

test('each method sends the method, path, key, body and idempotency key of its operation', async () => {
  const sent: { url: string; request: RequestInit }[] = []
  const answer = { data: [], meta: { hasMore: false }, summary: {}, results: [] }
  const client: any = new Cashwrap({
    baseUrl: 'https://pos.example.com/',
    apiKey: 'posk_1',
    organizationKey: 'poso_1',
    fetch: async (url, request = {}) => {
      sent.push({ url: String(url), request })
      const isStream = String(url).includes('/stream')
      return isStream
        ? new Response('id: 1\ndata: {}\n\n')
        : Response.json(answer, { headers: { 'content-type': 'application/json' } })
    },
  })
  for (const { resource, method } of methods) {
    const { ids, body, bulk, list, isStream } = method
    const bodies = new Map<string | undefined, unknown>([
      ['text/csv', 'a,b'],
      ['*/*', new Blob(['a'], { type: 'image/png' })],
    ])
    const given = [
      ...ids.map((_, n) => `a/${n}`),
      ...(body ? [bulk ? [{}] : (bodies.get(body.contentType) ?? {})] : []),
    ]
    const made = client[resource.name][method.name](...given)
    if (isStream) for await (const _ of made) break
    else if (list) await made.page().catch(() => {})
    else await made
    const { url, request } = sent.pop() ?? assert.fail(`${resource.name}.${method.name} sends nothing.`)
    const path = ids.reduce((filled, id, n) => filled.replace(`{${id}}`, `a%2F${n}`), method.path)
    const headers = new Headers(request.headers)
    const [{ parameters = [] } = assert.fail()] = operations.filter(
      ({ operationId }) => operationId === method.operationId,
    )
    assert.deepEqual(
      {
        at: `${request.method} ${url.split('?')[0]}`,
        keys: [headers.get('x-api-key'), headers.get('x-org-api-key')],
        isKeyed: headers.has('idempotency-key'),
        type: headers.get('content-type'),
        hasBody: request.body !== undefined,
      },
      {
        at: `${method.verb} https://pos.example.com${path}`,
        keys: [method.key === 'company' ? 'posk_1' : null, method.key === 'organization' ? 'poso_1' : null],
        isKeyed: parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')),
        // A file has the type of its Blob.
        type: body ? body.contentType.replace('*/*', 'image/png') : null,
        hasBody: body !== undefined,
      },
      `${resource.name}.${method.name}`,
    )
  }
})
