// States what every catalogue file guarantees before a shop's reader sees its rows: it is read completely, whatever wrote it, or refused in one sentence.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { OperatorError } from '../src/core/operator-error.ts'
import { catalogFiles, only, openCsv } from './support/catalog-files.ts'

const { write, csv, woo, shopify } = catalogFiles()

const refusedFile = (open: Promise<unknown>, message: RegExp) =>
  assert.rejects(open, (error: Error) => error instanceof OperatorError && message.test(error.message))

describe('CSV files', () => {
  test('every table is read completely, with the first line of each record, however it was written', async () => {
    const cell = fc.stringMatching(/^[a-z0-9 ,;"'\n\té€\r]{0,9}$/)
    const row = fc.array(cell, { minLength: 3, maxLength: 3 })
    const separators = fc.constantFrom(',', ';', '\t')
    const ends = fc.constantFrom('\n', '\r\n', '\r')
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 8 }),
        separators,
        ends,
        fc.boolean(),
        async (rows, by, end, closed) => {
          const quoted = (cells: string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(by)
          const records = [`a${by}b${by}c`, ...rows.map(quoted)]
          const lines = (text: string) => text.split(/\r\n|\r|\n/).length
          let line = 1
          const expected = rows.map((cells, index) => {
            line += lines(records[index] ?? '')
            return { line, cells }
          })
          const read = await csv(records.join(end) + (closed ? end : ''))
          assert.deepEqual(
            read,
            expected.filter(({ cells }) => cells.some((text) => text.trim() !== '')),
          )
        },
      ),
      { numRuns: 60 },
    )
  })

  test('a file of many blocks is read like a file of a single block', async () => {
    const rows = Array.from(
      { length: 9_000 },
      (_, at) => `${at},"Line one ${'x'.repeat(at % 97)}\r\nline ""two"" é",${at}`,
    )
    const read = await csv(`a,b,c\r\n${rows.join('\r\n')}\r\n`)
    assert.equal(read.length, 9_000)
    read.forEach((row, at) => {
      assert.equal(row.line, 2 + at * 2)
      assert.deepEqual('cells' in row && [row.cells[0], row.cells[2]], [`${at}`, `${at}`])
    })
  })

  test('a byte order mark, UTF-16, Windows-1252 and files of Excel for Mac are supported', async () => {
    const text = 'a,b\n€ 5,Käse\n'
    const expected = [{ line: 2, cells: ['€ 5', 'Käse'] }]
    const ansi = Buffer.concat([Buffer.from('a,b\n'), Buffer.from([0x80]), Buffer.from(' 5,K\xe4se\n', 'latin1')])
    assert.deepEqual(await csv(`\ufeff${text}`), expected)
    assert.deepEqual(await csv(Buffer.from(`\ufeff${text}`, 'utf16le')), expected)
    assert.deepEqual(await csv(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()), expected)
    assert.deepEqual(await csv(ansi), expected)
    assert.equal((await openCsv(write(ansi))).encoding, 'windows-1252')
    const mac = Buffer.concat([
      Buffer.from('a,b\r'),
      Buffer.from([0xdb]),
      Buffer.from(' 5,K'),
      Buffer.from([0x8a]),
      Buffer.from('se\r'),
    ])
    assert.deepEqual(await csv(mac), expected)
  })

  test('a file that changes its encoding half way is damaged, and the error names the line', async () => {
    const mixed = Buffer.concat([Buffer.from('a,b\n1,Käse\n2,'), Buffer.from([0xe4]), Buffer.from('\n')])
    await refusedFile(openCsv(write(mixed)), /^Line 3 of .* is damaged/)
  })

  test('a file that Excel saved without empty cells at the ends of many rows is read completely', async () => {
    const whole = Array.from({ length: 15 }, (_, n) => `${n},b,c,d\n`).join('')
    const short = (from: number, count: number) => Array.from({ length: count }, (_, n) => `${from + n},b\n`).join('')
    const read = await csv(`w,x,y,z\n${whole}${short(15, 32)}47,b,c,d\n${short(48, 15)}63,b,c,d\n64,b\n\n65,b\n`)
    const cellsOf = (n: number) => (n < 15 || n === 47 || n === 63 ? [`${n}`, 'b', 'c', 'd'] : [`${n}`, 'b', '', ''])
    // Excel does not write fifteen short rows between longer ones.
    const isDamaged = (n: number) => n >= 48 && n < 63
    const expected = Array.from({ length: 66 }, (_, n) => ({
      line: n < 65 ? n + 2 : n + 3,
      ...(isDamaged(n) ? { problem: 'the line has 2 columns, the header has 4' } : { cells: cellsOf(n) }),
    }))
    assert.deepEqual(read, expected)
  })

  test('a damaged row among the first ones is refused, and rows that Excel saved without empty cells are read', async () => {
    const rows = Array.from({ length: 48 }, (_, n) => (n === 3 || n >= 15 ? `${n},b\n` : `${n},b,c\n`)).join('')
    const read = await csv(`x,y,z\n${rows}`)
    assert.deepEqual(
      read.filter((row) => 'problem' in row),
      [{ line: 5, problem: 'the line has 2 columns, the header has 3' }],
    )
    assert.deepEqual(read.at(-1), { line: 49, cells: ['47', 'b', ''] })
  })

  test('a header with more cells than all rows is wrong, and no row is completed', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => `${n},b\n`).join('')
    const read = await csv(`a,GTIN, UPC\n${rows}`)
    assert.deepEqual(new Set(read.map((row) => 'problem' in row && row.problem)), new Set(['the line has 2 columns, the header has 3'])) // biome-ignore format: one thought
  })

  test('a line that was cut off at the end of a file is refused', async () => {
    const whole = Array.from({ length: 40 }, (_, n) => `${n},b,c\n`).join('')
    const last = (await csv(`x,y,z\n${whole}40,b`)).at(-1)
    assert.deepEqual(last, { line: 42, problem: 'the line has 2 columns, the header has 3' })
  })

  test('a code that a program wrote as a formula keeps its zeros', async () => {
    const file = 'ID,Name,Regular price,SKU,"GTIN, UPC, EAN, or ISBN"\n1,Mug,5,="0043","=""0012345"""\n'
    const [entry] = only(await woo(file), 'product')
    const { sku, barcode } = entry?.variants[0]?.variant ?? {}
    assert.deepEqual([sku, barcode], ['0043', '0012345'])
  })

  test('a row with a different number of cells is refused with its line, and the rest continues', async () => {
    const read = await csv('a,b,c\n1,2\n1,2,3\n1,2,3,4\n1,2,3,,\n\n,,\n4,5,6\n')
    assert.deepEqual(read, [
      { line: 2, problem: 'the line has 2 columns, the header has 3' },
      { line: 3, cells: ['1', '2', '3'] },
      { line: 4, problem: 'the line has 4 columns, the header has 3' },
      { line: 5, cells: ['1', '2', '3'] },
      { line: 8, cells: ['4', '5', '6'] },
    ])
  })

  test('a quotation mark that is not closed costs one line, not the rest of the file', async () => {
    const many = Array.from({ length: 50_000 }, (_, at) => `${at},Mug,5`).join('\n')
    const read = await csv(`a,b,c\n0,"Mug,5\n${many}\n`)
    assert.equal(read.length, 50_001)
    assert.deepEqual(
      read.filter((row) => 'problem' in row).map(({ line }) => line),
      [2],
    )
    assert.deepEqual(read.at(-1), { line: 50_002, cells: ['49999', 'Mug', '5'] })
    const closedLater = await csv('a,b\n1,"Mug\n2,"Cup"\n3,Jug\n')
    assert.deepEqual(
      closedLater.map(({ line }) => line),
      [2, 3, 4],
    )
    assert.deepEqual(
      closedLater.map((row) => 'cells' in row),
      [false, true, true],
    )
  })

  test('inches and other plain quotation marks are text', async () => {
    const read = await csv('a,b\n1,12" ruler\n2,"Best" mug\n3,"A ""good"" one"\n')
    assert.deepEqual(
      read.map((row) => 'cells' in row && row.cells[1]),
      ['12" ruler', '"Best" mug', 'A "good" one'],
    )
  })

  test('the separator is found in the header, or read from a first line of Excel', async () => {
    assert.equal((await openCsv(write('"a, b, and c";d;e\n'))).separator, ';')
    const reported = await openCsv(write('sep=;\na;b\n1;2\n'))
    assert.deepEqual([reported.separator, reported.headings], [';', ['a', 'b']])
    assert.deepEqual(await Array.fromAsync(reported.rows()), [{ line: 3, cells: ['1', '2'] }])
  })

  test('a file that is not CSV is refused in one sentence', async () => {
    await refusedFile(openCsv(write('')), /is empty/)
    await refusedFile(openCsv(write('\n \n')), /is empty/)
    await refusedFile(openCsv(write(Buffer.from('PK\x03\x04 workbook'))), /is an Excel workbook/)
    await refusedFile(openCsv(write('<!doctype html><p>Log in</p>')), /is a web page/)
    await refusedFile(openCsv(write('[{"id":1}]')), /is JSON/)
    await refusedFile(openCsv(write(Buffer.from('a,b', 'utf16le'))), /is not text/)
  })
})

describe('headers', () => {
  test('case and spaces do not matter, and columns may be missing', async () => {
    const [entry] = only(await woo(' sku ,NAME,Regular  Price\nmug-1,Mug,5\n'), 'product')
    assert.deepEqual(entry, {
      kind: 'product',
      line: 2,
      externalId: 'mug-1',
      product: {
        name: 'Mug',
        productType: 'simple',
        status: 'active',
        source: 'woo-commerce',
        sku: 'mug-1',
        minPrice: 5,
        maxPrice: 5,
      },
      categories: [],
      variants: [
        {
          line: 2,
          externalId: 'mug-1',
          variant: { manageStock: false, allowBackorder: false, sku: 'mug-1', price: 5, isOnSale: false },
        },
      ],
    })
  })

  test('a missing column, a duplicate column and another shop’s export are errors of the whole file', async () => {
    await refusedFile(woo('ID,Name\n1,Mug\n'), /has no column "Regular price"/)
    await refusedFile(woo('Name,Regular price\nMug,5\n'), /has no column "ID" or "SKU"/)
    await refusedFile(woo('ID,Name,Regular price,Parent\n1,Mug,5,\n'), /has no column "Type"/)
    await refusedFile(woo('ID,SKU,Name,name,Regular price\n'), /has the columns "Name" and "name"/)
    await refusedFile(shopify('Handle,Variant Price\n'), /has no column "Title"/)
    await refusedFile(
      woo('Handle,Title,Vendor,Option1 Name,Variant Price\n'),
      /looks like an English product export of Shopify/,
    )
    await refusedFile(shopify('ID,Type,SKU,Name,Regular price\n'), /Import it as woocommerce\./)
    const lightspeed = 'id,handle,sku,composite_handle,name,description,supply_price,retail_price,brand_name,active\n'
    await refusedFile(shopify(lightspeed), /a product export of Lightspeed Retail \(X-Series\), not of Shopify/)
    await refusedFile(shopify('just some words\n'), /is not an English product export of Shopify/)
  })

  test('a file with only columns that any shop has is not an export of WooCommerce', async () => {
    await refusedFile(
      woo('ID,SKU,Name,Price\n1,M,Mug,5\n'),
      /none of the columns that only WooCommerce exports, such as "Regular/,
    )
    assert.equal(only(await woo('ID,Name,Price,In stock?\n1,Mug,5,1\n'), 'product').length, 1)
  })

  test('a file with a header only has no entries', async () => {
    assert.deepEqual(await woo('ID,Name,Regular price'), [])
  })
})
