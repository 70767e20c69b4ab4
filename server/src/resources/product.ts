// Product: what is sold, in one or several variants.
import {
  description,
  externalId,
  flag,
  list,
  name,
  number,
  object,
  reference,
  required,
  serverOwned,
  url,
  word,
} from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { metadata } from './shapes.ts'
import { visibleProducts } from './visible-at.ts'

export const product = resource({
  name: { one: 'product', many: 'products' },
  title: 'Products',
  description:
    'What is sold. Price, barcode and stock belong to its variants. If any variant has a price, `minPrice` and `maxPrice` are the lowest and highest current price of its variants, and values sent for them are ignored.',
  fields: {
    name: required(name()),
    productType: word('simple', 'variable'),
    externalId: externalId(),
    description: description(),
    shortDescription: description(),
    sku: name(),
    fromService: serverOwned(flag({ description: 'False when the record was created with an API key.' })),
    images: list(url()),
    tags: list(name()),
    status: word('draft', 'active', 'archived'),
    source: word('manual', 'api', 'pos', 'import', 'woo-commerce'),
    minPrice: number(),
    maxPrice: number(),
    supplier: name(),
    taxTable: reference(),
    categories: list(reference(), { description: 'Ids of categories.' }),
    outlets: list(reference(), { description: 'Ids of outlets.' }),
    metadata: metadata(),
    attributes: list(object({ name: name(), values: list(name()) })),
  },
  derive: ({ fromService }) => ({ fromService: fromService ?? false }),
  remove: 'hard',
  list: {
    sort: ['name', 'sku', 'minPrice'],
    search: ['name', 'sku', 'description'],
    exact: ['externalId', 'status', 'source', 'sku', 'taxTable'],
    any: ['tags', 'categories', 'outlets'],
  },
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
