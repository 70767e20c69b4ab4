// Webhook calls as the service really sends them, unwrapped by the SDK.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { until } from '../../server/test/support/program.ts'
import { receiver } from '../../server/test/support/receiver.ts'
import { testService } from '../../server/test/support/service.ts'
import { SignatureError, webhooks } from '../src/index.ts'
import { clientOf } from './support.ts'

const service = testService({ webhookAllow: ['127.0.0.1'], webhooks: {} })

for (const secret of [`whsec_${randomBytes(32).toString('base64')}`, 'a plain secret of a tool'])
  test(`a delivery signed with ${secret.slice(0, 7)}… is unwrapped; anything else is refused`, async (t) => {
    const client = clientOf(service, await service.company())
    const { url, received } = await receiver(t)
    await client.automationTriggers.create({ triggerType: 'customer.*', triggerUrl: url, apiKey: secret })
    const { id } = await client.customers.create({ firstName: 'Ann', totalSpent: '10.00' })
    await until('the call comes', () => received.length > 0)
    const [{ headers, text } = assert.fail()] = received
    const call = await webhooks.unwrap(text, headers, secret)
    if (call.eventType !== 'customer.created') assert.fail(call.eventType)
    assert.deepEqual([call.customer.id, call.customer.totalSpent], [id, '10.00'])
    const known = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
    await webhooks.unwrap(Buffer.from(text), new Headers(known), ['an older secret', secret])
    await webhooks.unwrap(await new Response(text).arrayBuffer(), headers, secret)
    const refused = (...[raw, sent, key, options]: Parameters<typeof webhooks.unwrap>) =>
      assert.rejects(webhooks.unwrap(raw, sent, key, options), SignatureError)
    await refused(`${text} `, headers, secret)
    await refused(text, headers, 'another secret')
    await refused(text, { ...headers, 'webhook-id': 'other' }, secret)
    await refused(text, { ...headers, 'webhook-signature': 'v1,not base64!' }, secret)
    await refused(text, { 'content-type': 'application/json' }, secret)
    await refused(text, headers, secret, { toleranceSeconds: -1 })
  })

test('a receiver that passes a parsed body, or no secret, is told what to pass', async () => {
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
    'webhook-signature': 'v1,AAAA',
  }
  const unwrap = (raw: unknown, secret: unknown) => webhooks.unwrap(raw as string, headers, secret as string)
  await assert.rejects(unwrap({ id: '1' }, 'secret'), {
    name: 'TypeError',
    message: 'raw must be the body exactly as received, as text or bytes, not what a JSON parser made of it.',
  })
  for (const secret of [undefined, '', ['secret', undefined], []])
    await assert.rejects(unwrap('{}', secret), {
      name: 'TypeError',
      message: 'secret must be the apiKey of the trigger: it is missing or empty.',
    })
})
