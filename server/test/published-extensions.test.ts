// The published list (pos-api.md "Public endpoints"): its content, its order, its pages and filters, and each extension alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { extensionsPath, fullExtension, makeExtension } from './support/extensions.ts'
import { assertProblem } from './support/problem.ts'
import { listPath, names, onePath, organizationPath, publishedOn } from './support/published-extensions.ts'
import { noId } from './support/routes.ts'
import { testService } from './support/service.ts'

// The list is that of a whole database: these tests have one.
const service = testService()
const { get, organization, clear } = publishedOn(service)

test('the list shows every public extension with its organization, to any caller with any key, and no other', async () => {
  await clear()
  const { id, key, call } = await organization('Shown <i>')
  await call('PATCH', organizationPath, { logo: 'https://example.com/l.png' })
  const { surfaces, ...members } = await makeExtension(call)
  // Further members of a surface are not published.
  const shown = { ...members, surfaces: surfaces.map(({ width: _, ...surface }: Body) => surface) }
  for (const status of ['draft', 'archived']) await makeExtension(call, { name: 'hidden', status })
  const offerer = { id, name: 'Shown <i>', logo: 'https://example.com/l.png', organization_alias: 'shown-i' }
  for (const headers of [{}, { 'x-api-key': 'x' }, { 'x-org-api-key': key, 'x-api-key': key }]) {
    const reply = await get(listPath, headers)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, [{ ...shown, organization: offerer }])
    assert.equal(reply.headers.get('x-total-count'), '1')
    assert.equal(reply.headers.get('cache-control'), 'no-cache')
  }
})

test('the list is ordered by the organization’s name, then the extension’s, ignoring case, with umlauts beside their letters', async () => {
  await clear()
  const organizations = ['beta', 'Alpha', 'Ängström', 'Zulu', 'ALPHA', 'Österreich', 'omega', '"quoted"', '東京', 'ab']
  const extensions = ['b', 'A', 'ä', 'Z', 'É', 'e', 'f', 'straße', 'STRASSEN', '10', '9', 'equal', 'Equal']
  for (const name of organizations) {
    const { call } = await organization(name)
    for (const extension of extensions) await makeExtension(call, { name: extension })
  }
  const { body } = await get(listPath)
  assert.equal(body.length, organizations.length * extensions.length)
  const one = body.filter((item: Body) => item.organization.name === 'beta').map(({ name }: Body) => name)
  const isEqual = (name: string) => (/^equal$/i.test(name) ? 'equal' : name)
  assert.deepEqual(
    one.map(isEqual),
    ['10', '9', 'A', 'ä', 'b', 'e', 'É', 'equal', 'equal', 'f', 'straße', 'STRASSEN', 'Z'].map(isEqual),
  )
  const order = [...new Set(body.map(({ organization }: Body) => organization.name.toUpperCase()))]
  assert.deepEqual(order, ['"QUOTED"', 'AB', 'ALPHA', 'ÄNGSTRÖM', 'BETA', 'OMEGA', 'ÖSTERREICH', 'ZULU', '東京'])
  const twins = body.filter(({ organization }: Body) => organization.name.toUpperCase() === 'ALPHA')
  const upper = twins.map(({ name }: Body) => name.toUpperCase())
  // Two organizations with one name: their extensions are mixed.
  for (let n = 0; n < upper.length; n += 2) if (upper[n] !== 'EQUAL') assert.equal(upper[n], upper[n + 1])
  const equal = twins.filter(({ name }: Body) => /^equal$/i.test(name)).map(({ id }: Body) => id)
  assert.deepEqual(equal, equal.toSorted())
  const walked: Body[] = []
  for (let skip = 0; skip < body.length; skip += 7) walked.push(...(await get(`${listPath}?skip=${skip}&limit=7`)).body)
  assert.deepEqual(walked, body, 'pages are parts of the same order')
})

test('names of maximum length are accepted and ordered', async () => {
  await clear()
  for (const letter of ['ﬃ', '𝔸', 'ΐ']) {
    const { call } = await organization(letter.repeat(500 / letter.length))
    for (let n = 0; n < 2; n++) await makeExtension(call, { name: letter.repeat(500 / letter.length) })
  }
  assert.equal((await get(listPath)).body.length, 6)
})

test('pages, filters and counts are correct, and invalid parameters are refused', async () => {
  await clear()
  const a = await organization('Filter A')
  const b = await organization('Filter B')
  for (let n = 0; n < 5; n++) {
    await makeExtension(a.call, { name: `a${n}`, category: n % 2 ? 'odd' : 'even' })
    await makeExtension(b.call, { name: `b${n}`, category: 'odd', description: n === 3 ? 'Über 50% Rabatt' : 'x' })
  }
  await makeExtension(b.call, { name: 'Rabatt', status: 'draft' })
  const list = async (query: string) => {
    const reply = await get(`${listPath}?${query}`)
    assert.equal(reply.status, 200, reply.text)
    return [names(reply).join(' '), Number(reply.headers.get('x-total-count')), reply.headers.get('link')]
  }
  const link = (skip: number, limit: number, relation: string) =>
    `<${listPath}?skip=${skip}&limit=${limit}>; rel="${relation}"`
  assert.deepEqual(await list('skip=4&limit=2'), [
    'a4 b0',
    10,
    [link(0, 2, 'first'), link(2, 2, 'prev'), link(6, 2, 'next')].join(', '),
  ])
  assert.deepEqual((await list('limit=0')).slice(0, 2), ['a0 a1 a2 a3 a4 b0 b1 b2 b3 b4', 10])
  assert.deepEqual((await list('skip=8')).slice(0, 2), ['b3 b4', 10])
  assert.deepEqual((await list('skip=80')).slice(0, 2), ['', 10])
  assert.deepEqual((await list('category=odd')).slice(0, 2), ['a1 a3 b0 b1 b2 b3 b4', 7])
  assert.deepEqual((await list('category=odd&limit=2&skip=1')).slice(0, 2), ['a3 b0', 7])
  assert.deepEqual((await list('organizationAlias=filter-a')).slice(0, 2), ['a0 a1 a2 a3 a4', 5])
  assert.deepEqual((await list('organizationAlias=nobody')).slice(0, 2), ['', 0])
  assert.deepEqual((await list(`search=${encodeURIComponent('über 50%')}`)).slice(0, 2), ['b3', 1])
  assert.deepEqual((await list('search=RABATT&organizationAlias=filter-b')).slice(0, 2), ['b3', 1])
  for (const query of [
    'limit=1001',
    'limit=-1',
    'skip=x',
    'skip=-1',
    'status=draft',
    'search=ab',
    'search=---',
    'search=a--',
    `search=${encodeURIComponent('😀😀')}`,
    'Category=a',
    'cursor=a',
  ])
    assertProblem(await get(`${listPath}?${query}`), 400, 'validation_failed', query)
})

test('one public extension is returned with its organization and all its surfaces; any other is 404', async () => {
  const { id: organizationId, call } = await organization('Resolver')
  const { id, surfaces, ...members } = await makeExtension(call)
  const reply = await get(onePath(id))
  const offerer = { id: organizationId, name: 'Resolver', organization_alias: 'resolver' }
  const plainSurfaces = surfaces.map(({ width: _, ...surface }: Body) => surface)
  assert.deepEqual(reply.body, { id, ...members, surfaces: plainSurfaces, organization: offerer })
  const etag = reply.headers.get('etag') as string
  assert.equal((await get(onePath(id), { 'if-none-match': etag })).status, 304)
  const bare = { surfaces: [{ id: 'a' }, { id: 'b', platform: 'ios', url: 'https://example.com/b', x: 1 }] }
  await call('PATCH', `${extensionsPath}/${id}`, bare)
  assert.deepEqual((await get(onePath(id), { 'if-none-match': etag })).body.surfaces, [
    { id: 'a', platform: 'all', type: 'link', url: fullExtension.website },
    { id: 'b', platform: 'ios', type: 'link', url: 'https://example.com/b' },
  ])
  await call('PATCH', `${extensionsPath}/${id}`, { website: null })
  assert.deepEqual(
    (await get(onePath(id))).body.surfaces.map(({ id }: Body) => id),
    ['b'],
  )
  const { id: plain } = await makeExtension(call, { name: 'plain' })
  assert.deepEqual((await get(onePath(plain))).body.surfaces, [])
  for (const status of ['draft', 'archived']) {
    await call('PATCH', `${extensionsPath}/${id}`, { status })
    const hidden = assertProblem(await get(onePath(id)), 404, 'not_found')
    const none = assertProblem(await get(onePath(noId)), 404, 'not_found')
    assert.equal(hidden.message.replace(id, noId), none.message)
  }
  for (const odd of ['x', '%00', `${plain}0`, "' or 1=1"])
    assertProblem(await get(onePath(encodeURIComponent(odd))), 404)
})

test('an invalid id is 404, whatever it contains, and affects no concurrent reader', async () => {
  const { call } = await organization('Beside nonsense')
  const { id } = await makeExtension(call, { name: 'good' })
  for (let n = 0; n < 5; n++) {
    const odd = ['%00', 'a%00b', `${id}%00`, 'x', id.toUpperCase()].map((text) => get(onePath(text)))
    const good = Array.from({ length: 10 }, () => get(onePath(id)))
    for (const reply of await Promise.all(odd)) assertProblem(reply, 404, 'not_found')
    for (const { status } of await Promise.all(good)) assert.equal(status, 200)
  }
})

test('unchecked members of a surface are stored for its organization, and not published', async () => {
  await clear()
  const { call } = await organization('Odd surfaces')
  const surface =
    '{"id":"a","href":"javascript:1","__proto__":{"url":"javascript:2"},"constructor":1,"url":"https://a.b"}'
  const name = '\\"surfaces\\":[{'
  const made = await call('POST', extensionsPath, `{"name":"${name}","status":"public","surfaces":[${surface}]}`)
  assert.equal(made.status, 201, made.text)
  assert.ok(made.text.includes(surface))
  await makeExtension(call, { name: 'without "surfaces":[{', description: '"surfaces":[{' })
  const list = await get(listPath)
  assert.deepEqual(
    list.body.map(({ surfaces }: Body) => surfaces),
    [[{ id: 'a', url: 'https://a.b' }], undefined],
  )
  const one = await get(onePath(made.body.id))
  assert.deepEqual(one.body.surfaces, [{ id: 'a', platform: 'all', type: 'link', url: 'https://a.b' }])
  for (const { text } of [list, await get(`${listPath}?limit=9`), one])
    assert.doesNotMatch(text, /javascript|__proto__/)
})
