// Long bodies are read in slices and their errors are bounded: values, lossy values and refusals are the same as for short ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { atOnce, inSlices } from '../src/concurrency/time-slices.ts'
import { checker } from '../src/core/json-schema-checker.ts'
import { STRING_CHARACTERS } from '../src/core/limits.ts'
import type { Problem } from '../src/core/problem.ts'
import { beginFingerprint, endFingerprint, fingerprintOf } from '../src/http/idempotency.ts'
import { OBJECT_MEMBERS, readingBody } from '../src/http/json.ts'
import { JSON_CHUNK_BYTES } from '../src/http/json-tokens.ts'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { sharedService, testService } from './support/service.ts'

const service = sharedService()
const tight = testService({ bounds: { bodiesBytes: 24 * 1024 * 1024 } })

const read = (text: string, isBulk = false) => atOnce(readingBody(Buffer.from(text), isBulk))
const each = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))
/** 80 KB: longer than the part that is parsed at once. */
const long = each(2_000, (n) => ({ key: `schlüssel ${n}`, value: ['→', n / 8, null, {}] }))

test('a long body is read as JSON.parse reads it, wherever it is cut', () => {
  const values: unknown[] = [
    long,
    { a: long, b: 1, c: { d: [long, [], long], e: 'x'.repeat(100_000) }, f: long },
    [[[{ a: { b: long } }]], {}, [], long],
    Object.fromEntries(each(5_000, (n) => [`member ${n} with "quotes" and \\`, { n }])),
    'x'.repeat(200_000),
  ]
  for (const value of values)
    for (const text of [JSON.stringify(value), `  ${JSON.stringify(value, null, 3)}\n`])
      assert.deepEqual(read(text), { value, lossyValues: [] })
  const { value } = read(`{"a": ${JSON.stringify(long)}, "__proto__": {"b": 1}}`)
  assert.deepEqual(Object.keys(value as object), ['a', '__proto__'])
})

test('a long string is read as JSON.parse reads it, wherever it is cut, and so is white space', () => {
  const strings = ['x', '"', '\\', '→😀', '\u0001', '\\"x', '😀"'].flatMap((part) =>
    each(4, (n) => '-'.repeat(n) + part.repeat(120_000 / part.length)),
  )
  for (const text of strings) {
    const escaped = JSON.stringify(text.slice(0, 60_001).toWellFormed()).replaceAll(
      /[^\x20-\x7e]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    for (const token of [JSON.stringify(text), escaped])
      for (const body of [token, `{"a": ${token}, "b": [${token}, {}], ${token}: 1}`, `{${token}: {"c": ${token}}}`])
        assert.ok(isDeepStrictEqual(read(body), { value: JSON.parse(body), lossyValues: [] }), body.slice(0, 100))
  }
  const blanks = ' \n\r\t'.repeat(30_000)
  const spaced = [
    '{',
    '"a"',
    ':',
    '[',
    '1',
    ',',
    JSON.stringify('x'.repeat(50_000)),
    ']',
    ',',
    '"b"',
    ':',
    '{',
    '}',
    '}',
  ]
  const body = blanks + spaced.map((token) => token + blanks).join('')
  assert.ok(isDeepStrictEqual(read(body), { value: JSON.parse(body), lossyValues: [] }))
})

test('a long string that is invalid JSON, or longer than allowed, is refused with its position', () => {
  const x = 'x'.repeat(100_000)
  for (const broken of ['\n', '\\x', '\\u12', '\\u00ag', '\\']) {
    const body = `{"a": "${x}${broken}", "b": "${x}"}`
    assert.throws(() => JSON.parse(body))
    assert.throws(() => read(body), { code: 'malformed_body' }, JSON.stringify(broken))
  }
  for (const body of [
    `{"a": "${x}`,
    `"${x}`,
    `["${x}\\`,
    `"${x}"\u0001`,
    `{"a": "${x}" 1}`,
    `{"a": "${x}" "b": 1}`,
    `{"${x}"}`,
  ])
    assert.throws(() => read(body), { code: 'malformed_body' }, body.slice(-10))
  const most = '\\u00e9'.repeat(STRING_CHARACTERS)
  assert.deepEqual(read(`{"a": ["${most}"]}`).lossyValues, [])
  for (const text of [`${most}x`, '\\"'.repeat(5_000_000)])
    assert.deepEqual(
      read(`{"a": [1, "${text}"], "b": 0.12345678901234567890}`, true).lossyValues.map(({ pointer, code }) => [
        pointer,
        code,
      ]),
      [
        ['/a/1', 'maxLength'],
        ['/b', 'precision'],
      ],
    )
  for (const [lossy, code] of [
    ['\\u0000', 'nul'],
    ['\\ud800', 'surrogate'],
  ] as const)
    assert.deepEqual(
      read(`{"a": ["${x}${lossy}"], "${x}${lossy}": 1}`, true).lossyValues.map((loss) => [
        loss.pointer.length,
        loss.code,
      ]),
      [
        [4, code],
        [x.length + 2, code],
      ],
    )
})

test('a number or a name longer than allowed is refused at once, with its line and column', () => {
  const digits = (count: number) => `{"a":\n [1${'0'.repeat(count - 2)}1]}`
  assert.deepEqual(
    read(digits(JSON_CHUNK_BYTES)).lossyValues.map(({ pointer, code }) => [pointer, code]),
    [['/a/0', 'precision']],
  )
  assert.throws(() => read(digits(JSON_CHUNK_BYTES + 1)), { code: 'malformed_body' })
  const name = 'ü'.repeat(STRING_CHARACTERS / 2)
  assert.deepEqual(read(`{"${name.slice(1)}":1}`).lossyValues, [])
  assert.throws(() => read(`{"a": 1,\n "${name}": 1}`), {
    code: 'malformed_body',
    message: `The body holds a member name of more than ${STRING_CHARACTERS} bytes at line 2, column 2.`,
  })
  assert.throws(() => read(digits(9_000_000)), {
    code: 'malformed_body',
    message: `The body holds a number of more than ${JSON_CHUNK_BYTES} characters at line 2, column 3.`,
  })
})

test('a long body that is invalid JSON is refused, wherever the error is', () => {
  const text = JSON.stringify({ a: long, b: { c: long } })
  const middle = text.indexOf('"b":')
  for (const broken of [
    `${text},`,
    `${text}{}`,
    `x${text}`,
    text.slice(0, -1),
    `${text.slice(0, -1)}]`,
    `${text.slice(0, -2)},}}`,
    text.replace('"b":', '"b"'),
    text.replace('"b":', 'b:'),
    text.replace('"b":', ',"b":'),
    text.replace('"b":', '"b":1 '),
    text.replace('"b":', '"d":{} "b":'),
    text.replace('null', 'nul'),
    `${text.slice(0, middle - 1)}${text.slice(middle)}`,
    text.replace(',{"key":"schlüssel 1000"', ',,{"key":"schlüssel 1000"'),
    text.replace(/\]\}\]/, ']}}'),
    text.slice(0, 100_000),
  ]) {
    assert.throws(() => JSON.parse(broken))
    assert.throws(
      () => read(broken),
      (error: Problem) => error.code === 'malformed_body' && error.errors[0]?.code === 'json',
    )
  }
  const notText = Buffer.from(text)
  notText[150_000] = 0xff
  assert.throws(() => atOnce(readingBody(notText)), /not valid UTF-8 at line 1, column 1\d\d\d\d\d/)
})

test('lossy values in a long body are reported with their pointers, and duplicates are found across slices', () => {
  const filled = (body: string) => body.replace('LONG', JSON.stringify(long))
  for (const [body, pointer, code] of [
    ['{"a": LONG, "b": [1, 0.12345678901234567890]}', '/b/1', 'precision'],
    ['{"a": [LONG, {"c": "\\u0000"}]}', '/a/1/c', 'nul'],
    ['{"a": LONG, "b": 1, "a": 2}', '/a', 'duplicate'],
    ['{"b": 1, "a": LONG, "b": 2}', '/b', 'duplicate'],
    ['{"a": {"b": LONG, "c": {"d": 1, "d": 2}}}', '/a/c/d', 'duplicate'],
    ['{"a": LONG, "\\ud800": 1}', '/\ufffd', 'surrogate'],
  ] as const)
    assert.deepEqual(
      read(filled(body), true).lossyValues.map((loss) => [loss.pointer, loss.code]),
      [[pointer, code]],
    )
  const many = JSON.stringify(each(3_000, () => 'N')).replaceAll('"N"', '0.12345678901234567890')
  assert.throws(
    () => read(`{"a": ${many}}`),
    (error: Problem) => error.errors.length === 100 && error.errors[99]?.pointer === '/a/99',
  )
})

test('a long body has the same fingerprint as before it was read in slices', () => {
  for (const value of [long, { b: long, a: { d: 1, c: long } }, 'x'.repeat(2_000_000), { items: [] }, null])
    assert.equal(
      endFingerprint(atOnce(beginFingerprint('POST', '/v1/customers', value)), [], 'key'),
      fingerprintOf('POST', '/v1/customers', value, [], 'key'),
    )
})

test('a check ends when the list of errors is full', () => {
  let looked = 0
  const items = new Proxy(
    each(10_000, () => 1),
    {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked++
        return Reflect.get(target, name)
      },
    },
  )
  const check = checker({ properties: { tags: { type: 'array', items: { type: 'string' } } } })
  assert.equal(check({ tags: items }).length, 100)
  assert.ok(looked < 1_000, `${looked} elements were looked at`)
})

test('a check of nested values ends there too, singly and in bulk', async () => {
  const { call } = await service.company()
  const wrong = { lineItems: [{ taxes: each(80_000, () => ({ name: 1, amount: 1 })) }, { price: 'x' }] }
  const { errors } = assertProblem(await call('POST', '/v1/order', wrong), 400, 'validation_failed')
  assert.equal(errors.length, 100)
  assert.deepEqual(
    [errors[0].pointer, errors[99].pointer],
    ['/lineItems/0/taxes/0/name', '/lineItems/0/taxes/49/amount'],
  )
  const { body } = await call('POST', '/v1/orders', { items: [wrong, { lineItems: [{ name: 'Mug' }] }] })
  assert.deepEqual([body.results[0].error.errors.length, body.results[1].status], [100, 'success'])
})

test('a string that is too long is the error of its item, and the others are written', async () => {
  const { call } = await service.company()
  const long = JSON.stringify('x'.repeat(STRING_CHARACTERS + 1))
  const { body } = await call(
    'POST',
    '/v1/customers',
    `[{"firstName": "Ann", "notes": [${long}]}, {"firstName": "Bob"}]`,
  )
  const [{ pointer, code }] = body.results[0].error.errors
  assert.deepEqual([pointer, code, body.results[1].status], ['/0/notes/0', 'maxLength', 'success'])
})

test('long work of two companies takes turns, and work of one company is done in its order', async () => {
  const steps: string[] = []
  function* working(name: string): Generator<undefined, void> {
    for (let n = 0; n < 3; n++) {
      steps.push(name)
      for (const end = performance.now() + 6; performance.now() < end; );
      yield
    }
  }
  await Promise.all([inSlices(working('a1'), 'a'), inSlices(working('a2'), 'a'), inSlices(working('b'), 'b')])
  assert.deepEqual(steps, ['a1', 'b', 'a1', 'b', 'a1', 'b', 'a2', 'a2', 'a2'])
})

test('an object with too many members is refused as a whole, singly and in bulk', async () => {
  const { call } = await service.company()
  const many = Object.fromEntries(each(OBJECT_MEMBERS + 1, (n) => [`m${n}`, 1]))
  const reply = await call('POST', '/v1/customer', { firstName: 'Ann', billing: many })
  const { errors } = assertProblem(reply, 400, 'validation_failed')
  assert.deepEqual([errors[0].pointer, errors[0].code], ['/billing', 'maxProperties'])
  const { body } = await call('POST', '/v1/customers', {
    items: [{ firstName: 'Ann', billing: many }, { firstName: 'Bob' }],
  })
  assert.deepEqual(body.summary, { total: 2, succeeded: 1, failed: 1 })
  assert.equal(body.results[0].error.errors[0].pointer, '/items/0/billing')
})

test('the items of a bulk request list a thousand wrong members together, and then ten each', async () => {
  const { call } = await service.company()
  const wrong = Object.fromEntries(each(240, (n) => [`unknown${n}`, 1]))
  for (const [path, item] of [
    ['/v1/customers', { firstName: 'Ann', ...wrong }],
    ['/v1/customers', { firstName: 'Ann', tags: each(240, () => 1) }],
    ['/v1/inventories/set-levels', wrong],
  ] as const) {
    const { status, body } = await call('POST', path, { items: each(300, () => item) })
    assert.equal(status, 200)
    assert.equal(body.summary.failed, 300)
    const listed = body.results.map(({ error }: Body) => error.errors.length)
    assert.deepEqual([listed[0], listed[9], listed[10], listed[299]], [100, 100, 10, 10])
    assert.match(body.results[299].error.message, /\(and \d{2,3} more\)$/)
  }
})

test('a long bulk request is carried out completely, in its order, and once under its key', async () => {
  const { call } = await service.company()
  const items = each(400, (n) => ({ name: `Mug ${n}`, description: 'd'.repeat(9_000), tags: [`t${n}`] }))
  const headers = { 'idempotency-key': 'long' }
  const first = await call('POST', '/v1/products', { items }, headers)
  assert.deepEqual(first.body.summary, { total: 400, succeeded: 400, failed: 0 })
  first.body.results.forEach(({ data }: Body, n: number) => {
    assert.equal(data.name, `Mug ${n}`)
  })
  const turned = items.map(({ name, description, tags }) => ({ tags, description, name }))
  const again = await call('POST', '/v1/products', { items: turned }, headers)
  assert.deepEqual([again.headers.get('idempotent-replayed'), again.text === first.text], ['true', true])
  assertProblem(await call('POST', '/v1/products', { items: items.slice(1) }, headers), 422, 'idempotency_conflict')
  assert.equal((await call('GET', '/v1/products?limit=1')).body.meta.count, 400)
})

test('a thousand orders of 25 lines are one bulk request, and short values that only fill the memory are refused', async () => {
  const { call } = await service.company()
  const taxes = [{ name: 'VAT', percentage: 20, amount: '0.2' }]
  const line = {
    productId: 'p',
    variantId: 'v',
    name: 'Mug',
    price: '1.00',
    quantity: 1,
    subTotal: '1.00',
    total: '1.2',
  }
  const lineItems = each(25, (n) => ({ ...line, sku: `M-${n}`, totalTax: '0.2', taxes }))
  const { status, text, body } = await call('POST', '/v1/orders', { items: each(1_000, () => ({ lineItems })) })
  assert.equal(status, 200, text.slice(0, 1_000))
  assert.deepEqual(body.summary, { total: 1_000, succeeded: 1_000, failed: 0 })
  assert.deepEqual(body.results[999].data.lineItems, lineItems)
  const items = each(1_000, () => ({ firstName: 'Ann', notes: each(800, () => 0) }))
  const refused = assertProblem(await call('POST', '/v1/customers', { items }), 400, 'malformed_body')
  assert.match(refused.detail, /holds more than 700000 values/)
})

test('many short values count in the memory of bodies as what they become, not as their bytes', async () => {
  const { call } = await tight.company()
  const bulk = (values: number) => ({ items: each(1_000, () => ({ notes: each(values / 1_000, () => 0) })) })
  const { status, body } = await call('POST', '/v1/customers', bulk(300_000))
  assert.deepEqual([status, body.summary], [200, { total: 1_000, succeeded: 0, failed: 1_000 }])
  const refused = assertProblem(await call('POST', '/v1/customers', bulk(650_000)), 503, 'unavailable')
  assert.equal(refused.reason, 'memory_full')
  assert.equal((await call('POST', '/v1/customers', bulk(300_000))).status, 200)
})

test('a record that would be too long is refused before it is checked, and a wrong member is reported first', async () => {
  const { call } = await service.company()
  const metadata = each(60_000, (n) => ({ key: `key ${n}`, value: 'a value of some characters' }))
  assertProblem(await call('POST', '/v1/product', { name: 'Mug', metadata }), 413, 'payload_too_large')
  assertProblem(await call('POST', '/v1/product', { nmae: 'Mug', metadata }), 400, 'validation_failed')
  const { body } = await call('POST', '/v1/products', { items: [{ name: 'Mug', metadata }, { name: 'Cup' }] })
  assert.deepEqual([body.results[0].error.code, body.results[1].status], ['payload_too_large', 'success'])
})

test('members that "" unsets do not count towards the length of a record, and the others are kept', async () => {
  const { call } = await service.company()
  const taxes = each(30_000, (n) => ({ id: '', taxTableId: '', name: `${n}`, amount: '', percentage: n, own: '' }))
  const sent = { lineItems: [{ productId: '', name: 'Mug', taxes }] }
  assert.ok(JSON.stringify(sent).length > 2 * 1024 * 1024, `${JSON.stringify(sent).length}`)
  const { status, body } = await call('POST', '/v1/order', sent)
  assert.equal(status, 201)
  const kept = taxes.map(({ name, percentage, own }) => ({ name, percentage, own }))
  assert.deepEqual(body.lineItems, [{ name: 'Mug', taxes: kept }])
})
