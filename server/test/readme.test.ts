// The calls of README.md, exactly as written there: a new user's first quarter of an hour.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.1'], webhooks: {} })
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** The blocks of a shell's text, which are indented by four, in their order. */
const blocks = [...readme.matchAll(/^ {4}\S.*\n(?:^ {4}.*\n)*/gm)].map(([text]) => text.replace(/^ {4}/gm, ''))

const missing = spawnSync('curl', ['--version']).error && 'No curl is found: `apt-get install curl`.'
const name = 'the calls of the README work as they are typed: a product, its variants, a webhook, stock, a sale'

test(name, { skip: missing }, async (t) => {
  const { key, call } = await service.company()
  const outlet = await call('POST', '/v1/outlet', { name: 'Main outlet' })
  const heard = await receiver(t)
  const known: Record<string, string> = { API: service.url, KEY: key, OUTLET: outlet.body.id }
  const answers: string[] = []
  for (const block of blocks) {
    const [, name = ''] = /^export (\w+)=6b01…/.exec(block) ?? []
    if (name !== '') known[name] = /"id":"([0-9a-f]{24})"/.exec(answers.at(-1) ?? '')?.[1] ?? ''
    if (!block.startsWith('curl ')) continue
    const typed = block.replace('http://127.0.0.1:9000/', heard.url)
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', typed], { env: { ...process.env, ...known } })
    answers.push(stdout)
  }
  const wrong = answers.filter((answer) => /"status":[45]/.test(answer))
  assert.deepEqual(
    wrong.map((answer) => JSON.parse(answer).detail),
    ['/emial: is not known; did you mean email?'],
    'All others are answered with success.',
  )
  const [before, entry] = JSON.parse(answers.at(-2) ?? '').data
  assert.deepEqual([before.newStock, entry.newStock, entry.kind], [40, 38, 'SALE'])
  const { order, transactions, stock } = JSON.parse(answers.at(-1) ?? '')
  assert.deepEqual(
    [order.summary.total, order.paymentMethods[0].change, order.due, transactions[0].amount, stock[0].stock],
    ['30.00', '20.00', '0.00', '30.00', 36],
  )
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
