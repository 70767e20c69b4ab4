// The event feed through the SDK: each event once, over connections that end.
import assert from 'node:assert/strict'
import { request as send } from 'node:http'
import { test } from 'node:test'
import { until } from '../../server/test/support/program.ts'
import { receiver } from '../../server/test/support/receiver.ts'
import { sharedService } from '../../server/test/support/service.ts'
import { Cashwrap, InvalidKeyError, ValidationFailedError } from '../src/index.ts'
import { clientOf } from './support.ts'

const service = sharedService()

test('each event comes once, in order, although the stream ends after every few', async (t) => {
  const company = await service.company()
  const direct = clientOf(service, company)
  // Passes the stream on, and ends it in the middle of what comes after two events.
  const { url, received } = await receiver(t, ({ path, headers }, response) => {
    const onward = send(service.url + path, { headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        const before = text.split('event:').length
        text += chunk
        const third = text.split('event:').length > 3 ? text.split('event:', 3).join('event:').length + 9 : text.length
        response.write(text.slice(text.length - chunk.length, Math.max(third, text.length - chunk.length)))
        if (text.split('event:').length <= 3 || before > 3) return
        onward.destroy()
        response.end()
      })
      answer.once('error', () => response.destroy())
    })
    onward.once('error', () => response.destroy())
    onward.end()
  })
  const client = clientOf(service, company, { baseUrl: url })
  for (let n = 0; n < 4; n++) await direct.categories.create({ name: `C-${n}` })
  const follow = client.events.follow(0, { type: 'category.created' })
  const names: string[] = []
  for await (const event of follow) {
    if (event.type !== 'category.created') assert.fail(event.type)
    names.push(event.data.name)
    if (names.length === 4) for (let n = 4; n < 7; n++) await direct.categories.create({ name: `C-${n}` })
    if (names.length === 7) break
  }
  assert.deepEqual(names, ['C-0', 'C-1', 'C-2', 'C-3', 'C-4', 'C-5', 'C-6'])
  assert.ok(received.length > 2, 'The stream was opened again.')
  // The last event was not finished by the loop, so it comes again.
  for await (const event of direct.events.follow(follow.cursor, { type: 'category.created' })) {
    assert.equal('name' in event.data && event.data.name, 'C-6')
    break
  }
})

test('without a cursor it begins with what happens from now on, and a signal ends it', async () => {
  const client = clientOf(service, await service.company())
  await client.categories.create({ name: 'Old' })
  const stop = new AbortController()
  const follow = client.events.follow(undefined, { signal: stop.signal })
  const writing = (async () => {
    await until('the stream is open', () => follow.cursor !== undefined)
    await client.categories.create({ name: 'New' })
  })()
  const seen: unknown[] = []
  const loop = (async () => {
    for await (const { data } of follow) {
      seen.push('name' in data && data.name)
      stop.abort(new Error('The program ends.'))
    }
  })()
  await assert.rejects(loop, /The program ends/)
  await writing
  assert.deepEqual(seen, ['New'])
})

test('a key that is not valid, and a cursor that is refused, are errors at once', async () => {
  const company = await service.company()
  const first = async (client: Cashwrap, cursor?: string) => {
    for await (const event of client.events.follow(cursor)) return event
  }
  await assert.rejects(first(clientOf(service, { key: 'posk_no' })), InvalidKeyError)
  await assert.rejects(first(clientOf(service, company), '999999999'), (error) => {
    assert.ok(error instanceof ValidationFailedError)
    assert.equal(error.errors[0]?.code, 'cursor')
    return true
  })
  await assert.rejects(first(new Cashwrap({ baseUrl: 'http://127.0.0.1:1', maxRetries: 1 })), {
    name: 'ConnectionError',
  })
})
