// Category: a node in the shop's tree of products.
import { description, externalId, name, number, reference, required, url } from '../engine/field.ts'
import { resource } from '../engine/resource.ts'
import { source } from './shapes.ts'

export const category = resource({
  name: { one: 'category', many: 'categories' },
  alsoCalled: ['collection'],
  title: 'Categories',
  description: 'A category of products. `parentId` arranges categories as a tree.',
  fields: {
    name: required(name({ description: 'What tills and shops call the category.', example: 'Coffee' })),
    description: description({
      description: 'A longer text for customers. HTML is stored as it is.',
      example: 'Beans and ground',
    }),
    image: url({ description: 'URL of a picture of the category.', example: 'https://cdn.example.com/coffee.jpg' }),
    externalId: externalId({ example: 'woo-17' }),
    parentId: reference({ description: 'The category above. A category without it is at the top.' }),
    menuOrder: number({
      description: 'Position among the categories with the same parent, the lowest first.',
      example: 1,
    }),
    source: source('How the category was created.'),
  },
  remove: 'hard',
  list: {
    sort: ['name', 'menuOrder'],
    search: ['name'],
    exact: ['externalId', 'source', 'parentId'],
    selective: ['externalId'],
  },
  styleA: { one: ['category'], list: 'categories' },
  styleB: { one: 'category', many: 'categories' },
  example: { name: 'Coffee', description: 'Beans and ground', menuOrder: 1 },
})
