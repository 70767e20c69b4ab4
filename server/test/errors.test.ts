// Errors as callers see them (decisions §11): one shape, a code for programs, a sentence for people, and the pointer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../src/core/problem.ts'
import { type Body, contractOf, contracts } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { rawText } from './support/raw.ts'
import { noId } from './support/routes.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

const pointers = ({ errors }: Body): string[] => errors.map(({ pointer }: Body) => pointer)

test('each kind of refusal has its status and its code, in one shape', async () => {
  const { id, key, call } = await service.company()
  const reader = await service.keyFor(id, ['read'])
  const { body: outlet } = await call('POST', '/v1/inventory', { variantId: 'v', outletId: 'o' })
  assert.equal(outlet.stock, 0)
  const both = { 'x-api-key': key, 'x-org-api-key': service.organizationKey }
  const ids = { items: [{ id: noId }, { id: noId }] }
  const cases: [status: number, code: string, reply: ReturnType<Caller>][] = [
    [400, 'validation_failed', call('POST', '/v1/product', {})],
    [400, 'validation_failed', call('GET', '/v1/products?limit=many')],
    [400, 'malformed_body', call('POST', '/v1/product', '{')],
    [400, 'malformed_body', call('POST', '/v1/product')],
    [400, 'too_many_items', call('POST', '/v1/products', { items: Array(1001).fill({ name: 'a' }) })],
    [400, 'conflicting_credentials', service.caller(both)('GET', '/v1/products')],
    [401, 'missing_key', service.caller()('GET', '/v1/products')],
    [401, 'invalid_key', service.caller({ 'x-api-key': 'a' })('GET', '/v1/products')],
    [403, 'permission_denied', reader.call('POST', '/v1/product', { name: 'a' })],
    [404, 'not_found', call('GET', `/v1/product/${noId}`)],
    [404, 'not_found', call('GET', '/v1/nothing')],
    [405, 'method_not_allowed', call('PUT', '/v1/products')],
    [409, 'conflict', call('POST', '/v1/inventory', { variantId: 'v', outletId: 'o' })],
    [413, 'payload_too_large', call('POST', '/v1/product', ' '.repeat(10 * 1024 * 1024 + 1))],
    [415, 'unsupported_media_type', call('POST', '/v1/product', '<a/>', { 'content-type': 'text/xml' })],
    [431, 'headers_too_large', call('GET', '/v1/products', undefined, { 'x-filler': 'a'.repeat(20_000) })],
  ]
  for (const [status, code, reply] of cases) assertProblem(await reply, status, code)
  const { body } = await call('PATCH', '/v1/products', ids)
  assert.deepEqual(
    body.results.map(({ error }: Body) => [error.statusCode, error.code]),
    [
      [404, 'not_found'],
      [409, 'duplicate_item'],
    ],
  )
})

test('no stack is traced for a refusal, which takes longer than to check a body; for a defect it is', () => {
  assert.doesNotMatch(new Problem('validation_failed', 'a').stack ?? '', /\n/)
  assert.match(new Problem('internal_error', 'a').stack ?? '', /\n\s+at /)
  assert.match(new Error('a').stack ?? '', /\n\s+at /)
})

test('a bulk item’s error has only the members of the shape that are its own', async () => {
  const { call } = await service.company()
  const { body } = await call('POST', '/v1/products', [{ name: 5 }, { name: 'a' }])
  const { error, ...item } = body.results[0]
  assert.deepEqual(item, { index: 0, status: 'error' })
  assert.deepEqual(error, {
    statusCode: 400,
    code: 'validation_failed',
    message: '/0/name: must be a string',
    errors: [{ in: 'body', pointer: '/0/name', code: 'type', message: 'must be a string' }],
  })
})

test('each wrong member is named by a JSON pointer, however deep it is and whatever its name', async () => {
  const { call } = await service.company()
  const order = {
    'a/b~c': 1,
    '': 2,
    été: 3,
    lineItems: [{ quantity: 1 }, { quantity: '1', taxes: [{ amount: 1 }, { percentage: '7' }] }],
    billing: { city: 5 },
    currency: 'euro',
  }
  const { body } = await call('POST', '/v1/order', order)
  const expected = [
    '/',
    '/a~1b~0c',
    '/billing/city',
    '/currency',
    '/lineItems/1/quantity',
    '/lineItems/1/taxes/0/amount',
    '/lineItems/1/taxes/1/percentage',
    '/été',
  ]
  assert.deepEqual(
    pointers(assertProblem(await call('POST', '/v1/order', order), 400, 'validation_failed')).sort(),
    expected,
  )
  assert.ok(body.message.endsWith('(and 7 more)'), body.message)
  for (const [items, at] of [
    [{ items: [{ summary: {} }, order] }, '/items/1'],
    [[{ summary: {} }, order], '/1'],
  ] as const) {
    const { results } = (await call('POST', '/v1/orders', items)).body
    assert.deepEqual(
      pointers(results[1].error).sort(),
      expected.map((pointer) => at + pointer),
    )
  }
})

test('a hundred wrong members are listed, and the others are counted', async () => {
  const { call } = await service.company()
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`unknown${n}`, n]))
  const { errors } = assertProblem(await call('POST', '/v1/product', { name: 'a', ...many }), 400)
  assert.equal(errors.length, 100)
  const tags = Array.from({ length: 150 }, (_, n) => n)
  assert.equal(assertProblem(await call('POST', '/v1/product', { name: 'a', tags }), 400).errors.length, 100)
})

test('a wrong value is described in words, with an example, where a pattern says what is right', async () => {
  const { call } = await service.company()
  for (const [path, body, pointer, message] of [
    ['/v1/inventory', { variantId: 'v', outletId: 'o', stock: 1e15 }, '/stock', 'must be a number between −10^15 and 10^15, with at most 6 decimals'], // biome-ignore format: one thought
    ['/v1/api/custom-table', { name: 'Loyalty' }, '/name', 'must contain only a-z, 0-9 and single hyphens between them, such as "loyalty-points"'], // biome-ignore format: one thought
    ['/v1/api/custom-table-row', { tableId: 'x' }, '/tableId', 'must be an id of 24 hexadecimal characters, such as "6740a1f2c3d4e5f6a7b8c9d0"'], // biome-ignore format: one thought
    ['/v1/api/custom-table-field', { tableId: noId, name: 'a\nb', type: 'string' }, '/name', 'must not contain control characters, such as line breaks'], // biome-ignore format: one thought
    ['/v1/events/custom', { name: 'Door', data: {} }, '/name', 'must contain only a-z, 0-9, points, underscores and hyphens, such as "door.opened"'], // biome-ignore format: one thought
    ['/v1/product', { name: 'a', foo: 1 }, '/foo', 'is not known; values of your own go into metadata'],
    [
      `/v1/sale/${noId}/refund`,
      { lines: [{ variantId: 'v', quantity: 1 }] },
      '/lines/0/variantId',
      'is not known; the members are lineItem, customSale, quantity, restock',
    ],
    ['/v1/variant', { productId: noId, inventory: [{ outletId: 'o', stock: 1, stok: 2 }] }, '/inventory/0/stok', 'is not known; did you mean stock?'],
    [
      `/v1/session/${noId}/close`,
      { closingAmounts: {} },
      '/closingAmounts',
      'is not known; send the counted amounts in counted, such as {"cash": "347.50"}',
    ],
  ] as const)
    assert.deepEqual(assertProblem(await call('POST', path, body), 400).errors.map((error: any) => [error.pointer, error.message]), [[pointer, message]]) // biome-ignore format: one thought
  const message = 'must be a nextCursor from a page of this feed, the sequence of an event, such as "1042", or latest'
  assert.equal(assertProblem(await call('GET', '/v1/events?after=x'), 400).errors[0].message, message)
  const organization = service.caller({ 'x-org-api-key': service.organizationKey })
  const named = { email: 'x', firstName: 'x'.repeat(501) }
  const { errors } = assertProblem(await call('POST', '/v1/customer', named), 400)
  assert.deepEqual(errors.map(({ pointer, code, format, limit }: any) => [pointer, code, format, limit]).sort(), [['/email', 'format', 'email', undefined], ['/firstName', 'maxLength', undefined, 500]]) // biome-ignore format: one thought
  const none = assertProblem(await organization('POST', '/v1/organization-api/keys', { name: 'Till', permissions: [] }), 400) // biome-ignore format: one thought
  assert.equal(none.errors[0].message, 'must contain at least one entry')
})

test('an unknown member gets the likely name as a suggestion, and none if no name is similar', async () => {
  const { call } = await service.company()
  for (const [sent, meant] of [
    ['first_name', 'firstName'],
    ['firstname', 'firstName'],
    ['FirstName', 'firstName'],
    ['fristName', 'firstName'],
    ['e-mail', 'email'],
    ['emial', 'email'],
    ['phones', 'phone'],
    ['external_id', 'externalId'],
    ['meta-data', 'metadata'],
    ['favouriteColour', undefined],
    ['x', undefined],
  ] as const) {
    const { errors } = assertProblem(await call('POST', '/v1/customer', { email: 'a@b.example', [sent]: 'a' }), 400)
    const message = meant ? `is not known; did you mean ${meant}?` : 'is not known; values of your own go into metadata'
    assert.deepEqual(errors, [{ in: 'body', pointer: `/${sent}`, code: 'unknown', message }])
  }
  for (const [sent, meant] of [
    ['sortby=email', 'sortBy'],
    ['sort_by=email', 'sortBy'],
    ['Limit=1', 'limit'],
    ['searchByMail=a', 'searchByEmail'],
    ['tag=a', 'tags'],
  ] as const) {
    const { errors } = assertProblem(await call('GET', `/v1/customers?${sent}`), 400)
    assert.equal(errors[0].message, `is not known; did you mean ${meant}?`)
  }
  // Parameters are few: without a similar one, all are named.
  const page = assertProblem(await call('GET', '/v1/reports/sales?page=2'), 400)
  assert.equal(
    page.errors[0].message,
    'is not known; the parameters are from, to, timezone, dayStartHour, groupBy, compare, format',
  )
})

test('an error in JSON syntax is reported with the line and the column of the first one', async () => {
  const { call } = await service.company()
  for (const [body, line, column] of [
    ['{"name": "a",}', 1, 14],
    ['{"name": "a" "sku": "b"}', 1, 14],
    ["{'name': 'a'}", 1, 2],
    ['{"name": NaN}', 1, 10],
    ['{"minPrice": 1.}', 1, 14],
    ['{"minPrice": .5}', 1, 14],
    ['{"minPrice": +1}', 1, 14],
    ['{"minPrice": 01}', 1, 15],
    ['{"minPrice": -Infinity}', 1, 14],
    ['{"minPrice": 0x10}', 1, 15],
    ['{"name": "a\tb"}', 1, 10],
    ['{"name": "a\u0000b"}', 1, 10],
    ['{"name": "\\x"}', 1, 10],
    ['{\n  "name": "a",\n  "sku": undefined\n}', 3, 10],
    ['{\r\n  "name": "a"\r\n  "sku": "b"}', 3, 3],
    ['{"name": "ä😀", "sku": b}', 1, 24],
    ['{"name": "a"} {"name": "b"}', 1, 15],
    ['[1, 2', 1, 6],
    ['{"name": "a"\n', 2, 1],
    ['{"name": "a', 1, 12],
    ['// a comment\n{"name": "a"}', 1, 1],
    ['\n\n\n]', 4, 1],
  ] as const) {
    const { message, errors } = assertProblem(await call('POST', '/v1/product', body), 400, 'malformed_body', body)
    assert.match(message, new RegExp(`at line ${line}, column ${column}\\.$`), body)
    assert.match(errors[0].message, new RegExp(`^line ${line}, column ${column} \\(character \\d+\\)$`))
  }
  for (const cut of ['{"name": "a"', '{"name"', '{"name": ', '{"name": "a', '[', '{"name": "a\\', '{"name": ["a",'])
    assert.match(assertProblem(await call('POST', '/v1/product', cut), 400).message, /^The body is incomplete/, cut)
  const latin1 = Buffer.concat([Buffer.from('{"name": "ü",\n "sku": "'), Buffer.from([0xfc]), Buffer.from('"}')])
  const { message } = assertProblem(await call('POST', '/v1/product', latin1), 400, 'malformed_body')
  assert.equal(message, 'The body is not valid UTF-8 at line 2, column 10.')
})

test('a missing record is named by its kind and its id, and an unknown path by itself', async () => {
  const { call } = await service.company()
  for (const { one } of contracts) {
    const { message } = assertProblem(await call('GET', `/v1/${one}/${noId}`), 404, 'not_found')
    assert.equal(message, `There is no ${one.replaceAll('-', ' ')} with id "${noId}".`)
  }
  for (const path of ['/v1', '/v1/api', '/v3', '/v1/api/inventory', '/v1/products/bulk/1'])
    assert.equal(assertProblem(await call('GET', path), 404, 'not_found').message, `The path ${path} does not exist.`)
  // Without a key, and with a body that is not read.
  assertProblem(await service.caller()('POST', '/v1/nothing', '{', { 'content-type': 'text/xml' }), 404, 'not_found')
})

test('a comma after the last member or element is named', async () => {
  const { call } = await service.company()
  for (const [body, column, bracket] of [
    ['{"a": [1, 2, ]}', 14, ']'],
    ['{"a": 1,}', 9, '}'],
  ] as const) {
    const { message } = assertProblem(await call('POST', '/v1/product', body), 400, 'malformed_body')
    assert.equal(message, `The body is not JSON (no comma may be before "${bracket}") at line 1, column ${column}.`)
  }
  // Also after values that are too long to be searched again.
  const items = Array.from({ length: 900 }, () => `{"name": "${'x'.repeat(400)}"}`).join()
  for (const [body, bracket] of [
    [`[${items},\n]`, ']'],
    [`{"items": [${items},]}`, ']'],
    [`{"items": [${items}],}`, '}'],
  ] as const) {
    const { message } = assertProblem(await call('POST', '/v1/products', body), 400, 'malformed_body')
    assert.ok(message.startsWith(`The body is not JSON (no comma may be before "${bracket}") at line `), message)
  }
})

test('a refused value’s error says what is right', async () => {
  const { call } = await service.company()
  const reported = async (one: string, body: Body) =>
    assertProblem(await call('POST', `/v1/${one}`, body), 400).errors[0].message
  assert.equal(
    await reported('transaction', { paymentMethod: 'cash', amount: 10 }),
    'must be a decimal in a string, such as "10.00"',
  )
  assert.match(
    await reported('transaction', { paymentMethod: 'cash', amount: '1e3' }),
    /^must be a decimal with at most 15 digits/,
  )
  assert.match(
    await reported('transaction', { paymentMethod: 'cash', amount: '1', currency: 'euro' }),
    /three-letter ISO 4217 currency code/,
  )
  assert.match(await reported('customer', { email: 'ann' }), /^must be an e-mail address/)
  assert.match(
    await reported('customer', { email: 'a@b.example', lastAction: '2026-02-30' }),
    /^must be a date-time that exists/,
  )
  // So does the error of a value of another type: seconds since 1970 are no time.
  assert.match(
    await reported('session', { stationId: 'a', openTime: 1577836800 }),
    /^must be a date-time that exists, .*such as "2026-11-21T09:30:00Z"$/,
  )
  assert.match(await reported('customer', { email: 5 }), /^must be an e-mail address/)
  assert.equal(await reported('product', { name: 'a'.repeat(501) }), 'must not have more than 500 characters')
  assert.equal(await reported('station', { name: 'a', outletId: '', status: 'a' }), 'is required')
  assert.equal(await reported('station', { name: 'a', status: 'a' }), 'is required')
  assert.equal(
    await reported('catalog-visibility', { productId: 'a', outletId: 'b', isVisible: 1 }),
    'must be true or false',
  )
  assert.match(
    await reported('automation-trigger', { triggerType: 'a', triggerUrl: 'example.com' }),
    /absolute http or https URL/,
  )
  const { oneOf = [] } = contractOf('customer')
  assert.equal(await reported('customer', {}), `needs at least one of ${oneOf.join(', ')}`)
  const whole = assertProblem(await call('POST', '/v1/customer', {}), 400)
  assert.equal(whole.message, `The body needs at least one of ${oneOf.join(', ')}`)
})

test('after an error the connection still serves requests', async () => {
  const { key } = await service.company()
  const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n`
  const bad = `${head('POST', '/v1/product')}content-type: application/json\r\ncontent-length: 1\r\n\r\n{`
  const missing = `${head('GET', `/v1/product/${noId}`)}\r\n`
  const other = `${head('PUT', '/v1/products')}content-type: text/xml\r\ncontent-length: 4\r\n\r\n<a/>`
  const good = `${head('GET', '/v1/whoami')}connection: close\r\n\r\n`
  const text = await rawText(service.url, [bad + missing + other + good])
  assert.deepEqual(
    Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status)),
    [400, 404, 405, 200],
  )
})

test('an empty body counts as no body, whatever its content-type: a write that needs no body is done, another says that it is empty', async () => {
  const { call } = await service.company()
  const { id } = (await call('POST', '/v1/customer', { firstName: 'Ann' })).body
  // Ruby, PHP, Python and curl name the type of a form by themselves.
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  await call('DELETE', `/v1/customer/${id}`)
  assert.equal((await call('POST', `/v1/customer/${id}/restore`, '', form)).status, 200)
  const { message } = assertProblem(await call('POST', '/v1/customer', '', form), 400, 'malformed_body')
  assert.equal(message, 'The body is empty; send JSON.')
  assertProblem(await call('POST', `/v1/customer/${id}/restore`, 'a=1', { ...form, 'content-length': '3' }), 415)
})
