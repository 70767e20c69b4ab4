// Guarantees of the reader of Lightspeed's product exports (X-Series): the rows of a handle become one product, with the stock of one outlet.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { records } from './support/catalog.ts'
import { catalogFiles, only, reasons } from './support/catalog-files.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { csvOf, imported, listed } from './support/imports.ts'
import { sharedService } from './support/service.ts'

const { lightspeed } = catalogFiles()
const service = sharedService()

/** The columns of an export, in its order, before those of the outlets. */
const headings =
  'id,handle,sku,composite_name,composite_sku,composite_quantity,name,description,product_category,variant_option_one_name,variant_option_one_value,variant_option_two_name,variant_option_two_value,variant_option_three_name,variant_option_three_value,tags,supply_price,retail_price,tax_name,tax_value,account_code,account_code_purchase,brand_name,supplier_name,supplier_code,active,track_inventory'
const atOutlet = (name: string) => [`inventory_${name}`, `reorder_point_${name}`, `restock_level_${name}`]

/** A file with the cells that each row names; other cells are empty. */
function exported(rows: readonly Readonly<Record<string, string>>[], ...outlets: string[]): string {
  const all = [...headings.split(','), ...outlets.flatMap(atOutlet)]
  return csvOf(rows.map((row) => Object.fromEntries(all.map((heading) => [heading, row[heading] ?? '']))))
}

const tee = {
  handle: 'tee',
  name: 'Tee',
  description: '<p>Soft</p>',
  product_category: 'Clothing / Shirts',
  variant_option_one_name: 'Size',
  tags: 'new;cotton',
  brand_name: 'Acme',
  supplier_name: 'Mill',
  track_inventory: '1',
}
const small = { ...tee, id: 'a-1', sku: 'T-S', variant_option_one_value: 'S', supply_price: '4.00', retail_price: '10.00', active: '0', inventory_Main_Outlet: '5.00000', reorder_point_Main_Outlet: '2' } // biome-ignore format: one row
const medium = { ...tee, id: 'a-2', sku: 'T-M', variant_option_one_value: 'M', supply_price: '4.00', retail_price: '12.50', active: '1', inventory_Main_Outlet: '-2', inventory_Market_Square: '7' } // biome-ignore format: one row
const mug = { id: 'b-1', handle: 'mug', sku: 'MUG', name: 'Mug', retail_price: '5', active: '0', track_inventory: '0' }

test('the rows of a handle become one product with variants, options and prices; other columns become metadata', async () => {
  const entries = await lightspeed(exported([small, medium, mug], 'Main_Outlet'))
  const [shirt, cup] = only(entries, 'product')
  assert.deepEqual(shirt?.product, {
    name: 'Tee',
    productType: 'variable',
    status: 'active',
    source: 'lightspeed',
    description: '<p>Soft</p>',
    supplier: 'Mill',
    tags: ['new', 'cotton'],
    metadata: [{ key: 'brand_name', value: 'Acme' }],
    attributes: [{ name: 'Size', values: ['S', 'M'] }],
    minPrice: 10,
    maxPrice: 12.5,
  })
  assert.deepEqual([shirt?.externalId, shirt?.categories], ['tee', [['Clothing', 'Shirts']]])
  assert.deepEqual(shirt?.variants[0], {
    line: 2,
    externalId: 'a-1',
    variant: {
      manageStock: true,
      allowBackorder: false,
      sku: 'T-S',
      price: 10,
      costPrice: 4,
      attributes: [{ name: 'Size', value: 'S' }],
      metadata: [
        { key: 'active', value: '0' },
        { key: 'reorder_point_Main_Outlet', value: '2' },
      ],
    },
    levels: [{ outletId: 'Main_Outlet', stock: 5 }],
  })
  assert.deepEqual([cup?.product.status, cup?.product.sku, cup?.variants[0]?.variant.manageStock], ['archived', 'MUG', false]) // biome-ignore format: one thought
})

test('a part of a composite product is refused, and so is a repeated row', async () => {
  const set = { ...mug, id: 'c-1', handle: 'set', sku: 'SET', name: 'Set' }
  const part = { sku: 'SET', composite_name: 'Mug', composite_sku: 'MUG', composite_quantity: '4', name: 'Set' }
  const entries = await lightspeed(exported([mug, set, part, set]))
  assert.deepEqual(
    only(entries, 'product').map(({ product }) => product.name),
    ['Mug', 'Set'],
  )
  assert.deepEqual(reasons(entries), [
    '4: the row is a part of a composite product; Cashwrap imports such a product without its parts',
    '5: id "c-1" is already in line 3',
  ])
})

test('the file is recognized, and sets the stock of the outlet that a column names', async () => {
  const company = await service.company()
  const outletIds: string[] = []
  for (const name of ['Main Outlet', 'Market Square'])
    outletIds.push(succeeded(await company.call('POST', '/v1/outlet', { name }), 201).id)
  const file = exported([small, medium], 'Main_Outlet', 'Market_Square')
  for (const id of outletIds) await imported(company.call, file, `outletId=${id}`)
  assert.deepEqual(
    (await records(company, 'products')).map(({ name, source }) => [name, source]),
    [['Tee', 'lightspeed']],
  )
  const levels: Body[] = await listed(company, 'inventories')
  assert.deepEqual(
    outletIds.map((id) => levels.flatMap(({ outletId, stock }) => (outletId === id ? [stock] : []))),
    [[5, -2], [7]],
  )
})
