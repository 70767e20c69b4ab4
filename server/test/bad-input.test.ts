// Whatever a body contains, the service reports every error in it, stores nothing partially, and stores valid data exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { each, eachRoute, noId, pathOf, routes } from './support/routes.ts'
import { type Company, testService } from './support/service.ts'

const service = testService()

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** The problem that a create of a customer returns. */
async function refusedCustomer({ call }: Company, body: unknown, code = 'validation_failed'): Promise<Body> {
  const about = typeof body === 'string' ? body.slice(0, 100) : JSON.stringify(body).slice(0, 100)
  return assertProblem(await call('POST', '/v1/customer', body), 400, code, about)
}

async function assertEmpty({ call }: Company, path = '/v1/customers'): Promise<void> {
  assert.equal((await call('GET', path)).body.meta.count, 0)
}

test('JSON nested 32 deep is accepted, 33 deep is refused, and 100,000 deep is refused before it is walked', async () => {
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

test('a duplicate member in an object is refused with its pointer, however its name is written', async () => {
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

test('members that mean something to JavaScript are unknown at the top level, and stored unchanged in nested objects', async () => {
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

test('a number that would lose digits is refused with its pointer, and every other number is stored exactly', async () => {
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

test('a member of a wrong type gets only that error, and no more unknown members are checked than are listed', async () => {
  const { call } = await service.company()
  const many = Array.from({ length: 1000 }, (_, n) => n)
  const unknown = Object.fromEntries(many.map((n) => [`outlet${n}`, 0]))
  for (const [path, body, pointer, count] of [
    ['extensions', { name: 'A', surfaces: many.map(() => ({ id: 'same' })) }, '/surfaces', 1],
    ['plans', { name: 'A', limits: 'x'.repeat(1000) }, '/limits', 1],
    ['plans', { name: 'A', limits: unknown }, '/limits/outlet0', 100],
    // The list is full before the surfaces are checked, so it ends there.
    ['extensions', { name: 'A', gallery: many, surfaces: many.map(() => ({ id: 'same' })) }, '/gallery', 100],
  ] as const) {
    const reply = await call('POST', `/v1/organization-api/${path}`, body)
    const { errors, message } = assertProblem(reply, 400, 'validation_failed', pointer)
    assert.deepEqual([errors[0].pointer, errors.length], [pointer, count])
    assert.match(message, count === 1 ? /^[^(]*$/ : /\(and 99 more\)$/)
  }
})

test('text that only looks like a number is not valid JSON', async () => {
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

test('every filter of times, and everything that subtracts from a time, accepts the first and the last possible time', async () => {
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

test('emoji, right-to-left text, combining marks and invisible characters are stored exactly', async () => {
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

/** JSON texts that PostgreSQL or UTF-8 cannot store, and the pointer of each. */
const unstorable: [text: string, code: string][] = [
  ['"a\\u0000b"', 'nul'],
  ['"\\ud83d"', 'surrogate'],
  ['"\\ude00"', 'surrogate'],
  ['"\\ude00\\ud83d"', 'surrogate'],
  ['"\\uD83D\\u0041"', 'surrogate'],
]

test('U+0000 and halves of surrogate pairs are refused with their pointers, in values and in names of members', async () => {
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
      // Half a pair cannot be written in UTF-8 either.
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

test('lossy values under long names are listed up to the limit, and beyond it the whole body is refused', async () => {
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

test('items with a hundred lossy members with long names each get their own errors, and the others are written', async () => {
  const { call } = await service.company()
  const members = Array.from({ length: 100 }, (_, n) => `"${String(n).padStart(110, 'n')}": 1e400`)
  const lossy = `{"email": "a@b.example", "settings": {${members}}}`
  const { body } = await call('POST', '/v1/customers', `[{"email": "b@b.example"}, ${Array(100).fill(lossy)}]`)
  assert.deepEqual(body.summary, { total: 101, succeeded: 1, failed: 100 })
})

test('all errors of a value are counted, singly and in bulk, and one long name displaces no short ones', async () => {
  const { call } = await service.company()
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`unknown${n}`, 0]))
  const many = { ...unknown, email: 1 }
  assert.match((await refusedCustomer({ call } as Company, many)).message, /\(and 100 more\)$/)
  const { body } = await call('POST', '/v1/customers', [many])
  assert.match(body.results[0].error.message, /\(and 100 more\)$/)
  const long = 'n'.repeat(70_000)
  for (const [sent, reported] of [
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
      reported.map((name) => `/${name}`.length),
    )
  }
})

test('a lossy value in one item of a bulk request is that item’s error, and the others are written', async () => {
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
  // Outside of the items the request itself is wrong.
  for (const body of [
    '{"items": [{"email": "a@b.example"}], "items": [{"email": "a@b.example"}]}',
    '{"items": [{}], "\\u0000": 1}',
  ])
    assertProblem(await company.call('POST', '/v1/customers', body), 400, 'validation_failed')
})

test('a string is accepted up to its limit and refused beyond it, counted in characters', async () => {
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
