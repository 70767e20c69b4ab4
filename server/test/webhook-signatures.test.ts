// Calls are signed according to Standard Webhooks: the official libraries accept them, and refuse anything that was changed on the way (decisions §9).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { sender } from '../src/features/webhooks/call.ts'
import { signature } from '../src/features/webhooks/message.ts'
import { targets } from '../src/features/webhooks/target.ts'
import { receiver } from './support/receiver.ts'

const body = JSON.stringify({
  id: '6740a1f2c3d4e5f6a7b8c9d0',
  eventType: 'customer.created',
  name: 'Käse ☕ \u2028 "x"',
})

/** The parts of a received call. */
async function sent(t: TestContext, secret: string | undefined) {
  const { url, received } = await receiver(t)
  const calls = sender({ targets: targets({ allowed: ['127.0.0.1'] }) })
  t.after(calls.close)
  await calls.call({ url, id: 'evt_1', secret, body })
  const [{ headers, text } = assert.fail('nothing came')] = received
  return { headers: headers as Record<string, string>, text }
}

/** A secret as an integrator gives it to a library. */
const verifiers = (secret: string) =>
  [Standard, Svix].map((Webhook) => {
    if (secret.startsWith('whsec_')) return new Webhook(secret)
    return new Webhook(new TextEncoder().encode(secret), { format: 'raw' })
  })

for (const secret of [
  `whsec_${randomBytes(32).toString('base64')}`,
  `whsec_${randomBytes(64).toString('base64')}`,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'a plain secret of an automation tool',
  'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  'Schlüssel ☕',
])
  test(`a call signed with ${secret.replace(/(?<=_).+/, (text) => `… of ${text.length} characters`)} is accepted by standardwebhooks and svix, and not when anything of it was changed`, async (t) => {
    const { headers, text } = await sent(t, secret)
    const id = headers['webhook-id'] as string
    const timestamp = Number(headers['webhook-timestamp'])
    for (const verifier of verifiers(secret)) {
      verifier.verify(text, headers)
      assert.throws(() => verifier.verify(`${text} `, headers), /No matching signature/)
      assert.throws(() => verifier.verify(text, { ...headers, 'webhook-id': `${id}0` }), /No matching signature/)
      assert.throws(
        () => verifier.verify(text, { ...headers, 'webhook-timestamp': String(timestamp - 1) }),
        /No matching signature/,
      )
      assert.equal(
        signature(secret, { id, timestamp, body: text }),
        verifier.sign(id, new Date(timestamp * 1000), text),
      )
    }
    for (const verifier of verifiers('whsec_b3RoZXIgc2VjcmV0IG9mIHRoZSBzYW1lIHNvcnQ='))
      assert.throws(() => verifier.verify(text, headers), /No matching signature/)
  })

test('the example of the specification gives its signature', () => {
  const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  assert.equal(signature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed), expected)
})

test('without a secret a call is unsigned, and a secret that no header can contain signs without being sent', async (t) => {
  const unsigned = (await sent(t, undefined)).headers
  for (const name of ['webhook-signature', 'x-api-key']) assert.equal(unsigned[name], undefined)
  assert.equal(unsigned['webhook-id'], 'evt_1')
  for (const secret of ['zwei\r\nx-evil: 1', 'Schlüssel ☕', ' padded ', 'tab\there']) {
    const { headers, text } = await sent(t, secret)
    assert.deepEqual([headers['x-api-key'], headers['x-evil']], [undefined, undefined])
    for (const verifier of verifiers(secret)) verifier.verify(text, headers)
  }
})

test('a secret that only looks like base64 after whsec_ signs with all its bytes, never with an empty or a shortened key', async (t) => {
  for (const secret of ['whsec_', 'whsec_not base64', 'whsec_abc*', 'whsec_a']) {
    const { headers, text } = await sent(t, secret)
    assert.equal(headers['x-api-key'], secret)
    for (const Webhook of [Standard, Svix])
      new Webhook(new TextEncoder().encode(secret), { format: 'raw' }).verify(text, headers)
  }
})
