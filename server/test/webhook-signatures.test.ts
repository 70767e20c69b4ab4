// Calls are signed according to Standard Webhooks: the official libraries accept them, and refuse anything that was changed on the way (decisions §9).
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { sender } from '../src/features/webhooks/call.ts'
import { signature } from '../src/features/webhooks/message.ts'
import { targets } from '../src/features/webhooks/target.ts'
import { removeFormerSecrets } from '../src/features/webhooks/trigger-secrets.ts'
import { until } from './support/program.ts'
import { type Received, receiver } from './support/receiver.ts'
import { testService } from './support/service.ts'

const service = testService({ webhookAllow: ['127.0.0.0/8'], webhooks: {} })

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

test('without a secret a call is unsigned', async (t) => {
  const unsigned = (await sent(t, undefined)).headers
  for (const name of ['webhook-signature', 'x-api-key']) assert.equal(unsigned[name], undefined)
  assert.equal(unsigned['webhook-id'], 'evt_1')
})

const named = (...texts: string[]) => texts.map((text) => `whsec_${Buffer.from(text).toString('base64')}`)
const [first = '', second = '', third = '', ...others] = named('first', 'second', 'third', '4th', '5th', '6th', '7th')
const all = [first, second, third, ...others]

const accepts = ({ headers, text }: Received, secret: string) =>
  verifiers(secret).every((verifier) => {
    try {
      verifier.verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  })

/** A trigger with the first secret, and its receiver. */
async function signing(t: TestContext) {
  const company = await service.company()
  const { call } = company
  const { url, received } = await receiver(t)
  const hook = { triggerType: 'customer.*', triggerUrl: url, apiKey: first }
  const path = `/v1/automation-trigger/${(await call('POST', '/v1/automation-trigger', hook)).body.id}`
  const set = (change: string) =>
    service.database.query(`update automation_triggers set version = version + 1, ${change} where company_id = $1`, [
      company.id,
    ])
  const change = async (body: object) => assert.equal((await call('PATCH', path, body)).status, 200)
  return {
    /** A further event comes, signed once with each of these secrets, and contains that one. A call from just before a change may come first. */
    async comes(by: readonly string[], contained?: string) {
      const { body } = await call('POST', '/v1/customer', { firstName: 'Ann' })
      await until(`a call is signed with ${by.length} secrets`, () => {
        const last = received.findLast(({ text }) => JSON.parse(text).customer.id === body.id)
        if (last?.headers['x-api-key'] !== contained) return false
        const signatures = String(last?.headers['webhook-signature'] ?? '')
          .split(' ')
          .filter(Boolean)
        const found = all.filter((one) => last !== undefined && accepts(last, one))
        return signatures.length === by.length && isDeepStrictEqual(found, by)
      })
    },
    change,
    secret: (apiKey: string | null) => change({ apiKey }),
    aDayPasses: () => set(`former_secret_until = former_secret_until - interval '1 day'`),
    /** What is stored of the secrets before. */
    async former(): Promise<unknown> {
      const [row] = await service.database.query(
        'select former_secret, former_secret_until from automation_triggers where company_id = $1',
        [company.id],
      )
      return row
    },
  }
}

test('for a day after a secret was changed, calls are signed with both, so that a receiver with either accepts them', async (t) => {
  const { comes, change, secret, aDayPasses, former } = await signing(t)
  await comes([first], first)
  await secret(second)
  await comes([first, second], second)
  // The same once more, and other changes, leave both; a removal of those that sign no more, too.
  await secret(second)
  await change({ customTriggerName: 'Till' })
  await removeFormerSecrets(service.database)
  await comes([first, second], second)
  await aDayPasses()
  await comes([second], second)
  await removeFormerSecrets(service.database)
  assert.deepEqual(await former(), [null, null])
  await comes([second], second)
  await secret(third)
  await comes([second, third], third)
  await secret(null)
  assert.deepEqual(((await former()) as unknown[])[0], null)
  await comes([])
  await secret(first)
  await comes([first], first)
})

test('a secret that is changed again within a day leaves the previous ones in force: a receiver may have any of the last five', async (t) => {
  const { comes, secret, aDayPasses } = await signing(t)
  await secret(second)
  await secret(third)
  await comes([first, second, third], third)
  // Changed back, it signs once.
  await secret(first)
  await comes([first, second, third], first)
  for (const one of others) await secret(one)
  await comes([first, third, ...others], all.at(-1))
  // Secrets that sign no more do not come back with the next change.
  await aDayPasses()
  await secret(second)
  await comes([second, all.at(-1) as string], second)
})
