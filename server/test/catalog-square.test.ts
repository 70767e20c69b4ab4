// Guarantees of the reader of Square's item libraries: the rows of an item become one product, with the stock of one location.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { records } from './support/catalog.ts'
import { catalogFiles, only, reasons } from './support/catalog-files.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { imported, listed, refusedLines } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const { square } = catalogFiles()
const service = sharedService()

/** The columns of exports of 2025, without those of locations and taxes. */
const headings =
  'Reference Handle,Token,Item Name,Customer-facing Name,Variation Name,SKU,Description,Categories,Reporting Category,GTIN,Item Type,Weight (lb),Price,Online Sale Price,Archived,Sellable,Stockable,Skip Detail Screen in POS,Option Name 1,Option Value 1,Option Name 2,Option Value 2,Default Unit Cost,Default Vendor Name'

/** A file with the columns that a row names, besides the first ones; other cells are empty. */
function library(rows: readonly Readonly<Record<string, string>>[], more = ''): string {
  const all = `${headings}${more}`.split(',')
  const lines = rows.map((row) => all.map((heading) => `"${row[heading] ?? ''}"`).join())
  return [all.join(), ...lines].join('\n')
}

const tee = {
  'Reference Handle': '#tee',
  'Item Name': 'Tee',
  Description: 'Soft',
  Categories: 'Clothing > Shirts, Sale',
}
const options = { 'Option Name 1': 'Size', 'Option Name 2': 'Colour' }
const shirts = [
  { ...tee, ...options, Token: 'A1', 'Variation Name': 'S, Red', 'Option Value 1': 'S', 'Option Value 2': 'Red', SKU: 'T-S', Price: '10.00', 'Current Quantity Main St': '5' }, // biome-ignore format: one row
  { ...tee, ...options, Token: 'A2', 'Variation Name': 'M, Red', 'Option Value 1': 'M', 'Option Value 2': 'Red', SKU: 'T-M', Price: '12.50', 'Current Quantity Main St': '-2', GTIN: "'0401", 'Default Unit Cost': '4', Sellable: 'N' }, // biome-ignore format: one row
]
const atMain = ',Current Quantity Main St,New Quantity Main St,Stock Alert Enabled Main St,Tax - Sales Tax (8.25%)'

describe('Square', () => {
  test('the rows of an item are one product with its variants, options, prices and stock', async () => {
    const entries = await square(library(shirts, atMain))
    const member = { manageStock: true, allowBackorder: false }
    const sized = (size: string) => [
      { name: 'Size', value: size },
      { name: 'Colour', value: 'Red' },
    ]
    assert.deepEqual(entries, [
      {
        kind: 'product',
        line: 2,
        externalId: '#tee',
        product: {
          name: 'Tee',
          productType: 'variable',
          status: 'active',
          source: 'square',
          description: 'Soft',
          attributes: [
            { name: 'Size', values: ['S', 'M'] },
            { name: 'Colour', values: ['Red'] },
          ],
          minPrice: 10,
          maxPrice: 12.5,
        },
        categories: [['Clothing', 'Shirts'], ['Sale']],
        variants: [
          {
            line: 2,
            externalId: 'A1',
            variant: { ...member, sku: 'T-S', price: 10, attributes: sized('S') },
            levels: [{ outletId: 'Main St', stock: 5 }],
          },
          {
            line: 3,
            externalId: 'A2',
            variant: {
              ...member,
              sku: 'T-M',
              barcode: '0401',
              price: 12.5,
              costPrice: 4,
              attributes: sized('M'),
              metadata: [{ key: 'Sellable', value: 'N' }],
            },
            levels: [{ outletId: 'Main St', stock: -2 }],
          },
        ],
      },
    ])
  })

  test('a variation has its name as an attribute, unless it is the only one and named Regular', async () => {
    const mug = { 'Item Name': 'Mug', Price: '5' }
    const entries = await square(
      library([
        { ...mug, Token: 'B1', 'Variation Name': 'Regular', SKU: 'MUG' },
        { 'Item Name': 'Tea', Price: '3', Token: 'C1', 'Variation Name': 'Regular' },
        { 'Item Name': 'Tea', Price: '4', Token: 'C2', 'Variation Name': 'Large' },
      ]),
    )
    const products = only(entries, 'product')
    assert.deepEqual(
      products.map(({ product, variants }) => [product.productType, product.sku, variants.map(({ variant }) => variant.attributes)]), // biome-ignore format: one thought
      [
        ['simple', 'MUG', [undefined]],
        ['variable', undefined, [[{ name: 'Variation', value: 'Regular' }], [{ name: 'Variation', value: 'Large' }]]],
      ],
    )
  })

  test('a variable price is no price, an archived item is archived, and other cells become metadata unless they have a default value', async () => {
    const row = { 'Item Name': 'Gift', Token: 'D1', 'Variation Name': 'Regular', Price: 'variable', Archived: 'Y' }
    const usual = {
      'Item Type': 'Physical',
      Stockable: 'Y',
      'Skip Detail Screen in POS': 'N',
      'New Quantity Main St': '9',
    }
    const facts = { 'Online Sale Price': '8', 'Tax - Sales Tax (8.25%)': 'Y', 'Reporting Category': 'Books (T2B3ROTJ3HFGVBO22QLOOJDE)' } // biome-ignore format: one row
    const [product] = only(await square(library([{ ...row, ...usual, ...facts }], atMain)), 'product')
    assert.deepEqual(product?.product, {
      name: 'Gift',
      productType: 'simple',
      status: 'archived',
      source: 'square',
      metadata: [{ key: 'Tax - Sales Tax (8.25%)', value: 'Y' }],
    })
    assert.deepEqual(product?.categories, [['Books']])
    const metadata = [
      { key: 'Price', value: 'variable' },
      { key: 'Online Sale Price', value: '8' },
    ]
    assert.deepEqual(product?.variants[0]?.variant, { manageStock: false, allowBackorder: false, metadata })
  })

  test('an item that appears again further down keeps its product, and each refused row has a reason', async () => {
    const [small, medium] = shirts
    const mug = { 'Item Name': 'Mug', Token: 'B1', 'Variation Name': 'Regular', Price: '5' }
    const rows = [{ ...small }, { ...mug }, { ...mug, Price: 'dear', Token: 'B2' }, { ...medium }, { Token: 'E', Price: '1' }, { ...small }] // biome-ignore format: one list
    const entries = await square(library(rows))
    assert.deepEqual(
      only(entries, 'addition').map(({ parent, variants }) => [parent, variants.map(({ externalId }) => externalId)]),
      [[{ externalId: '#tee' }, ['A2']]],
    )
    assert.deepEqual(reasons(entries), [
      '4: Price "dear" is not a number',
      '6: the product has no name',
      '7: Token "A1" is already in line 2',
    ])
  })

  test('an item gets its values from its first row that can be imported', async () => {
    const row = { 'Reference Handle': '#tea', Price: '3', 'Variation Name': 'Small' }
    const [product] = only(await square(library([row, { ...row, 'Item Name': 'Tea', Token: 'C2' }])), 'product')
    assert.deepEqual([product?.line, product?.product.name], [3, 'Tea'])
  })

  test('a variation without a token is found again by item and name, even after the item got a second variation', async () => {
    const company = await service.company()
    const rows = ['Item Name,Variation Name,Price', 'Tea,Regular,3']
    await imported(company.call, rows.join('\n'))
    const { id, summary } = await imported(
      company.call,
      [...rows, 'Tea,Large,4', 'Tea,large,5', 'Tea,Large,6'].join('\n'),
    )
    assert.deepEqual(summary.variants, { created: 2, updated: 1, unchanged: 0 })
    assert.deepEqual(
      (await records(company, 'variants')).map(({ externalId, price }) => [externalId, price]),
      [
        ['Tea/Regular', 3],
        ['Tea/Large', 4],
        ['Tea/large', 5],
      ],
    )
    assert.match(await refusedLines(company.call, id), /\n5,,"the variant ""Tea\/Large"" is already in line 3"\n$/)
  })
})

describe('a library with the stock of several locations', () => {
  const stock = { 'Current Quantity Main St': '5', 'Current Quantity Harbour': '7' }
  const file = library(
    [{ 'Item Name': 'Mug', Token: 'B1', 'Variation Name': 'Regular', Price: '5', SKU: 'MUG', ...stock }],
    ',Enabled Main St,Current Quantity Main St,Enabled Harbour,Current Quantity Harbour',
  )
  const outletOf = async ({ call }: Awaited<ReturnType<typeof service.company>>, name: string): Promise<string> =>
    succeeded(await call('POST', '/v1/outlet', { name }), 201).id

  test('sets the stock of each outlet from the location of the same name, and writes the items once', async () => {
    const company = await service.company()
    const ids = [await outletOf(company, 'main  st'), await outletOf(company, 'Harbour')]
    for (const id of ids) await imported(company.call, file, `outletId=${id}`)
    assert.deepEqual(
      (await records(company, 'products')).map(({ name, externalId, source }) => [name, externalId, source]),
      [['Mug', 'Mug', 'square']],
    )
    const levels: Body[] = await listed(company, 'inventories')
    assert.deepEqual(
      ids.map((id) => levels.filter(({ outletId }) => outletId === id).map(({ stock }) => stock)),
      [[5], [7]],
    )
  })

  test('tracks the stock of a variation that any location counts, so that an import for another location changes nothing', async () => {
    const company = await service.company()
    const ids = [await outletOf(company, 'Main St'), await outletOf(company, 'Harbour')]
    const row = { Price: '5', 'Variation Name': 'Regular' }
    const rows = [
      { ...row, 'Item Name': 'Mug', Token: 'B1', 'Current Quantity Main St': '5' },
      { ...row, 'Item Name': 'Tea', Token: 'C1', 'Current Quantity Harbour': '0' },
      { ...row, 'Item Name': 'Advice', Token: 'D1' },
    ]
    const text = library(rows, ',Current Quantity Main St,Current Quantity Harbour')
    await imported(company.call, text, `outletId=${ids[0]}`)
    for (const id of ids) {
      const { summary } = await imported(company.call, text, `outletId=${id}`)
      assert.deepEqual(summary.variants, { created: 0, updated: 0, unchanged: 3 })
    }
    assert.deepEqual(
      (await records(company, 'variants')).map(({ manageStock }) => manageStock),
      [true, true, false],
    )
  })

  test('sets no stock, and says so, if no location has the name of the outlet in the request', async () => {
    const company = await service.company()
    const shop = await outletOf(company, 'Shop')
    const { id } = await imported(company.call, file, `outletId=${shop}`)
    assert.match(
      await refusedLines(company.call, id),
      /the stock of ""Main St"", ""Harbour"" is not imported: each location needs exactly one outlet of its own/,
    )
    assert.deepEqual(await listed(company, 'inventories'), [])
  })
})
