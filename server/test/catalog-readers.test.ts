// States what the readers of catalogue files guarantee: nothing is lost silently, and every refusal names its line and its reason.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { OperatorError } from '../src/core/operator-error.ts'
import type { CatalogEntry } from '../src/features/file-import/catalog/catalog.ts'
import { readShopify } from '../src/features/file-import/catalog/shopify.ts'
import { readWooCommerce } from '../src/features/file-import/catalog/woocommerce.ts'
import { openCsv } from '../src/features/file-import/csv.ts'

const folder = mkdtempSync(join(tmpdir(), 'catalog-readers-'))
after(() => rmSync(folder, { recursive: true }))
let files = 0

function write(content: string | Buffer): string {
  const path = join(folder, `${++files}.csv`)
  writeFileSync(path, content)
  return path
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const csv = async (content: string | Buffer) => all((await openCsv(write(content))).rows())
const woo = async (content: string | Buffer) => all(readWooCommerce(await openCsv(write(content))))
const shopify = async (content: string | Buffer) => all(readShopify(await openCsv(write(content))))

type Of<K> = Extract<CatalogEntry, { kind: K }>
function only<K extends CatalogEntry['kind']>(entries: CatalogEntry[], kind: K): Of<K>[] {
  return entries.filter((entry): entry is Of<K> => entry.kind === kind)
}
const reasons = (entries: CatalogEntry[]) => only(entries, 'refused').map(({ line, reason }) => `${line}: ${reason}`)
const variants = (entries: CatalogEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'refused' ? [] : entry.variants))

/** The product of one simple WooCommerce row with further columns. */
async function wooRow(columns: Record<string, string>) {
  const row = { ID: '1', Type: 'simple', Name: 'Mug', 'Regular price': '5', ...columns }
  const quoted = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')
  const entries = await woo(`${quoted(Object.keys(row))}\n${quoted(Object.values(row))}\n`)
  const [found] = only(entries, 'product')
  const [no] = only(entries, 'refused')
  const [first] = found?.variants ?? []
  return { refused: no?.reason, column: no?.column, ...found, variant: first?.variant, stock: first?.stock }
}

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
      { numRuns: 150 },
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

  test('a byte order mark, UTF-16 and Windows-1252 are supported', async () => {
    const text = 'a,b\n€ 5,Käse\n'
    const expected = [{ line: 2, cells: ['€ 5', 'Käse'] }]
    const ansi = Buffer.concat([Buffer.from('a,b\n'), Buffer.from([0x80]), Buffer.from(' 5,K\xe4se\n', 'latin1')])
    assert.deepEqual(await csv(`\ufeff${text}`), expected)
    assert.deepEqual(await csv(Buffer.from(`\ufeff${text}`, 'utf16le')), expected)
    assert.deepEqual(await csv(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()), expected)
    assert.deepEqual(await csv(ansi), expected)
    assert.equal((await openCsv(write(ansi))).encoding, 'windows-1252')
  })

  test('a file that changes its encoding half way is damaged, and the error names the line', async () => {
    const mixed = Buffer.concat([Buffer.from('a,b\n1,Käse\n2,'), Buffer.from([0xe4]), Buffer.from('\n')])
    await refusedFile(openCsv(write(mixed)), /^Line 3 of .* is damaged/)
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
    const many = Array.from({ length: 200_000 }, (_, at) => `${at},Mug,5`).join('\n')
    const read = await csv(`a,b,c\n0,"Mug,5\n${many}\n`)
    assert.equal(read.length, 200_001)
    assert.deepEqual(
      read.filter((row) => 'problem' in row).map(({ line }) => line),
      [2],
    )
    assert.deepEqual(read.at(-1), { line: 200_002, cells: ['199999', 'Mug', '5'] })
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
    assert.deepEqual(await all(reported.rows()), [{ line: 3, cells: ['1', '2'] }])
  })

  test('a file that is not CSV is refused in one sentence', async () => {
    await refusedFile(openCsv(join(folder, 'missing.csv')), /There is no file/)
    await refusedFile(openCsv(folder), /is not a file/)
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
    await refusedFile(woo('Handle,Title,Vendor,Option1 Name,Variant Price\n'), /looks like a product export of Shopify/)
    await refusedFile(shopify('ID,Type,SKU,Name,Regular price\n'), /Use "cashwrap import woocommerce"/)
    await refusedFile(shopify('just some words\n'), /is not an English product export of Shopify/)
  })

  test('a file with only columns that any shop has is not an export of WooCommerce', async () => {
    await refusedFile(
      woo('ID,SKU,Name,Price\n1,M,Mug,5\n'),
      /none of the columns that only WooCommerce exports, such as "Regular/,
    )
    assert.equal(only(await woo('ID,Name,Price,In stock?\n1,Mug,5,1\n'), 'product').length, 1)
  })

  test('a file of a shop whose exports cannot be imported is refused with the name of that shop', async () => {
    const vendure =
      'name  ,slug ,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory\n'
    const clover =
      'Clover ID,Name,Alternate Name,Price,Price Type,Price Unit,Tax Rates,Cost,Product Code,SKU,Quantity\n'
    const square =
      'Token,Item Name,Customer-facing Name,Variation Name,SKU,Description,Category,Reporting Category,GTIN,Price\n'
    const lightspeed = 'id,handle,sku,composite_handle,name,description,supply_price,retail_price,brand_name,active\n'
    const magento = 'sku,store_view_code,attribute_set_code,product_type,name,description,tax_class_name,price\n'
    for (const [header, shop] of [
      [
        vendure,
        /looks like a product import file of Vendure\. Cashwrap imports product exports of WooCommerce and Shopify, and/,
      ],
      [clover, /an inventory export of Clover/],
      [square, /an item library export of Square/],
      [lightspeed, /a product export of Lightspeed Retail \(X-Series\)/],
      [magento, /a product export of Magento/],
    ] as const) {
      await refusedFile(woo(header), shop)
      await refusedFile(shopify(header), shop)
    }
  })

  test('a file with a header only has no entries', async () => {
    assert.deepEqual(await woo('ID,Name,Regular price'), [])
  })
})

describe('numbers', () => {
  const prices: [string, number][] = [
    ['19.90', 19.9],
    ['19,90', 19.9],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['1 234,50 €', 1234.5],
    ['$1,234,567', 1234567],
    ["CHF 1'234.50", 1234.5],
    ['US$5', 5],
    ['19,-', 19],
    ['.5', 0.5],
    ['0,125', 0.125],
    ['1.234', 1.234],
    ["'-5", -5],
    ['-€ 5', -5],
    ['0', 0],
  ]
  for (const [text, price] of prices) {
    test(`${text} is ${price}`, async () =>
      assert.equal((await wooRow({ 'Regular price': text })).variant?.price, price))
  }

  test('an empty price is no price, not zero', async () => {
    assert.equal((await wooRow({ 'Regular price': '' })).variant?.price, undefined)
  })

  test('an ambiguous amount is refused, in a file with semicolons also with a point', async () => {
    assert.match((await wooRow({ 'Regular price': '1,234' })).refused ?? '', /can mean 1234 or 1\.234/)
    assert.match(
      reasons(await woo('ID;Name;Regular price\n1;Mug;1.234\n'))[0] ?? '',
      /^2: Regular price "1\.234" can mean/,
    )
  })

  for (const text of ['free', '5x', '1.2.3', '1,23,4', '1e3', '5%', '--5', '€', '12345678901234567']) {
    test(`${text} is refused with its column`, async () => {
      const { refused, column } = await wooRow({ 'Regular price': text })
      assert.match(refused ?? '', /^Regular price ".*" (is not a number|has more digits than can be stored)$/)
      assert.equal(column, 'Regular price')
    })
  }
})

describe('WooCommerce', () => {
  test('a variation adds to the product that it names, before or after it', async () => {
    const entries =
      await woo(`ID,Type,SKU,Name,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)
11,variation,,Shirt - Red,9,id:10,Color,Red,Size,
10,variable,shirt,Shirt,,,Color,"Red, Blue\\, dark",Size,"S, M"
12,"variation, virtual",,Shirt - Blue,9,shirt,Color,"Blue\\, dark",Size,M
13,variation,,Orphan,9,,Color,Red,,
`)
    const [red, blue] = only(entries, 'addition')
    assert.deepEqual([red?.parent, red?.line], [{ externalId: '10' }, 2])
    assert.deepEqual(red?.variants[0]?.variant.attributes, [{ name: 'Color', value: 'Red' }])
    assert.deepEqual(blue?.parent, { sku: 'shirt' })
    assert.deepEqual(blue?.variants[0]?.variant.attributes, [
      { name: 'Color', value: 'Blue, dark' },
      { name: 'Size', value: 'M' },
    ])
    const [shirt] = only(entries, 'product')
    assert.deepEqual([shirt?.externalId, shirt?.variants, shirt?.product.productType], ['10', [], 'variable'])
    assert.deepEqual(shirt?.product.attributes, [
      { name: 'Color', values: ['Red', 'Blue, dark'] },
      { name: 'Size', values: ['S', 'M'] },
    ])
    assert.deepEqual(reasons(entries), ['5: the variation names no product in the column Parent'])
  })

  test('types: virtual ones are simple, grouped ones have nothing to sell, unknown ones keep their name', async () => {
    const of = async (type: string) => {
      const { product, variant } = await wooRow({ Type: type })
      return [product?.productType, variant !== undefined]
    }
    assert.deepEqual(await of('simple, downloadable, virtual'), ['simple', true])
    assert.deepEqual(await of('grouped'), ['grouped', false])
    assert.deepEqual(await of('external'), ['external', true])
    assert.deepEqual(await of('variable-subscription'), ['variable-subscription', false])
    assert.deepEqual(await of(''), ['simple', true])
  })

  test('published, private, draft and pending', async () => {
    const status = async (published: string) => (await wooRow({ Published: published })).product?.status
    assert.deepEqual(await Promise.all(['1', '0', '-1', "'-1", '2', ''].map(status)), [
      'active',
      'draft',
      'draft',
      'draft',
      'draft',
      'active',
    ])
    assert.match((await wooRow({ Published: 'maybe' })).refused ?? '', /^Published "maybe" is not one of/)
  })

  test('stock: a missing number is not counted, the product’s own is kept, also fractions and backorders', async () => {
    const stock = async (columns: Record<string, string>) => {
      const row = await wooRow(columns)
      return row.refused ?? [row.stock, row.variant?.manageStock, row.variant?.allowBackorder]
    }
    assert.deepEqual(await stock({ Stock: '' }), [undefined, false, false])
    assert.deepEqual(await stock({ Stock: '0' }), [0, true, false])
    assert.deepEqual(await stock({ Stock: '12.5', 'Backorders allowed?': 'notify' }), [12.5, true, true])
    assert.deepEqual(await stock({ Stock: '-3', 'Backorders allowed?': '1' }), [-3, true, true])
    assert.deepEqual(await stock({ Stock: 'parent' }), [undefined, false, false])
    assert.match(String(await stock({ Stock: '-3' })), /^Stock "-3" is below zero/)
    assert.match(String(await stock({ Stock: 'plenty' })), /^Stock "plenty" is not a number/)
    assert.match(String(await stock({ Stock: '1.1234567' })), /more than six decimals/)
  })

  test('a sale price applies if it is lower and today is within its dates', async () => {
    const sale = async (columns: Record<string, string>) => {
      const row = await wooRow({ 'Regular price': '20', 'Sale price': '15', ...columns })
      return row.refused ?? [row.variant?.price, row.variant?.salePrice, row.variant?.isOnSale]
    }
    assert.deepEqual(await sale({}), [20, 15, true])
    assert.deepEqual(await sale({ 'Sale price': '25' }), [20, 25, false])
    assert.deepEqual(await sale({ 'Date sale price starts': '2020-01-01', 'Date sale price ends': '' }), [20, 15, true])
    assert.deepEqual(await sale({ 'Date sale price ends': '2020-01-01 0:00:00' }), [20, 15, false])
    assert.deepEqual(await sale({ 'Date sale price starts': '2999-01-01' }), [20, 15, false])
    assert.match(String(await sale({ 'Date sale price ends': '31.12.2030' })), /is not a date such as/)
  })

  test('lists: categories are paths, commas within names and addresses are kept, nothing appears twice', async () => {
    const row = await wooRow({
      Categories: 'Clothing > Shirts, Salt\\, Pepper, Clothing > Shirts',
      Tags: 'new, "hot", new',
      Images: 'https://img.example/w_1,h_2/a.jpg, https://img.example/b\\,c.jpg,http://img.example/d.jpg, e.jpg',
    })
    assert.deepEqual(row.categories, [['Clothing', 'Shirts'], ['Salt, Pepper']])
    assert.deepEqual(row.product?.tags, ['new', '"hot"'])
    assert.deepEqual(row.product?.images, [
      'https://img.example/w_1,h_2/a.jpg',
      'https://img.example/b,c.jpg',
      'http://img.example/d.jpg',
      'e.jpg',
    ])
  })

  test('cells without a member become metadata, obvious ones do not', async () => {
    const row = await wooRow({
      'Tax status': 'none',
      'Tax class': 'reduced-rate',
      'In stock?': '1',
      'Is featured?': '0',
      'Weight (kg)': '0.4',
      'Meta: _supplier': 'Acme',
      'Meta: _empty': '',
    })
    assert.deepEqual(row.product?.metadata, [
      { key: 'Tax status', value: 'none' },
      { key: 'Tax class', value: 'reduced-rate' },
      { key: 'Weight (kg)', value: '0.4' },
      { key: '_supplier', value: 'Acme' },
    ])
  })

  test('texts: HTML stays, escaped line breaks become real ones, the guard against formulas is removed', async () => {
    const row = await wooRow({ Name: "'@Home mug", Description: '<p class="x">One</p>\\n<p>C:\\\\n</p>' })
    assert.equal(row.product?.name, '@Home mug')
    assert.equal(row.product?.description, '<p class="x">One</p>\n<p>C:\\n</p>')
  })

  test('a duplicate product is refused the second time, and one that cannot be found again at once', async () => {
    const entries = await woo(
      'ID,SKU,Name,Regular price\n1,a,Mug,5\n1,b,Cup,5\n,a,Jug,5\n,a,Jar,5\n,,Pot,5\n2,a,Pan,5\n',
    )
    assert.deepEqual(reasons(entries), [
      '3: ID "1" is already in line 2',
      '5: ID "a" is already in line 4',
      '6: the row has neither an ID nor a SKU, so a later import could not find it again',
    ])
    assert.deepEqual(
      only(entries, 'product').map(({ externalId }) => externalId),
      ['1', 'a', '2'],
    )
  })

  test('what the API would refuse is refused here, with column and value', async () => {
    const long = (length: number) => 'x'.repeat(length)
    assert.match((await wooRow({ Name: '' })).refused ?? '', /no name/)
    assert.match(
      (await wooRow({ Name: long(501) })).refused ?? '',
      /^Name "x+…" is 501 characters long; the maximum is 500/,
    )
    assert.match((await wooRow({ SKU: long(501) })).refused ?? '', /^SKU/)
    assert.match((await wooRow({ Tags: `ok, ${long(501)}` })).refused ?? '', /^Tags/)
    assert.match((await wooRow({ Images: `https://${long(2048)}` })).refused ?? '', /^Images/)
    assert.match((await wooRow({ Description: long(102_401) })).refused ?? '', /^Description/)
    assert.match((await wooRow({ Name: 'a\0b' })).refused ?? '', /^Name contains a NUL character/)
    assert.match((await wooRow({ SKU: '4.00638E+12' })).refused ?? '', /was rounded by a spreadsheet/)
    assert.equal((await wooRow({ Name: '😀'.repeat(500) })).refused, undefined)
  })
})

describe('Shopify', () => {
  const header =
    'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position,Variant Image,Status'

  test('the rows of a handle are one product with its variants, options and images in order', async () => {
    const entries = await shopify(`${header}
tee,Tee,<b>Soft</b>,Acme,Shirts,"new, cotton",true,Size,S,Color,Red,t-s,shopify,5,deny,10,,'0401,https://x.example/2.jpg,2,,active
tee,,,,,,,,M,,Red,t-m,shopify,-2,continue,12,20,,https://x.example/1.jpg,1,https://x.example/m.jpg,
tee,,,,,,,,,,,,,,,,,,https://x.example/3.jpg,3,,
mug,Mug,,,,,false,Title,Default Title,,,,,1,deny,5,5,,,,,
`)
    const [tee, mug] = only(entries, 'product')
    assert.deepEqual(tee, {
      kind: 'product',
      line: 2,
      externalId: 'tee',
      product: {
        name: 'Tee',
        productType: 'variable',
        status: 'active',
        source: 'shopify',
        description: '<b>Soft</b>',
        supplier: 'Acme',
        tags: ['new', 'cotton'],
        images: ['https://x.example/1.jpg', 'https://x.example/2.jpg', 'https://x.example/3.jpg'],
        attributes: [
          { name: 'Size', values: ['S', 'M'] },
          { name: 'Color', values: ['Red'] },
        ],
        minPrice: 10,
        maxPrice: 12,
      },
      categories: [['Shirts']],
      variants: [
        {
          line: 2,
          externalId: 'tee/S/Red',
          variant: {
            manageStock: true,
            allowBackorder: false,
            sku: 't-s',
            barcode: '0401',
            price: 10,
            isOnSale: false,
            attributes: [
              { name: 'Size', value: 'S' },
              { name: 'Color', value: 'Red' },
            ],
          },
          stock: 5,
        },
        {
          line: 3,
          externalId: 'tee/M/Red',
          variant: {
            manageStock: true,
            allowBackorder: true,
            sku: 't-m',
            price: 20,
            salePrice: 12,
            isOnSale: true,
            images: ['https://x.example/m.jpg'],
            attributes: [
              { name: 'Size', value: 'M' },
              { name: 'Color', value: 'Red' },
            ],
          },
          stock: -2,
        },
      ],
    })
    assert.deepEqual(mug?.variants, [
      {
        line: 5,
        externalId: 'mug',
        variant: { manageStock: false, allowBackorder: false, price: 5, isOnSale: false },
        stock: 1,
      },
    ])
    assert.deepEqual([mug?.product.status, mug?.product.productType], ['draft', 'simple'])
  })

  test('a handle that appears again adds to its product, with the option names from above', async () => {
    const entries = await shopify(`Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src
tee,Tee,Size,S,10,
mug,Mug,,,5,
tee,,,M,11,
tee,Tee,,,,https://x.example/1.jpg
cup,,,M,11,
cup,,,L,11,
tee,Shirt,,L,11,
`)
    assert.deepEqual(
      only(entries, 'product').map(({ externalId }) => externalId),
      ['tee', 'mug'],
    )
    const [addition] = only(entries, 'addition')
    assert.deepEqual(addition?.parent, { externalId: 'tee' })
    assert.deepEqual(addition?.images, ['https://x.example/1.jpg'])
    assert.deepEqual(
      addition?.variants.map(({ externalId, variant }) => [externalId, variant.attributes]),
      [['tee/M', [{ name: 'Size', value: 'M' }]]],
    )
    assert.deepEqual(reasons(entries), [
      '6: no row above gives the product "cup" a title',
      '7: the product "cup" was refused in line 6',
      '8: line 2 gives the product "tee" another title',
    ])
  })

  test('a refused variant leaves the others, a refused product takes its rows with it, each with its line', async () => {
    const entries = await shopify(`Handle,Title,Option1 Name,Option1 Value,Variant Price
tee,Tee,Size,S,cheap
tee,,,M,11
tee,,,M,12
tee,Other,,L,12
cap,${'x'.repeat(501)},Size,S,5
cap,,,M,5
mug,Mug,,,gratis
,Bag,,,5
pen,Pen,,Blue,1
tee
`)
    assert.deepEqual(
      variants(entries).map(({ externalId }) => externalId),
      ['tee/M'],
    )
    assert.deepEqual(
      only(entries, 'product').map(({ product }) => product.name),
      ['Tee'],
    )
    assert.deepEqual(
      reasons(entries).map((reason) => reason.replace(/x+…/, 'x…')),
      [
        '2: Variant Price "cheap" is not a number',
        '4: the variant "tee/M" is already in line 3',
        '5: line 2 gives the product "tee" another title',
        '6: Title "x…" is 501 characters long; the maximum is 500',
        '7: the product "cap" was refused in line 6',
        '8: Variant Price "gratis" is not a number',
        '9: the row has no handle',
        '10: Option1 Value "Blue" has no option name',
        '11: the line has 1 columns, the header has 5',
      ],
    )
  })

  test('the newer headings have the same meaning', async () => {
    const entries =
      await shopify(`Title,URL handle,Description,Vendor,Product category,Type,Tags,Published on online store,Status,SKU,Barcode,Option1 name,Option1 value,Price,Compare-at price,Cost per item,Charge tax,Inventory tracker,Inventory quantity,Continue selling when out of stock,Weight value (grams),Product image URL,Image position,Variant image URL,Color (product.metafields.shopify.color-pattern)
Tee,tee,Soft,Acme,Apparel > Shirts,,new,TRUE,Draft,t-1,123,Size,S,10,12,4,FALSE,shopify,3,CONTINUE,200,https://x.example/1.jpg,1,,red
`)
    const [tee] = only(entries, 'product')
    assert.deepEqual([tee?.product.status, tee?.categories], ['draft', [['Apparel', 'Shirts']]])
    assert.deepEqual(tee?.product.metadata, [{ key: 'Color (product.metafields.shopify.color-pattern)', value: 'red' }])
    assert.deepEqual(tee?.variants[0], {
      line: 2,
      externalId: 'tee/S',
      variant: {
        manageStock: true,
        allowBackorder: true,
        sku: 't-1',
        barcode: '123',
        price: 12,
        salePrice: 10,
        isOnSale: true,
        costPrice: 4,
        attributes: [{ name: 'Size', value: 'S' }],
        metadata: [
          { key: 'Charge tax', value: 'FALSE' },
          { key: 'Weight value (grams)', value: '200' },
        ],
      },
      stock: 3,
    })
  })

  test('a product without a row for a variant has one variant', async () => {
    const [pen] = only(await shopify('Handle,Title,Variant Price\npen,Pen,\n'), 'product')
    assert.deepEqual(pen?.variants, [
      { line: 2, externalId: 'pen', variant: { manageStock: false, allowBackorder: false } },
    ])
  })
})
