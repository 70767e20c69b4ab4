// The calls of README.md and of the guide to the first calls, exactly as written there: a new user's first quarter of an hour.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.1'], webhooks: {} })
const missing = spawnSync('curl', ['--version']).error && 'No curl is found: `apt-get install curl`.'

/** Types the calls of a document for a new company, in their order. Returns their responses, and what its receiver got. */
async function typed(t: TestContext, path: string) {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
  // Blocks are indented by four.
  const blocks = [...text.matchAll(/^ {4}\S.*\n(?:^ {4}.*\n)*/gm)].map(([block]) => block.replace(/^ {4}/gm, ''))
  const { key, call } = await service.company()
  const outlet = await call('POST', '/v1/outlet', { name: 'Main outlet' })
  const heard = await receiver(t)
  const known: Record<string, string> = { API: service.url, KEY: key, OUTLET: outlet.body.id }
  const answers: string[] = []
  for (const block of blocks) {
    const [, name = ''] = /^export (\w+)=6b01…/.exec(block) ?? []
    if (name !== '') known[name] = /"id":"([0-9a-f]{24})"/.exec(answers.at(-1) ?? '')?.[1] ?? ''
    if (!block.startsWith('curl ')) continue
    const command = block.replace('http://127.0.0.1:9000/', heard.url)
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env: { ...process.env, ...known } })
    answers.push(stdout)
  }
  return { answers, heard }
}

/** The details of the problems among the responses. */
const problemsIn = (answers: readonly string[]): string[] =>
  answers.filter((answer) => /"status":[45]/.test(answer)).map((answer) => JSON.parse(answer).detail)

/** What a sale came to: total, change, due, payment, and the stock that is left. */
function sumsOf(answer = ''): unknown[] {
  const { order, transactions, stock } = JSON.parse(answer)
  return [order.summary.total, order.paymentMethods[0].change, order.due, transactions[0].amount, stock[0].stock]
}

test('the calls of the README make a sale as they are typed', { skip: missing }, async (t) => {
  const { answers } = await typed(t, 'README.md')
  assert.deepEqual(problemsIn(answers), [])
  assert.equal(answers.length, 3)
  assert.deepEqual(sumsOf(answers.at(-1)), ['30.00', '20.00', '0.00', '30.00', 38])
})

const name = 'the first calls of the guide work as they are typed: products, lists, an error, a webhook, stock, a sale'
test(name, { skip: missing }, async (t) => {
  const { answers, heard } = await typed(t, 'docs/guides/first-calls.md')
  assert.deepEqual(problemsIn(answers), ['/emial: is not known; did you mean email?'], 'All others are successes.')
  const [before, entry] = JSON.parse(answers.at(-2) ?? '').data
  assert.deepEqual([before.newStock, entry.newStock, entry.kind], [40, 38, 'SALE'])
  assert.deepEqual(sumsOf(answers.at(-1)), ['30.00', '20.00', '0.00', '30.00', 36])
  await until('the webhooks come', () => heard.received.length >= 6)
  const types = heard.received.map(({ text }) => JSON.parse(text).eventType)
  assert.deepEqual(types, [
    'inventory.created',
    'inventory.stock_changed',
    'inventory.updated',
    'inventory.stock_changed',
    'inventory.updated',
    'inventory.stock_changed',
  ])
})

test('the guide to stock works as it is typed: what is received, transferred and counted adds up', {
  skip: missing,
}, async (t) => {
  const { answers } = await typed(t, 'docs/guides/stock.md')
  assert.deepEqual(problemsIn(answers), [])
  for (const { failed } of answers.flatMap((answer) => JSON.parse(answer).summary ?? [])) assert.equal(failed, 0)
  const [history, feed] = answers.slice(-2).map((answer) => JSON.parse(answer).data)
  assert.deepEqual(history.map(({ kind, newStock }: any) => [kind, newStock]), [['TRANSFER', 10], ['RECOUNT', 9]]) // biome-ignore format: one thought
  // The events of one request have no order between levels.
  assert.deepEqual(feed.map(({ data }: any) => data.stock).sort(), [10, 24, 26, 36, 9])
})

test('the guide to customers works as it is typed: nothing of an erased customer is left', {
  skip: missing,
}, async (t) => {
  const { answers } = await typed(t, 'docs/guides/customers.md')
  assert.deepEqual(problemsIn(answers), [])
  const bodies = answers.map((answer) => JSON.parse(answer))
  const [{ refund }] = bodies.filter(({ refund }) => refund)
  assert.deepEqual(refund.payment.map(({ paymentType, amount }: any) => [paymentType, amount]), [['gift_card', '12.50']]) // biome-ignore format: one thought
  const [cleared] = bodies.slice(-3)
  assert.deepEqual(Object.keys(cleared).sort(), ['companyId', 'createdAt', 'fromService', 'id', 'isDeleted', 'updatedAt']) // biome-ignore format: one thought
})

test('the guide to syncing works as it is typed: one product, updated, unchanged, and tried without a change', {
  skip: missing,
}, async (t) => {
  const { answers } = await typed(t, 'docs/guides/syncing.md')
  assert.deepEqual(problemsIn(answers), [])
  const [made, again, bySku, identity, listed, tried] = answers.map((answer) => JSON.parse(answer))
  assert.deepEqual([made.externalId, again.results[0].outcome, again.results[0].data.id], ['118', 'unchanged', made.id])
  assert.deepEqual(bySku, { data: [], meta: { count: 0, skip: 0, limit: 100 } })
  assert.match(identity.key.id, /^[0-9a-f]{24}$/)
  assert.match(listed.data[0].etag, /^"[\w-]{22}"$/)
  const [{ outcome, before, after }] = tried.results
  assert.deepEqual([outcome, before, after], ['updated', { name: 'Espresso beans' }, { name: 'Dark espresso beans' }])
})
