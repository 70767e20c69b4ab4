// The published list while it changes and while many read it: complete, in order, never out of date on any server, and in the way of no other request.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../src/core/ids.ts'
import { connect } from '../src/database/connect.ts'
import { ListCache } from '../src/features/extensions/list-cache.ts'
import { EXTENSIONS_REORDERED } from '../src/features/extensions/organization.ts'
import { readPart, versionReader } from '../src/features/extensions/published.ts'
import { createCompany } from '../src/features/tenants/tenants.ts'
import { type Service, startService } from '../src/service.ts'
import type { Body } from './support/contract.ts'
import { copyDatabase } from './support/database.ts'
import { extensionsPath, makeExtension } from './support/extensions.ts'
import { listPath, names, organizationPath, publishedOn } from './support/published-extensions.ts'
import { raw } from './support/raw.ts'
import { sharedService, testSettings } from './support/service.ts'

// The list is that of a whole database: these tests have one, and two servers on it.
const tests = sharedService()
let connection: Awaited<ReturnType<typeof copyDatabase>>['connection']
let drop = async () => {}
let [first, second] = [] as unknown as [Service, Service]
const { get, organization, clear } = publishedOn(tests, () => first)

before(async () => {
  const copy = await copyDatabase()
  connection = copy.connection
  drop = copy.drop
  first = await startService(connection, { ...testSettings, trustProxy: ['127.0.0.1'] })
  second = await startService(connection, testSettings)
})
after(async () => {
  await first.close()
  await second.close()
  await drop()
})

/** Writes many public extensions at once, with texts of the given length. */
async function fill(organizationId: string, count: number, characters = 10, prefix = 'E'): Promise<void> {
  const now = new Date().toISOString()
  const bodies = Array.from({ length: count }, (_, n) => {
    const id = newId()
    const name = `${prefix} ${String(n).padStart(6, '0')}`
    return {
      id,
      text: JSON.stringify({
        id,
        name,
        description: 'ö'.repeat(characters),
        status: 'public',
        createdAt: now,
        updatedAt: now,
      }),
    }
  })
  await first.database.query(
    `insert into extensions (organization_id, id, body, organization_order)
     select $1, item.id, item.body::json, left(upper(name collate "und-x-icu"), 250)
     from unnest($2::text[], $3::text[]) as item(id, body) join organizations on organizations.id = $1`,
    [organizationId, bodies.map(({ id }) => id), bodies.map(({ text }) => text)],
  )
  await first.database.query('update published_list set state = $1', [newId()])
}

test('an answered change appears at once on every server, and a server with a cached list reads it again', async () => {
  await clear()
  const { call } = await organization('Everywhere')
  const both = async (expected: string[]) => {
    for (const at of [second, first]) assert.deepEqual(names(await get(listPath, {}, at)), expected)
  }
  await both([])
  const { id } = await makeExtension(call, { name: 'a' })
  await both(['a'])
  for (const name of ['b', 'c', 'd', 'e']) {
    await call('PATCH', `${extensionsPath}/${id}`, { name })
    await both([name])
  }
  await call('PATCH', organizationPath, { name: 'Renamed', alias: 'renamed', logo: 'https://example.com/r.png' })
  for (const at of [second, first]) {
    const [{ organization }] = (await get(listPath, {}, at)).body
    assert.deepEqual(
      [organization.name, organization.organization_alias, organization.logo],
      ['Renamed', 'renamed', 'https://example.com/r.png'],
    )
  }
  await call('PATCH', `${extensionsPath}/${id}`, { status: 'archived' })
  await both([])
  await call('PATCH', `${extensionsPath}/${id}`, { status: 'public' })
  await both(['e'])
  await call('DELETE', `${extensionsPath}/${id}`)
  await both([])
})

test('a renamed organization moves in the order, with extensions that are created at the same moment', async () => {
  await clear()
  const moving = await organization('aaa')
  const middle = await organization('mmm')
  await makeExtension(middle.call, { name: 'middle' })
  await fill(moving.id, EXTENSIONS_REORDERED + 10)
  const many = EXTENSIONS_REORDERED + 11
  for (const [n, name] of ['zzz', 'AAA', 'zzz', 'aaa', 'zzz'].entries()) {
    await Promise.all([
      ...Array.from({ length: 4 }, () => makeExtension(moving.call, { name: `m${n}` })),
      moving.call('PATCH', organizationPath, { name }).then(({ status, text }) => assert.equal(status, 200, text)),
    ])
    const found = names(await get(listPath))
    assert.equal(found.length, many + (n + 1) * 4)
    assert.equal(found.indexOf('middle'), name === 'zzz' ? 0 : found.length - 1)
  }
})

test('the ETag changes exactly when the list does, and a client with the current one gets 304', async () => {
  await clear()
  const { call } = await organization('Tagged')
  const { id } = await makeExtension(call, { name: 'a' })
  const tag = async (at = first) => (await get(listPath, {}, at)).headers.get('etag') as string
  let last = await tag()
  assert.match(last, /^"[0-9a-f]+"$/)
  const same = async (what: string) => {
    assert.equal(await tag(), last, what)
    assert.equal(await tag(second), last, what)
    for (const sent of [last, `W/${last}`, `"x", ${last}`, '*']) {
      const reply = await get(listPath, { 'if-none-match': sent }, second)
      assert.deepEqual([reply.status, reply.text, reply.headers.get('etag')], [304, '', last])
    }
  }
  const other = async (what: string) => {
    assert.equal((await get(listPath, { 'if-none-match': last }, second)).status, 200)
    const now = await tag()
    assert.notEqual(now, last, what)
    last = now
    await same(what)
  }
  await same('nothing')
  const { id: draft } = await makeExtension(call, { name: 'draft', status: 'draft' })
  await same('a draft is made')
  await call('PATCH', `${extensionsPath}/${draft}`, { name: 'b' })
  await call('PATCH', `${extensionsPath}/${draft}`, { status: 'archived' })
  await same('a draft is changed')
  await call('DELETE', `${extensionsPath}/${draft}`)
  await same('a draft is deleted')
  await call('PATCH', `${extensionsPath}/${id}`, { name: 'a' })
  await same('a change that changes nothing')
  await call('PATCH', `${extensionsPath}/${id}`, { name: 'a' }, { 'if-match': '"x"' })
  await same('a change that is refused')
  const { call: quiet } = await organization('Quiet')
  await quiet('PATCH', organizationPath, { name: 'Quieter', alias: 'quieter' })
  await same('an organization that shows nothing is renamed')
  await call('PATCH', `${extensionsPath}/${id}`, { price: 1 })
  await other('a public extension is changed')
  await call('PATCH', organizationPath, { logo: 'https://example.com/l.png' })
  await other('a logo')
  await call('PATCH', organizationPath, { alias: 'tagged-otherwise' })
  await other('an alias')
  await makeExtension(call, { name: 'c' })
  await other('a further one')
  await call('PATCH', `${extensionsPath}/${id}`, { status: 'draft' })
  await other('one is withdrawn')
  const filtered = await get(`${listPath}?category=c`)
  assert.equal(
    (await get(`${listPath}?category=c`, { 'if-none-match': filtered.headers.get('etag') as string })).status,
    304,
  )
})

test('a list of many chunks is complete and in order, from the database, from memory, by pages, and for many concurrent readers', async () => {
  await clear()
  const one = await organization('Long two')
  const two = await organization('Long one')
  await fill(one.id, 2_500, 300)
  await fill(two.id, 1_500, 300, 'e')
  const check = ({ status, body, headers }: Awaited<ReturnType<typeof get>>) => {
    assert.equal(status, 200)
    assert.equal(body.length, 4_000)
    assert.equal(headers.get('x-total-count'), '4000')
    for (let n = 0; n < 4_000; n++) {
      const number = n < 1_500 ? n : n - 1_500
      assert.equal(body[n].name, `${n < 1_500 ? 'e' : 'E'} ${String(number).padStart(6, '0')}`)
      assert.equal(body[n].organization.name, n < 1_500 ? 'Long one' : 'Long two')
    }
  }
  for (const reply of await Promise.all(
    Array.from({ length: 12 }, (_, n) => get(listPath, {}, [first, second][n % 2])),
  ))
    check(reply)
  check(await get(listPath))
  const filtered: Body[] = []
  for (let next = `${listPath}?search=${encodeURIComponent('ööö')}&limit=1000`; next !== ''; ) {
    const reply = await get(next)
    assert.equal(reply.headers.get('x-total-count'), '4000')
    filtered.push(...reply.body)
    next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1] ?? ''
  }
  assert.deepEqual(filtered, (await get(listPath)).body)
  assert.equal((await get(`${listPath}?skip=1000`)).body.length, 100)
  const head = await raw(first.url, `HEAD ${listPath} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  assert.deepEqual([head.status, head.text], [200, ''])
})

test('while the list changes, extensions that are published throughout reach each reader once and in order', async () => {
  await clear()
  const { id, call } = await organization('Under way')
  await fill(id, 3_000, 200)
  const extra: string[] = []
  const writing = (async () => {
    for (let n = 0; n < 15; n++) {
      const made = await makeExtension(call, { name: `E ${String(n * 200).padStart(6, '0')} x` })
      extra.push(made.id)
      if (n % 3 === 0) await call('DELETE', `${extensionsPath}/${made.id}`)
    }
  })()
  const replies: Awaited<ReturnType<typeof get>>[] = []
  for (let n = 0; n < 4; n++)
    replies.push(...(await Promise.all([get(listPath), get(listPath, {}, second), get(listPath)])))
  await writing
  for (const reply of replies) {
    const lasting = names(reply).filter((name) => !name.endsWith('x'))
    assert.deepEqual(
      lasting,
      Array.from({ length: 3_000 }, (_, n) => `E ${String(n).padStart(6, '0')}`),
    )
    const all = names(reply)
    assert.deepEqual(all, all.toSorted())
  }
})

/** Runs `work` while every statement that reads extensions waits; `release` lets them continue. */
async function whileLocked(work: (release: () => void) => Promise<void>): Promise<void> {
  const locker = connect(connection, { size: 1 })
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = locker.transaction(async (transaction) => {
    await transaction.query('lock table extensions in access exclusive mode')
    locked.resolve()
    await release.promise
  })
  try {
    await locked.promise
    await work(release.resolve)
  } finally {
    release.resolve()
    await holding
    await locker.close()
  }
}

test('the lists of companies and organizations are answered, however many anonymous lists wait for the database', async () => {
  await clear()
  const { id: organizationId, call } = await organization('Busy')
  await makeExtension(call, { name: 'a' })
  const { apiKey } = await createCompany(first.database, { name: 'Shop', currency: 'EUR', organizationId })
  await whileLocked(async (release) => {
    const anonymous = Array.from({ length: 40 }, (_, n) => get(n % 4 ? `${listPath}?skip=${n}` : listPath))
    for (let n = 0; n < 5; n++) {
      const { status } = await tests.caller({ 'x-api-key': apiKey }, first.url)('GET', '/v1/customers')
      assert.equal(status, 200)
      assert.equal((await call('GET', organizationPath)).status, 200)
    }
    release()
    for (const { status } of await Promise.all(anonymous)) assert.equal(status, 200)
  })
})

test('one address with more pages than can wait blocks the list for no other', async () => {
  await clear()
  const { call } = await organization('Flooded')
  await makeExtension(call, { name: 'a' })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  await whileLocked(async (release) => {
    const order: string[] = []
    const ask = async (path: string, address: string) => {
      const reply = await get(path, from(address))
      if (reply.status === 200) order.push(address)
      return reply
    }
    const flood = Array.from({ length: 700 }, (_, n) => ask(`${listPath}?skip=${n}&category=c`, '198.51.100.1'))
    // It has as much of the queue as one address can get as soon as one is refused.
    await Promise.any(flood.map(async (reply) => assert.equal((await reply).status, 503)))
    const others = [
      ask(`${listPath}?limit=10`, '198.51.100.2'),
      ask(`${listPath}?search=flooded`, '2001:db8::1'),
      ask(listPath, '198.51.100.3'),
    ]
    // They have arrived before anything is released once a later request on their server was answered.
    for (const { status } of await Promise.all(others.map(() => get('/v1/public/health')))) assert.equal(status, 200)
    release()
    for (const { status, text } of await Promise.all(others)) assert.equal(status, 200, text)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)].sort(), [200, 503])
    const behind = order.slice(order.findLastIndex((address) => address !== '198.51.100.1'))
    assert.ok(behind.length > 100, `${order.length - behind.length} came before the others`)
  })
})

test('the cache drops an older list that slow readers hold, and every reader still gets the complete list', async () => {
  await clear()
  const { id } = await organization('Bounded')
  await fill(id, 1_000, 400)
  const database = connect(connection)
  try {
    const readVersion = versionReader(database)
    const room = 270_000
    const kept = new ListCache({ readVersion, readPart: (request) => readPart(database, request) }, room)
    let alone = 0
    const lists: Awaited<ReturnType<ListCache['open']>>[] = []
    const open = async () => {
      const list = await kept.open(await readVersion())
      lists.push(list)
      return kept.send(list, () => alone++)
    }
    const held = () =>
      [...new Set(lists)].flatMap(({ chunks }) => chunks).reduce((sum, { bytes }) => sum + bytes.length, 0)
    const takeAll = async (chunks: AsyncGenerator<Buffer | string>, before = '') => {
      let text = before
      for await (const chunk of chunks) text += chunk
      return JSON.parse(text).map(({ name }: Body) => name) as string[]
    }
    const expected = Array.from({ length: 1_000 }, (_, n) => `E ${String(n).padStart(6, '0')}`)
    // Readers that read one chunk each, of a list that changes meanwhile.
    const slow: { chunks: AsyncGenerator<Buffer | string>; text: string }[] = []
    for (let n = 0; n < 5; n++) {
      const chunks = await open()
      slow.push({ chunks, text: String((await chunks.next()).value) })
      assert.deepEqual(await takeAll(await open()), expected)
      assert.ok(held() <= room, `${held()} bytes are held`)
      await database.query('update published_list set state = $1', [newId()])
    }
    assert.ok(alone > 0, 'the room is too small for the list')
    for (const { chunks, text } of slow) assert.deepEqual(await takeAll(chunks, text), expected)
    // A reader that disconnects in the middle leaves nothing behind.
    const left = await open()
    await left.next()
    await left.return(undefined)
    await takeAll(await open())
    assert.ok(held() <= room)
  } finally {
    await database.close()
  }
})
