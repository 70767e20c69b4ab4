// A body of any structure and any numbers or times: every error in it is reported, nothing is stored partially, valid data exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { assertNoCustomer, refusedCustomer } from './support/refused-customers.ts'
import { each, eachRoute, noId, pathOf, routes } from './support/routes.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

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
  await assertNoCustomer(company)
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
  const digits = 'has more digits than a number keeps; send fewer digits, or a string if the member is a decimal string'
  const range = 'is beyond the range of numbers (IEEE 754 double: 0, or from 5e-324 to 1.8e308)'
  for (const [lossy, message] of [
    ['1e400', range],
    ['-1e400', range],
    ['1e-400', range],
    ['12345678901234567890', digits],
    ['9007199254740993', digits],
    ['0.1234567890123456789', digits],
    ['-123456789012345678901234567890e-10', digits],
    [`1${'0'.repeat(400)}`, range],
    [`0.${'0'.repeat(400)}1`, range],
  ]) {
    const { errors } = await refusedCustomer(company, `{"email": "a@b.example", "notes": [0, {"deep": ${lossy}}]}`)
    assert.deepEqual(errors, [{ in: 'body', pointer: '/notes/1/deep', code: 'precision', message }])
  }
  await assertNoCustomer(company)
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
    '2026-11-21T23:58:60Z',
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
