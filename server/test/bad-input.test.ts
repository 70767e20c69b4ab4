// Whatever a caller sends, the service answers with what is wrong, stores nothing half, and goes on: bodies, members, paths, queries, headers and bytes that nobody should send.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fullBody, leastBody } from './support/bodies.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { assertDeclared } from './support/declared.ts'
import { assertProblem } from './support/problem.ts'
import { raw, rawText } from './support/raw.ts'
import { each, eachRoute, noId, pathOf, routes, servedBy, withBody } from './support/routes.ts'
import { type Company, type Reply, testService } from './support/service.ts'

const service = testService()

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** The problem that a create of a customer is answered with. */
async function refusedCustomer({ call }: Company, body: unknown, code = 'validation_failed'): Promise<Body> {
  const about = typeof body === 'string' ? body.slice(0, 100) : JSON.stringify(body).slice(0, 100)
  return assertProblem(await call('POST', '/v1/customer', body), 400, code, about)
}

async function assertEmpty({ call }: Company, path = '/v1/customers'): Promise<void> {
  assert.equal((await call('GET', path)).body.meta.count, 0)
}

test('JSON nested 32 deep is taken and 33 deep is refused, and 100,000 deep is refused before it is walked', async () => {
  const company = await service.company()
  // The body and the array notes are two levels.
  const nested = (depth: number, open: string, close: string) =>
    `{"email": "a@b.example", "notes": [${open.repeat(depth - 2)}1${close.repeat(depth - 2)}]}`
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    assert.equal((await company.call('POST', '/v1/customer', nested(32, open, close))).status, 201)
    for (const depth of [33, 100_000]) {
      const { message } = await refusedCustomer(company, nested(depth, open, close), 'malformed_body')
      assert.match(message, /nested deeper than 32 levels at line 1, column \d+/)
    }
    await refusedCustomer(company, open.repeat(100_000), 'malformed_body')
  }
  const quoted = { email: 'a@b.example', notes: ['['.repeat(100_000), '\\"['.repeat(1000)] }
  assert.deepEqual((await company.call('POST', '/v1/customer', quoted)).body.notes, quoted.notes)
})

test('a member that stands twice in one object is refused with its place, however its name is written', async () => {
  const company = await service.company()
  for (const [body, pointer] of [
    ['{"email": "a@b.example", "email": "a@b.example"}', '/email'],
    ['{"email": "a@b.example", "em\\u0061il": "b@b.example"}', '/email'],
    ['{"email": "a@b.example", "billing": {"city": "a", "city": "a"}}', '/billing/city'],
    ['{"email": "a@b.example", "notes": [{"x": 1}, {"x": {"y": 1, "y": 2}}]}', '/notes/1/x/y'],
    ['{"email": "a@b.example", "notes": [{"__proto__": 1, "__proto__": 2}]}', '/notes/0/__proto__'],
    ['{"email": "a@b.example", "id": 1, "id": 2}', '/id'],
  ] as const) {
    const { errors } = await refusedCustomer(company, body)
    assert.deepEqual([errors[0].pointer, errors[0].code], [pointer, 'duplicate'])
  }
  // The same name in two objects is no duplicate.
  const { status } = await company.call(
    'POST',
    '/v1/customer',
    '{"email": "a@b.example", "notes": [{"x": 1}, {"x": 1}]}',
  )
  assert.equal(status, 201)
})

test('members that mean something to JavaScript are unknown at the top, and kept as they came further in', async () => {
  const company = await service.company()
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']
  for (const name of names) {
    const body = `{"email": "a@b.example", ${JSON.stringify(name)}: {"isAdmin": true}}`
    for (const reply of [
      await company.call('POST', '/v1/customer', body),
      await company.call('PUT', `/v1/api/customer/${noId}`, body),
    ]) {
      const { errors } = assertProblem(reply, 400, 'validation_failed', name)
      assert.deepEqual([errors.length, errors[0].pointer, errors[0].code], [1, `/${name}`, 'unknown'])
    }
    const { body: result } = await company.call('POST', '/v1/customers', `{"items": [${body}]}`)
    assert.deepEqual(result.results[0].error.errors[0].pointer, `/items/0/${name}`)
    assertProblem(await company.call('POST', '/v1/customers', `{"items": [{}], ${JSON.stringify(name)}: 1}`), 400)
  }
  await assertEmpty(company)
  const inner = `{${names.map((name) => `${JSON.stringify(name)}:{"a":1}`).join(',')}}`
  const body = `{"email": "a@b.example", "billing": ${inner}, "notes": [${inner}]}`
  const { body: record } = await company.call('POST', '/v1/customer', body)
  for (const text of [JSON.stringify(record), (await company.call('GET', `/v1/customer/${record.id}`)).text]) {
    assert.ok(text.includes(`"billing":${inner}`), text)
    assert.ok(text.includes(`"notes":[${inner}]`), text)
  }
  assert.equal(({} as Body).isAdmin, undefined)
})

test('a number that would lose digits is refused with its place, and every other one is kept', async () => {
  const company = await service.company()
  for (const lossy of [
    '1e400',
    '-1e400',
    '1e-400',
    '12345678901234567890',
    '9007199254740993',
    '0.1234567890123456789',
    '-123456789012345678901234567890e-10',
    `1${'0'.repeat(400)}`,
    `0.${'0'.repeat(400)}1`,
  ]) {
    const { errors } = await refusedCustomer(company, `{"email": "a@b.example", "notes": [0, {"deep": ${lossy}}]}`)
    assert.deepEqual(errors, [
      {
        in: 'body',
        pointer: '/notes/1/deep',
        code: 'precision',
        message: 'is a number that would lose digits; send it as a string',
      },
    ])
  }
  await assertEmpty(company)
  for (const [sent, kept] of [
    ['-0', '0'],
    ['-0.0', '0'],
    ['0e999999999999', '0'],
    ['1.50', '1.5'],
    ['1E5', '100000'],
    ['100000000000000000000', '100000000000000000000'],
    ['1e+21', '1e+21'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['9007199254740991', '9007199254740991'],
    ['0.1000000000000000000000', '0.1'],
    ['123456.789e3', '123456789'],
  ]) {
    const { status, text } = await company.call('POST', '/v1/customer', `{"email": "a@b.example", "notes": [${sent}]}`)
    assert.equal(status, 201, text)
    assert.ok(text.includes(`"notes":[${kept}]`), text)
  }
})

test('a member of the wrong shape is told that alone, and of unknown ones no more are looked at than are listed', async () => {
  const { call } = await service.company()
  const many = Array.from({ length: 1000 }, (_, n) => n)
  const unknown = Object.fromEntries(many.map((n) => [`outlet${n}`, 0]))
  for (const [path, body, pointer, count] of [
    ['extensions', { name: 'A', surfaces: many.map(() => ({ id: 'same' })) }, '/surfaces', 1],
    ['plans', { name: 'A', limits: 'x'.repeat(1000) }, '/limits', 1],
    ['plans', { name: 'A', limits: unknown }, '/limits/outlet0', 100],
    // The list is full before it comes to the surfaces, and is cut there.
    ['extensions', { name: 'A', gallery: many, surfaces: many.map(() => ({ id: 'same' })) }, '/gallery', 100],
  ] as const) {
    const reply = await call('POST', `/v1/organization-api/${path}`, body)
    const { errors, message } = assertProblem(reply, 400, 'validation_failed', pointer)
    assert.deepEqual([errors[0].pointer, errors.length], [pointer, count])
    assert.match(message, count === 1 ? /^[^(]*$/ : /\(and 99 more\)$/)
  }
})

test('what only looks like a number is no JSON', async () => {
  const company = await service.company()
  for (const token of [
    'NaN',
    'Infinity',
    '-Infinity',
    '+1',
    '.5',
    '1.',
    '01',
    '-',
    '1e',
    '0x10',
    '1_000',
    '٣',
    '１',
    '1,5',
    '1n',
  ])
    await refusedCustomer(company, `{"notes": [{"a": ${token}}]}`, 'malformed_body')
})

test('a decimal is ASCII digits with at most 15 before and 6 after the point, and never a JSON number', async () => {
  const { call } = await service.company()
  const decimals = [
    '1234567890123456',
    '0.1234567',
    '1.',
    '.5',
    '1e5',
    '+1',
    '٣',
    '１',
    '1,5',
    ' 1',
    '1 ',
    '',
    '-',
    '--1',
    '1.2.3',
    'NaN',
    '0x10',
    '1\n',
    '1٫5',
    10,
    10.5,
    true,
    null,
    ['1'],
    {},
  ]
  for (const amount of decimals) {
    const reply = await call('POST', '/v1/transaction', { paymentMethod: 'cash', amount })
    const { errors } = assertProblem(reply, 400, 'validation_failed', JSON.stringify(amount))
    assert.equal(errors[0].pointer, '/amount')
    const nested = { summary: { total: amount, tip: { amount } } }
    if (amount !== null) assert.equal((await call('POST', '/v1/order', nested)).status, 400, JSON.stringify(amount))
  }
})

test('a date or a time that does not exist is refused, in bodies and in filters', async () => {
  const { call } = await service.company()
  const never = [
    '2026-02-30',
    '2025-02-29',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10',
    '2026-13-01',
    '2026-01-00',
    '2026-01-32',
    '2026-11-21T24:00:00Z',
    '2026-11-21T23:60:00Z',
    '2026-11-21T23:59:60Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T09:30:00+24:00',
    '2026-11-21T09:30:00+01:60',
    '2026-11-21T09:30:00',
    '2026-11-21T9:30:00Z',
    '2026-11-21 09:30:00Z',
    '2026-11-21T09:30:00.Z',
    '2026-11-21T09:30:00.1234567890Z',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999-00:01',
    '２０２６-11-21',
    '20261121',
    '2026-W47',
    '2026-325',
    '1795253400',
    '',
    'now',
    '2026-11-21T09:30:00Z\n',
  ]
  for (const time of never) {
    const { errors } = assertProblem(
      await call('POST', '/v1/session', { stationId: 's', openTime: time }),
      400,
      'validation_failed',
      time,
    )
    assert.equal(errors[0].pointer, '/openTime')
    for (const bound of ['gte', 'lte', 'gt', 'lt']) {
      const query = assertProblem(
        await call('GET', `/v1/sessions?openTime[${bound}]=${encodeURIComponent(time)}`),
        400,
        'validation_failed',
        time,
      )
      assert.equal(query.errors[0].pointer, `openTime[${bound}]`)
    }
  }
  for (const [sent, kept] of [
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T23:59:59.999999999+23:59', '2000-02-29T00:00:59.999Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0000-02-29T12:00:00-12:00', '0000-03-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-11-21t09:30:00z', '2026-11-21T09:30:00.000Z'],
  ]) {
    const { body, status, text } = await call('POST', '/v1/session', { stationId: 's', openTime: sent })
    assert.equal(status, 201, text)
    assert.equal(body.openTime, kept)
    const both = `openTime[gte]=${kept}&openTime[lte]=${encodeURIComponent(sent as string)}`
    assert.ok(
      (await call('GET', `/v1/sessions?${both}`)).body.data.some(({ id }: Body) => id === body.id),
      sent,
    )
  }
})

test('the first and the last time that there is are taken by every filter of times, and by whatever goes back to one', async () => {
  const { id, call } = await service.company()
  const { body: trigger } = await call('POST', '/v1/automation-trigger', {
    triggerType: '*',
    triggerUrl: 'https://hooks.example.com',
  })
  const ofTimes = routes.flatMap((route) =>
    Object.entries(route.query ?? {}).flatMap(([name, { format, properties }]) => {
      const bounds = Object.entries((properties ?? {}) as Body).filter(([, of]) => of.format === 'date-time')
      const names = format === 'date-time' ? [name] : bounds.map(([bound]) => `${name}[${bound}]`)
      return names.map((parameter) => ({ route, parameter }))
    }),
  )
  const back = routes.filter(({ path }) => /\{id\}\/(replay|redeliver)$/.test(path))
  for (const time of ['0000-01-01', '9999-12-31T23:59:59.999Z']) {
    await each(
      ofTimes.filter(({ route: { path } }) => !path.endsWith('/stream')),
      ({ route, parameter }) => `${route.path}?${parameter}=${time}`,
      async ({ route, parameter }) => {
        const reply = await call(
          'GET',
          `${pathOf(route, /compan/.test(route.path) ? id : trigger.id)}?${parameter}=${time}`,
        )
        assert.equal(reply.status, 200, reply.text)
      },
    )
    await eachRoute(back, async (route) => {
      const reply = await call('POST', pathOf(route, trigger.id), { since: time })
      assert.equal(reply.status, 200, reply.text)
    })
  }
  assert.ok(ofTimes.length > 100 && back.length === 4)
})

test('emoji, right-to-left text, combining marks and invisible characters are kept exactly', async () => {
  const { call } = await service.company()
  const texts = [
    '👩‍👩‍👧‍👦 🏳️‍🌈 🇦🇹 👍🏽',
    'مرحبا بالعالم',
    'שלום ‏עולם',
    '\u202e\u2066abc\u2069',
    'e\u0301 é \u1e9b\u0323 Å Å',
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
    '\u0001\u001f\u007f\u0085\u200b\ufeff\ufffe\uffff\u2028\u2029',
    '𐍈𝒳\u{10ffff}',
    ' leading, trailing \t\r\n ',
    '%_\\\'"`{}<script>-- ; drop table customers',
    '漢字かな交じり文 한국어 ไทย',
  ]
  const items = texts.map((text) => ({
    firstName: text,
    tags: [text],
    notes: [{ [text]: text }],
    billing: { [text]: text },
  }))
  const { body } = await call('POST', '/v1/customers', { items })
  for (const [n, { data }] of body.results.entries()) {
    const read = (await call('GET', `/v1/customer/${data.id}`)).body
    assert.deepEqual(read, data)
    const { firstName, tags, notes, billing } = read
    assert.deepEqual({ firstName, tags, notes, billing }, items[n])
    const found = await call('GET', `/v1/customers?tags=${encodeURIComponent(texts[n]?.split(',')[0] as string)}`)
    assert.equal(found.status, 200)
    const sought = await call('GET', `/v1/customers?searchByFirstName=${encodeURIComponent(texts[n] as string)}`)
    assert.ok(
      sought.body.data.some(({ id }: Body) => id === data.id),
      texts[n],
    )
  }
})

/** JSON texts of what PostgreSQL or UTF-8 cannot hold, and how the place of it is called. */
const unstorable: [text: string, code: string][] = [
  ['"a\\u0000b"', 'nul'],
  ['"\\ud83d"', 'surrogate'],
  ['"\\ude00"', 'surrogate'],
  ['"\\ude00\\ud83d"', 'surrogate'],
  ['"\\uD83D\\u0041"', 'surrogate'],
]

test('U+0000 and halves of surrogate pairs are refused with their place, in values and in names of members', async () => {
  const company = await service.company()
  for (const [text, code] of unstorable) {
    const value = JSON.parse(text)
    for (const [body, pointer] of [
      [`{"firstName": ${text}}`, '/firstName'],
      [`{"email": "a@b.example", "tags": ["a", ${text}]}`, '/tags/1'],
      [`{"email": "a@b.example", "notes": [{"a": {"b": ${text}}}]}`, '/notes/0/a/b'],
      [`{"email": "a@b.example", "notes": [{${text}: 1}]}`, `/notes/0/${value}`],
      [`{"email": "a@b.example", ${text}: 1}`, `/${value}`],
    ] as const) {
      const { errors } = await refusedCustomer(company, body)
      // Half a pair cannot be told in UTF-8 either.
      assert.deepEqual([errors[0].pointer, errors[0].code], [pointer.toWellFormed(), code])
    }
    const reply = await company.call('PATCH', `/v1/customer/${noId}`, `{"firstName": ${text}}`)
    assertProblem(reply, 400, 'validation_failed')
  }
  await refusedCustomer(company, '{"firstName": "a\u0000b"}', 'malformed_body')
  await refusedCustomer(
    company,
    Buffer.from([...Buffer.from('{"firstName": "'), 0xed, 0xa0, 0xbd, 0x22, 0x7d]),
    'malformed_body',
  )
  await assertEmpty(company)
  // A whole pair, and a backslash before what only looks like an escape, are text like any other.
  const { body } = await company.call('POST', '/v1/customer', '{"firstName": "\\ud83d\\ude00 \\\\u0000 \\\\ud83d"}')
  assert.equal(body.firstName, '😀 \\u0000 \\ud83d')
})

test('what a body loses under long names is listed while there is room, and the body is refused whole beyond it', async () => {
  const { call } = await service.company()
  const lossy = `{"email": "a@b.example", "notes": [{"${'n'.repeat(200_000)}": [${Array(1000).fill('1e400')}]}]}`
  for (const [path, body] of [
    ['/v1/customer', lossy],
    ['/v1/customers', `[{"email": "b@b.example"}, ${lossy}]`],
  ] as const) {
    const reply = await call('POST', path, body)
    const { errors } = assertProblem(reply, 400, 'validation_failed', path)
    assert.equal(errors[0].code, 'precision')
    assert.ok(reply.text.length < 0.3 * megabyte, `${reply.text.length} characters`)
  }
})

test('items that lose a hundred members with long names each are told of their own, and the others are written', async () => {
  const { call } = await service.company()
  const members = Array.from({ length: 100 }, (_, n) => `"${String(n).padStart(110, 'n')}": 1e400`)
  const lossy = `{"email": "a@b.example", "settings": {${members}}}`
  const { body } = await call('POST', '/v1/customers', `[{"email": "b@b.example"}, ${Array(100).fill(lossy)}]`)
  assert.deepEqual(body.summary, { total: 101, succeeded: 1, failed: 100 })
})

test('what is wrong is counted whole, alone and as an item, and one long name takes no place from the short ones', async () => {
  const { call } = await service.company()
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`unknown${n}`, 0]))
  const many = { ...unknown, email: 1 }
  assert.match((await refusedCustomer({ call } as Company, many)).message, /\(and 100 more\)$/)
  const { body } = await call('POST', '/v1/customers', [many])
  assert.match(body.results[0].error.message, /\(and 100 more\)$/)
  const long = 'n'.repeat(70_000)
  for (const [sent, told] of [
    [
      [long, 'a', 'b'],
      [long, 'a', 'b'],
    ],
    [
      ['a', long, 'b'],
      ['a', 'b'],
    ],
  ] as const) {
    const { errors } = await refusedCustomer({ call } as Company, {
      email: 'a@b.example',
      ...Object.fromEntries(sent.map((name) => [name, 0])),
    })
    assert.deepEqual(
      errors.map(({ pointer }: Body) => pointer.length),
      told.map((name) => `/${name}`.length),
    )
  }
})

test('what is lost of one item of a bulk request is that item’s error, and the others are written', async () => {
  const company = await service.company()
  const long = `"${'a'.repeat(megabyte + 1)}"`
  const lossy = [...unstorable, ['1e400', 'precision'], ['12345678901234567890', 'precision'], [long, 'maxLength']]
  const wrong = lossy.map(([text, code]) => [`{"email": "a@b.example", "notes": [${text}]}`, '/notes/0', code])
  wrong.push(['{"email": "a@b.example", "email": "b@b.example"}', '/email', 'duplicate'])
  for (const [start, end, at] of [
    ['{"items": [', ']}', '/items'],
    ['[', ']', ''],
  ]) {
    const items = wrong.flatMap(([text], n) => [`{"email": "good${n}@b.example"}`, text])
    const { status, body } = await company.call('POST', '/v1/customers', `${start}${items.join(',')}${end}`)
    assert.equal(status, 200)
    assert.deepEqual(body.summary, { total: wrong.length * 2, succeeded: wrong.length, failed: wrong.length })
    wrong.forEach(([, pointer, code], n) => {
      assert.equal(body.results[n * 2].data.email, `good${n}@b.example`)
      const { error } = body.results[n * 2 + 1]
      assert.deepEqual(
        [error.statusCode, error.errors[0].pointer, error.errors[0].code],
        [400, `${at}/${n * 2 + 1}${pointer}`, code],
      )
    })
  }
  const { body: page } = await company.call('GET', '/v1/customers')
  assert.equal(page.meta.count, wrong.length * 2)
  const [{ id }] = page.data
  const update = await company.call(
    'PATCH',
    '/v1/customers',
    `[{"id": "${id}", "phone": "\\u0000"}, {"id": "${page.data[1].id}", "phone": "1"}]`,
  )
  assert.deepEqual([update.body.results[0].status, update.body.results[1].data.phone], ['error', '1'])
  // Outside of the items it is the request that is wrong.
  for (const body of [
    '{"items": [{"email": "a@b.example"}], "items": [{"email": "a@b.example"}]}',
    '{"items": [{}], "\\u0000": 1}',
  ])
    assertProblem(await company.call('POST', '/v1/customers', body), 400, 'validation_failed')
})

test('a string is taken up to its limit and refused behind it, counted in characters', async () => {
  const { call } = await service.company()
  const limits: [one: string, member: string, least: Body, limit: number][] = [
    ['customer', 'firstName', {}, 500],
    ['product', 'description', { name: 'a' }, 100 * kilobyte],
    ['category', 'image', { name: 'a' }, 2 * kilobyte],
    ['station', 'deviceId', { name: 'a', outletId: 'o', status: 's' }, 64],
    ['station', 'status', { name: 'a', outletId: 'o' }, 100],
    ['session', 'openingNote', { stationId: 's' }, megabyte],
    ['order', 'customerNote', { lineItems: [] }, megabyte],
  ]
  for (const [one, member, least, limit] of limits) {
    for (const letter of limit === megabyte ? ['a', 'ä'] : ['a', '😀']) {
      const { status, body } = await call('POST', `/v1/${one}`, { ...least, [member]: letter.repeat(limit) })
      assert.equal(status, 201, `${one}.${member}`)
      assert.equal(body[member], letter.repeat(limit))
      const reply = await call('POST', `/v1/${one}`, { ...least, [member]: letter.repeat(limit + 1) })
      const { errors } = assertProblem(reply, 400, 'validation_failed', `${one}.${member}`)
      assert.deepEqual([errors[0].pointer, errors[0].code], [`/${member}`, 'maxLength'])
    }
  }
  const free = (length: number) => ({ email: 'a@b.example', notes: [{ free: 'a'.repeat(length) }] })
  assert.equal((await call('POST', '/v1/customer', free(megabyte))).status, 201)
  const { errors } = assertProblem(await call('POST', '/v1/customer', free(megabyte + 1)), 400)
  assert.equal(errors[0].pointer, '/notes/0/free')
  const reference = { clientRef: '😀'.repeat(200), email: 'a@b.example' }
  const { body } = await call('POST', '/v1/customers', [reference, { ...reference, clientRef: '😀'.repeat(201) }])
  assert.deepEqual([body.results[0].clientRef, body.results[1].status], [reference.clientRef, 'error'])
})

test('an id that no record can have is 404 for every verb, whatever stands in the path', async () => {
  const { call, key } = await service.company()
  const ids = [
    '%00',
    '..%2f..',
    '%2e%2e',
    '%2F',
    '%5c',
    '%0d%0aset-cookie:a',
    '%F0%9F%98%80',
    '%D9%A3',
    "'",
    '%22',
    '*',
    '-1',
    '0',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    noId.slice(1),
    `${noId}0`,
    'F'.repeat(24),
    `${noId}%00`,
    `${noId}%20`,
    '%7B%22$oid%22:1%7D',
    'a'.repeat(500),
    'a'.repeat(501),
    'a'.repeat(10_000),
    '%zz',
    '%',
    '%f',
    '%ff',
    '%c0%af',
    '%ED%A0%80',
    `${noId};a=b`,
    `${noId}/`,
    `${noId}/..`,
  ]
  for (const { one, styleA } of contracts) {
    for (const id of ids) {
      for (const [method, prefix] of [
        ['GET', '/v1/'],
        ['PATCH', '/v1/'],
        ['DELETE', '/v1/'],
        ['GET', '/v1/api/'],
        ['PUT', '/v1/api/'],
      ] as const) {
        if (prefix === '/v1/api/' && (styleA === null || one !== 'customer')) continue
        const path = `${prefix}${prefix === '/v1/' ? one : styleA?.one[0]}/${id}`
        const reply = await call(method, path, method === 'GET' || method === 'DELETE' ? undefined : {})
        // A path of an id and more is another path, which may be that of a list.
        if (reply.status !== 405) assertProblem(reply, 404, 'not_found', path)
      }
    }
  }
  const head = (path: string | Buffer) => [
    Buffer.concat([
      Buffer.from('GET '),
      Buffer.from(path),
      Buffer.from(` HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: ${key}\r\n\r\n`),
    ]),
  ]
  for (const path of [
    '/v1/customer/../../etc/passwd',
    '//v1/customers',
    '/v1//customers',
    '/./v1/customers',
    '/v1/customers/..',
  ])
    assertProblem(await raw(service.url, ...head(path)), 404, 'not_found', path)
  // What is no URL at all is no HTTP either.
  for (const bytes of [Buffer.from('/v1/customer/é'), Buffer.from([...Buffer.from('/v1/customer/'), 0xff, 0xfe])])
    assertProblem(await raw(service.url, ...head(bytes)), 400, 'malformed_body')
})

test('a query that is not understood is refused naming the parameter, and none is read as another', async () => {
  const { call } = await service.company()
  const refused: [query: string, pointer: string, code: string][] = [
    ['source=%00', 'source', 'nul'],
    ['searchByEmail=a%00b', 'searchByEmail', 'nul'],
    ['tags=%00', 'tags', 'nul'],
    ['%00=1', '\u0000', 'unknown'],
    ['source=%ff', 'source', 'encoding'],
    ['source=%ED%A0%80', 'source', 'encoding'],
    ['%ff=1', '%ff=1', 'encoding'],
    ['=1', '=1', 'unknown'],
    ['source', 'source', 'minLength'],
    ['source=', 'source', 'minLength'],
    ['source=a&source=b', 'source', 'duplicate'],
    ['source=a&%73ource=a', 'source', 'duplicate'],
    ['source[]=a', 'source[]', 'unknown'],
    ['source[0]=a', 'source[0]', 'unknown'],
    ['source[gte]=a', 'source[gte]', 'unknown'],
    ['Source=a', 'Source', 'unknown'],
    ['createdAt=2026-01-01', 'createdAt', 'type'],
    ['createdAt[]=2026-01-01', 'createdAt[]', 'unknown'],
    ['createdAt[eq]=2026-01-01', 'createdAt[eq]', 'unknown'],
    ['createdAt[__proto__]=2026-01-01', 'createdAt[__proto__]', 'unknown'],
    ['createdAt[gte][gte]=2026-01-01', 'createdAt[gte][gte]', 'unknown'],
    ['createdAt[gte=2026-01-01', 'createdAt[gte', 'unknown'],
    ['createdAt.gte=2026-01-01', 'createdAt.gte', 'unknown'],
    ['createdAt[gte]=2026-01-01&createdAt[gte]=2026-01-01', 'createdAt[gte]', 'duplicate'],
    ['createdAt[gte]=', 'createdAt[gte]', 'format'],
    ['skip=1e309', 'skip', 'type'],
    ['skip=1e3', 'skip', 'type'],
    ['skip=NaN', 'skip', 'type'],
    ['skip=9007199254740993', 'skip', 'type'],
    ['skip=1000000001', 'skip', 'maximum'],
    ['skip=-1', 'skip', 'minimum'],
    ['skip=-0.5', 'skip', 'type'],
    ['skip=٣', 'skip', 'type'],
    ['limit=0x10', 'limit', 'type'],
    ['limit=%205', 'limit', 'type'],
    ['limit=+5', 'limit', 'type'],
    ['limit=5.0', 'limit', 'type'],
    ['limit=5,000', 'limit', 'type'],
    ['limit=', 'limit', 'type'],
    ['limit=1001', 'limit', 'maximum'],
    ['limit[a]=1', 'limit[a]', 'unknown'],
    ['includeDeleted=1', 'includeDeleted', 'type'],
    ['includeDeleted=TRUE', 'includeDeleted', 'type'],
    ['sortBy=phone', 'sortBy', 'enum'],
    ['sortBy=id;drop table customers', 'sortBy', 'enum'],
    ['sortOrder=ASC', 'sortOrder', 'enum'],
    ['cursor=a', 'cursor', 'cursor'],
    ['cursor=bnVsbA', 'cursor', 'cursor'],
    [`cursor=${Buffer.from('["createdAt","asc","\\u0000","a"]').toString('base64url')}`, 'cursor', 'cursor'],
    [`searchByEmail=${'a'.repeat(8_193)}`, 'searchByEmail', 'maxLength'],
    [`${'&'.repeat(2_000)}bogus=1`, 'bogus', 'unknown'],
    [`${'limit=1&'.repeat(1_500)}`, 'limit', 'duplicate'],
  ]
  for (const [query, pointer, code] of refused) {
    const { errors } = assertProblem(
      await call('GET', `/v1/customers?${query}`),
      400,
      'validation_failed',
      query.slice(0, 60),
    )
    assert.deepEqual([errors[0].in, errors[0].pointer, errors[0].code], ['query', pointer, code])
  }
  const tooMany = await call('GET', `/v1/customers?${'a=1&'.repeat(5_000)}`)
  assertProblem(tooMany, 431, 'headers_too_large')
})

test('a query is read as it was meant: plus, percent signs, empty parts, offsets', async () => {
  const { call } = await service.company()
  const { body: customer } = await call('POST', '/v1/customer', {
    firstName: '100% a+b',
    source: 'a b',
    lastName: '&=[]',
  })
  for (const query of [
    'source=a+b',
    'source=a%20b&',
    '&&source=a b',
    'searchByFirstName=100%',
    'searchByFirstName=%25%20a%2Bb',
    'searchByLastName=%26%3D%5B%5D',
    'searchByLastName==[]',
    'createdAt%5Bgte%5D=2020-01-01',
    'createdAt[gte]=2020-01-01T00:00:00+02:00',
    'createdAt[gte]=2020-01-01T00:00:00%2B02:00',
    `createdAt[gte]=${customer.createdAt}&createdAt[lte]=${customer.createdAt}`,
    'limit=007',
    'skip=-0',
  ]) {
    const { status, body, text } = await call('GET', `/v1/customers?${query}`)
    assert.equal(status, 200, `${query} ${text}`)
    assert.deepEqual(body.data, [customer], query)
  }
})

const get = (path: string, ...headers: string[]) =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`

test('headers that are too large, repeated or malformed are answered, and nothing of them comes back unchecked', async () => {
  const { key } = await service.company()
  const own = `x-api-key: ${key}`
  for (const header of [
    `x-filler: ${'a'.repeat(20_000)}`,
    `${'a'.repeat(20_000)}: a`,
    `x-request-id: ${'a'.repeat(17_000)}`,
  ])
    assertProblem(await raw(service.url, get('/v1/customers', own, header)), 431, 'headers_too_large')
  assertProblem(await raw(service.url, get(`/v1/customers?${'a'.repeat(20_000)}`, own)), 431, 'headers_too_large')
  for (const header of [
    'x-request-id: a\nb',
    'x-request-id: a\rb',
    'x-request-id: a\u0000b',
    'x request id: a',
    ': a',
    ' folded',
    'content-length: a',
    'content-length: -1',
    'transfer-encoding: gzip, chunked, x\r\ncontent-length: 3',
  ])
    assertProblem(await raw(service.url, get('/v1/customers', own, header)), 400, 'malformed_body', header)
  const smuggled = await raw(service.url, get('/v1/customers', own, 'content-length: 3', 'content-length: 4'))
  assertProblem(smuggled, 400, 'malformed_body')
  for (const id of ['a b', 'ä', '"><script>', 'a'.repeat(129), '\t']) {
    const { status, headers } = await raw(service.url, get('/v1/customers', own, `x-request-id: ${id}`))
    assert.equal(status, 200)
    const answered = headers.get('x-request-id') ?? ''
    if (id === '"><script>') assert.equal(answered, id)
    else assert.match(answered, /^[0-9a-f-]{36}$/)
  }
  assert.match(
    (await raw(service.url, get('/v1/customers', own, 'x-request-id: a', 'x-request-id: b'))).headers.get(
      'x-request-id',
    ) ?? '',
    /^[0-9a-f-]{36}$/,
  )
  assert.equal((await raw(service.url, get('/v1/customers', own, 'expect: 200-maybe'))).status, 200)
  assert.equal(
    (
      await raw(
        service.url,
        get('/v1/customers', own, 'upgrade: h2c', 'accept: text/html', 'accept-version: 9', 'range: bytes=0-1'),
      )
    ).status,
    200,
  )
})

test('bytes that are no HTTP are answered with a problem and a closed connection, and old HTTP is spoken', async () => {
  const { key } = await service.company()
  const noise = Uint8Array.from({ length: 4_096 }, (_, n) => (n * 7919) % 256)
  for (const bytes of [
    'garbage\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
    noise,
    'GET / HTTP/9.9\r\n\r\n',
    'get / http/1.1\r\n\r\n',
    'FROBNICATE / HTTP/1.1\r\nhost: a\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nhost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nhost a\r\n\r\n',
  ])
    assertProblem(await raw(service.url, bytes), 400, 'malformed_body', String(bytes).slice(0, 40))
  assertProblem(await raw(service.url, 'GET /v1/whoami HTTP/1.1\r\nconnection: close\r\n\r\n'), 400, 'malformed_body')
  const chunked = `POST /v1/customer HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
  for (const chunk of ['zz\r\n{}\r\n', '-1\r\n{}\r\n', 'ffffffffffffffffffff\r\n{}', '2\r\n{}xx'])
    assertProblem(await raw(service.url, chunked, chunk), 400, 'malformed_body', chunk)
  const old = await raw(service.url, `GET /v1/whoami HTTP/1.0\r\nx-api-key: ${key}\r\n\r\n`)
  assert.deepEqual([old.status, JSON.parse(old.text).currency], [200, 'EUR'])
  assertProblem(await raw(service.url, 'GET /v1/whoami HTTP/1.0\r\n\r\n'), 401, 'missing_key')
  const absolute = await raw(service.url, get(`${service.url}/v1/whoami`, `x-api-key: ${key}`))
  assert.equal(absolute.status, 200)
})

test('a request that comes byte by byte is answered, and one that never ends or is broken off harms nobody', async () => {
  const { key, call } = await service.company()
  const body = '{"email": "slow@b.example"}'
  const request = `POST /v1/customer HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  assert.match(await rawText(service.url, request), /^HTTP\/1\.1 201 /)
  const { connect } = await import('node:net')
  const { hostname, port } = new URL(service.url)
  const open = []
  for (const end of [0, 1, 20, request.indexOf('\r\n\r\n') + 2, request.length - body.length, request.length - 1]) {
    const socket = connect(Number(port), hostname)
    await new Promise((resolve) => socket.write(request.slice(0, end), resolve))
    if (end % 2 === 0) socket.destroy()
    else open.push(socket)
  }
  assert.equal((await call('GET', '/v1/customers')).body.meta.count, 1)
  for (const socket of open) socket.destroy()
})

/** What would take minutes, or all the memory, were it not bounded. Each is answered long before the test's time is over. */
const bombs: [what: string, path: string, body: () => string, status: number][] = [
  ['a number of a million digits', 'customer', () => `{"notes": [0.1${'0'.repeat(megabyte)}1]}`, 400],
  ['a number of ten million digits', 'customer', () => `{"notes": [1${'0'.repeat(9 * megabyte)}1]}`, 400],
  ['an exponent of a million digits', 'customer', () => `{"notes": [1e${'9'.repeat(megabyte)}]}`, 400],
  ['five million elements', 'customer', () => `{"tags": [${'1,'.repeat(5_000_000)}1]}`, 400],
  [
    'a quarter of a million wrong elements',
    'customer',
    () => `{"email": "a@b.example", "tags": [${'1,'.repeat(249_000)}1]}`,
    400,
  ],
  ['a quarter of a million wrong lines', 'order', () => `{"lineItems": [${'1,'.repeat(249_000)}1]}`, 400],
  [
    'as many lines that lack all that is required',
    'refund',
    () => `{"orderId": "a", "summary": {}, "lineItems": [${'{},'.repeat(249_000)}{}]}`,
    400,
  ],
  [
    'ten thousand unknown members with long names',
    'customer',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => ['m'.repeat(900) + n, 1]))),
    400,
  ],
  [
    'a quarter of a million unknown members',
    'customer',
    () => `{${Array.from({ length: 249_000 }, (_, n) => `"firstName${n}":1`).join()}}`,
    400,
  ],
  [
    'nine unknown members of a megabyte',
    'customer',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 9 }, (_, n) => ['m'.repeat(megabyte - 1) + n, 1]))),
    400,
  ],
  [
    'a thousand items of unknown members',
    'customers',
    () =>
      JSON.stringify(
        Array(1_000).fill(Object.fromEntries(Array.from({ length: 240 }, (_, n) => [`firstNames${n}`, 1]))),
      ),
    200,
  ],
  ['a quarter of a million duplicates', 'customer', () => `{${'"a":1,'.repeat(249_000)}"a":1}`, 400],
  ['five million errors of syntax', 'customer', () => `[${'a '.repeat(5_000_000)}`, 400],
  ['ten million brackets', 'customer', () => `[${'}'.repeat(10_000_000)}`, 400],
  ['ten million line breaks', 'customer', () => `${'\n'.repeat(10_000_000)}x`, 400],
  ['five million escaped quotes', 'customer', () => `{"email": "${'\\"'.repeat(5_000_000)}"}`, 400],
  ['backslashes before every quote', 'customer', () => `{"email": "${`${'\\'.repeat(1_001)}"`.repeat(9_000)}`, 400],
  [
    'a megabyte that is nearly an address',
    'customer',
    () => JSON.stringify({ email: `a@${'a.'.repeat(megabyte / 2 - 10)}-` }),
    400,
  ],
  ['a megabyte of one label', 'customer', () => JSON.stringify({ email: `a@${'a-'.repeat(megabyte / 2 - 10)}` }), 400],
  [
    'a megabyte that is nearly a local part',
    'customer',
    () => JSON.stringify({ email: 'a.'.repeat(megabyte / 2 - 10) }),
    400,
  ],
  [
    'a megabyte that is nearly a date',
    'customer',
    () => JSON.stringify({ email: 'a@b.example', lastAction: `2026-11-21T09:30:00.${'1'.repeat(megabyte - 100)}` }),
    400,
  ],
  [
    'a megabyte that is nearly a decimal',
    'customer',
    () => JSON.stringify({ email: 'a@b.example', totalSpent: '1'.repeat(megabyte - 100) }),
    400,
  ],
  [
    'a megabyte that is nearly a URL',
    'automation-trigger',
    () => JSON.stringify({ triggerType: 'a', triggerUrl: `http://${'xn--a.'.repeat(megabyte / 6 - 100)}` }),
    400,
  ],
  ['invalid UTF-8 at the end of ten megabytes', 'customer', () => ' '.repeat(10 * megabyte - 1), 400],
]

for (const [what, path, body, status] of bombs)
  test(`${what}: answered, and the service goes on`, { timeout: 20_000 }, async () => {
    const { call } = await service.company()
    const [reply, health] = await Promise.all([
      call(
        'POST',
        `/v1/${path}`,
        what.startsWith('invalid') ? Buffer.concat([Buffer.from(body()), Buffer.from([0xff])]) : body(),
      ),
      call('GET', '/v1/public/health'),
    ])
    if (status === 400) assertProblem(reply, 400)
    else assert.equal(reply.body.summary.failed, 1_000)
    assert.equal(health.status, 200)
  })

/** Holds an answer against what any answer must be. */
function assertAnswered(reply: Reply, about: string): void {
  assert.ok(reply.status < 500, `${about} ${reply.text}`)
  if (reply.status >= 400) assertProblem(reply, reply.status, undefined, about)
}

/** Any JSON, and records of a resource whose members are right, wrong, or anything. */
function anyBody(contract: Contract): fc.Arbitrary<unknown> {
  const { members } = contract
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[-+.0-9eE:TZ ]{0,20}$/),
  )
  const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), text, fc.double(), fc.constant(null))
  const known = Object.fromEntries(
    Object.entries(members).map(([member, { values, edges, wrong }]) => {
      const small = edges.filter((edge) => JSON.stringify(edge).length < 1_000)
      const refused = wrong.map(([sample]) => sample).filter((sample) => JSON.stringify(sample).length < 1_000)
      const sample = fc.constantFrom(...values, ...small, ...refused)
      return [member, fc.oneof({ arbitrary: sample, weight: 4 }, value)]
    }),
  )
  const record = fc.record(known, { requiredKeys: [], noNullPrototype: true })
  // Most members are wrong somewhere in such a record; with one or two of them it is taken as often as it is refused.
  const few = fc.uniqueArray(fc.constantFrom(...Object.keys(known)), { maxLength: 2 })
  const nearlyRight = fc.tuple(record, few).map(([own, names]) => ({ ...leastBody(contract), ...pick(own, names) }))
  const odd = fc.oneof(text, fc.constantFrom('id', '_id', 'isDeleted', '__proto__', 'clientRef'))
  const extra = fc.dictionary(odd, value, { maxKeys: 2 })
  return fc.oneof(
    { arbitrary: nearlyRight, weight: 6 },
    record,
    fc.tuple(nearlyRight, extra).map(([own, more]) => ({ ...own, ...more })),
    fc.jsonValue(),
  )
}

const pick = (from: Body, names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))

for (const contract of contracts)
  test(`${contract.one}: any JSON as a create, an update or an item is taken or refused, and what is taken is kept`, async () => {
    const { call } = await service.company()
    const { one, many } = contract
    const { id } = (await call('POST', `/v1/${one}`, leastBody(contract))).body
    const outcomes = { success: 0, error: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(anyBody(contract), { minLength: 1, maxLength: 12 }), async (values) => {
        const [first] = values
        const about = JSON.stringify(first).slice(0, 2_000)
        assertAnswered(await call('POST', `/v1/${one}`, JSON.stringify(first)), about)
        assertAnswered(await call('PATCH', `/v1/${one}/${id}`, JSON.stringify(first)), about)
        assertAnswered(await call('POST', `/v1/${many}`, JSON.stringify(first)), about)
        const created = await call('POST', `/v1/${many}`, { items: values })
        assert.equal(created.status, 200, created.text)
        const made = created.body.results.flatMap(({ data }: Body) => (data ? [data] : []))
        for (const record of made) assert.deepEqual((await call('GET', `/v1/${one}/${record.id}`)).body, record)
        const updates = values.map((value, n) =>
          typeof value === 'object' ? { ...value, id: made[n]?.id ?? id } : value,
        )
        const updated = await call('PATCH', `/v1/${many}`, { items: updates })
        assert.equal(updated.status, 200, updated.text)
        const results = [...created.body.results, ...updated.body.results]
        for (const { status } of results) outcomes[status as keyof typeof outcomes]++
        for (const { status, error } of results)
          assert.ok(status === 'success' || error.statusCode < 500, JSON.stringify(error))
        assertAnswered(await call('DELETE', `/v1/${many}`, { items: values }), about)
      }),
      { numRuns: 12 },
    )
    assert.ok(outcomes.success > 0 && outcomes.error > 0, JSON.stringify(outcomes))
  })

test('any query string on any list is answered with a page or with what is wrong with it', async () => {
  const { call } = await service.company()
  for (const contract of contracts) await call('POST', `/v1/${contract.one}`, fullBody(contract))
  const lists = routes.filter(
    ({ method, path, query }) => method === 'GET' && query !== undefined && !path.includes('{'),
  )
  assert.ok(lists.length > 25)
  for (const { path, query = {} } of lists) {
    const names = Object.entries(query).flatMap(([name, { type }]) =>
      type === 'object' ? [`${name}[gte]`, `${name}[lt]`] : [name],
    )
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      fc.integer().map(String),
      fc.constantFrom(
        '0',
        '1',
        '5',
        'true',
        'false',
        'asc',
        'desc',
        'createdAt',
        'name',
        '2026-11-21',
        '9999-12-31T23:59:59.999Z',
        '%',
        '_',
        '\\',
        "'",
        'a,b,,c',
        'é',
      ),
    )
    const part = fc.oneof(
      {
        arbitrary: fc
          .tuple(fc.constantFrom(...names), value)
          .map(([name, text]) => `${name}=${encodeURIComponent(text)}`),
        weight: 6,
      },
      fc.webQueryParameters(),
      fc.string().map((text) => text.replaceAll('#', '')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const search = parts.join('&')
        const reply = await call('GET', `${path}?${search}`)
        assert.ok(reply.status === 200 || reply.status === 400, `${path}?${search} ${reply.text}`)
        assertAnswered(reply, `${path}?${search}`)
      }),
      { numRuns: 25 },
    )
  }
})

/** Values that some member or parameter might be unprepared for, whatever it is meant to be. */
const hostile = [
  ...[null, -1, 'x'.repeat(1_000), '0000-01-01', ['a', 'a'], { constructor: 1 }],
  Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, n])),
]

test('every route that is no resource’s takes or refuses whatever stands in one member, naming where it is wrong', async () => {
  const { call } = await service.company()
  const others = withBody.filter((route) => !servedBy(route) && !/onboard.+|^\/v1\/api\/[ao]/.test(route.path))
  await eachRoute(others, async (route) => {
    const { example, schema } = route.body as Body
    const [head, item] = route.isBulk ? ['/items/0', example.items[0]] : ['', example]
    const properties = (route.isBulk ? undefined : schema.properties) ?? {}
    for (const member of Object.keys({ ...item, ...properties }))
      for (const value of hostile) {
        const body = { ...item, [member]: value }
        const about = `${member}: ${JSON.stringify(value).slice(0, 60)}`
        const reply = await call(route.method, pathOf(route), route.isBulk ? { items: [body] } : body)
        assertAnswered(reply, about)
        const { code, errors = [] } = route.isBulk ? (reply.body.results[0].error ?? {}) : reply.body
        if (code === 'validation_failed') assert.ok(errors[0].pointer.startsWith(head), `${about} ${reply.text}`)
        else if (reply.status < 300) assertDeclared(route, reply)
      }
  })
})

test('every parameter of every list that is no resource’s takes a value or refuses it by its name', async () => {
  const { call } = await service.company()
  const others = routes.filter((route) => route.query && !servedBy(route) && !/stream|imports$/.test(route.path))
  await eachRoute(others, async (route) => {
    for (const [name, { properties }] of Object.entries(route.query ?? {}))
      for (const value of hostile.filter((value) => typeof value !== 'object')) {
        const parameter = properties ? `${name}[gte]` : name
        const reply = await call(route.method, `${pathOf(route)}?${parameter}=${encodeURIComponent(String(value))}`)
        assertAnswered(reply, parameter)
        if (reply.body?.code === 'validation_failed')
          for (const error of reply.body.errors) assert.equal(error.in, 'query', reply.text)
      }
  })
})

test('a date-time that was read filters exactly: at, from, to, before and after it', async () => {
  const { call } = await service.company()
  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  })
  const near = fc.tuple(moment, fc.integer({ min: -1, max: 1 })).map(([time, off]) => new Date(time.getTime() + off))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(moment, near), { minLength: 1, maxLength: 20 }), async (moments) => {
      const items = moments.map((time) => ({ stationId: 's', openTime: time.toISOString() }))
      const { body } = await call('POST', '/v1/sessions', items)
      const times: string[] = body.results.map(({ data }: Body) => data.openTime)
      const [time = ''] = times
      const listed = async (query: string) =>
        (await call('GET', `/v1/sessions?limit=1000&${query}`)).body.data.map(({ openTime }: Body) => openTime)
      assert.deepEqual(
        await listed(`openTime[gte]=${time}&openTime[lte]=${time}`),
        times.filter((other) => other === time),
      )
      assert.deepEqual(
        await listed(`openTime[gt]=${time}`),
        times.filter((other) => other > time),
      )
      assert.deepEqual(
        await listed(`openTime[lt]=${time}`),
        times.filter((other) => other < time),
      )
      const ids = body.results.map(({ data }: Body) => ({ id: data.id }))
      assert.equal((await call('DELETE', '/v1/sessions', ids)).body.summary.failed, 0)
    }),
    { numRuns: 15 },
  )
})
