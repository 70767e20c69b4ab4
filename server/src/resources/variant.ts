// Variant: one version of a product, with a price, a barcode and stock of its own.
import { externalId, flag, list, name, number, object, reference, required, url } from '../engine/field.ts'
import { allSideEffects, resource } from '../engine/resource.ts'
import { inventoryView, variantSideEffects } from './levels.ts'
import { pricesSideEffects } from './product-prices.ts'
import { metadata } from './shapes.ts'
import { visibleVariants } from './visible-at.ts'

export const variant = resource({
  name: { one: 'variant', many: 'variants' },
  title: 'Variants',
  description:
    'One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet.',
  fields: {
    productId: required(reference()),
    manageStock: flag({ description: 'Whether its stock is counted, with a history.' }),
    sku: name(),
    isOnSale: flag(),
    barcode: name(),
    price: number(),
    salePrice: number(),
    costPrice: number(),
    externalId: externalId(),
    allowBackorder: flag({ description: 'Whether stock may go below zero.' }),
    images: list(url()),
    metadata: metadata(),
    attributes: list(object({ name: name(), value: name() })),
  },
  view: inventoryView,
  sideEffects: allSideEffects(pricesSideEffects, variantSideEffects),
  remove: 'hard',
  list: {
    sort: ['sku', 'barcode', 'price'],
    search: ['sku', 'barcode'],
    exact: ['externalId', 'sku', 'barcode', 'productId'],
  },
  filters: { visibleAt: visibleVariants },
  styleA: { one: ['variant'], list: 'variants' },
  styleB: { one: 'variant', many: 'variants' },
  example: {
    productId: '6740a1f2c3d4e5f6a7b8c9d1',
    sku: 'ESP-1-250',
    barcode: '4006381333931',
    price: 12.5,
    manageStock: true,
  },
})
