// States what an import guarantees: the API shows what the file contains, and no line is lost without a reason.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { records, shirt, simple } from './support/catalog.ts'
import { catalogLoads, only } from './support/catalog-loads.ts'
import { assertColumns } from './support/columns.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import { csvOf, imported, type Row } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const load = catalogLoads(service)

describe('how a file is mapped', () => {
  test('products, variants, categories, prices, images, attributes and stock appear in both path styles', async () => {
    const company = await service.company()
    const loaded = await load(company, 'woocommerce', shirt)
    assert.deepEqual(loaded, { counts: ['2 0 0', '3 0 0', '3 0 0'], stockSet: 3, rowsRefused: 0, refused: [] })

    const categories = await records(company, 'categories')
    const [clothing, sale, shirts] = categories.map(({ id }) => id)
    assert.deepEqual(
      categories.map(({ name, parentId, source }) => [name, parentId, source]),
      [
        ['Clothing', undefined, 'woo-commerce'],
        ['Sale', undefined, 'woo-commerce'],
        ['Shirts', clothing, 'woo-commerce'],
      ],
    )
    const [tee, mug] = await records(company, 'products')
    const { id: teeId, ...teeMembers } = tee as Body
    assert.deepEqual(teeMembers, {
      name: 'T-Shirt',
      productType: 'variable',
      externalId: '10',
      description: '<p>Soft</p>',
      sku: 'TEE',
      fromService: false,
      images: ['https://x.y/a.jpg'],
      tags: ['new'],
      status: 'active',
      source: 'woo-commerce',
      minPrice: 15,
      maxPrice: 22,
      categories: [shirts, sale],
      attributes: [{ name: 'Colour', values: ['Red', 'Blue', 'Green'] }],
    })
    assert.deepEqual([mug?.minPrice, mug?.maxPrice, mug?.categories], [5, 5, [clothing]])
    const [mugVariant, red, blue] = await records(company, 'variants')
    const { id, metadata, ...redMembers } = red as Body
    assert.deepEqual(redMembers, {
      productId: teeId,
      manageStock: true,
      sku: 'TEE-R',
      isOnSale: true,
      price: 20,
      salePrice: 15,
      externalId: '11',
      allowBackorder: false,
      images: ['https://x.y/r.jpg'],
      attributes: [{ name: 'Colour', value: 'Red' }],
      inventory: [{ outletId: 'main', stock: 3 }],
    })
    assert.deepEqual([blue?.productId, blue?.inventory], [teeId, [{ outletId: 'main', stock: 0 }]])
    assert.deepEqual([mugVariant?.productId, mugVariant?.inventory], [mug?.id, [{ outletId: 'main', stock: 1.5 }]])
  })

  test('each record is created complete: one created event, and no update', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    const types = (await feed(service, company.id)).map(({ type }) => type)
    assert.deepEqual(
      Object.entries(Object.groupBy(types, (type) => type))
        .map(([type, all]) => [type, all?.length])
        .sort(),
      [
        ['category.created', 3],
        ['inventory.created', 3],
        ['inventory.stock_changed', 3],
        ['product.created', 2],
        ['variant.created', 3],
      ],
    )
  })

  test('a variation may precede its product or follow it thousands of lines later', async () => {
    const company = await service.company()
    const many = Array.from({ length: 1_200 }, (_, n) => ({ ...simple, ID: 1_000 + n, Name: `Mug ${n}` }))
    const [tee, red, blue, mug] = shirt as [Row, Row, Row, Row]
    const { counts, rowsRefused } = await load(company, 'woocommerce', [
      red,
      ...many,
      tee,
      ...many.map((row) => ({ ...row, ID: `b${row.ID}` })),
      mug,
      blue,
    ])
    assert.deepEqual([counts[0], counts[1], rowsRefused], ['2402 0 0', '2403 0 0', 0])
    const { body } = await company.call('GET', '/v1/products?externalId=10')
    const [{ id, minPrice, maxPrice, attributes }] = body.data
    assert.deepEqual([minPrice, maxPrice, attributes[0].values], [15, 22, ['Red', 'Blue', 'Green']])
    const variants = await company.call('GET', `/v1/variants?productId=${id}`)
    assert.deepEqual(variants.body.data.map(({ sku }: Body) => sku).sort(), ['TEE-B', 'TEE-R'])
    assert.equal((await load(company, 'woocommerce', [red, ...many, tee, blue])).counts[1], '0 0 1202')
  })

  test('a variation whose parent is named by an SKU that two products share belongs to the first of them', async () => {
    const company = await service.company()
    const [tee, , blue] = shirt as [Row, Row, Row]
    const rows = [tee, { ...tee, ID: 20, Name: 'Shirt' }, blue]
    assert.deepEqual((await load(company, 'woocommerce', rows)).counts.slice(0, 2), ['2 0 0', '1 0 0'])
    const [first, second] = await records(company, 'products')
    assert.deepEqual([first?.maxPrice, second?.maxPrice], [22, undefined])
    assert.equal((await only(company, 'variants')).productId, first?.id)
    assert.deepEqual((await load(company, 'woocommerce', rows)).counts.slice(0, 2), ['0 0 2', '0 0 1'])
  })

  test('separate rows of a Shopify product are one product with all its variants and images', async () => {
    const company = await service.company()
    const of = (Handle: string, size: string, price: number, more: Row = {}) => ({
      Handle,
      'Option1 Value': size,
      'Variant Price': price,
      'Variant SKU': `${Handle}-${size}`,
      ...more,
    })
    const cap = { Title: 'Cap', Type: 'Hats', 'Option1 Name': 'Size', 'Image Src': 'https://x.y/1.jpg' }
    const rows = [
      of('cap', 'S', 9, cap),
      of('mug', 'One', 4, { Title: 'Mug', 'Option1 Name': 'Size' }),
      of('cap', 'M', 12, { 'Variant Inventory Qty': 7 }),
      { Handle: 'cap', 'Image Src': 'https://x.y/2.jpg' },
    ]
    assert.deepEqual((await load(company, 'shopify', rows)).counts, ['2 0 0', '3 0 0', '1 0 0'])
    const [found] = await records(company, 'products')
    assert.deepEqual(
      [found?.productType, found?.sku, found?.minPrice, found?.maxPrice, found?.images, found?.attributes],
      [
        'variable',
        undefined,
        9,
        12,
        ['https://x.y/1.jpg', 'https://x.y/2.jpg'],
        [{ name: 'Size', values: ['S', 'M'] }],
      ],
    )
    const events = (await feed(service, company.id)).length
    assert.deepEqual((await load(company, 'shopify', rows)).counts, ['0 0 2', '0 0 3', '0 0 1'])
    assert.equal((await feed(service, company.id)).length, events)
  })

  test('a product with more variants than a batch holds is imported completely', async () => {
    const company = await service.company()
    const rows = Array.from({ length: 1_300 }, (_, n) => ({
      Handle: 'tile',
      Title: n === 0 ? 'Tile' : '',
      'Option1 Name': n === 0 ? 'No' : '',
      'Option1 Value': n,
      'Variant Price': n + 1,
    }))
    assert.deepEqual((await load(company, 'shopify', rows)).counts, ['1 0 0', '1300 0 0', '0 0 0'])
    const { minPrice, maxPrice } = await only(company, 'products')
    assert.deepEqual([minPrice, maxPrice], [1, 1300])
  })
})

describe('refused rows', () => {
  test('are reported with their line and the reason, and affect no others', async () => {
    const company = await service.company()
    const long = Array.from({ length: 60 }, (_, n) => `a long value ${n}`).join(', ')
    const [tee, red, blue, mug] = shirt as [Row, Row, Row, Row]
    const rows = [
      tee,
      { ...red, 'Attribute 1 value(s)': long },
      blue,
      { ...red, ID: 20, Parent: 'id:99' },
      { ...red, ID: 21, Parent: 'nothing' },
      { ...mug, 'Regular price': 'dear' },
      { ...tee, ID: 30, SKU: 'CAP', Name: '' },
      { ...red, ID: 31, Parent: 'CAP' },
      { ...mug, ID: 40 },
    ]
    const { refused, rowsRefused, counts } = await load(company, 'woocommerce', rows)
    assert.deepEqual(refused, [
      '7: Regular price "dear" is not a number',
      '8: the product has no name',
      '3: attributes 0 value "a long value 0, a long value 1, a long value 2, a long value…" must not have more than 500 characters',
      '5: neither the company nor the imported lines of this file have a product "99"',
      '6: neither the company nor the imported lines of this file have a product "nothing"',
      '9: neither the company nor the imported lines of this file have a product "CAP"',
    ])
    assert.deepEqual([rowsRefused, counts.slice(0, 2)], [6, ['2 0 0', '2 0 0']])
    const [first] = await records(company, 'products')
    assert.deepEqual(first?.attributes, [{ name: 'Colour', values: ['Red', 'Blue', 'Green'] }])
  })

  test('of a product that the API refuses include all its rows, each with its line, and nothing of it is stored', async () => {
    const company = await service.company()
    const tooLong = 'x'.repeat(501)
    const rows = [
      {
        Handle: 'cap',
        Title: 'Cap',
        'Option1 Name': 'Size',
        'Option1 Value': 'S',
        'Variant Price': 1,
        [tooLong]: 'note',
      },
      { Handle: 'cap', 'Option1 Value': 'M', 'Variant Price': 1 },
      { Handle: 'mug', Title: 'Mug', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant Price': 1 },
      { Handle: 'cap', 'Option1 Value': 'L', 'Variant Price': 1 },
    ]
    const { refused, counts } = await load(company, 'shopify', rows)
    assert.deepEqual(refused, [
      `2: metadata 0 key "${'x'.repeat(60)}…" must not have more than 500 characters`,
      '3: the product "cap" was refused in line 2',
      '5: the product "cap" was refused in line 2',
    ])
    assert.deepEqual(counts, ['1 0 0', '1 0 0', '0 0 0'])
    assert.deepEqual(
      (await records(company, 'variants')).map(({ externalId }) => externalId),
      ['mug/S'],
    )
  })

  test('of a product without any valid variant include the product, and its line says so', async () => {
    const company = await service.company()
    const note = `Variant ${'x'.repeat(500)}`
    const row = { Title: 'Cap', 'Option1 Name': 'Size', 'Option1 Value': 'S', 'Variant Price': 1 }
    const { refused, counts } = await load(company, 'shopify', [
      { ...row, Handle: 'cap', [note]: 'warm' },
      { ...row, Handle: 'mug', Title: 'Mug' },
    ])
    assert.deepEqual(refused, [`2: metadata 0 key "${note.slice(0, 60)}…" must not have more than 500 characters`])
    assert.deepEqual(counts.slice(0, 2), ['1 0 0', '1 0 0'])
    assert.equal((await only(company, 'products')).name, 'Mug')
  })
})

describe('a dry run', () => {
  test('counts what the run itself then does, and writes nothing', async () => {
    const company = await service.company()
    const rows = [...shirt, { ...simple, ID: 50, 'Regular price': 'dear' }]
    const compare = async () => {
      const before = await feed(service, company.id)
      const dry = await load(company, 'woocommerce', rows, { dryRun: true })
      assert.deepEqual(await feed(service, company.id), before)
      assert.deepEqual(dry, await load(company, 'woocommerce', rows))
    }
    await compare()
    await compare()
    rows[1] = { ...rows[1], Stock: 9, 'Regular price': '19' }
    await compare()
  })
})

test('two imports at once create nothing twice', async () => {
  const company = await service.company()
  const rows = Array.from({ length: 300 }, (_, n) => ({ ...simple, ID: n + 1, Categories: 'Home > Mugs' }))
  const jobs = await Promise.all([imported(company.call, csvOf(rows)), imported(company.call, csvOf(rows))])
  assert.deepEqual(jobs.map(({ summary }) => summary.products.created).sort(), [0, 300])
  assert.equal((await records(company, 'products')).length, 300)
  assert.equal((await records(company, 'variants')).length, 300)
  assert.equal((await records(company, 'categories')).length, 2)
})

test('the columns of all records that were written equal the records', () => assertColumns(service))
