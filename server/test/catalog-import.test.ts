// States what an import guarantees: the API shows what the file contains, a second run changes nothing, and no line is lost without a reason.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CatalogShop } from '../src/features/file-import/catalog/shops.ts'
import { openCsv } from '../src/features/file-import/csv.ts'
import { formatOf } from '../src/features/file-import/formats.ts'
import { loadFile } from '../src/features/file-import/load.ts'
import { scopeOf } from '../src/features/tenants/tenants.ts'
import { csvFiles, records, shirt, simple } from './support/catalog.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import type { Row } from './support/imports.ts'
import { type Company, testService } from './support/service.ts'

const service = testService()
const csvFile = csvFiles()

interface Options {
  readonly outletId?: string
  readonly dryRun?: boolean
}

/** Imports rows as the command does. */
async function load(
  company: Company,
  shop: CatalogShop,
  rows: readonly Row[],
  { outletId = 'main', dryRun = false }: Options = {},
) {
  const { database } = service
  const refused: string[] = []
  const file = await openCsv(csvFile(rows))
  const scope = await scopeOf(database, company.id)
  const { products, variants, categories, stockSet, rowsRefused } = await loadFile({
    ...{ database, scope, format: formatOf(file, shop), file, outletId, dryRun },
    refused: ({ line, reason }) => refused.push(`${line}: ${reason}`),
  })
  const counts = [products, variants, categories].map((count) => Object.values(count).join(' '))
  return { counts, stockSet, rowsRefused, refused }
}

async function only(company: Company, kind: 'products' | 'variants'): Promise<Body> {
  const found = await records(company, kind)
  assert.equal(found.length, 1)
  return found[0] as Body
}

const sorted = <T>(list: T[]): T[] => list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const unchanged = ['0 0 2', '0 0 3', '0 0 3']

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
      ...{ name: 'T-Shirt', productType: 'variable', externalId: '10', description: '<p>Soft</p>', sku: 'TEE' },
      ...{ fromService: false, images: ['https://x.y/a.jpg'], tags: ['new'], status: 'active', source: 'woo-commerce' },
      ...{ minPrice: 15, maxPrice: 22, categories: [shirts, sale] },
      attributes: [{ name: 'Colour', values: ['Red', 'Blue', 'Green'] }],
    })
    assert.deepEqual([mug?.minPrice, mug?.maxPrice, mug?.categories], [5, 5, [clothing]])
    const [mugVariant, red, blue] = await records(company, 'variants')
    const { id, metadata, ...redMembers } = red as Body
    assert.deepEqual(redMembers, {
      ...{
        productId: teeId,
        manageStock: true,
        sku: 'TEE-R',
        isOnSale: true,
        price: 20,
        salePrice: 15,
        externalId: '11',
      },
      ...{ allowBackorder: false, images: ['https://x.y/r.jpg'], attributes: [{ name: 'Colour', value: 'Red' }] },
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
      ...{ Handle, 'Option1 Value': size, 'Variant Price': price, 'Variant SKU': `${Handle}-${size}` },
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
      ...{ Handle: 'tile', Title: n === 0 ? 'Tile' : '', 'Option1 Name': n === 0 ? 'No' : '' },
      ...{ 'Option1 Value': n, 'Variant Price': n + 1 },
    }))
    assert.deepEqual((await load(company, 'shopify', rows)).counts, ['1 0 0', '1300 0 0', '0 0 0'])
    const { minPrice, maxPrice } = await only(company, 'products')
    assert.deepEqual([minPrice, maxPrice], [1, 1300])
  })
})

describe('a second run', () => {
  test('of the same file writes nothing at all', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    const before = await feed(service, company.id)
    const again = await load(company, 'woocommerce', shirt)
    assert.deepEqual(again, { counts: unchanged, stockSet: 0, rowsRefused: 0, refused: [] })
    assert.deepEqual(await feed(service, company.id), before)
  })

  test('of a changed file writes what changed and nothing else', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    const before = (await feed(service, company.id)).length
    const changed = shirt.map((row) => {
      if (row.ID === 12) return { ...row, 'Regular price': '30' }
      return row.ID === 13 ? { ...row, Stock: 8 } : row
    })
    const { counts, stockSet } = await load(company, 'woocommerce', changed)
    assert.deepEqual([counts, stockSet], [['0 1 1', '0 1 2', '0 0 3'], 1])
    const events = (await feed(service, company.id)).slice(before)
    const stock = (level: number) => ({ inventory: [{ outletId: 'main', stock: level }] })
    assert.deepEqual(sorted(events.map(({ type, previous, data }) => [type, previous, data.sku ?? data.stock])), [
      ['inventory.stock_changed', { stock: 1.5 }, 8],
      ['inventory.updated', { stock: 1.5 }, 8],
      ['product.updated', { maxPrice: 22 }, 'TEE'],
      ['variant.updated', stock(1.5), 'MUG'],
      ['variant.updated', { price: 22 }, 'TEE-B'],
    ])
  })

  test('clears what the file no longer contains, and leaves alone what its columns cannot say', async () => {
    const company = await service.company()
    const full = { ...simple, ID: 1, SKU: 'M', Tags: 'new', Description: 'Red', Stock: 4, Images: 'https://x.y/a.jpg' }
    await load(company, 'woocommerce', [{ ...full, 'Sale price': '4', Weight: '1' }])
    const { id } = await only(company, 'products')
    const { id: variantId } = await only(company, 'variants')
    const ours = { key: 'erp', value: '7' }
    await company.call('PATCH', `/v1/product/${id}`, {
      ...{ supplier: 'Potters', outlets: ['main'], taxTable: 'low' },
      metadata: [{ key: 'Weight', value: '1' }, ours],
    })
    await company.call('PATCH', `/v1/variant/${variantId}`, {
      ...{ images: ['https://x.y/v.jpg'], inventory: [{ outletId: 'other', stock: 9 }] },
    })

    await load(company, 'woocommerce', [{ ...full, Tags: '', Description: '', Stock: '', Weight: '' }])
    const product = await only(company, 'products')
    const variant = await only(company, 'variants')
    assert.deepEqual([product.tags, product.description, product.images], [undefined, undefined, ['https://x.y/a.jpg']])
    assert.deepEqual([product.supplier, product.outlets, product.taxTable], ['Potters', ['main'], 'low'])
    assert.deepEqual(product.metadata, [ours])
    assert.deepEqual([variant.salePrice, variant.isOnSale, variant.images], [undefined, false, ['https://x.y/v.jpg']])
    assert.deepEqual(variant.inventory, [
      { outletId: 'main', stock: 4 },
      { outletId: 'other', stock: 9 },
    ])

    await load(company, 'woocommerce', [{ ID: 1, Name: 'Cup', 'Regular price': '6' }])
    assert.deepEqual(await only(company, 'products'), { ...product, name: 'Cup', minPrice: 6, maxPrice: 6 })
    assert.deepEqual(await only(company, 'variants'), { ...variant, price: 6 })
  })

  test('keeps a sale price that the file has no column for, also in the product’s price', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', [{ ...simple, ID: 1, 'Sale price': '4' }])
    await load(company, 'woocommerce', [{ ID: 1, Name: 'Mug', 'Regular price': '6' }])
    const { price, salePrice, isOnSale } = await only(company, 'variants')
    const { minPrice, maxPrice } = await only(company, 'products')
    assert.deepEqual([price, salePrice, isOnSale, minPrice, maxPrice], [6, 4, true, 4, 4])
  })

  test('of variations alone finds their product in the company, and updates its prices and attributes', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    const [, red, blue] = shirt as [Row, Row, Row]
    const black = { ...blue, ID: 14, SKU: 'TEE-K', 'Attribute 1 value(s)': 'Black' }
    const rows = [
      { ...red, 'Sale price': '' },
      { ...black, 'Regular price': '40' },
    ]
    const dry = await load(company, 'woocommerce', rows, { dryRun: true })
    const { counts } = await load(company, 'woocommerce', rows)
    assert.deepEqual(counts, ['0 1 0', '1 1 0', '0 0 0'])
    assert.deepEqual(dry.counts, counts)
    const [tee] = await records(company, 'products')
    assert.deepEqual(
      [tee?.minPrice, tee?.maxPrice, tee?.attributes],
      [20, 40, [{ name: 'Colour', values: ['Red', 'Blue', 'Green', 'Black'] }]],
    )
    assert.deepEqual((await load(company, 'woocommerce', rows)).counts, ['0 0 1', '0 0 2', '0 0 0'])
    const dearer = [{ ...red, 'Sale price': '', 'Regular price': '30' }]
    const reported = await load(company, 'woocommerce', dearer, { dryRun: true })
    assert.deepEqual(reported.counts, ['0 1 0', '0 1 0', '0 0 0'])
    assert.deepEqual(reported, await load(company, 'woocommerce', dearer))
  })

  test('of products without their variations leaves the prices of the products', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    assert.deepEqual((await load(company, 'woocommerce', shirt.slice(0, 1))).counts, ['0 1 0', '0 0 0', '0 0 3'])
    const [tee] = await records(company, 'products')
    assert.deepEqual([tee?.minPrice, tee?.maxPrice], [15, 22])
  })

  test('uses the oldest of records that share an id, and none from another shop', async () => {
    const company = await service.company()
    const make = async (more: Body) =>
      (await company.call('POST', '/v1/product', { name: 'Old', externalId: '1', ...more })).body.id
    const foreign = await make({ source: 'erp' })
    const foreignVariant = await company.call('POST', '/v1/variant', { productId: foreign, externalId: '1', price: 1 })
    const oldest = await make({})
    const younger = await make({ source: 'woo-commerce' })
    const { counts } = await load(company, 'woocommerce', [{ ...simple, ID: 1 }])
    assert.deepEqual(counts.slice(0, 2), ['0 1 0', '1 0 0'])
    const names = (await records(company, 'products')).map(({ id, name }) => [id, name])
    assert.deepEqual(names, [
      [foreign, 'Old'],
      [oldest, 'Mug'],
      [younger, 'Old'],
    ])
    const untouched = await company.call('GET', `/v1/variant/${foreignVariant.body.id}`)
    assert.deepEqual(untouched.body, foreignVariant.body)
  })

  test('adopts the variant of a product that was deleted and is created again', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', [{ ...simple, ID: 1 }])
    const { id } = await only(company, 'products')
    await company.call('DELETE', `/v1/product/${id}`)
    assert.deepEqual((await load(company, 'woocommerce', [{ ...simple, ID: 1 }])).counts.slice(0, 2), [
      '1 0 0',
      '0 1 0',
    ])
    assert.equal((await only(company, 'variants')).productId, (await only(company, 'products')).id)
  })

  test('adopts it with its stock at every outlet, which follows it to the new product', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', [{ ...simple, ID: 1, Stock: 4 }])
    const { id: variantId } = await only(company, 'variants')
    await company.call('PATCH', `/v1/variant/${variantId}`, { inventory: [{ outletId: 'branch', stock: 2 }] })
    await company.call('DELETE', `/v1/product/${(await only(company, 'products')).id}`)
    const again = await load(company, 'woocommerce', [{ ...simple, ID: 1, Stock: 5 }])
    assert.deepEqual([again.stockSet, again.refused], [1, []])
    const { id: productId } = await only(company, 'products')
    const { body } = await company.call('GET', '/v1/inventories?sortBy=stock')
    assert.deepEqual(
      body.data.map((level: Body) => [level.productId, level.variantId, level.outletId, level.stock]),
      [[productId, variantId, 'branch', 2], [productId, variantId, 'main', 5]], // biome-ignore format: one thought
    )
  })

  test('finds categories by name under their parent, and leaves the owner’s changes to them', async () => {
    const company = await service.company()
    const make = async (category: Body) => (await company.call('POST', '/v1/category', category)).body.id
    const home = await make({ name: 'Home', description: 'All for the house' })
    const other = await make({ name: 'Cups' })
    const cups = await make({ name: 'Cups', parentId: home, menuOrder: 3 })
    const before = await records(company, 'categories')
    const { counts } = await load(company, 'woocommerce', [{ ...simple, ID: 1, Categories: 'Home > Cups, Cups' }])
    assert.equal(counts[2], '0 0 3')
    assert.deepEqual(await records(company, 'categories'), before)
    assert.deepEqual((await only(company, 'products')).categories, [cups, other])
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
      '3: attributes 0 value must not have more than 500 characters',
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
      '2: metadata 0 key must not have more than 500 characters',
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
    assert.deepEqual(refused, ['2: metadata 0 key must not have more than 500 characters'])
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
  const runs = await Promise.allSettled([load(company, 'woocommerce', rows), load(company, 'woocommerce', rows)])
  const failed = runs.filter((run) => run.status === 'rejected')
  for (const { reason } of failed) assert.match(reason.message, /^Another import into this company is under way/)
  assert.ok(failed.length < 2)
  assert.equal((await records(company, 'products')).length, 300)
  assert.equal((await records(company, 'variants')).length, 300)
  assert.equal((await records(company, 'categories')).length, 2)
})
