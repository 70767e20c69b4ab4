// A call to a receiver ends as decisions §9 says, whatever the receiver does: in time, with its response, or with a message that says what failed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type TestContext, test } from 'node:test'
import { isSuccess, type SenderSettings, sender } from '../src/features/webhooks/call.ts'
import { retryAfterMs } from '../src/features/webhooks/message.ts'
import { targets } from '../src/features/webhooks/target.ts'
import { makeCertificates } from './support/certificates.ts'
import { type Reply, receiver } from './support/receiver.ts'

const local = targets({ allowed: ['127.0.0.0/8'] })
const body = '{"id":"6740a1f2c3d4e5f6a7b8c9d0","name":"Käse ☕"}'
const hour = 60 * 60 * 1000

function senderFor(t: TestContext, settings: Partial<SenderSettings> = {}) {
  const calls = sender({ targets: local, ...settings })
  t.after(calls.close)
  return (url: string, signal?: AbortSignal) => calls.call({ url, id: 'evt_1', secret: 'a secret', body }, signal)
}

/** Calls a receiver with that behaviour. */
async function called(t: TestContext, reply: Reply, settings?: Partial<SenderSettings>) {
  const { url, received } = await receiver(t, reply)
  return { ...(await senderFor(t, settings)(url)), received }
}

/** A receiver that answers each request with custom bytes, and its address. */
async function rawReceiver(t: TestContext, write: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => write(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('a call is a POST of the body with the headers of Standard Webhooks, and no others', async (t) => {
  const { received, ...result } = await called(t, (_, response) =>
    response.writeHead(201, { 'set-cookie': 'a=b' }).end('taken'),
  )
  const [{ method, path, headers, text } = assert.fail('nothing came')] = received
  assert.deepEqual([method, path, text], ['POST', '/', body])
  assert.equal(headers['content-type'], 'application/json')
  assert.match(headers['user-agent'] ?? '', /^cashwrap\/\d+\.\d+\.\d+/)
  assert.equal(headers['webhook-id'], 'evt_1')
  assert.match(String(headers['webhook-timestamp']), /^\d{10}$/)
  assert.match(String(headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.equal(headers['x-api-key'], 'a secret')
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)))
  const known = ['accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent', 'x-api-key']
  const webhook = ['webhook-id', 'webhook-signature', 'webhook-timestamp']
  assert.deepEqual(Object.keys(headers).sort(), [...known, ...webhook].sort())
  assert.deepEqual([result.status, result.answer, result.error], [201, 'taken', undefined])
  assert.match(result.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(Number.isSafeInteger(result.durationMs) && result.durationMs >= 0)
  assert.equal(isSuccess(result), true)
})

test('a cookie of one call is not in the next on the same connection', async (t) => {
  const { url, received, connections } = await receiver(t, (_, response) =>
    response.writeHead(200, { 'set-cookie': 'a=b' }).end('ok'),
  )
  const call = senderFor(t)
  for (const _ of [1, 2, 3]) assert.equal((await call(url)).status, 200)
  assert.deepEqual(
    received.map(({ headers }) => headers.cookie),
    [undefined, undefined, undefined],
  )
  assert.equal(connections(), 1)
})

for (const status of [301, 302, 307, 308])
  test(`a ${status} is not followed: it is the response, no success, and says what to do`, async (t) => {
    const elsewhere = await receiver(t)
    const location = elsewhere.url
    const result = await called(t, (_, response) => response.writeHead(status, { location }).end())
    assert.deepEqual([result.status, isSuccess(result)], [status, false])
    assert.match(result.error ?? '', /Redirects are not followed: set triggerUrl to the final address/)
    assert.equal(elsewhere.connections(), 0)
  })

test('statuses are recorded with the receiver’s text', async (t) => {
  for (const [status, text] of [
    [200, ''],
    [204, ''],
    [400, '{"error": "no"}'],
    [410, 'Gone for ever'],
    [500, 'Oops'],
  ] as const) {
    const result = await called(t, (_, response) => response.writeHead(status).end(text))
    assert.deepEqual(
      [result.status, result.answer, result.error, isSuccess(result)],
      [status, text || undefined, undefined, status < 300],
    )
  }
})

test('Retry-After is read in seconds and as a date, up to a day, of responses that are not a success', async (t) => {
  const at = (header: string, status = 429) =>
    called(t, (_, response) => response.writeHead(status, { 'retry-after': header }).end())
  assert.equal((await at('120')).retryAfterMs, 120_000)
  assert.equal((await at('120', 503)).retryAfterMs, 120_000)
  assert.equal((await at('120', 200)).retryAfterMs, undefined)
  assert.equal((await at(new Date(Date.now() + 365 * 24 * hour).toUTCString())).retryAfterMs, 24 * hour)

  const now = Date.parse('2026-11-21T10:00:00Z')
  for (const [header, ms] of [
    ['0', 0],
    [' 7 ', 7_000],
    ['99999999999999999999999', 24 * hour],
    ['Sat, 21 Nov 2026 11:00:00 GMT', hour],
    ['Saturday, 21-Nov-26 11:00:00 GMT', hour],
    ['Sat Nov 21 11:00:00 2026', hour],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['2026', 2026_000],
  ] as const)
    assert.equal(retryAfterMs(header, now), ms, header)
  assert.equal(retryAfterMs(undefined, now), undefined)
})

test('of a response of 100 MB the first 4 KB are kept, and the rest is not read', async (t) => {
  const chunks = 1600
  let given = 0
  function* pour() {
    for (; given < chunks; given++) yield 'x'.repeat(64 * 1024)
  }
  const closed = Promise.withResolvers<unknown>()
  const result = await called(t, (_, response) =>
    pipeline(Readable.from(pour()), response).then(closed.resolve, closed.resolve),
  )
  assert.deepEqual([result.status, result.error, isSuccess(result)], [200, undefined, true])
  assert.equal(result.answer, 'x'.repeat(4096))
  await closed.promise
  assert.ok(given < chunks)
})

test('the kept part of a response is valid UTF-8 of 4 KB at most, without U+0000, and no character is cut in two', async (t) => {
  const of = async (bytes: Buffer) =>
    (await called(t, (_, response) => response.end(bytes))).answer ?? assert.fail('no answer')
  assert.equal(await of(Buffer.from('a\0b')), 'a\ufffdb')
  assert.equal(await of(Buffer.from([0x61, 0xff, 0xfe, 0x62])), 'a\ufffd\ufffdb')
  assert.equal(await of(Buffer.from(`${'x'.repeat(4095)}☕☕`)), 'x'.repeat(4095))
  assert.equal(await of(Buffer.from('x'.repeat(4096))), 'x'.repeat(4096))
  for (const bytes of [Buffer.alloc(10_000, 0xff), Buffer.alloc(10_000), Buffer.from('é'.repeat(5_000))]) {
    const text = await of(bytes)
    assert.ok(Buffer.byteLength(text) <= 4096 && Buffer.byteLength(text) > 4090, String(Buffer.byteLength(text)))
    assert.ok(text.isWellFormed() && !text.includes('\0'))
  }
})

test('a 2xx with an endless body counts, with the beginning of it and a note', async (t) => {
  const result = await called(t, (_, response) => {
    response.write('a')
    const timer = setInterval(() => response.write('b'), 100)
    response.on('close', () => clearInterval(timer))
  })
  assert.deepEqual(
    [result.status, isSuccess(result), result.error],
    [200, true, 'The response body was cut off or did not end in time; its status counts.'],
  )
  assert.match(result.answer ?? '', /^ab+$/)
})

test('a 2xx whose body breaks off counts, however it breaks', async (t) => {
  for (const [head, text] of [
    ['transfer-encoding: chunked', '5\r\nhello\r\nnonsense\r\n'],
    ['transfer-encoding: chunked', '5\r\nhello\r\n'],
    ['content-length: 100', 'hello'],
  ]) {
    const url = await rawReceiver(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${text}`))
    const result = await senderFor(t)(url)
    assert.deepEqual(
      [result.status, isSuccess(result), result.answer, result.error],
      [200, true, 'hello', 'The response body was cut off or did not end in time; its status counts.'],
    )
  }
})

test('a receiver that does not answer, or sends its headers slowly, is given up in time', async (t) => {
  const timeoutMs = 150
  const { error, status } = await called(t, () => {}, { timeoutMs })
  assert.deepEqual([status, error], [undefined, 'No response within 0.15 s.'])
  const dawdling = await rawReceiver(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('x-a: b\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  const late = await senderFor(t, { timeoutMs })(dawdling)
  assert.deepEqual([late.status, late.error], [undefined, 'No response within 0.15 s.'])
  const nameless = targets({ allowed: [], resolve: () => new Promise(() => {}) })
  const unknown = await senderFor(t, { timeoutMs, targets: nameless })('http://slow.example.com/')
  assert.deepEqual([unknown.status, unknown.error], [undefined, 'No response within 0.15 s.'])
})

test('a receiver that cannot be reached, or does not send HTTP, is recorded with a message', async (t) => {
  const call = senderFor(t)
  const { port } = await receiver(t)
  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const free = (closed.address() as AddressInfo).port
  await new Promise((resolve) => closed.close(resolve))
  const dropped = 'The receiver closed the connection before it answered.'
  const nameOf = (code: string) =>
    senderFor(t, {
      targets: targets({ allowed: [], resolve: () => Promise.reject(Object.assign(new Error(code), { code })) }),
    })('http://hooks.example.com/')
  for (const [result, error] of [
    [call(`http://127.0.0.1:${free}/`), 'The receiver refused the connection.'],
    [
      call(`https://127.0.0.1:${port}/`),
      'The receiver supports no TLS at this address, or only versions that cannot be used.',
    ],
    [call(await rawReceiver(t, (socket) => socket.destroy())), dropped],
    [call(await rawReceiver(t, (socket) => socket.resetAndDestroy())), dropped],
    [call(await rawReceiver(t, (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))), 'The response is not HTTP.'],
    [
      call(await rawReceiver(t, (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`))),
      'The response headers are too long.',
    ],
    [
      call(
        await rawReceiver(t, (socket) =>
          socket.write('HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
        ),
      ),
      dropped,
    ],
    [nameOf('ENOTFOUND'), 'The name hooks.example.com does not exist.'],
    [nameOf('ENODATA'), 'The name hooks.example.com has no address.'],
    [nameOf('ETIMEOUT'), 'The name hooks.example.com could not be resolved in time.'],
    [nameOf('ESERVFAIL'), 'The name hooks.example.com cannot be resolved at the moment.'],
  ] as const) {
    const { status, error: reported } = await result
    assert.deepEqual([status, reported], [undefined, error])
  }
})

test('certificates are verified, and an error says what is wrong', async (t) => {
  const { ca, ...certificates } = makeCertificates()
  const call = senderFor(t, { ca })
  for (const [name, error] of [
    ['good', undefined],
    ['expired', "The receiver's certificate has expired."],
    ['early', "The receiver's certificate is not valid yet."],
    ['misnamed', "The receiver's certificate is for another name."],
    ['selfSigned', "The receiver's certificate is self-signed."],
  ] as const) {
    const { url, received } = await receiver(t, undefined, { tls: certificates[name] })
    const result = await call(url)
    assert.deepEqual([result.status, result.error], [error ? undefined : 200, error], name)
    assert.equal(received.length, error ? 0 : 1)
  }
  const { url } = await receiver(t, undefined, { tls: certificates.good })
  assert.equal(
    (await senderFor(t)(url)).error,
    "The receiver's certificate is from an authority that is not trusted, or its chain is incomplete.",
  )
})

test('no proxy or weakened TLS setting of the environment changes a call', async (t) => {
  const proxy = await receiver(t)
  const good = await receiver(t)
  const { url: wrong } = await receiver(t, undefined, { tls: makeCertificates().selfSigned })
  const folder = new URL('../src/features/webhooks/', import.meta.url)
  const program = `
    const { sender } = await import(${JSON.stringify(new URL('call.ts', folder).href)})
    const { targets } = await import(${JSON.stringify(new URL('target.ts', folder).href)})
    const { call, close } = sender({ targets: targets({ allowed: ['127.0.0.1'] }) })
    const results = []
    for (const url of ${JSON.stringify([good.url, wrong])}) results.push(await call({ url, id: 'one', body: '{}' }))
    console.log(JSON.stringify(results.map(({ status, error }) => status ?? error)))
    close()`
  const through = Object.fromEntries(
    ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
      [name, proxy.url],
      [name.toUpperCase(), proxy.url],
    ]),
  )
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, ...through, NODE_USE_ENV_PROXY: '1', NO_PROXY: '', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await once(child, 'close')
  assert.deepEqual(JSON.parse(printed), [200, "The receiver's certificate is self-signed."])
  assert.equal(proxy.connections(), 0)
})

test('a kept-alive connection that the receiver has closed costs nothing: the call uses a new one', async (t) => {
  const { url, received, connections } = await receiver(t, (_, response, count, incoming) => {
    if (count === 2) incoming.socket.destroy()
    else response.end('ok')
  })
  const call = senderFor(t)
  assert.equal((await call(url)).status, 200)
  const second = await call(url)
  assert.deepEqual([second.status, second.error], [200, undefined])
  assert.deepEqual([received.length, connections()], [3, 2])
})

test('a receiver that drops every connection is called at most twice for one call', async (t) => {
  const { url, received } = await receiver(t, (_, response, count, incoming) => {
    if (count > 1) incoming.socket.destroy()
    else response.end('ok')
  })
  const call = senderFor(t)
  assert.equal((await call(url)).status, 200)
  assert.equal((await call(url)).error, 'The receiver closed the connection before it answered.')
  assert.equal(received.length, 3)
  assert.equal((await call(url)).status, undefined)
  assert.equal(received.length, 4)
})

test('hanging receivers delay no other, however many there are', async (t) => {
  const hanging = await receiver(t, () => {})
  const good = await receiver(t)
  const calls = sender({ targets: local })
  const all = Array.from({ length: 300 }, () => calls.call({ url: hanging.url, id: 'one', body }))
  let ended = 0
  const over = Promise.allSettled(all.map((one) => one.finally(() => ended++)))
  assert.equal((await calls.call({ url: good.url, id: 'two', body })).status, 200)
  assert.equal(ended, 0)
  calls.close()
  assert.ok((await over).every(({ status }) => status === 'rejected'))
})

test('an aborted call rejects with the reason, since its effect is unknown; so do all calls when the sender is closed', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const { url } = await receiver(t, () => arrived.resolve())
  const call = senderFor(t)
  const stopping = new AbortController()
  const stopped = call(url, stopping.signal)
  await arrived.promise
  stopping.abort(new Error('The server stops.'))
  await assert.rejects(stopped, { message: 'The server stops.' })
  await assert.rejects(call(url, stopping.signal), { message: 'The server stops.' })

  const calls = sender({ targets: local })
  const underWay = calls.call({ url, id: 'one', body })
  calls.close()
  await assert.rejects(underWay, { message: 'Calls are ended.' })
  await assert.rejects(calls.call({ url, id: 'one', body }), { message: 'Calls are ended.' })
})
