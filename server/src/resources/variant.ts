// Variant: one version of a product, with a price, a barcode and stock of its own.
import { externalId, flag, list, name, number, object, reference, required, url } from '../engine/field.ts'
import { combineSideEffects, resource } from '../engine/resource.ts'
import { inventoryProjection, variantSideEffects } from './levels.ts'
import { priceSideEffects } from './product-prices.ts'
import { metadata, otherNames } from './shapes.ts'
import { visibleVariants } from './visible-at.ts'

const stockByOutlet =
  'stock is kept by outlet: send inventory with outletId and stock, or use POST /v1/inventories/adjust or /v1/inventories/set-levels'

export const variant = resource({
  name: { one: 'variant', many: 'variants' },
  title: 'Variants',
  description:
    'One version of a product, such as a size or a colour. It has a price, a barcode, and stock at each outlet.',
  fields: {
    productId: required(reference({ description: 'The product that this is a version of.' })),
    manageStock: flag({ description: 'Whether its stock is counted, with a history.' }),
    sku: name({ description: 'Stock keeping unit: your own code of the variant.', example: 'ESP-1-250' }),
    isOnSale: flag({ description: 'Whether the current price is `salePrice` instead of `price`.' }),
    barcode: name({ description: 'What a scanner reads, such as an EAN or UPC.', example: '4006381333931' }),
    price: number({
      description:
        'Regular price of one unit in the company’s currency, with or without tax as your shop displays prices.',
      example: 12.5,
    }),
    salePrice: number({
      description: 'Reduced price of one unit, current while `isOnSale` is true. With or without tax, like `price`.',
      example: 9.9,
    }),
    costPrice: number({ description: 'What one unit costs you, without tax.', example: 6.2 }),
    externalId: externalId({ example: 'woo-119' }),
    allowBackorder: flag({ description: 'Whether stock may go below zero.' }),
    images: list(url(), {
      description: 'URLs of pictures of this variant, the main one first.',
      example: ['https://cdn.example.com/beans-250.jpg'],
    }),
    metadata: metadata(),
    attributes: list(
      object(
        {
          name: name({ description: 'The name of an attribute of the product.', example: 'Size' }),
          value: name({ description: 'Which of its values this variant has.', example: '250 g' }),
        },
        { title: 'VariantAttribute' },
      ),
      { description: 'What distinguishes this variant from the others of its product.' },
    ),
  },
  projection: inventoryProjection,
  sideEffects: combineSideEffects(priceSideEffects, variantSideEffects),
  remove: 'hard',
  elsewhere: {
    stock: stockByOutlet,
    inventoryQuantity: stockByOutlet,
    name: 'a variant has the name of its product; send what distinguishes it as attributes',
    title: 'a variant has the name of its product; send what distinguishes it as attributes',
    compareAtPrice: 'send the regular price as price, and the reduced one as salePrice, with isOnSale',
    ...otherNames('attributes', 'options'),
    ...otherNames('costPrice', 'cost'),
  },
  list: {
    sort: ['sku', 'barcode', 'price'],
    search: ['sku', 'barcode'],
    exact: ['externalId', 'sku', 'barcode', 'productId'],
    selective: ['externalId', 'sku', 'barcode', 'productId'],
  },
  keepsSearchCounts: true,
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

/** What distinguishes a variant: the values of its attributes. */
export function variantName(attributes: string | null): string | undefined {
  const values = ((attributes && JSON.parse(attributes)) || []) as { readonly value?: string }[]
  return values.flatMap(({ value }) => value || []).join(' / ') || undefined
}
