// Searches in lists: part of a text, literally, without regard to case in every script (decisions §3).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foundQuery } from '../src/engine/lists/found-query.ts'
import { listQuery } from '../src/engine/lists/list-query.ts'
import { moveSearchEntries } from '../src/engine/lists/search-index-upkeep.ts'
import { customer } from '../src/resources/customer.ts'
import { leastBody } from './support/bodies.ts'
import { type Body, contracts } from './support/contract.ts'
import { skipOnCluster } from './support/nodes.ts'
import { assertProblem } from './support/problem.ts'
import { type Caller, testService } from './support/service.ts'

const service = testService()

const parameter = (member: string) => `searchBy${member.charAt(0).toUpperCase()}${member.slice(1)}`

/** The values of `member` that a search finds; the count must be theirs. */
async function found(call: Caller, many: string, member: string, sought: string): Promise<string[]> {
  const { status, body, text } = await call('GET', `/v1/${many}?${parameter(member)}=${encodeURIComponent(sought)}`)
  assert.equal(status, 200, text)
  assert.equal(body.meta.count, body.data.length)
  const first = await call('GET', `/v1/${many}?limit=1&${parameter(member)}=${encodeURIComponent(sought)}`)
  assert.equal(first.body.meta.count, body.data.length)
  return body.data.map((record: Body) => record[member])
}
async function customersNamed(call: Caller, names: readonly string[]): Promise<void> {
  const { body, text } = await call('POST', '/v1/customers', { items: names.map((firstName) => ({ firstName })) })
  assert.equal(body.summary?.failed, 0, text)
}

for (const contract of contracts)
  for (const member of contract.search)
    test(`/v1/${contract.many}: ${parameter(member)} finds any part of ${member} in either case, and no other member`, async () => {
      const { call } = await service.company()
      const others = await service.company()
      const text = (word: string) =>
        contract.members[member]?.values[0] === 'ann@example.com' ? `${word}@example.com` : `${word} and more`
      const items = [text('XyNeedleZq'), text('other'), text('needle')].map((value) => ({
        ...leastBody(contract),
        [member]: value,
      }))
      const spoilt = contract.search.find(
        (each) => each !== member && contract.members[each]?.values[0] !== 'ann@example.com',
      )
      if (spoilt) items.push({ ...leastBody(contract), [spoilt]: 'needle' })
      for (const { call } of [await service.company(), others]) await call('POST', `/v1/${contract.many}`, items)
      await call('POST', `/v1/${contract.many}`, items)
      for (const sought of ['needle', 'NEEDLE', 'yNeEdLeZ', text('XyNeedleZq').toUpperCase()]) {
        const expected = sought.length === 6 ? [text('XyNeedleZq'), text('needle')] : [text('XyNeedleZq')]
        assert.deepEqual(await found(call, contract.many, member, sought), expected)
      }
      assert.deepEqual(await found(call, contract.many, member, 'needles'), [])
      const unknown = await call('GET', `/v1/${contract.many}?searchByZzz=a`)
      assert.equal(unknown.status, 400)
    })

for (const contract of contracts.filter(({ search }) => search.length > 0))
  test(`/v1/${contract.many}: search finds a word in any member that can be searched, and in no other company`, async () => {
    const { call } = await service.company()
    const others = await service.company()
    const items = contract.search.map((member) => {
      const isEmail = contract.members[member]?.values[0] === 'ann@example.com'
      return { ...leastBody(contract), [member]: isEmail ? 'xyneedlezq@example.com' : 'and XyNeedleZq' }
    })
    await others.call('POST', `/v1/${contract.many}`, items)
    const { body: made } = await call('POST', `/v1/${contract.many}`, [...items, leastBody(contract)])
    assert.equal(made.summary.failed, 0)
    const { status, body, text } = await call('GET', `/v1/${contract.many}?search=NEEDLE`)
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.data.map(({ id }: Body) => id),
      made.results.slice(0, -1).map(({ data }: Body) => data.id),
    )
    assert.equal(body.meta.count, items.length)
    assert.equal((await call('GET', `/v1/${contract.many}?search=needle%20nothing`)).body.meta.count, 0)
  })

test('search finds words in any order and in different members, beside filters, sorts and cursors', async () => {
  const { call } = await service.company()
  const items = [
    { firstName: 'Anna', lastName: 'Gruber', email: 'anna@example.com', outletId: 'graz' },
    { firstName: 'Gruber', lastName: 'Annalena', outletId: 'wien' },
    { firstName: 'Anna', lastName: 'Huber', phone: '0679 100%' },
    { firstName: 'Jo', lastName: 'Gruber', email: 'jo.anna@example.com', outletId: 'graz' },
  ]
  await call('POST', '/v1/customers', { items })
  const names = async (query: string) => {
    const { status, body, text } = await call('GET', `/v1/customers?${query}`)
    assert.equal(status, 200, text)
    return body.data.map(({ firstName, lastName }: Body) => `${firstName} ${lastName}`)
  }
  const all = ['Anna Gruber', 'Gruber Annalena', 'Jo Gruber']
  for (const search of ['gruber+ANNA', '%20anna%20%20gruber%09', 'anna+ub+r', 'g+a'])
    assert.deepEqual(
      (await names(`search=${search}`)).filter((name: string) => name !== 'Anna Huber'),
      all,
      search,
    )
  assert.deepEqual(await names('search=0679+huber+100%25'), ['Anna Huber'])
  assert.deepEqual(await names('search=gruber+anna&outletId=graz&sortBy=lastName&sortOrder=desc'), [
    'Jo Gruber',
    'Anna Gruber',
  ])
  assert.deepEqual(await names('search=gruber&searchByEmail=jo'), ['Jo Gruber'])
  const first = (await call('GET', '/v1/customers?search=gruber+anna&limit=2')).body
  assert.equal(first.meta.count, 3)
  assert.deepEqual(await names(`search=gruber+anna&limit=2&cursor=${first.meta.nextCursor}`), ['Jo Gruber'])
  assert.equal((await names(`search=gruber${'+anna'.repeat(9)}`)).length, 3, 'equal words count once')
  for (const [search, code] of [
    ['%20', 'pattern'],
    ['a+b+c+d+e+f+g+h+i', 'maxItems'],
  ]) {
    const { errors } = assertProblem(await call('GET', `/v1/customers?search=${search}`), 400, 'validation_failed')
    assert.deepEqual([errors[0].in, errors[0].pointer, errors[0].code], ['query', 'search', code])
  }
})

test('percent, underscore and backslash mean themselves', async () => {
  const { call } = await service.company()
  const names = [
    '100% cotton',
    '100 cotton',
    'a_b',
    'axb',
    'back\\slash',
    'backslash',
    '%_\\',
    '\\\\',
    "it's",
    'a"b',
    '%%%%',
  ]
  await customersNamed(call, names)
  for (const sought of [
    '%',
    '_',
    '\\',
    '0%',
    '%_',
    '_\\',
    '%_\\',
    '\\\\',
    '100%',
    'a_b',
    'k\\s',
    "'",
    '"',
    '%%',
    '%%%',
    '\\%',
    '__',
  ])
    assert.deepEqual(
      await found(call, 'customers', 'firstName', sought),
      names.filter((name) => name.includes(sought)),
      sought,
    )
})

test('case does not matter in any script that has it', async () => {
  const { call } = await service.company()
  for (const [stored, ...searches] of [
    ['Änne Größe', 'ÄNNE', 'änne', 'ÄN', 'ä', 'GRÖSSE', 'grösse', 'größe', 'öß', 'ÖSS'],
    ['STRASSE', 'straße', 'ß'],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ', 'σεύς', 'ΣΕΎΣ', 'ς', 'σ', 'Σ'],
    ['ΟΔΟΣ', 'οδος', 'οδοσ', 'ος'],
    ['Иван Ёжиков', 'ИВАН', 'ёжиков', 'ЁЖ', 'и'],
    ['Łódź', 'łódź', 'ŁÓDŹ', 'ÓD'],
    ['Հայաստան', 'ՀԱՅԱՍՏԱՆ'],
    ['ǆungla', 'ǄUNGLA'],
    ['ﬁsh', 'FISH'],
    ['𐐨𐐩𐐪', '𐐀𐐁𐐂', '𐐁'],
  ] as const) {
    await customersNamed(call, [stored])
    for (const sought of searches)
      assert.ok((await found(call, 'customers', 'firstName', sought)).includes(stored), `${sought} in ${stored}`)
  }
})

test('texts without case, of one to many characters, are found: CJK, Arabic, Hebrew, Thai, emoji', async () => {
  const { call } = await service.company()
  const names = [
    '東京都渋谷区',
    '渋谷',
    'مرحبا بكم',
    'שלום עולם',
    'สวัสดี',
    '👩‍👩‍👧 family',
    '🦊🦊',
    'İstanbul',
    'ıslak',
    'e\u0301',
    'é',
  ]
  await customersNamed(call, names)
  for (const name of names)
    for (const sought of [name, ...name, [...name].slice(0, 2).join(''), [...name].slice(-3).join('')]) {
      const hits = await found(call, 'customers', 'firstName', sought)
      assert.ok(hits.includes(name), `${JSON.stringify(sought)} in ${name}`)
    }
})

test('a stored text is found by any part of it, upper or lower, and by no other text', async () => {
  const { call } = await service.company()
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((value) => !value.includes('\0'))
  const stored = new Set<string>()
  await fc.assert(
    fc.asyncProperty(text, fc.nat(), fc.integer({ min: 1, max: 12 }), text, async (name, from, length, other) => {
      stored.add(name)
      await customersNamed(call, [name])
      const characters = [...name]
      const start = from % characters.length
      const part = characters.slice(start, start + length).join('')
      assert.ok((await found(call, 'customers', 'firstName', part)).includes(name), part)
      const expected = [...stored].filter((each) => each.includes(other))
      const hits = await found(call, 'customers', 'firstName', other)
      for (const each of expected) assert.ok(hits.includes(each))
      for (const hit of hits) assert.ok(folded(hit).includes(folded(other)), `${other} in ${hit}`)
    }),
    { numRuns: 60 },
  )
})
/** A text with case removed as far as possible. */
const folded = (value: string) => value.toUpperCase().toLowerCase().toUpperCase()

test('odd searches are answered and never fail: very long, controls, half of a pair, and one without a value counts as absent', async () => {
  const { call } = await service.company()
  await customersNamed(call, ['\u0001\u007f', 'x'.repeat(500)])
  for (const sought of [
    '%01',
    '%7F',
    'x'.repeat(500),
    'x'.repeat(8_000),
    '%EF%BF%BD',
    '%2B',
    '+',
    '%5B%5D',
    '%27%3B--',
    '$1',
    'İ',
    'i%CC%87',
  ]) {
    const { status, text } = await call('GET', `/v1/customers?searchByFirstName=${sought}`)
    assert.equal(status, 200, `${sought}: ${text}`)
  }
  assert.equal((await call('GET', '/v1/customers?searchByFirstName=')).body.meta.count, 2)
  for (const sought of ['%00', 'a%00b', 'x'.repeat(9_000)]) {
    const { status, body } = await call('GET', `/v1/customers?searchByFirstName=${sought}`)
    assert.equal(status, 400, sought)
    assert.equal(body.errors[0].pointer, 'searchByFirstName')
  }
})

test('a long text is searched to its end, whatever its index covers', async () => {
  const { call } = await service.company()
  const texts = { exact: 2_000, long: 5_000, short: 10 }
  for (const [name, length] of Object.entries(texts))
    await call('POST', '/v1/product', { name, description: `${'x'.repeat(length - 6)}Needle` })
  const names = async (term: string) =>
    (await call('GET', `/v1/products?searchByDescription=${term}`)).body.data.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names('xnEEdle'), ['exact', 'long', 'short'])
  assert.deepEqual(await names('le'), ['exact', 'long', 'short'])
  assert.deepEqual(await names('needles'), [])
})

test('a bulk of products with the longest descriptions is written', async () => {
  const { call } = await service.company()
  const words = Array.from({ length: 16_000 }, (_, n) => (n * 7_919).toString(36))
    .join(' ')
    .slice(0, 100_000)
  const items = Array.from({ length: 90 }, (_, n) => ({ name: `p${n}`, description: `${n} ${words}` }))
  const { status, body } = await call('POST', '/v1/products', { items })
  assert.equal(status, 200)
  assert.equal(body.summary.succeeded, 90)
})

test('one or two characters are found in either case wherever a text has them, also where one letter is upper-cased to two', async () => {
  const { call } = await service.company()
  const names = [
    'Straße',
    'STRASSE',
    'ﬁn',
    'FIN',
    'ılgaz',
    'ILGAZ',
    'ſo',
    'SO',
    'ʼN',
    'ʼn',
    'a_b',
    'ÄNNE',
    'änne',
    'K\u212a',
    'kk',
    '%',
    'Σς',
  ]
  await customersNamed(call, names)
  const folded = (text: string) => text.toUpperCase()
  for (const sought of [
    'ss',
    'SS',
    'sS',
    'ß',
    's',
    'ſ',
    'fi',
    'ﬁ',
    'i',
    'ı',
    'ın',
    'n',
    'ä',
    'Än',
    'k',
    '\u212a',
    '_',
    '%',
    'a_',
    'σ',
    'so',
    'xq',
    'Ʞ',
  ])
    assert.deepEqual(
      await found(call, 'customers', 'firstName', sought),
      names.filter((name) => folded(name).includes(folded(sought))),
      sought,
    )
})

test('the search index finds a pair of letters or digits in the same texts as reading the column, whatever is beside it', async () => {
  const { id: companyId, call } = await service.company()
  const beside = ['', 'a', '7', 'é', '王', 'ß', 'ﬁ', '-', ' ', '_', '\n', '\u0001', 'x', 'q', 'i', 'ı']
  const texts = beside.flatMap((before) => beside.flatMap((after) => [`${before}xQ${after}`, `${before}ıs${after}`]))
  await customersNamed(call, [...texts, 'x', 'q x', 'x-q', 'éfié', 'éßé', 'é12é'])
  await service.database.transaction(async (transaction) => {
    await transaction.query(
      'set local enable_seqscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
    )
    for (const sought of ['xq', 'Qx', 'iS', 'si', 'fi', 'ss', '12', 'a7', 'zz']) {
      const parameters = { searchByFirstName: sought, includeDeleted: true }
      const query = listQuery(customer, companyId, parameters)
      const sql = `select count(*) from customers as stored where ${query.where}`
      const [read] = await transaction.query(sql, query.filterValues)
      const anywhere = { search: sought, includeDeleted: true }
      const facts = { lowersPlainly: true, holdsMost: false, rows: 0 }
      const all = foundQuery(customer, companyId, anywhere, listQuery(customer, companyId, anywhere), facts, true)
      assert.deepEqual((await transaction.query(all.matches, all.filterValues))[0], read, sought)
      // On a cluster no company is known to hold most rows: statistics are on the nodes.
      for (const holdsMost of skipOnCluster ? [false] : [false, true]) {
        const found = foundQuery(customer, companyId, parameters, query, { ...facts, holdsMost }, true)
        assert.deepEqual((await transaction.query(found.matches, found.filterValues))[0], read, sought)
        if (!holdsMost) continue
        const plan = await transaction.query(`explain ${found.matches.text}`, found.filterValues)
        assert.match(plan.join('\n'), /customers_search[\s\S]*customers_pairs/)
      }
    }
  })
})

test('new entries of the search indexes are moved to their place by one server at a time', async () => {
  const { call } = await service.company()
  const freed = (pages: readonly number[]) => pages.reduce((sum, some) => sum + some, 0)
  await service.database.transaction(async (transaction) => {
    await moveSearchEntries(transaction)
    await customersNamed(call, ['Ann'])
    assert.deepEqual(await moveSearchEntries(service.database), [])
    assert.ok(freed(await moveSearchEntries(transaction)) > 0)
    assert.equal(freed(await moveSearchEntries(transaction)), 0)
  })
})
