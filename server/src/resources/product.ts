// Product: what is sold, in one or several variants.
import {
  description,
  externalId,
  list,
  name,
  number,
  object,
  reference,
  required,
  url,
  usualWord,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { fromService, metadata, otherNames, source } from './shapes.ts'
import { visibleProducts } from './visible-at.ts'

/** The advice for a rate or a tax. */
const inTaxTable = 'rates are in tax tables: store one with POST /v1/tax-table, and send taxTable, its id or name'

export const product = resource({
  name: { one: 'product', many: 'products' },
  alsoCalled: ['item'],
  title: 'Products',
  description:
    'Something that the company sells. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored.',
  fields: {
    name: required(
      name({ description: 'What tills, shops and receipts call the product.', example: 'Espresso beans' }),
    ),
    productType: usualWord(['simple', 'variable'], {
      description: 'Whether customers choose between variants: a simple product has one, a variable product several.',
    }),
    externalId: externalId({ example: 'woo-118' }),
    description: description({
      description: 'The full text for customers. HTML is stored as it is.',
      example: 'Dark roast from Brazil and India.',
    }),
    shortDescription: description({
      description: 'A sentence or two for lists and search results. HTML is stored as it is.',
      example: 'Dark roast.',
    }),
    sku: name({ description: 'Stock keeping unit of the product; each variant has its own too.', example: 'ESP-1' }),
    fromService: fromService(),
    images: list(url(), {
      description: 'URLs of pictures, the main one first.',
      example: ['https://cdn.example.com/beans.jpg'],
    }),
    tags: list(name(), {
      description: 'Words to group products by. Lists filter by any of them.',
      example: ['organic'],
    }),
    status: usualWord(['draft', 'active', 'archived'], {
      description: 'Whether it is for sale. The service only stores it.',
    }),
    source: source('How the product was created.'),
    minPrice: number({
      description:
        'The lowest current price of its variants, in the company’s currency. Computed once a variant has a price; until then, the value that was sent.',
      example: 12.5,
    }),
    maxPrice: number({
      description: 'The highest current price of its variants, in the company’s currency. Computed like `minPrice`.',
      example: 12.5,
    }),
    supplier: name({ description: 'Supplier of the product.', example: 'Roasters Ltd' }),
    taxTable: reference({
      description: 'The tax table of the product: the id or name of a tax table, or what your system calls it.',
      example: 'standard',
    }),
    categories: list(reference(), { description: 'Ids of the categories that list the product.' }),
    outlets: list(reference(), {
      description: 'Ids of the outlets that carry the product. All outlets do if the list is empty or missing.',
    }),
    metadata: metadata(),
    attributes: list(
      object(
        {
          name: name({ description: 'What can be chosen.', example: 'Size' }),
          values: list(name(), { description: 'What there is to choose from, in order.', example: ['250 g', '1 kg'] }),
        },
        { title: 'ProductAttribute' },
      ),
      { description: 'What distinguishes the variants. Each variant has one value of each attribute.' },
    ),
  },
  derive: ({ fromService }) => ({ fromService: fromService ?? false }),
  remove: 'hard',
  elsewhere: {
    ...otherNames('name', 'title'),
    price: 'prices belong to variants: send it with a variant, to POST /v1/variant',
    ...Object.fromEntries(['tax', 'taxes', 'taxRate', 'vat'].map((name) => [name, inTaxTable])),
    variants: 'send them to POST /v1/variants, each with the productId',
    stock:
      'stock belongs to variants: send inventory with a variant, or use POST /v1/inventories/adjust or /v1/inventories/set-levels',
  },
  list: {
    sort: ['name', 'sku', 'minPrice'],
    search: ['name', 'sku', 'description'],
    exact: ['externalId', 'status', 'source', 'sku', 'taxTable'],
    selective: ['externalId', 'sku'],
    separated: ['status'],
    any: ['tags', 'categories', 'outlets'],
  },
  keepsSearchCounts: true,
  filters: { visibleAt: visibleProducts },
  styleA: { one: ['product'], list: 'products' },
  styleB: { one: 'product', many: 'products' },
  example: {
    name: 'Espresso beans',
    productType: 'simple',
    sku: 'ESP-1',
    status: 'active',
    minPrice: 12.5,
    maxPrice: 12.5,
  },
})
