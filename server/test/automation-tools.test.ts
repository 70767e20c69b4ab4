// The guide to automation tools: its code and expressions run here exactly as they are written there, without n8n and
// Zapier, against the real service.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { until } from './support/program.ts'
import { type Received, receiver } from './support/receiver.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.0/8'], webhooks: {} })
const guide = readFileSync(new URL('../../docs/guides/automation-tools.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text)
const [verify = '', zapier = '', polling = ''] = blocks('js')
const { nodes } = JSON.parse(blocks('json')[1] ?? '')
const secretOf = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`
const require = createRequire(import.meta.url)

/** Runs the guide's Code node with a secret on a call; its result, or the message with which it fails. */
async function codeNode(secret: string, { headers, text }: Received): Promise<unknown> {
  const code = new Function('$input', 'require', `return (async () => { ${verify.replace('whsec_…', secret)} })()`)
  const input = { first: () => ({ json: { headers, body: JSON.parse(text) } }) }
  const helpers = { getBinaryDataBuffer: async () => Buffer.from(text) }
  return code.call({ helpers }, input, require).catch(({ message }: Error) => message)
}

test('the code of the n8n guide accepts calls with either secret after a change, and refuses a third and other bodies', async (t) => {
  const [former, latter, third] = ['former', 'latter', 'third'].map(secretOf) as [string, string, string]
  const { call } = await service.company()
  const { url, received } = await receiver(t)
  const trigger = { triggerType: 'customer.*', triggerUrl: url, apiKey: former }
  const { id } = (await call('POST', '/v1/automation-trigger', trigger)).body
  await call('PATCH', `/v1/automation-trigger/${id}`, { apiKey: latter })
  await call('POST', '/v1/customer', { firstName: 'Ann' })
  await until('a call has two signatures', () =>
    received.some(({ headers }) => String(headers['webhook-signature']).includes(' ')),
  )
  const both = received.find(({ headers }) => String(headers['webhook-signature']).includes(' ')) as Received
  const accepted = [{ json: { body: JSON.parse(both.text) } }]
  for (const secret of [former, latter]) assert.deepEqual(await codeNode(secret, both), accepted)
  assert.equal(await codeNode(third, both), 'The signature is wrong')
  assert.equal(await codeNode(latter, { ...both, text: both.text.replace('Ann', 'Eve') }), 'The signature is wrong')
  const unsigned = { ...both, headers: { ...both.headers, 'webhook-signature': undefined } }
  assert.equal(await codeNode(latter, unsigned), 'The signature is wrong')
})

/** What an expression of the guide, `={{ … }}`, gives to n8n: nothing if it reads a member of nothing. */
function expression(text: string, variables: object) {
  const evaluate = new Function(...Object.keys(variables), `return (${text.replace(/^=?\{\{|\}\}$/g, '')})`)
  try {
    return evaluate(...Object.values(variables))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

/** Reads pages as n8n does: with a parameter from the response before, if that gives one, until an expression is true. */
async function paginated(call: Caller, path: string, [name, value]: readonly [string, string], isComplete: string) {
  const pages: any[] = []
  const json = { after: '0' }
  for (let isLast = false; !isLast; ) {
    const $pageCount = pages.length
    const next = expression(value, { $response: { body: pages.at(-1) }, $json: json, $pageCount })
    const query = next === undefined ? '' : `&${name}=${encodeURIComponent(next)}`
    const { status, body } = await call('GET', path + query)
    assert.equal(status, 200)
    pages.push(body)
    isLast = expression(isComplete, { $response: { body }, $json: json, $pageCount })
    assert.ok(pages.length < 10, 'it ends')
  }
  return pages
}

test('the pagination of the n8n guide reads each record and each event once, and ends', async () => {
  const { call } = await service.company()
  const names = Array.from({ length: 7 }, (_, n) => `Tea ${n}`)
  const emails = names.map((_, n) => `${n}@example.com`)
  await call('POST', '/v1/products', { items: names.map((name) => ({ name })) })
  await call('POST', '/v1/customers', { items: emails.map((email) => ({ email })) })
  const row = (start: string) =>
    [...(guide.split('\n').find((line) => line.startsWith(start)) ?? '').matchAll(/\{\{.*?\}\}/g)].map(String)
  const namesOf = (records: any[]) => records.map(({ name }) => name)

  const [cursor = '', isLast = ''] = row('| all pages')
  const pages = await paginated(call, '/v1/products?limit=3', ['cursor', cursor], isLast)
  assert.deepEqual(namesOf(pages.flatMap(({ data }) => data)), names)

  const [skip = '', isShort = ''] = row('| the same with bare arrays').map((text) => text.replace('1000', '3'))
  const bare = await paginated(call, '/v1/api/products?limit=3', ['skip', skip], isShort)
  assert.deepEqual(namesOf(bare.flat()), names)

  const { parameters, paginationCompleteWhen, completeExpression } = nodes[2].parameters.options.pagination.pagination
  const [{ name, value }] = parameters.parameters
  assert.equal(paginationCompleteWhen, 'other')
  const { pathname, search } = new URL(nodes[2].parameters.url)
  const feed = await paginated(
    call,
    pathname + search.replace('limit=100', 'limit=3'),
    [name, value],
    completeExpression,
  )
  assert.equal(feed.length, 3)
  assert.deepEqual(
    feed.flatMap(({ data }) => data.map((event: any) => event.data.email)),
    emails,
  )
})

/** What a Zapier module calls the service with. */
const zapierOf = (call: Caller) => ({
  async request({ method = 'GET', url: at, params, body }: any) {
    const { status, body: data } = await call(
      method,
      at.replace(/^https:\/\/[^/]+/, '') + (params ? `?${new URLSearchParams(params)}` : ''),
      body,
    )
    assert.ok(status < 300)
    return { data }
  },
})

test('the Zapier module subscribes, lists the newest orders in the form in which calls have them, and unsubscribes', async (t) => {
  const { call } = await service.company()
  const { url, received } = await receiver(t)
  const module: { exports: any } = { exports: {} }
  new Function('module', zapier)(module)
  const { performSubscribe, perform, performList, performUnsubscribe } = module.exports.operation
  const z = zapierOf(call)
  const subscribeData = await performSubscribe(z, { targetUrl: url })
  for (const status of ['completed', 'completed', 'pending', 'completed', 'completed'])
    assert.equal((await call('POST', '/v1/order', { status, summary: { total: '9.50' } })).status, 201)
  await until('all calls have come', () => received.length === 4)
  const samples = await performList(z)
  const calls = received.map(({ text }) => perform(z, { cleanedRequest: JSON.parse(text) })[0])
  assert.deepEqual(samples, calls.reverse().slice(0, 3))
  await performUnsubscribe(z, { subscribeData })
  assert.deepEqual((await call('GET', '/v1/automation-triggers')).body.data, [])
})

test('the polling module of Zapier returns each completion once, the newest first, also of an order that was parked before', async () => {
  const { call } = await service.company()
  const module: { exports: any } = { exports: {} }
  new Function('module', 'api', polling)(module, 'https://pos.example.com')
  const made = async (status: string) =>
    (await call('POST', '/v1/order', { status, summary: { total: '9.50' } })).body.id as string
  const parked = await made('parked')
  const second = await made('completed')
  await call('PATCH', `/v1/order/${parked}`, { status: 'completed' })
  const poll = () => module.exports.operation.perform(zapierOf(call))
  const polled = await poll()
  assert.deepEqual(polled.map(({ orderId, summary }: any) => [orderId, summary.total]), [[parked, '9.50'], [second, '9.50']]) // biome-ignore format: one thought
  assert.equal(new Set(polled.map(({ id }: any) => id)).size, 2)
  assert.deepEqual(await poll(), polled)
})
