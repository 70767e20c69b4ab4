// A body of any text: what cannot be stored is reported, singly and per item of a bulk request; everything else is stored exactly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from './support/contract.ts'
import { assertProblem } from './support/problem.ts'
import { assertNoCustomer, refusedCustomer } from './support/refused-customers.ts'
import { noId } from './support/routes.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()

const kilobyte = 1024
const megabyte = 1024 * kilobyte

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
  await assertNoCustomer(company)
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
