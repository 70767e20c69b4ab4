// Category: a node in the shop's tree of products.
import { description, externalId, name, number, reference, required, url, word } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'

export const category = resource({
  name: { one: 'category', many: 'categories' },
  title: 'Categories',
  description: 'A category of products. `parentId` arranges categories as a tree.',
  fields: {
    name: required(name()),
    description: description(),
    image: url(),
    externalId: externalId(),
    parentId: reference({ description: 'The category above.' }),
    menuOrder: number(),
    source: word('manual', 'api', 'pos', 'import', 'woo-commerce'),
  },
  remove: 'hard',
  list: { sort: ['name', 'menuOrder'], search: ['name'], exact: ['externalId', 'source', 'parentId'] },
  styleA: { one: ['category'], list: 'categories' },
  styleB: { one: 'category', many: 'categories' },
  example: { name: 'Coffee', description: 'Beans and ground', menuOrder: 1 },
})
