// States what the reader of WooCommerce's exports guarantees: nothing is lost silently, and every refusal names its line and its reason.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogFiles, only, reasons } from './support/catalog-files.ts'

const { woo } = catalogFiles()

/** The product of one simple WooCommerce row with further columns. */
async function wooRow(columns: Record<string, string>, separator = ',') {
  const row = { ID: '1', Type: 'simple', Name: 'Mug', 'Regular price': '5', ...columns }
  const quoted = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)
  const entries = await woo(`${quoted(Object.keys(row))}\n${quoted(Object.values(row))}\n`)
  const [found] = only(entries, 'product')
  const [no] = only(entries, 'refused')
  const [first] = found?.variants ?? []
  return { refused: no?.reason, column: no?.column, ...found, variant: first?.variant, stock: first?.stock }
}

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

  test('an ambiguous amount is refused with both ways to write it, in a file with semicolons also with a point', async () => {
    assert.match(
      (await wooRow({ 'Regular price': '1,234' })).refused ?? '',
      /can mean 1234 or 1\.234; write 1234 or 1\.2340$/,
    )
    for (const [text, price] of [
      ['1234', 1234],
      ['1.2340', 1.234],
    ] as const)
      for (const separator of [',', ';'])
        assert.equal((await wooRow({ 'Regular price': text }, separator)).variant?.price, price)
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
    // More was sold than was counted.
    assert.deepEqual(await stock({ Stock: '-3' }), [-3, true, false])
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
