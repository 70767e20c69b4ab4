// States what the reader of Shopify's exports guarantees: rows of a handle become one product, and every refusal names its line and its reason.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CatalogEntry } from '../src/features/file-import/catalog/catalog.ts'
import { catalogFiles, only, reasons } from './support/catalog-files.ts'

const { shopify } = catalogFiles()

const variants = (entries: CatalogEntry[]) =>
  entries.flatMap((entry) => (entry.kind === 'refused' ? [] : entry.variants))

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
