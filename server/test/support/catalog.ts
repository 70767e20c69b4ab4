// Files for imports of catalogues from this machine, and the records that came of them.
import assert from 'node:assert/strict'
import { catalogFiles } from './catalog-files.ts'
import type { Body } from './contract.ts'
import { csvOf, type Row } from './imports.ts'
import type { Company } from './service.ts'

/** Returns a function that writes rows as a CSV file, which exists until the tests of the file are over. */
export function csvFiles(): (rows: readonly Row[]) => string {
  const { write } = catalogFiles()
  return (rows) => write(csvOf(rows))
}

/** All records of a kind in order, without the members that every record has. */
export async function records(
  company: Company,
  kind: 'products' | 'variants' | 'categories' | 'outlets',
): Promise<Body[]> {
  const { body } = await company.call('GET', `/v1/${kind}?limit=1000`)
  assert.deepEqual((await company.call('GET', `/v1/api/${kind}?limit=1000`)).body, body.data)
  return body.data.map(({ createdAt, updatedAt, companyId, ...record }: Body) => record)
}

/** A product without variations, except for its ID. */
export const simple = { Type: 'simple', Name: 'Mug', 'Regular price': '5', 'Sale price': '' }
/** A shirt with two variations, and a mug. */
export const shirt: Row[] = [
  {
    ID: 10,
    Type: 'variable',
    SKU: 'TEE',
    Name: 'T-Shirt',
    Published: 1,
    Stock: '',
    'Sale price': '',
    'Regular price': '',
    Categories: 'Clothing > Shirts, Sale',
    Tags: 'new',
    Images: 'https://x.y/a.jpg',
    Parent: '',
    Description: '<p>Soft</p>',
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Red, Blue',
  },
  {
    ID: 11,
    Type: 'variation',
    SKU: 'TEE-R',
    Name: 'T-Shirt - Red',
    Published: 1,
    Stock: 3,
    Parent: 'id:10',
    'Regular price': '20',
    'Sale price': '15',
    Images: 'https://x.y/r.jpg',
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Red',
  },
  {
    ID: 12,
    Type: 'variation',
    SKU: 'TEE-B',
    Name: 'T-Shirt - Blue',
    Published: 1,
    Stock: 0,
    Parent: 'TEE',
    'Regular price': '22',
    'Attribute 1 name': 'Colour',
    'Attribute 1 value(s)': 'Green',
  },
  { ID: 13, ...simple, SKU: 'MUG', Stock: '1.5', Categories: 'Clothing' },
]
