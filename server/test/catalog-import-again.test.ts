// States what a second import guarantees: it changes what the file changed, and leaves everything else as it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { records, shirt, simple } from './support/catalog.ts'
import { catalogLoads, only } from './support/catalog-loads.ts'
import type { Body } from './support/contract.ts'
import { feed } from './support/feed.ts'
import type { Row } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const load = catalogLoads(service)

const sorted = <T>(list: T[]): T[] => list.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const unchanged = ['0 0 2', '0 0 3', '0 0 3']

describe('a second run', () => {
  test('of the same file writes nothing at all', async () => {
    const company = await service.company()
    await load(company, 'woocommerce', shirt)
    const before = await feed(service, company.id)
    const again = await load(company, 'woocommerce', shirt)
    assert.deepEqual(again, { counts: unchanged, stockSet: 0, rowsRefused: 0, refused: [] })
    assert.deepEqual(await feed(service, company.id), before)
  })

  test('of the same file writes nothing either if variations have no price', async () => {
    const company = await service.company()
    const named = (parent: string, ID: number, price: string) => ({
      ID,
      Type: 'variation',
      SKU: `T${ID}`,
      Name: `Tee ${ID}`,
      Parent: parent,
      'Regular price': price,
    })
    const tee = { ID: 1, Type: 'variable', SKU: 'TEE', Name: 'Tee', Parent: '', 'Regular price': '' }
    const hat = { ...tee, ID: 4, SKU: 'HAT', Name: 'Hat' }
    const rows = [tee, named('TEE', 2, '45'), named('id:1', 3, ''), hat, named('HAT', 5, '')]
    await load(company, 'woocommerce', rows)
    const prices = async () =>
      (await records(company, 'products')).map(({ name, minPrice, maxPrice }) => [name, minPrice, maxPrice])
    assert.deepEqual(await prices(), [
      ['Tee', 45, 45],
      ['Hat', undefined, undefined],
    ])
    const before = await feed(service, company.id)
    assert.deepEqual((await load(company, 'woocommerce', rows)).counts, ['0 0 2', '0 0 3', '0 0 0'])
    assert.deepEqual(await feed(service, company.id), before)
  })

  test('of a file without a variant that the company still has changes no price range, and says so', async () => {
    const company = await service.company()
    const cup = (size: string, price: string) => ({
      Handle: 'cup',
      Title: size === 'S' ? 'Cup' : '',
      'Option1 Name': 'Size',
      'Option1 Value': size,
      'Variant SKU': `CUP-${size}`,
      'Variant Price': price,
    })
    await load(company, 'shopify', [cup('S', '2.00'), cup('L', '3.00')])
    await load(company, 'shopify', [cup('S', '2.50')])
    const { minPrice, maxPrice } = await only(company, 'products')
    assert.deepEqual([minPrice, maxPrice], [2.5, 3])
    const again = { counts: ['0 0 1', '0 0 1', '0 0 0'], stockSet: 0, rowsRefused: 0, refused: [] }
    for (const dryRun of [true, false])
      assert.deepEqual(await load(company, 'shopify', [cup('S', '2.50')], { dryRun }), again)
  })

  test('of a file without a variation that the company still has changes no price range, and says so', async () => {
    const company = await service.company()
    const tee = { ID: 10, Type: 'variable', SKU: 'TEE', Name: 'Tee', Parent: '', 'Regular price': '' }
    const size = (ID: number, price: string) => ({
      ...tee,
      ID,
      Type: 'variation',
      SKU: `T${ID}`,
      Parent: 'TEE',
      'Regular price': price,
    })
    const range = async () => {
      const { minPrice, maxPrice } = await only(company, 'products')
      return [minPrice, maxPrice]
    }
    await load(company, 'woocommerce', [tee, size(11, '2'), size(12, '3')])
    const again = { counts: ['0 0 1', '0 0 1', '0 0 0'], stockSet: 0, rowsRefused: 0, refused: [] }
    const without = [tee, size(12, '3')]
    for (const dryRun of [true, false]) assert.deepEqual(await load(company, 'woocommerce', without, { dryRun }), again)
    assert.deepEqual(await range(), [2, 3])
    assert.deepEqual((await load(company, 'woocommerce', [tee, size(12, '1')])).counts, ['0 1 0', '0 1 0', '0 0 0'])
    assert.deepEqual(await range(), [1, 2])
    assert.deepEqual(await load(company, 'woocommerce', [tee, size(12, '1')]), again)
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
      supplier: 'Potters',
      outlets: ['main'],
      taxTable: 'low',
      metadata: [{ key: 'Weight', value: '1' }, ours],
    })
    await company.call('PATCH', `/v1/variant/${variantId}`, {
      images: ['https://x.y/v.jpg'],
      inventory: [{ outletId: 'other', stock: 9 }],
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

  test('keeps it for a variation too, whether or not the file has the product', async () => {
    const company = await service.company()
    const tee = { ID: 10, Type: 'variable', SKU: 'TEE', Name: 'Tee', Parent: '', 'Regular price': '' }
    const red = { ...tee, ID: 11, Type: 'variation', SKU: 'T11', Parent: 'TEE', 'Regular price': '6' }
    await load(company, 'woocommerce', [tee, { ...red, 'Sale price': '4' }])
    assert.deepEqual((await load(company, 'woocommerce', [tee, red])).counts, ['0 0 1', '0 0 1', '0 0 0'])
    assert.deepEqual((await load(company, 'woocommerce', [red])).counts, ['0 0 1', '0 0 1', '0 0 0'])
    const { minPrice, maxPrice } = await only(company, 'products')
    assert.deepEqual([minPrice, maxPrice], [4, 4])
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
