// States what an import over HTTP guarantees: it shows in advance what it would do, does exactly that, once, and leaves nothing behind of refused files.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { refusedLine } from '../src/features/file-import/csv.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import {
  csvOf,
  imported,
  listed,
  mugs,
  noFiles,
  reached,
  refusedLines,
  send,
  sent,
  shirt,
  storedFiles,
} from './support/imports.ts'
import { assertProblem } from './support/problem.ts'
import { until } from './support/program.ts'
import { raw } from './support/raw.ts'
import { noId } from './support/routes.ts'
import { type Company, testService } from './support/service.ts'

const service = testService()

const counts = ({ summary }: Body) => [
  ...['products', 'variants', 'categories'].map((kind) => Object.values(summary[kind]).join(' ')),
  summary.stockSet,
]
describe('an import', () => {
  test('is checked automatically, shows what it would do, writes nothing until it is run, and then does that', async () => {
    const company = await service.company()
    const { call } = company
    const job = await sent(call, csvOf(shirt), 'fileName=shirts.csv')
    const { id, createdAt, updatedAt, keptUntil, ...members } = job
    assert.deepEqual(members, {
      fileName: 'shirts.csv',
      bytes: Buffer.byteLength(csvOf(shirt)),
      shop: 'woocommerce',
      state: 'checking',
      kind: 'catalog',
      progress: 0,
      companyId: company.id,
    })
    assert.equal(Date.parse(keptUntil) - Date.parse(updatedAt), 7 * 24 * 60 * 60 * 1000)
    assert.equal(createdAt, updatedAt)
    const ready = await reached(call, id, 'ready')
    assert.deepEqual(counts(ready), ['2 0 0', '3 0 0', '2 0 0', 3])
    assert.deepEqual([ready.progress, ready.rowsRefused, ready.startedAt], [1, 0, undefined])
    assert.deepEqual([await listed(company, 'products'), await listed(company, 'outlets')], [[], []])

    const { body } = await call('GET', `/v1/imports/${id}/preview`)
    const as = (heading: string) => body.columns.find(({ column }: Body) => column === heading)?.as
    assert.deepEqual(
      [as('ID'), as('Regular price'), as('Attribute 1 name'), as('Stock'), as('Parent')],
      ['externalId', 'price', 'attributes', 'stock', 'productId'],
    )
    const [tee, mug] = body.preview
    assert.deepEqual(
      [tee.outcome, tee.name, tee.categories, tee.minPrice, tee.maxPrice, tee.variantsCount],
      ['created', 'T-Shirt', ['Clothing > Shirts'], 20, 22, 2],
    )
    assert.deepEqual(
      tee.variants.map(({ sku, price, stock, outcome }: Body) => [sku, price, stock, outcome]),
      [
        ['TEE-R', 20, 3, 'created'],
        ['TEE-B', 22, 0, 'created'],
      ],
    )
    assert.deepEqual([mug.name, mug.variants[0].stock], ['Mug', 1.5])

    const { status, body: running } = await call('POST', `/v1/imports/${id}/run`)
    assert.deepEqual([status, running.state, running.progress, running.summary], [200, 'running', 0, undefined])
    const done = await reached(call, id, 'done')
    assert.deepEqual(done.summary, ready.summary)
    assert.ok(done.startedAt <= done.finishedAt)
    const [outlet] = await listed(company, 'outlets')
    assert.equal(done.outletId, outlet?.id)
    assert.deepEqual((await listed(company, 'products')).map(({ name }) => name).sort(), ['Mug', 'T-Shirt'])
    assert.deepEqual(
      (await listed(company, 'variants')).map(({ inventory }) => inventory[0]).sort((a, b) => a.stock - b.stock),
      [0, 1.5, 3].map((stock) => ({ stock, outletId: outlet?.id })),
    )
  })

  test('with run=true runs automatically, and a second time writes nothing', async () => {
    const { call } = await service.company()
    assert.deepEqual(counts(await imported(call, csvOf(shirt))), ['2 0 0', '3 0 0', '2 0 0', 3])
    const again = await imported(call, csvOf(shirt))
    assert.deepEqual(counts(again), ['0 0 2', '0 0 3', '0 0 2', 0])
    const { body } = await call('POST', `/v1/imports/${again.id}/run`)
    assert.equal(body.finishedAt, undefined)
    assert.deepEqual(counts(await reached(call, again.id, 'done')), ['0 0 2', '0 0 3', '0 0 2', 0])
  })

  test('of Shopify is recognized by its header', async () => {
    const company = await service.company()
    const row = { Handle: 'cap', Title: 'Cap', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant Price': 9 }
    const job = await imported(company.call, csvOf([row, { ...row, 'Option1 Value': 'M', Title: '' }]))
    assert.deepEqual([job.shop, ...counts(job)], ['shopify', '1 0 0', '2 0 0', '0 0 0', 0])
  })

  test('puts the stock at the named outlet, and refuses an unknown one', async () => {
    const company = await service.company()
    const { call } = company
    await call('POST', '/v1/outlet', { name: 'First' })
    const { body: second } = await call('POST', '/v1/outlet', { name: 'Second' })
    const job = await imported(call, csvOf(shirt), `outletId=${second.id}`)
    assert.equal(job.outletId, second.id)
    assert.ok((await listed(company, 'variants')).every(({ inventory }) => inventory[0].outletId === second.id))
    assertProblem(await send(call, csvOf(shirt), `outletId=${'0'.repeat(24)}`), 404, 'not_found')
  })

  test('reports refused lines, with column and reason, and imports all others', async () => {
    const { call } = await service.company()
    const rows = [...shirt, { ...shirt[3], ID: 50, 'Regular price': 'a "lot"' }] as typeof shirt
    const { id } = await sent(call, csvOf(rows))
    const refused = 'line,column,reason\n6,Regular price,"Regular price ""a ""lot"""" is not a number"\n'
    for (const state of ['ready', 'done']) {
      assert.equal((await reached(call, id, state)).rowsRefused, 1)
      const { status, text, headers } = await call('GET', `/v1/imports/${id}/refused`)
      assert.deepEqual([status, text], [200, refused])
      assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="import-\w+-refused\.csv"$/)
      if (state === 'ready') await call('POST', `/v1/imports/${id}/run`)
    }
  })

  test('writes with the key that ran it', async () => {
    const company = await service.company()
    const { call, id: keyId } = await service.keyFor(company.id)
    const { id } = await sent(company.call, csvOf(shirt))
    await reached(company.call, id, 'ready')
    await call('POST', `/v1/imports/${id}/run`)
    await reached(company.call, id, 'done')
    const { body } = await call('GET', '/v1/inventory-history')
    assert.ok(body.data.length > 0)
    assert.ok(body.data.every((entry: Body) => entry.keyId === keyId))
  })
})

test('a key without update has files checked, and changes nothing with them', async () => {
  const company = await service.company()
  const { call } = await service.keyFor(company.id, ['read', 'create'])
  assertProblem(await send(call, csvOf(shirt), 'run=true'), 403, 'permission_denied')
  assert.deepEqual(await storedFiles(service, company), noFiles)
  const { id } = await sent(call, csvOf(shirt))
  await reached(call, id, 'ready')
  const { message } = assertProblem(await call('POST', `/v1/imports/${id}/run`), 403, 'permission_denied')
  assert.match(
    message,
    /no permission to update.* to run the import, use a key with the permissions create and update/s,
  )
  const { call: writer } = await service.keyFor(company.id, ['create', 'update'])
  assert.equal((await writer('POST', `/v1/imports/${id}/run`)).status, 200)
  await reached(call, id, 'done')
})

describe('a file that is not a catalogue', () => {
  const files: [string, RegExp, string | Uint8Array][] = [
    ['nothing', /is empty/, ''],
    ['a blank file', /is empty/, '\n \n'],
    ['a workbook', /Excel workbook/, Buffer.from('PK\x03\x04 workbook')],
    ['JSON', /is JSON, not CSV/, '[{"id":1}]'],
    ['a picture', /is not text/, Buffer.alloc(5_000)],
    [
      'another table',
      /not an English product export of WooCommerce, Shopify or Lightspeed \(X-Series\), an item library of Square, or .* Its header begins: a, b\. A file of other products needs the columns SKU, Name and Regular price\. A plain file of orders needs the columns Order, Ordered at, Quantity, Price and Order total\. A plain file of customers needs a column Email, ID or Phone, and /,
      'a,b\n1,2\n',
    ],
    ['too many columns', /has 3002 columns; the maximum is 2000/, `Name,Regular price,${'x,'.repeat(2_999)}\n`],
  ]
  for (const [what, message, file] of files)
    test(`is refused with what was expected: ${what}`, async () => {
      const company = await service.company()
      const { message: reported } = assertProblem(
        await send(company.call, file, 'fileName=a.csv'),
        400,
        'malformed_body',
      )
      assert.match(reported, message)
      assert.match(reported, /a\.csv/)
      assert.deepEqual(await storedFiles(service, company), noFiles)
    })

  test('is refused by its beginning, and the rest is not read', async () => {
    const { key } = await service.company()
    const head = (length: number, ...more: string[]) =>
      ['POST /v1/imports HTTP/1.1', 'host: a', `x-api-key: ${key}`, 'content-type: text/csv', `content-length: ${length}`, ...more, '', ''].join('\r\n') // biome-ignore format: a head
    const client = connect(Number(new URL(service.url).port), '127.0.0.1')
    let text = ''
    client.on('data', (bytes) => {
      text += bytes
    })
    client.write(head(50 * 1024 * 1024))
    // The first chunk, of fifty.
    client.write(Buffer.alloc(1024 * 1024, 'not a catalogue\n'))
    await until('it is answered', () => text.includes('\r\n\r\n{'))
    client.destroy()
    assert.match(text, /^HTTP\/1\.1 400 .*"code":"malformed_body"/s)
    const large = await raw(service.url, head(100 * 1024 * 1024 + 1, 'expect: 100-continue', 'connection: close'))
    assertProblem(large, 413, 'payload_too_large')
  })

  test('is reported with the shop that exported it, if another one was named', async () => {
    const { call } = await service.company()
    const { message } = assertProblem(await send(call, csvOf(shirt), 'shop=shopify'), 400, 'malformed_body')
    assert.match(
      message,
      /looks like an English product export of WooCommerce, not of Shopify. Import it as woocommerce\./,
    )
  })

  test('is reported with the columns that are needed, if it was named as a file of one’s own', async () => {
    const { call } = await service.company()
    const reply = await send(call, 'Order,Ordered at,Quantity\n1,2025-01-01,1\n', 'shop=plain')
    const { message } = assertProblem(reply, 400, 'malformed_body')
    assert.match(
      message,
      /A plain file of orders needs the columns Order, Ordered at, Quantity, Price and Order total\./,
    )
  })
})

describe('actions on an import', () => {
  const ask = ({ call }: Company, id: string, what: string) => call('POST', `/v1/imports/${id}/${what}`)

  test('depend on its state: an idle one can be run, cancelled or deleted, one that has ended cannot be cancelled', async () => {
    const company = await service.company()
    const { call } = company
    const { id } = await sent(call, csvOf(shirt))
    await reached(call, id, 'ready')
    const { body: cancelled } = await ask(company, id, 'cancel')
    assert.deepEqual([cancelled.state, cancelled.summary.products.created], ['cancelled', 2])
    assert.equal((await ask(company, id, 'cancel')).status, 200)
    assert.deepEqual(await listed(company, 'products'), [])
    assert.equal((await ask(company, id, 'run')).status, 200)
    await reached(call, id, 'done')
    assertProblem(await ask(company, id, 'cancel'), 409, 'conflict')
    const { status, body } = await call('DELETE', `/v1/imports/${id}`)
    assert.deepEqual([status, body.id], [200, id])
    for (const path of ['', '/preview', '/refused']) assertProblem(await call('GET', `/v1/imports/${id}${path}`), 404)
    assertProblem(await call('DELETE', `/v1/imports/${id}`), 404, 'not_found')
    assert.deepEqual(await storedFiles(service, company), noFiles)
    assert.equal((await listed(company, 'products')).length, 2)
  })

  test('are refused if it cannot be read, with the reason', async () => {
    const company = await service.company()
    // After the checks before it is accepted.
    const rows = mugs(200, { Name: 'Tässe', Description: 'x'.repeat(10_000) })
    const damaged = Buffer.concat([Buffer.from(`${csvOf(rows)}\n`), Buffer.from([0xff, 0x0a])])
    const { id } = await sent(company.call, damaged, 'fileName=damaged.csv&run=true')
    const job = await reached(company.call, id, 'failed')
    assert.match(job.problem, /^Line 202 of damaged\.csv is damaged/)
    for (const reply of [await ask(company, id, 'run'), await company.call('GET', `/v1/imports/${id}/preview`)])
      assert.equal(assertProblem(reply, 409, 'conflict').message, job.problem)
    assert.equal(await refusedLines(company.call, id), 'line,column,reason\n')
    assert.deepEqual(await listed(company, 'products'), [])
  })

  test('requested twice at once, at two servers, are done once', async () => {
    const company = await service.company()
    const { id } = await sent(company.call, csvOf(mugs(300)))
    await reached(company.call, id, 'ready')
    const other = service.caller({ 'x-api-key': company.key }, (await service.second()).url)
    const replies = await Promise.all([company.call, other].map((call) => call('POST', `/v1/imports/${id}/run`)))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
    const { summary } = await reached(company.call, id, 'done')
    assert.deepEqual(summary.products, { created: 300, updated: 0, unchanged: 0 })
    assert.equal((await listed(company, 'variants')).length, 300)
  })

  test('include lists: the newest first, by state and shop, page by page', async () => {
    const company = await service.company()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift((await imported(company.call, csvOf(mugs(1)))).id)
    const of = async (query: string) => {
      const { status, body, text } = await company.call('GET', `/v1/imports?${query}`)
      assert.equal(status, 200, text)
      return body
    }
    const shown = ({ data }: Body) => data.map(({ id }: Body) => id)
    assert.deepEqual(shown(await of('')), ids)
    assert.deepEqual(shown(await of('sortOrder=asc')), ids.toReversed())
    const { meta } = await of('limit=2')
    assert.equal(meta.count, 3)
    assert.deepEqual(shown(await of(`limit=2&cursor=${meta.nextCursor}`)), ids.slice(2))
    assert.equal((await of('state=done&shop=woocommerce')).meta.count, 3)
    assert.equal((await of('state=ready')).meta.count, 0)
    assert.equal((await of('shop=shopify')).meta.count, 0)
    assertProblem(await company.call('GET', '/v1/imports?state=sending'), 400, 'validation_failed')
  })

  test('of another company are 404, and its records are its own', async () => {
    const owner = await service.company()
    const other = await service.company()
    const { id } = await imported(owner.call, csvOf(shirt))
    for (const [
      method,
      path,
    ] of [['GET', ''], ['GET', '/preview'], ['GET', '/refused'], ['POST', '/run'], ['POST', '/cancel'], ['DELETE', '']] as const) // biome-ignore format: a table
      assertProblem(await other.call(method, `/v1/imports/${id}${path}`), 404, 'not_found', path)
    assert.deepEqual([await listed(other, 'imports'), await listed(other, 'products')], [[], []])
    assert.deepEqual(counts(await imported(other.call, csvOf(shirt))), ['2 0 0', '3 0 0', '2 0 0', 3])
    assert.equal((await listed(owner, 'products')).length, 2)
    assertProblem(await other.call('POST', `/v1/imports/${noId}/run`), 404, 'not_found')
  })
})

test('imports of one company run one after the other, and create nothing twice', async () => {
  const company = await service.company()
  const other = service.caller({ 'x-api-key': company.key }, (await service.second()).url)
  const jobs = await Promise.all(
    [company.call, other, company.call].map((call) => sent(call, csvOf(mugs(300)), 'run=true')),
  )
  const done = await Promise.all(jobs.map(({ id }) => reached(company.call, id, 'done')))
  const made = done.map(({ summary }) => summary.products.created).sort()
  assert.deepEqual(made, [0, 0, 300])
  for (const kind of ['products', 'variants']) assert.equal((await listed(company, kind)).length, 300)
  assert.equal((await listed(company, 'categories')).length, 2)
})

test('names are stored unchanged, however odd, and a name that is too long is refused', async () => {
  const { call } = await service.company()
  const names = [`<img src=x onerror=alert(1)>.csv`, '\u202egnp.csv', '../../etc/passwd', "a'; drop table imports; --", 'x'.repeat(255)] // biome-ignore format: a list
  for (const name of names) {
    const { id } = await sent(call, csvOf(shirt), `fileName=${encodeURIComponent(name)}`)
    const { body, text } = await call('GET', `/v1/imports/${id}`)
    assert.equal(body.fileName, name)
    assert.ok(text.length < 2_000)
  }
  // Whatever is in it, it is not called after products.
  assert.equal((await sent(call, csvOf(shirt))).fileName, 'upload.csv')
  for (const name of ['x'.repeat(256), '%00', '%ff'])
    assertProblem(await send(call, csvOf(shirt), `fileName=${name}`), 400, 'validation_failed')
  const { message } = assertProblem(
    await send(call, 'a,b\n', `fileName=${encodeURIComponent('a\r\nb'.repeat(60))}`),
    400,
  )
  assert.doesNotMatch(message, /[\r\n]/)
})

test('the file of refused lines contains nothing that a spreadsheet would run as a formula', () => {
  const line = refusedLine({ line: 7, column: '=HYPERLINK("http://x","y")', reason: '@SUM(A1) is not a number' })
  assert.equal(line, `7,"'=HYPERLINK(""http://x"",""y"")",'@SUM(A1) is not a number\n`)
  // Some spreadsheets split lines at other signs than commas, or at commas inside quotes.
  const inGerman = refusedLine({ line: 8, reason: 'SKU "a;=cmd|x" is long; "b\t+1", \uff1dA1 is none' })
  assert.equal(inGerman, `8,,"SKU ""a;'=cmd|x"" is long; ""b\t'+1"", '\uff1dA1 is none"\n`)
  // A number is no formula.
  assert.equal(refusedLine({ line: 8, column: '-12.50', reason: '[1,-2]' }), '8,-12.50,"[1,-2]"\n')
  const onLines = refusedLine({ line: 9, reason: "SKU x\n=cmd|' /C calc'!A0\r\n+1" })
  assert.equal(onLines, `9,,"SKU x\n'=cmd|' /C calc'!A0\r\n'+1"\n`)
  // A blank line runs nothing, so it stays as it is.
  assert.equal(refusedLine({ line: 10, reason: 'a\r\n\r\n\tb' }), '10,,"a\r\n\r\n\tb"\n')
  assert.equal(refusedLine({ line: 11, reason: '\t=1' }), "11,,'\t'=1\n")
})

test('the columns of all records that were written equal the records', () =>
  assertColumns({ database: service.database }))
