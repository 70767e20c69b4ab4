// Guarantees of the reader of Shopify's inventory exports: each row sets the stock of a variant at the outlet of its location.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { records } from './support/catalog.ts'
import { catalogLoads } from './support/catalog-loads.ts'
import { succeeded } from './support/custom-tables.ts'
import {
  csvOf,
  imported,
  listed,
  type Row,
  reached,
  refusedLines,
  send,
  sent,
  undoCounts,
  undone,
} from './support/imports.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()
const load = catalogLoads(service)

/** The columns of exports since 2024. */
const columns =
  'Handle,Title,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Option3 Name,Option3 Value,SKU,HS Code,COO,Location,Bin name,Incoming (not editable),Unavailable (not editable),Committed (not editable),Available (not editable),On hand (current),On hand (new)'.split(
    ',',
  )
const exported = (rows: readonly Row[]): string =>
  csvOf(rows.map((row) => Object.fromEntries(columns.map((heading) => [heading, row[heading] ?? '']))))
const row = (
  variant: Row,
  location: string,
  available: number | string,
  onHand: number | string,
  more: Row = {},
): Row => ({
  ...variant,
  Location: location,
  'Available (not editable)': available,
  'On hand (current)': onHand,
  ...more,
})
const small = { Handle: 'tee', Title: 'Tee', 'Option1 Name': 'Size', 'Option1 Value': 'S', SKU: 'T-S' }
const medium = { ...small, 'Option1 Value': 'M', SKU: 'T-M' }
const mug = { Handle: 'mug', Title: 'Mug', 'Option1 Name': 'Title', 'Option1 Value': 'Default Title', SKU: 'MUG' }
const products = csvOf(
  [small, medium, mug].map(({ SKU, ...variant }) => ({ ...variant, 'Variant SKU': SKU, 'Variant Price': 5 })),
)

async function companyWith(...names: string[]) {
  const company = await service.company()
  const ids: string[] = []
  for (const name of names) ids.push(succeeded(await company.call('POST', '/v1/outlet', { name }), 201).id)
  await imported(company.call, products)
  return { company, call: company.call, ids }
}

/** The stock of each variant at each outlet, by SKU. */
async function stockAt(
  company: Company,
  outletIds: readonly string[],
): Promise<Record<string, (number | undefined)[]>> {
  const levels = await listed(company, 'inventories')
  return Object.fromEntries(
    (await records(company, 'variants')).map(({ id, sku }) => [
      sku,
      outletIds.map((outletId) => levels.find((own) => own.variantId === id && own.outletId === outletId)?.stock),
    ]),
  )
}

test('each row sets the stock that can be sold at the outlet of its location, a second import sets nothing, and an undo restores all', async () => {
  const { company, call, ids } = await companyWith('Main St', 'Harbour')
  const file = exported([
    row(small, 'Main St', 4, 6),
    row(small, 'Harbour', 'not stocked', 'not stocked'),
    row(medium, 'Main St', -2, 0),
    row(medium, 'Harbour', 3, 3, { 'On hand (new)': 8 }),
    row(mug, 'Harbour', 1, 1, { 'On hand (new)': 1 }),
  ])
  const { id } = await sent(call, file)
  const { kind, shop, outletId, summary, rowsRefused } = await reached(call, id, 'ready')
  assert.deepEqual([kind, shop, outletId, summary.stockSet, rowsRefused], ['stock', 'shopify', undefined, 3, 0])
  const preview = succeeded(await call('GET', `/v1/imports/${id}/preview`))
  assert.deepEqual(preview.locations, [
    { location: 'Main St', outletId: ids[0], variants: 2 },
    { location: 'Harbour', outletId: ids[1], variants: 2 },
  ])
  assert.equal(preview.changes.length, 4)
  succeeded(await call('POST', `/v1/imports/${id}/run`))
  await reached(call, id, 'done')
  assert.deepEqual(await stockAt(company, ids), { 'T-S': [4, undefined], 'T-M': [-2, 8], MUG: [undefined, 1] })
  assert.equal((await imported(call, file)).summary.stockSet, 0)
  const { undo } = await undone(company, id)
  assert.deepEqual([undoCounts(undo).variants, undoCounts(undo).stock], ['0 3 0', '4 0'])
  assert.deepEqual(await listed(company, 'inventories'), [])
  assert.equal((await records(company, 'variants')).length, 3)
})

test('exports with the headings until 2024 are read, and a file without Available sets what is on hand', async () => {
  const { company, call, ids } = await companyWith('Main St')
  const older = { Handle: 'mug', Title: 'Mug', 'Option1 Value': 'Default Title', SKU: '', Location: 'Main St', Incoming: 0, Unavailable: 1, Committed: 2, Available: 3, 'On hand': 6 } // biome-ignore format: one row
  await imported(call, csvOf([older]))
  assert.deepEqual((await stockAt(company, ids)).MUG, [3])
  await imported(call, csvOf([{ Handle: 'mug', SKU: '', Location: 'Main St', 'On hand': 6 }]))
  assert.deepEqual((await stockAt(company, ids)).MUG, [6])
})

test('a variant without an id of the shop is found by its SKU; rows without a variant, with a second stock or with a bad number are refused', async () => {
  const { company, call, ids } = await companyWith('Main St', 'Harbour')
  const { id: productId } = succeeded(await call('POST', '/v1/product', { name: 'Cap' }), 201)
  succeeded(await call('POST', '/v1/variant', { productId, sku: 'CAP' }), 201)
  const cap = { Handle: 'cap', SKU: 'CAP' }
  const { id, rowsRefused } = await imported(
    call,
    exported([
      row(cap, 'Main St', 5, 5),
      row({ Handle: 'hat', SKU: 'HAT' }, 'Main St', 1, 1),
      row(mug, 'Main St', 2, 2),
      row(mug, 'Main St', 3, 3),
      row(mug, 'Harbour', 'many', 3),
      row(mug, '', 3, 3),
      row(small, 'Depot', 3, 3),
      row(medium, 'Depot', 3, 3),
    ]),
  )
  assert.deepEqual((await stockAt(company, ids)).CAP, [5, undefined])
  assert.deepEqual((await stockAt(company, ids)).MUG, [2, undefined])
  assert.equal(rowsRefused, 5)
  const lines = (await refusedLines(call, id)).trimEnd().split('\n').sort()
  assert.deepEqual(lines.slice(0, 5), [
    '3,,"the company has no variant ""hat""; import the products of the shop first"',
    '5,,"the stock of ""mug"" at ""Main St"" is already in line 4"',
    '6,Available (not editable),"Available (not editable) ""many"" is not a number"',
    '7,Location,the row has no location',
    '8,Location,"the stock of ""Depot"" is not imported: each location needs exactly one outlet of its own, with its name or alias; rename an outlet, or choose one for the location"',
  ])
})

test('rows without an SKU are not looked up by it, since many variants may have none', async (t) => {
  const company = await service.company()
  const sought = t.mock.method(service.database, 'query')
  const rows = ['mug', 'tee'].map((Handle) => ({ Handle, SKU: '', Location: 'Main St', Available: 1, 'On hand': 1 }))
  const { refused } = await load(company, 'shopify', rows)
  assert.deepEqual(refused, [
    '2: the company has no variant "mug"; import the products of the shop first',
    '3: the company has no variant "tee"; import the products of the shop first',
  ])
  const bySku = sought.mock.calls.filter(({ arguments: [statement] }) => String(statement).includes('stored.sku'))
  assert.deepEqual(
    bySku.flatMap(({ arguments: [, values = []] }) => values[1]),
    [],
  )
})

test('a count changes what is available by the difference, without errors of binary fractions; if the difference is unknown, the count is the stock', async () => {
  const { company, call, ids } = await companyWith('Main St')
  await imported(call, exported([row(small, 'Main St', 0.1, 0.4, { 'On hand (new)': 0.7 })]))
  assert.deepEqual((await stockAt(company, ids))['T-S'], [0.4])
  const counts = { Handle: 'mug', SKU: '', Location: 'Main St', Available: 4, 'On hand (new)': 9 }
  const { rowsRefused } = await imported(call, csvOf([counts]))
  assert.deepEqual([rowsRefused, (await stockAt(company, ids)).MUG], [0, [9]])
})

test('a file with a single location sets the stock of the first outlet if none has its name', async () => {
  const { company, call, ids } = await companyWith('Main St', 'Harbour')
  const { outletId } = await imported(call, exported([row(mug, 'Shop location', 2, 2)]))
  assert.deepEqual([outletId, (await stockAt(company, ids)).MUG], [ids[0], [2, undefined]])
})

test('a location without stock counts too: the stock of the other location is not set at the first outlet', async () => {
  const { company, call, ids } = await companyWith('Main St', 'Harbour')
  const { id } = await sent(
    call,
    exported([row(mug, 'Main St', 'not stocked', 'not stocked'), row(mug, 'Depot', 2, 2)]),
  )
  const { rowsRefused } = await reached(call, id, 'ready')
  const { locations } = succeeded(await call('GET', `/v1/imports/${id}/preview`))
  assert.deepEqual(
    [rowsRefused, locations],
    [
      1,
      [
        { location: 'Main St', outletId: ids[0], variants: 0 },
        { location: 'Depot', variants: 1 },
      ],
    ],
  )
  succeeded(await call('POST', `/v1/imports/${id}/run`))
  await reached(call, id, 'done')
  assert.deepEqual((await stockAt(company, ids)).MUG, [undefined, undefined])
})

test('an inventory file with the stock of each location in a column of its own is refused with the columns that it needs', async () => {
  const { call } = await service.company()
  const { status, body } = await send(call, csvOf([{ Handle: 'mug', Title: 'Mug', SKU: '', 'HS Code': '', COO: '', Harbour: 2 }])) // biome-ignore format: one row
  assert.equal(status, 400)
  assert.match(
    body.message,
    /is not an inventory export of Shopify: it has no column "Location", no column "Available \(not editable\)" or "On hand \(current\)" or "On hand \(new\)"\./,
  )
})
