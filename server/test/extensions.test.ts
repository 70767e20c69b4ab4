// Extensions of organizations (decisions §10): permissions, refusals, and the organization’s own public members.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import type { Permission } from '../src/core/scope.ts'
import { createKey } from '../src/features/keys/key-store.ts'
import { backwards } from './support/bodies.ts'
import type { Body } from './support/contract.ts'
import { extensionsPath, fullExtension, makeExtension } from './support/extensions.ts'
import { organizationNamed } from './support/organizations.ts'
import { assertProblem } from './support/problem.ts'
import { noId } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const organizationPath = '/v1/organization-api/organization'
const at = (id: string) => `${extensionsPath}/${id}`

const organization = () => organizationNamed(service, 'Chain')

test('an extension is created, read, changed and deleted, and every member is returned as it was sent', async () => {
  const { call } = await organization()
  const created = await call('POST', extensionsPath, fullExtension)
  assert.equal(created.status, 201)
  const { id, createdAt, updatedAt, surfaces, ...members } = created.body
  const { surfaces: sent, ...others } = fullExtension
  assert.deepEqual(members, others)
  assert.equal(createdAt, updatedAt)
  assert.match(surfaces[1].id, /^[0-9a-f]{24}$/)
  assert.deepEqual(surfaces, [sent[0], { ...sent[1], id: surfaces[1].id }])

  const read = await call('GET', at(id))
  assert.deepEqual([read.status, read.text], [200, created.text])
  assert.equal(read.headers.get('etag'), created.headers.get('etag'))

  for (const body of [created.body, backwards(created.body)]) {
    const same = await call('PATCH', at(id), body)
    assert.deepEqual(
      [same.status, same.text],
      [200, created.text],
      'what was read can be sent back, and changes nothing',
    )
  }
  const changed = await call('PATCH', at(id), { name: 'Cards', website: null, price: -1.25 })
  assert.equal(changed.status, 200)
  const { website, ...rest } = created.body
  assert.deepEqual(changed.body, { ...rest, name: 'Cards', price: -1.25, updatedAt: changed.body.updatedAt })
  assert.ok(changed.body.updatedAt > updatedAt)
  assert.deepEqual((await call('GET', at(id))).body, changed.body)

  const { status, body } = await call('DELETE', at(id))
  assert.deepEqual([status, body], [200, { statusCode: 200, message: 'The extension was deleted.', id }])
  for (const method of ['GET', 'PATCH', 'DELETE'])
    assertProblem(await call(method, at(id), method === 'PATCH' ? {} : undefined), 404, 'not_found')
})

test('an extension is a draft by default, and again when its status is cleared', async () => {
  const { call } = await organization()
  const { body } = await call('POST', extensionsPath, { name: 'a' })
  assert.equal(body.status, 'draft')
  assert.equal((await call('PATCH', at(body.id), { status: 'public' })).body.status, 'public')
  assert.equal((await call('PATCH', at(body.id), { status: null })).body.status, 'draft')
})

test('a URL is a URI in responses, whatever a browser would accept, and one that is a URI already is kept', async () => {
  const { call } = await organization()
  const company = await service.company()
  const ajv = new Ajv2020()
  ;(addFormats as unknown as FormatsPlugin)(ajv, { mode: 'full', formats: ['uri'] })
  for (const [sent, stored] of [
    ['https://example.com/My Logo.png', 'https://example.com/My%20Logo.png'],
    ['https://münchen.example/ä?ö=ü#a#b', 'https://xn--mnchen-3ya.example/%C3%A4?%C3%B6=%C3%BC#a%23b'],
    ['https://example.com/{id}?a[b]=|^"<>`', 'https://example.com/%7Bid%7D?a%5Bb%5D=%7C%5E%22%3C%3E%60'],
    ['https://exa\tmple.com/\n%zz\\x', 'https://example.com/%25zz/x'],
    ['https:///example.com', 'https://example.com/'],
    ['HTTPS://Example.com:8443?a=%20', 'HTTPS://Example.com:8443?a=%20'],
    ['http://[2606:4700::1111]/~a', 'http://[2606:4700::1111]/~a'],
    ['https://example.com/a b?', 'https://example.com/a%20b?'],
    ['https://example.com/ä?#', 'https://example.com/%C3%A4?#'],
  ] as const) {
    const members = { icon: sent, gallery: [sent], website: sent, surfaces: [{ id: 'till', url: sent }] }
    const { body } = await call('POST', extensionsPath, { name: 'Cards', ...members })
    const trigger = await company.call('POST', '/v1/automation-trigger', { triggerType: 'a', triggerUrl: sent })
    const { logo } = (await call('PATCH', organizationPath, { logo: sent })).body
    const urls = [body.icon, ...body.gallery, body.website, body.surfaces[0].url, trigger.body.triggerUrl, logo]
    assert.deepEqual(urls, Array(6).fill(stored))
    assert.ok(ajv.validate({ type: 'string', format: 'uri' }, stored), stored)
    const again = await company.call('PATCH', `/v1/automation-trigger/${trigger.body.id}`, { triggerUrl: sent })
    assert.equal(again.text, trigger.text, 'the same URL changes nothing')
  }
  // Calls of triggers take no user name.
  for (const [sent, stored] of [
    ['https://Ann:a%40b@example.com:443/a/../b?', 'https://Ann:a%40b@example.com:443/a/../b?'],
    ['https://ann@example.com/a b#', 'https://ann@example.com/a%20b#'],
  ] as const)
    assert.equal((await call('PATCH', organizationPath, { logo: sent })).body.logo, stored)
  for (const sent of ['https://{shop}.example.com/', 'https://ann%zz@example.com/']) {
    const refused = assertProblem(await call('PATCH', organizationPath, { logo: sent }), 400, 'validation_failed')
    assert.deepEqual([refused.errors[0].pointer, refused.errors[0].format], ['/logo', 'uri'])
  }
  const long = `https://example.com/${'ä'.repeat(400)}`
  const problem = assertProblem(
    await call('POST', extensionsPath, { name: 'Cards', icon: long }),
    400,
    'validation_failed',
  )
  assert.deepEqual([problem.errors[0].pointer, problem.errors[0].format], ['/icon', 'uri'])
})

test('an error names the wrong member, with a suggestion, and nothing is written', async () => {
  const { call } = await organization()
  const { id } = await makeExtension(call)
  const before = (await call('GET', at(id))).text
  const wrong: [Body, string, RegExp?][] = [
    [{ name: '' }, '/name'],
    [{ name: 7 }, '/name'],
    [{ name: ' \t\u00a0\n' }, '/name', /must contain at least one non-whitespace character/],
    [{ name: 'x'.repeat(501) }, '/name'],
    [{ name: 'a\u0000' }, '/name'],
    [{ staus: 'public' }, '/staus', /did you mean status/],
    [{ __proto__: null, organizationId: noId }, '/organizationId'],
    [{ constructor: 1 }, '/constructor'],
    [{ status: 'published' }, '/status', /draft, public, archived/],
    [{ status: 'PUBLIC' }, '/status'],
    [{ price: '9.50' }, '/price'],
    [{ gallery: 'https://example.com/1.png' }, '/gallery'],
    [{ gallery: Array(101).fill('https://example.com') }, '/gallery'],
    [{ surfaces: {} }, '/surfaces'],
    [{ surfaces: [1] }, '/surfaces/0'],
    [{ surfaces: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }, '/surfaces/2/id', /another surface/],
    [{ surfaces: [{ url: 'javascript:alert(1)' }] }, '/surfaces/0/url', /http or https/],
  ]
  const schemes = ['javascript:alert(1)', ' javascript:alert(1)', 'JaVaScRiPt://x', 'data:text/html,x', 'vbscript:x']
  const relative = ['/a.png', '//example.com/a.png', 'a.png', 'https://', 'http:/\\', 'ftp://a/b', 'file:///a', '']
  for (const url of [...schemes, ...relative]) {
    for (const member of ['icon', 'website']) wrong.push([{ [member]: url }, `/${member}`, /http or https/])
    wrong.push([{ gallery: ['https://example.com', url] }, '/gallery/1', /http or https/])
  }
  for (const [body, pointer, words = /./] of wrong) {
    const named = { name: 'a', ...body }
    for (const reply of [await call('PATCH', at(id), body), await call('POST', extensionsPath, named)]) {
      const { errors } = assertProblem(reply, 400, 'validation_failed', JSON.stringify(body))
      assert.equal(errors[0].pointer, pointer)
      assert.match(errors[0].message, words)
    }
  }
  const { errors } = assertProblem(await call('POST', extensionsPath, {}), 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/name', 'required'])
  assertProblem(await call('PATCH', at(id), { name: null }), 400, 'validation_failed')
  const long = { description: 'd'.repeat(100_000), shortDescription: 's'.repeat(100_000) }
  const surfaces = [{ url: 'https://example.com', more: 'm'.repeat(100_000) }]
  assertProblem(await call('PATCH', at(id), { ...long, surfaces }), 413, 'payload_too_large')
  assert.equal((await call('GET', at(id))).text, before)
  assert.equal((await call('GET', extensionsPath)).body.meta.count, 1)
})

test('HTML and hostile text in names and descriptions are stored as plain text', async () => {
  const { call } = await organization()
  for (const text of [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; drop table extensions; --",
    '%_\\',
    '\u202egnp.exe',
    '😀 Ünï\n\t',
    '</script><!--',
    '{{7*7}} <%= 7 %>',
  ]) {
    const { id } = await makeExtension(call, { name: text, description: text, surfaces: [{ id: text, note: text }] })
    const { body } = await call('GET', at(id))
    assert.deepEqual([body.name, body.description, body.surfaces], [text, text, [{ id: text, note: text }]])
    const shown = (await service.caller()('GET', `/v1/public/published-extension/${id}`)).body
    assert.deepEqual([shown.name, shown.description], [text, text])
    const found = await call('GET', `${extensionsPath}?search=${encodeURIComponent(text)}`)
    assert.ok(
      found.body.data.some((one: Body) => one.id === id),
      text,
    )
  }
})

test('another organization’s extension is not found, and stays unchanged', async () => {
  const own = await organization()
  const other = await organization()
  const { id } = await makeExtension(own.call)
  const before = (await own.call('GET', at(id))).text
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { name: 'mine' } : undefined
    for (const headers of [undefined, { 'if-match': '*' }]) {
      if (headers && method === 'GET') continue
      const theirs = assertProblem(await other.call(method, at(id), body, headers), 404, 'not_found')
      const none = assertProblem(await other.call(method, at(noId), body, headers), 404, 'not_found')
      assert.equal(theirs.message.replace(id, noId), none.message)
    }
  }
  for (const odd of ['x', `${id}0`, id.toUpperCase(), '%00', `${id}%00`, '..%2f'])
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assertProblem(await own.call(method, at(odd), method === 'PATCH' ? {} : undefined), 404, 'not_found')
  assert.deepEqual((await other.call('GET', extensionsPath)).body, {
    data: [],
    meta: { count: 0, skip: 0, limit: 100 },
  })
  assert.equal((await own.call('GET', at(id))).text, before)
})

test('a key of an organization needs the permission of the verb here too', async () => {
  const { id: organizationId, call } = await organization()
  const { id } = await makeExtension(call)
  const needed: [string, string, Permission][] = [
    ['GET', extensionsPath, 'read'],
    ['GET', organizationPath, 'read'],
    ['POST', extensionsPath, 'create'],
    ['PATCH', at(id), 'update'],
    ['PATCH', organizationPath, 'update'],
    ['DELETE', at(id), 'delete'],
  ]
  for (const permission of ['read', 'create', 'update', 'delete'] as const) {
    const { value } = await createKey(service.database, { organizationId }, { name: 'a', permissions: [permission] })
    const only = service.caller({ 'x-org-api-key': value })
    for (const [method, path, wanted] of needed) {
      const reply = await only(method, path, method === 'POST' || method === 'PATCH' ? { name: 'b' } : undefined)
      if (wanted === permission) assert.ok(reply.status < 300, reply.text)
      else assertProblem(reply, 403, 'permission_denied')
    }
  }
})

test('If-Match binds a change and a deletion to the version that was read, and If-None-Match saves a read', async () => {
  const { call } = await organization()
  const { id } = await makeExtension(call)
  const etag = (await call('GET', at(id))).headers.get('etag') as string
  assert.equal((await call('GET', at(id), undefined, { 'if-none-match': etag })).status, 304)
  const first = await call('PATCH', at(id), { name: 'b' }, { 'if-match': etag })
  assert.equal(first.status, 200)
  assertProblem(await call('PATCH', at(id), { name: 'c' }, { 'if-match': etag }), 412, 'version_mismatch')
  assertProblem(await call('DELETE', at(id), undefined, { 'if-match': etag }), 412, 'version_mismatch')
  const now = first.headers.get('etag') as string
  const both = ['c', 'd'].map((name) => call('PATCH', at(id), { name }, { 'if-match': now }))
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 412])
  const own = (await call('GET', organizationPath)).headers.get('etag') as string
  assert.equal((await call('PATCH', organizationPath, { name: 'x' }, { 'if-match': own })).status, 200)
  assertProblem(await call('PATCH', organizationPath, { name: 'y' }, { 'if-match': own }), 412, 'version_mismatch')
  assert.equal((await call('DELETE', at(id), undefined, { 'if-match': '*' })).status, 200)
})

test('under an Idempotency-Key an extension is created once and changed once, and the key belongs to its organization', async () => {
  const own = await organization()
  const other = await organization()
  const key = { 'idempotency-key': 'one' }
  const first = await own.call('POST', extensionsPath, { name: 'a' }, key)
  const again = await own.call('POST', extensionsPath, { name: 'a' }, key)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('etag'), first.headers.get('etag'))
  assertProblem(await own.call('POST', extensionsPath, { name: 'b' }, key), 422, 'idempotency_conflict')
  assert.notEqual((await other.call('POST', extensionsPath, { name: 'a' }, key)).body.id, first.body.id)
  const change = { 'idempotency-key': 'two' }
  const changed = await own.call('PATCH', at(first.body.id), { name: 'b' }, change)
  await own.call('PATCH', at(first.body.id), { name: 'c' })
  assert.equal((await own.call('PATCH', at(first.body.id), { name: 'b' }, change)).text, changed.text)
  assert.equal((await own.call('GET', at(first.body.id))).body.name, 'c')
  assert.equal((await own.call('GET', extensionsPath)).body.meta.count, 1)
})

test('twenty concurrent creates under one key create one extension; twenty concurrent changes are all made', async () => {
  const { call } = await organization()
  const many = <T>(of: (n: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, n) => of(n)))
  const made = await many(() =>
    call('POST', extensionsPath, { name: 'a', status: 'public' }, { 'idempotency-key': 'k' }),
  )
  for (const { status } of made) assert.ok([201, 409].includes(status))
  const { data, meta } = (await call('GET', extensionsPath)).body
  assert.equal(meta.count, 1)
  const members = ['description', 'shortDescription', 'category', 'price', 'website']
  const values = (n: number) => [`d${n}`, `s${n}`, `c${n}`, n, `https://example.com/${n}`]
  const changed = await many((n) => call('PATCH', at(data[0].id), { [members[n % 5] as string]: values(n)[n % 5] }))
  for (const { status } of changed) assert.equal(status, 200)
  const { body } = await call('GET', at(data[0].id))
  for (const member of members) assert.notEqual(body[member], undefined, member)
})

test('the list has pages, a cursor and an exact count, and filters by status, category and part of a text', async () => {
  const { call } = await organization()
  const made: Body[] = []
  for (let n = 0; n < 7; n++)
    made.push(
      await makeExtension(call, {
        name: `Ext ${n} ${'ÄÖ'[n % 2]}ffnung`,
        status: ['draft', 'public', 'archived'][n % 3],
        category: n < 4 ? 'pay' : 'ship',
        ...(n === 5 && { description: `${'long '.repeat(600)}Needle` }),
        ...(n === 6 && { shortDescription: 'A 100% needle_case' }),
      }),
    )
  const ids = (body: Body) => body.data.map(({ id }: Body) => made.findIndex((one) => one.id === id))
  const list = async (query: string) => (await call('GET', `${extensionsPath}?${query}`)).body
  assert.deepEqual((await list('')).data, made)
  assert.deepEqual((await list('')).meta, { count: 7, skip: 0, limit: 100 })
  assert.equal((await list('limit=0')).meta.limit, 100)
  const page = await list('skip=2&limit=2')
  assert.deepEqual([ids(page), page.meta.count], [[2, 3], 7])
  assert.deepEqual((await list('skip=50')).meta.count, 7)
  const walked: number[] = []
  for (let cursor = ''; ; ) {
    const { data, meta } = await list(`limit=3${cursor}`)
    walked.push(...ids({ data }))
    assert.equal(meta.count, cursor === '' ? 7 : undefined)
    if (meta.nextCursor === undefined) break
    cursor = `&cursor=${meta.nextCursor}`
  }
  assert.deepEqual(walked, [0, 1, 2, 3, 4, 5, 6])
  const { nextCursor } = (await list('limit=3')).meta
  assert.equal((await list(`limit=3&count=true&cursor=${nextCursor}`)).meta.count, 7)
  assert.deepEqual(ids(await list('status=public')), [1, 4])
  assert.deepEqual(ids(await list('category=ship&status=archived')), [5])
  assert.deepEqual(ids(await list(`search=${encodeURIComponent('öff')}`)), [1, 3, 5])
  assert.deepEqual(ids(await list('search=NEEDLE')), [5, 6], 'a long text is searched to its end')
  assert.deepEqual(ids(await list('search=100%25+n')), [6])
  assert.deepEqual(ids(await list('search=e_c')), [6])
  assert.deepEqual(ids(await list('search=_')), [6])
  assert.equal((await list('search=&category=')).meta.count, (await list('')).meta.count)
  for (const query of ['status=open', 'limit=1001', 'skip=-1', 'sortBy=name', 'cursor=x'])
    assertProblem(await call('GET', `${extensionsPath}?${query}`), 400, 'validation_failed', query)
})

test('an invalid cursor is refused, whatever it contains', async () => {
  const { id, call } = await organization()
  await makeExtension(call)
  const time = '2026-11-21T09:30:00.000Z'
  const lists = [
    {
      path: extensionsPath,
      by: 'createdAt',
      wrong: [
        ['zzz', id],
        ['', id],
        ['\u0000', id],
        ['\\ud800', id],
      ],
    },
    {
      path: '/v1/organization-api/plans',
      by: 'name',
      wrong: [
        ['\u0000', id],
        ['\\ud800', id],
      ],
    },
  ]
  for (const { path, by, wrong } of lists)
    for (const [value, last] of [...wrong, [time, 'zzz'], [time, `${id}\u0000`], [time, '\\ud800'], [time, '']]) {
      // A lone surrogate is not valid UTF-8, but JSON can escape it.
      const text = JSON.stringify([by, 'asc', value, last]).replaceAll('\\\\', '\\')
      const cursor = Buffer.from(text).toString('base64url')
      const { errors } = assertProblem(
        await call('GET', `${path}?sortBy=${by}&cursor=${cursor}`.replace('sortBy=createdAt&', '')),
        400,
        'validation_failed',
        text,
      )
      assert.equal(errors[0].pointer, 'cursor')
    }
})
