// A file as a body: it is received no faster than its route reads it, refused before it is sent if possible, and never in memory as a whole.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Problem } from '../src/core/problem.ts'
import { type SocketLimits, socketLimits } from '../src/http/connection/socket-limits.ts'
import type { FileBody } from '../src/http/connection/streamed-body.ts'
import type { Call, Route } from '../src/http/route.ts'
import { listeningServer } from './support/http-server.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'

const megabyte = 1024 * 1024

/** A server with a route for files of a given size, which `read` reads, and one for JSON. */
async function taking(
  t: TestContext,
  read: (text: FileBody, call: Call) => Promise<unknown>,
  { bytes = 64 * megabyte, sockets = {} }: { bytes?: number; sockets?: Partial<SocketLimits> } = {},
) {
  const common = { method: 'POST', surface: 'public', tag: 'Example', summary: 'An example', replies: {} } as const
  const routes: Route[] = [
    {
      ...common,
      path: '/file',
      operationId: 'file',
      semaphore: 'none',
      query: { refused: { type: 'boolean' } },
      takesFile: { contentType: 'text/csv', bytes, description: '', example: '' },
      handle: async (call) => ({ status: 200, body: JSON.stringify(await read(call.file as FileBody, call)) }),
    },
    {
      ...common,
      path: '/json',
      operationId: 'json',
      body: { schema: {} },
      handle: ({ body, file }) => ({ status: 200, body: JSON.stringify({ body, hasText: file !== undefined }) }),
    },
  ]
  return listeningServer(t, routes, { sockets: { ...socketLimits, checkMs: 20, ...sockets } })
}

/** All of it, a chunk at a time. */
async function whole(file: FileBody, bytes = 1_000): Promise<{ lengths: number[]; sha: string }> {
  const chunks: Buffer[] = []
  for (let chunk = await file.next(bytes); chunk.length > 0; chunk = await file.next(bytes))
    chunks.push(Buffer.from(chunk))
  return { lengths: chunks.map(({ length }) => length), sha: hash('sha256', Buffer.concat(chunks)) }
}

const head = (...headers: string[]) =>
  ['POST /file HTTP/1.1', 'host: a', 'content-type: text/csv', ...headers, '', ''].join('\r\n')

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/file`, { method: 'POST', headers: { 'content-type': 'text/csv', ...headers }, body })

/** A response in the form that the checks of problems need. */
const answered = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
})

test('a file is read in chunks of the requested length, and the last one is shorter', async (t) => {
  const { url } = await taking(t, (text) => whole(text))
  const file = Buffer.alloc(2_500, 'abc,def\n')
  for (const body of [file, new Blob([file]).stream()])
    assert.deepEqual(
      await (await fetch(`${url}/file`, { method: 'POST', headers: { 'content-type': 'text/csv; charset=utf-8' }, body, duplex: 'half' } as RequestInit)).json(), // biome-ignore format: one request
      { lengths: [1_000, 1_000, 500], sha: hash('sha256', file) },
    )
  assert.deepEqual(JSON.parse(await (await post(url, '')).text()).lengths, [])
})

test('while the route does not read, the sender waits, and sent bytes are not in memory', async (t) => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { url, server } = await taking(t, async (text) => {
    await text.next(1_000)
    begun.resolve()
    await gate.promise
    return whole(text, megabyte)
  })
  const accepted = once(server, 'connection')
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => client.destroy())
  client.write(head(`content-length: ${64 * megabyte}`))
  for (let n = 0; n < 64; n++) client.write(Buffer.alloc(megabyte, 'a'))
  const [socket] = (await accepted) as [Socket]
  await begun.promise
  // Long enough for all of it to arrive, if it could: other requests arrive and are answered meanwhile.
  let before = -1
  await until('nothing more comes', async () => {
    const isStill = socket.bytesRead === before
    before = socket.bytesRead
    for (let n = 0; n < 50; n++) await (await fetch(`${url}/json`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).text() // biome-ignore format: one request
    return isStill
  })
  assert.ok(socket.bytesRead < megabyte, String(socket.bytesRead))
  gate.resolve()
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  await until('it is answered', () => text.includes('sha'))
  assert.equal(socket.bytesRead > 64 * megabyte, true)
})

test('a file that is too large is refused: before it is sent if its length is given, otherwise at the limit', async (t) => {
  let read = 0
  const { url } = await taking(
    t,
    async (text) => {
      while ((await text.next(100)).length > 0) read++
    },
    { bytes: 1_000 },
  )
  const reported = await raw(url, head('content-length: 1001', 'expect: 100-continue', 'connection: close'))
  assertProblem(reported, 413, 'payload_too_large')
  assert.equal(read, 0)
  const endless = new Blob([Buffer.alloc(100_000)]).stream()
  const reply = await fetch(`${url}/file`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: endless, duplex: 'half' } as RequestInit) // biome-ignore format: one request
  assertProblem(await answered(reply), 413, 'payload_too_large')
  assert.ok(read <= 10)
})

test('a sender that waits for 100 Continue gets it when the file is read, and not if it is refused before', async (t) => {
  const { url } = await taking(t, async (text, { search }) => {
    if (search !== '') throw new Problem('conflict', 'Not now.')
    return whole(text)
  })
  const port = Number(new URL(url).port)
  const ask = async (path: string) => {
    const client = connect(port, '127.0.0.1')
    t.after(() => client.destroy())
    client.write(head('content-length: 4', 'expect: 100-continue').replace('/file', path))
    const [bytes] = await once(client, 'data')
    return { client, text: String(bytes) }
  }
  assert.match((await ask('/file?refused=true')).text, /^HTTP\/1\.1 409/)
  const { client, text } = await ask('/file')
  assert.equal(text, 'HTTP/1.1 100 Continue\r\n\r\n')
  client.write('a,b\n')
  const [bytes] = await once(client, 'data')
  assert.match(String(bytes), /^HTTP\/1\.1 200 .*\[4\]/s)
})

test('a file that is refused by its beginning gets a response while it is still being sent, and its connection stays open', async (t) => {
  const { url } = await taking(t, async (text) => {
    await text.next(10)
    throw new Problem('malformed_body', 'This is none.')
  })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  t.after(() => client.destroy())
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  client.write(`${head('content-length: 5000000')}0123456789`)
  await until('it is answered', () => text.includes('This is none.'))
  for (let n = 0; n < 5; n++) client.write(Buffer.alloc(1_000_000 - (n === 4 ? 10 : 0), 'a'))
  client.write('POST /json HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}')
  await until('the next one is answered', () => text.includes('hasText'))
  assert.deepEqual(
    Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => status),
    ['400', '200'],
  )
})

test('an endless file that was refused is not read forever', async (t) => {
  const refuse = async () => {
    throw new Problem('malformed_body', 'It is none.')
  }
  const { url, server } = await taking(t, refuse, { bytes: megabyte })
  const accepted = once(server, 'connection')
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.on('error', () => {})
  client.write(head('transfer-encoding: chunked'))
  const [socket] = (await accepted) as [Socket]
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'a'), Buffer.from('\r\n')])
  const go = () => {
    while (!client.destroyed && client.write(chunk));
  }
  client.on('drain', go)
  go()
  await until('the connection is broken', () => socket.destroyed)
  assert.ok(socket.bytesRead < 3 * megabyte, String(socket.bytesRead))
  client.destroy()
})

test('a file that breaks off ends its route with an error', async (t) => {
  const ended = Promise.withResolvers<string>()
  const { url } = await taking(t, (text) =>
    whole(text).then(
      () => ended.resolve('it was taken for whole'),
      () => ended.resolve('error'),
    ),
  )
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.on('error', () => {})
  client.write(`${head('content-length: 5000')}${'a'.repeat(2_000)}`, () => client.resetAndDestroy())
  assert.equal(await ended.promise, 'error')
})

test('a body of another type is refused where a file is needed, and a file where JSON is needed', async (t) => {
  const { url } = await taking(t, (text) => whole(text))
  for (const type of ['application/json', 'text/plain', 'text/csvx', 'multipart/form-data; boundary=x'])
    assertProblem(await answered(await post(url, '{}', { 'content-type': type })), 415, 'unsupported_media_type', type)
  assertProblem(
    await raw(url, 'POST /file HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}'),
    415,
  )
  assertProblem(await answered(await post(url, 'x', { 'content-encoding': 'gzip' })), 415, 'unsupported_media_type')
  const elsewhere = await fetch(`${url}/json`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: '{}' })
  assertProblem(await answered(elsewhere), 415, 'unsupported_media_type')
})

test('a file has more time to arrive than other bodies, and no more than its own limit', async (t) => {
  const never = 600_000
  const begun = async (sockets: Partial<SocketLimits>, path: string, type: string) => {
    const { url } = await taking(t, (text) => whole(text), { sockets })
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => client.destroy())
    client.on('error', () => {})
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
    })
    client.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: 4\r\n\r\n{`)
    const closed = new Promise<void>((resolve) => client.once('close', resolve))
    return { client, closed, received: () => text }
  }
  const shortForOthers = { requestMs: 60, fileMs: never }
  const file = await begun(shortForOthers, '/file', 'text/csv')
  const other = await begun(shortForOthers, '/json', 'application/json')
  await other.closed
  assert.match(other.received(), /^HTTP\/1\.1 408/)
  file.client.write('a,b')
  await until('the file is answered', () => file.received().includes('[4]'))
  const late = await begun({ requestMs: never, fileMs: 60 }, '/file', 'text/csv')
  await late.closed
  assert.match(late.received(), /^HTTP\/1\.1 408/)
})
