// An idempotency key and its request: a key belongs to one company and one request, its response is repeated as it was and stored without plain secrets, and an error leaves it free.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintOf } from '../src/http/idempotency.ts'
import { sealOf } from '../src/seal.ts'
import { newReference } from './support/bodies.ts'
import { assertReplay, isReplay, secondServerOf, under } from './support/idempotency.ts'
import { assertProblem } from './support/problem.ts'
import { raw } from './support/raw.ts'
import { type Caller, sharedService, testSettings } from './support/service.ts'

const service = sharedService()
const atSecond = secondServerOf(service)

test('a key is bound to path and to the JSON value of the body, whatever the order of its members and its white space', async () => {
  const { call } = await service.company()
  const body = { firstName: 'Ann', billing: { city: 'Bonn', country: 'DE' }, tags: ['a', 'b'], totalSpent: '10.00' }
  const first = await call('POST', '/v1/customer', body, under('k'))
  const turned =
    '{ "totalSpent": "10.00",\n"tags":["a","b"], "billing": {"country":"DE","city":"Bonn"}, "firstName": "\\u0041nn" }'
  assertReplay(await call('POST', '/v1/customer', turned, under('k')), first)
  for (const other of [
    { ...body, tags: ['b', 'a'] },
    { ...body, totalSpent: '10.0' },
    { ...body, lastName: null },
    { firstName: 'Ann' },
  ])
    assertProblem(await call('POST', '/v1/customer', other, under('k')), 422, 'idempotency_conflict')
  assertProblem(await call('POST', '/v1/api/customer', body, under('k')), 422, 'idempotency_conflict')
  assertProblem(await call('POST', '/v1/api/customers', body, under('k')), 422, 'idempotency_conflict')
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
})

test('a body with lossy values is different from the body without what they lose', async () => {
  const { call } = await service.company()
  const pairs = [
    ['{"items":[{"firstName":"b"}]}', '{"items":[{"firstName":"a","firstName":"b"}]}'],
    ['[{"notes":[12345678901234567000]}]', '[{"notes":[12345678901234567001]}]'],
  ]
  for (const [whole, lossy] of pairs)
    for (const [key, first, other] of [
      ['whole', whole, lossy],
      ['lossy', lossy, whole],
    ]) {
      const own = under(`${key} ${whole}`)
      const done = await call('POST', '/v1/customers', first, own)
      assert.equal(done.status, 200, done.text)
      assertProblem(await call('POST', '/v1/customers', other, own), 422, 'idempotency_conflict')
      assertReplay(await call('POST', '/v1/customers', first, own), done)
    }
})

test('a key belongs to a company: another company’s is a different one, and all API keys of the company share it', async () => {
  const one = await service.company()
  const two = await service.company()
  const body = { firstName: 'Ann' }
  const first = await one.call('POST', '/v1/customer', body, under('shared'))
  const theirs = await two.call('POST', '/v1/customer', body, under('shared'))
  assert.deepEqual([theirs.status, isReplay(theirs)], [201, false])
  assert.notEqual(theirs.body.id, first.body.id)
  const { call } = await service.keyFor(one.id)
  assertReplay(await call('POST', '/v1/customer', body, under('shared')), first)
  const { call: reader } = await service.keyFor(one.id, ['read'])
  assertProblem(await reader('POST', '/v1/customer', body, under('shared')), 403, 'permission_denied')
})

test('an error is not stored: the key may be used again, for other work too', async () => {
  const { call } = await service.company()
  const pair = { variantId: newReference(), outletId: newReference() }
  await call('POST', '/v1/inventory', pair)
  const wrong: [string, string, unknown, number, Record<string, string>?][] = [
    ['POST', '/v1/customer', { emial: 'a@b.example' }, 400],
    ['POST', '/v1/customer', '{', 400],
    ['PATCH', `/v1/customer/${'0'.repeat(24)}`, { firstName: 'x' }, 404],
    ['POST', '/v1/inventory', pair, 409],
    ['POST', '/v1/customers', { items: [] }, 400],
    ['POST', '/v1/customer', Array.from({ length: 3 }, () => 1), 400],
    ['POST', '/v1/customer', { notes: ['a', 'b', 'c'].map((n) => n.repeat(1_000_000)), firstName: 'Big' }, 413],
  ]
  for (const [method, path, body, status] of wrong)
    for (let n = 0; n < 2; n++) assert.equal((await call(method, path, body, under('k'))).status, status)
  const { body: customer, headers } = await call('POST', '/v1/customer', { firstName: 'Ann' })
  const stale = { ...under('k'), 'if-match': '"another"' }
  assert.equal((await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'x' }, stale)).status, 412)
  const fresh = { ...under('k'), 'if-match': headers.get('etag') as string }
  const done = await call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'x' }, fresh)
  assert.deepEqual([done.status, isReplay(done)], [200, false])
})

test('a replay is the first response even if the record was changed and deleted since, and has another version', async () => {
  const { call } = await service.company()
  const first = await call('POST', '/v1/product', { name: 'Cup' }, under('create'))
  const { id } = first.body
  const headers = { ...under('update'), 'if-match': first.headers.get('etag') as string }
  const update = await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers)
  assert.equal(update.status, 200, update.text)
  assertReplay(await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers), update)
  const many = await call(
    'PATCH',
    '/v1/products',
    [{ id, sku: 'MUG', ifMatch: update.headers.get('etag') }],
    under('many'),
  )
  assert.equal(many.body.summary.succeeded, 1, many.text)
  assert.equal((await call('DELETE', `/v1/product/${id}`)).status, 200)
  assertReplay(await call('POST', '/v1/product', { name: 'Cup' }, under('create')), first)
  assertReplay(await call('PATCH', `/v1/product/${id}`, { name: 'Mug' }, headers), update)
  const again = await call(
    'PATCH',
    '/v1/products',
    [{ id, sku: 'MUG', ifMatch: update.headers.get('etag') }],
    under('many'),
  )
  assertReplay(again, many)
  assertProblem(await call('GET', `/v1/product/${id}`), 404, 'not_found')
})

test('an update that changes nothing keeps its response too: repeated after a change it does not undo that', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  const first = await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }, under('k'))
  await call('PATCH', `/v1/customer/${id}`, { firstName: 'Bea' })
  assertReplay(await call('PATCH', `/v1/customer/${id}`, { firstName: 'Ann' }, under('k')), first)
  assert.equal((await call('GET', `/v1/customer/${id}`)).body.firstName, 'Bea')
})

test('stock that is sent with a variant is written once under a key', async () => {
  const company = await service.company()
  const outletId = newReference()
  const body = { productId: newReference(), inventory: [{ outletId, stock: 5 }] }
  const first = await company.call('POST', '/v1/variant', body, under('create'))
  const { id } = first.body
  const more = await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 7 }] }, under('more'))
  await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 9 }] })
  assertReplay(await company.call('POST', '/v1/variant', body, under('create')), first)
  const again = await company.call('PATCH', `/v1/variant/${id}`, { inventory: [{ outletId, stock: 7 }] }, under('more'))
  assertReplay(again, more)
  assert.deepEqual((await company.call('GET', `/v1/variant/${id}`)).body.inventory, [{ outletId, stock: 9 }])
})

test('a bulk request under a key is one transaction with its response: failed items stay failed, and are not retried', async () => {
  const company = await service.company()
  const pair = { variantId: newReference(), outletId: newReference() }
  const taken = (await company.call('POST', '/v1/inventory', pair)).body
  const items = [{ variantId: newReference(), outletId: newReference(), clientRef: 'a' }, pair, { nonsense: 1 }]
  const first = await company.call('POST', '/v1/inventories', { items }, under('k'))
  assert.deepEqual(first.body.summary, { total: 3, succeeded: 1, failed: 2 })
  await company.call('DELETE', `/v1/inventory/${taken.id}`)
  assertReplay(await company.call('POST', '/v1/inventories', { items }, under('k')), first)
  assertProblem(await company.call('POST', '/v1/inventories', items, under('k')), 422, 'idempotency_conflict')
})

test('a key that is empty, longer than 255 characters, not printable ASCII, or sent twice is 400 and names the header', async () => {
  const { call, key } = await service.company()
  const bad = ['', 'x'.repeat(256), 'a\tb', 'schlüssel'.normalize('NFC')]
  for (const value of bad)
    for (const [method, path] of [
      ['POST', '/v1/customer'],
      ['POST', '/v1/customers'],
      ['PATCH', `/v1/customer/${'0'.repeat(24)}`],
    ] as const) {
      const { errors } = assertProblem(
        await call(method, path, { firstName: 'x' }, under(value)),
        400,
        'validation_failed',
      )
      assert.deepEqual([errors[0].in, errors[0].pointer], ['header', 'idempotency-key'])
    }
  const head = `POST /v1/customer HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n`
  const twice = await raw(service.url, `${head}idempotency-key: a\r\nidempotency-key: b\r\n\r\n{}`)
  assertProblem(twice, 400, 'validation_failed')
  const longest = under(`${'~ '.repeat(127)}!`)
  const first = await call('POST', '/v1/customer', { firstName: 'x' }, longest)
  assertReplay(await call('POST', '/v1/customer', { firstName: 'x' }, longest), first)
})

test('reads and deletes ignore keys: each is done whenever it is sent', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/product', { name: 'Cup' }, under('k'))).body
  for (const bad of ['k', '']) assert.equal((await call('GET', `/v1/product/${id}`, undefined, under(bad))).status, 200)
  assert.equal((await call('DELETE', `/v1/product/${id}`, undefined, under('k'))).status, 200)
  assert.equal((await call('DELETE', `/v1/product/${id}`, undefined, under('k'))).status, 404)
})

test('a response that contains a secret is stored encrypted, and can be decrypted only for its own key', async () => {
  const company = await service.company()
  const apiKey = `whsec_${newReference()}`
  const body = { triggerType: '*', triggerUrl: 'https://hooks.example.com/x', apiKey }
  const first = await company.call('POST', '/v1/automation-trigger', body, under('one'))
  const many = await company.call('POST', '/v1/automation-triggers', [body], under('many'))
  const kept = await service.database.query('select key, answer from idempotency_keys where owner_id = $1', [
    company.id,
  ])
  assert.equal(kept.length, 2)
  for (const [, answer] of kept) assert.ok(answer.startsWith('sealed:') && !answer.includes(apiKey))
  assertReplay(await company.call('POST', '/v1/automation-trigger', body, under('one')), first)
  assertReplay(await company.call('POST', '/v1/automation-triggers', [body], under('many')), many)
  const seal = sealOf(testSettings.secretKeys)
  assert.equal(
    seal.open(kept[0]?.[1], `${company.id} ${kept[0]?.[0]}`),
    kept[0]?.[0] === 'one' ? first.text : many.text,
  )
  assert.throws(() => seal.open(kept[0]?.[1], `${company.id} other`))
  assert.throws(() => sealOf([`${testSettings.secretKeys[0]}!`]).open(kept[0]?.[1], `${company.id} ${kept[0]?.[0]}`))
})

test('a key is bound to the query: with another one it is refused', async () => {
  const company = await service.company()
  const { call } = company
  const body = { stationId: newReference() }
  const open = (search: string, key: string, from: Caller = call) => from('POST', `/v1/session${search}`, body, under(key)) // biome-ignore format: one thought
  const plain = await open('', 'plain')
  const taking = await open('?takeOver=true', 'taking')
  assert.deepEqual([plain.status, taking.status], [201, 201])
  for (const from of [call, await atSecond(company)]) {
    assertReplay(await open('', 'plain', from), plain)
    assertReplay(await open('?_=1', 'plain', from), plain)
    assertReplay(await open('?_=2&takeOver=true', 'taking', from), taking)
    for (const [search, key] of [['?takeOver=true', 'plain'], ['', 'taking'], ['?takeOver=false', 'taking']] as const) // biome-ignore format: one thought
      assertProblem(await open(search, key, from), 422, 'idempotency_conflict')
  }
  const many = under('many')
  const changed = under('changed')
  const list = await call('POST', '/v1/sessions?takeOver=true', [body], many)
  assertReplay(await call('POST', '/v1/sessions?takeOver=true', [body], many), list)
  assertProblem(await call('POST', '/v1/sessions', [body], many), 422, 'idempotency_conflict')
  const one = `/v1/session/${plain.body.id}`
  const change = await call('PATCH', one, { openingNote: 'Noon' }, changed)
  assertReplay(await call('PATCH', one, { openingNote: 'Noon' }, changed), change)
  assertProblem(
    await call('PATCH', `${one}?takeOver=true`, { openingNote: 'Noon' }, changed),
    422,
    'idempotency_conflict',
  )
})

test('the fingerprint of a request with a secret is stored encrypted, so that a reader of the database cannot test guesses', async () => {
  const { id, call } = await service.company()
  const path = '/v1/automation-trigger'
  const guess = 'summer2026'
  const { key } = (await call('GET', '/v1/whoami')).body
  const made = { triggerType: '*', triggerUrl: 'https://hooks.example.com/x', apiKey: guess }
  const first = await call('POST', path, made, under('made'))
  const one = `${path}/${first.body.id}`
  const sent = [
    ['POST', path, made, 'made'],
    ['PATCH', one, { apiKey: guess }, 'changed'],
    ['POST', `${path}s`, [made], 'many'],
  ] as const
  for (const [method, path, body, key] of sent.slice(1)) await call(method, path, body, under(key))
  const kept = await service.database.query('select fingerprint from idempotency_keys where owner_id = $1', [id])
  assert.equal(kept.length, sent.length)
  const guessed = sent.map(([method, path, body]) => fingerprintOf(method, path, body, [], key.id))
  for (const [fingerprint] of kept) {
    assert.ok(fingerprint.startsWith('sealed:'), fingerprint)
    assert.ok(!guessed.includes(fingerprint))
  }
  for (const [method, path, body, key] of sent) assert.ok(isReplay(await call(method, path, body, under(key))))
  for (const [method, path, , key] of sent)
    assertProblem(await call(method, path, { ...made, apiKey: 'winter2026' }, under(key)), 422, 'idempotency_conflict')
})

test('a response that was not encrypted is returned as stored, whatever JSON it is', async () => {
  const { id, call } = await service.company()
  for (const [n, answer] of ['"sealed"', 'true', '12', 'null', ' {"a": 1}'].entries()) {
    await call('POST', '/v1/customer', { firstName: 'Ann' }, under(`key ${n}`))
    const change = 'update idempotency_keys set answer = $3 where owner_id = $1 and key = $2'
    await service.database.query(change, [id, `key ${n}`, answer])
    const { status, text } = await call('POST', '/v1/customer', { firstName: 'Ann' }, under(`key ${n}`))
    assert.deepEqual([status, text], [201, answer])
  }
})
