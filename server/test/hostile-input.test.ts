// Input as long, as deep and as strange as possible, and random input: every request is answered, and none affects others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyCharacters } from './support/any-characters.ts'
import { fullBody, leastBody } from './support/bodies.ts'
import { type Body, type Contract, contracts } from './support/contract.ts'
import { assertDeclared } from './support/declared.ts'
import { assertProblem } from './support/problem.ts'
import { eachRoute, pathOf, routes, servedBy, withBody } from './support/routes.ts'
import { type Reply, sharedService } from './support/service.ts'
import { nextOf, runs } from './support/variants.ts'

const service = sharedService()

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Input that would take minutes, or all the memory, without limits. Each is answered long before the test's time is over. */
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
  test(`${what}: answered, and the service keeps running`, { timeout: 20_000 }, async () => {
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

/** Checks what must hold for any response. */
function assertAnswered(reply: Reply, about: string): void {
  assert.ok(reply.status < 500, `${about} ${reply.text}`)
  if (reply.status >= 400) assertProblem(reply, reply.status, undefined, about)
}

// Made once: fast-check lists all graphemes.
const anyGraphemes = fc.string({ unit: 'grapheme' })

/** Any JSON, and records of a resource whose members are right, wrong, or anything. */
function anyBody(contract: Contract): fc.Arbitrary<unknown> {
  const { members } = contract
  const text = fc.oneof(anyCharacters, anyGraphemes, fc.stringMatching(/^[-+.0-9eE:TZ ]{0,20}$/))
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
  // Most members are wrong somewhere in such a record; with one or two of them it is accepted as often as refused.
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
  test(`${contract.one}: any JSON as a create, an update or an item is accepted or refused, and accepted data is stored`, async () => {
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
      { numRuns: runs(4) },
    )
    assert.ok(outcomes.success > 0 && outcomes.error > 0, JSON.stringify(outcomes))
  })

test('any query string on any list is answered with a page or with its error', async () => {
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
      anyGraphemes,
      anyCharacters.map((text) => text.toWellFormed()),
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
      anyCharacters.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.string().map((text) => text.replaceAll('#', '')),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        const search = parts.join('&')
        const reply = await call('GET', `${path}?${search}`)
        assert.ok(reply.status === 200 || reply.status === 400, `${path}?${search} ${reply.text}`)
        assertAnswered(reply, `${path}?${search}`)
      }),
      { numRuns: runs(6) },
    )
  }
})

/** Values that some member or parameter might not expect. */
const hostile = [
  ...[null, -1, 'x'.repeat(1_000), '0000-01-01', ['a', 'a'], { constructor: 1 }],
  Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, n])),
]

test('every route outside of resources accepts or refuses any value of a member, and the error names it', async () => {
  const { call } = await service.company()
  const some = nextOf([hostile.slice(0, 3), hostile.slice(3, 5), hostile.slice(5)])
  const others = withBody.filter((route) => !servedBy(route) && !/onboard.+|^\/v1\/api\/[ao]/.test(route.path))
  await eachRoute(others, async (route) => {
    const { example, schema } = route.body as Body
    const [head, item] = route.isBulk ? ['/items/0', example.items[0]] : ['', example]
    const properties = (route.isBulk ? undefined : schema.properties) ?? {}
    for (const member of Object.keys({ ...item, ...properties }))
      for (const value of some().flat()) {
        const body = { ...item, [member]: value }
        const about = `${member}: ${JSON.stringify(value).slice(0, 60)}`
        const reply = await call(route.method, pathOf(route), route.isBulk ? { items: [body] } : body)
        assertAnswered(reply, about)
        const { code, errors = [] } = route.isBulk ? (reply.body.results[0].error ?? {}) : reply.body
        if (code === 'validation_failed') assert.ok(errors[0].pointer.startsWith(head), `${about} ${reply.text}`)
        // Nested objects keep further members, which the reference does not name.
        else if (reply.status < 300 && !String(value).startsWith('[object')) assertDeclared(route, reply)
      }
  })
})

test('every parameter of every list outside of resources accepts a value or refuses it by name', async () => {
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
    { numRuns: runs(8) },
  )
})
