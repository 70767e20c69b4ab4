// Guarantees of imports of files with the stock of several locations: one import sets the stock of each outlet, and its undo takes it back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { records } from './support/catalog.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import {
  csvOf,
  imported,
  listed,
  type Row,
  reached,
  refusedLines,
  sent,
  undoCounts,
  undone,
} from './support/imports.ts'
import { type Company, sharedService } from './support/service.ts'

const service = sharedService()

/** A library of Square whose items have stock in three shops. */
const library = (rows: readonly Row[]): string =>
  csvOf(
    rows.map((row) => ({
      Token: `T-${row.SKU}`,
      'Item Name': `Item ${row.SKU}`,
      'Variation Name': 'Regular',
      Price: 5,
      'Current Quantity Main St': '',
      'Current Quantity Harbour': '',
      'Current Quantity Depot': '',
      ...row,
    })),
  )
const at = (main: number | '', harbour: number | '', depot: number | '' = '') => ({
  'Current Quantity Main St': main,
  'Current Quantity Harbour': harbour,
  'Current Quantity Depot': depot,
})

async function companyWith(...outlets: (string | { name: string; alias: string })[]) {
  const company = await service.company()
  const ids: string[] = []
  for (const outlet of outlets) {
    const body = typeof outlet === 'string' ? { name: outlet } : outlet
    ids.push(succeeded(await company.call('POST', '/v1/outlet', body), 201).id)
  }
  return { company, call: company.call, ids }
}

/** The stock of each variant at each of the outlets, by SKU. */
async function stockAt(
  company: Company,
  outletIds: readonly string[],
): Promise<Record<string, (number | undefined)[]>> {
  const levels: Body[] = await listed(company, 'inventories')
  const variants = await records(company, 'variants')
  return Object.fromEntries(
    variants.map(({ id, sku }) => [
      sku,
      outletIds.map((outletId) => levels.find((own) => own.variantId === id && own.outletId === outletId)?.stock),
    ]),
  )
}

const preview = async ({ call }: Company, id: string): Promise<Body> =>
  succeeded(await call('GET', `/v1/imports/${id}/preview`))

describe('a file with the stock of several locations', () => {
  test('sets the stock of every outlet with the name or alias of a location; the preview lists the outlets and the number of variants', async () => {
    const { company, call, ids } = await companyWith('main st', { name: 'Hafenstrasse', alias: 'Harbour' })
    const file = library([
      { SKU: 'MUG', ...at(5, 7) },
      { SKU: 'TEA', ...at('', -2) },
    ])
    const { id } = await sent(call, file)
    const ready = await reached(call, id, 'ready')
    assert.deepEqual([ready.outletId, ready.rowsRefused, ready.summary.stockSet], [undefined, 1, 2])
    const { locations, preview: products } = await preview(company, id)
    assert.deepEqual(locations, [
      { location: 'Main St', outletId: ids[0], variants: 1 },
      { location: 'Harbour', outletId: ids[1], variants: 2 },
      { location: 'Depot', variants: 0 },
    ])
    assert.deepEqual(
      products.map(({ variants }: Body) => variants[0].stock),
      [12, -2],
    )
    assert.equal(
      await refusedLines(call, id),
      'line,column,reason\n1,Current Quantity Depot,"the stock of ""Depot"" is not imported: each location needs exactly one outlet of its own, with its name or alias; rename an outlet, or choose one for the location"\n',
    )
    succeeded(await call('POST', `/v1/imports/${id}/run`))
    await reached(call, id, 'done')
    assert.deepEqual(await stockAt(company, ids), { MUG: [5, 7], TEA: [undefined, -2] })
    const again = await imported(call, file)
    assert.deepEqual([again.summary.stockSet, again.undoUntil], [0, undefined])
    assert.deepEqual(again.summary.variants, { created: 0, updated: 0, unchanged: 2 })
  })

  test('shows what stock is overwritten at each outlet', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour', 'Depot')
    await imported(call, library([{ SKU: 'MUG', ...at(5, 7, 1) }]))
    const { id } = await sent(call, library([{ SKU: 'MUG', Price: 6, ...at(4, 7, 3) }]))
    await reached(call, id, 'ready')
    const { changes } = await preview(company, id)
    const stock = (outletId: string | undefined, before: number, after: number) => ({ outletId, before, after })
    assert.deepEqual(
      changes
        .filter(({ resource }: Body) => resource === 'variant')
        .map(({ members, stock }: Body) => [members.length, stock]),
      [
        [1, stock(ids[0], 5, 4)],
        [0, stock(ids[2], 1, 3)],
      ],
    )
  })

  test('is imported for a single outlet if the request names it', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour')
    const { rowsRefused, outletId } = await imported(
      call,
      library([{ SKU: 'MUG', ...at(5, 7, 1) }]),
      `outletId=${ids[1]}`,
    )
    assert.deepEqual([rowsRefused, outletId], [0, ids[1]])
    assert.deepEqual(await stockAt(company, ids), { MUG: [undefined, 7] })
  })

  test('does not set the stock of a location whose name two outlets have, and creates no outlet', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour', 'harbour')
    const { rowsRefused } = await imported(call, library([{ SKU: 'MUG', ...at(5, 7) }]))
    assert.equal(rowsRefused, 1)
    assert.deepEqual(await stockAt(company, ids), { MUG: [5, undefined, undefined] })
    const empty = await companyWith()
    await imported(empty.call, library([{ SKU: 'MUG', ...at(5, 7) }]))
    assert.deepEqual(await listed(empty.company, 'outlets'), [])
  })

  test('does not set the stock of two locations that match the name and the alias of one outlet, until outlets are chosen', async () => {
    const { company, call, ids } = await companyWith({ name: 'Main St', alias: 'Harbour' }, 'Depot', 'Kai')
    const { id } = await sent(call, library([{ SKU: 'MUG', ...at(5, 7, 1) }]))
    const ready = await reached(call, id, 'ready')
    assert.deepEqual([ready.rowsRefused, ready.summary.stockSet], [1, 1])
    assert.match(
      await refusedLines(call, id),
      /the stock of ""Main St"", ""Harbour"" is not imported: each location needs exactly one outlet of its own/,
    )
    const locations = [{ location: 'Main St', outletId: ids[0] }, { location: 'Harbour', outletId: ids[2] }] // biome-ignore format: one list
    succeeded(await call('POST', `/v1/imports/${id}/check`, { locations }))
    await reached(call, id, 'ready')
    succeeded(await call('POST', `/v1/imports/${id}/run`))
    await reached(call, id, 'done')
    assert.deepEqual(await stockAt(company, ids), { MUG: [5, 1, 7] })
  })

  test('with one location, sets the stock of the outlet with its name, of none if several have it, else of the first one', async () => {
    const file = csvOf([{ 'Item Name': 'Mug', 'Variation Name': 'Regular', Price: 5, SKU: 'MUG', 'Current Quantity Harbour': 3 }]) // biome-ignore format: one row
    const named = await companyWith('Main St', 'Harbour')
    await imported(named.call, file)
    assert.deepEqual(await stockAt(named.company, named.ids), { MUG: [undefined, 3] })
    const several = await companyWith('Main St', 'Harbour', 'harbour')
    assert.equal((await imported(several.call, file)).rowsRefused, 1)
    assert.deepEqual(await stockAt(several.company, several.ids), { MUG: [undefined, undefined, undefined] })
    const other = await companyWith('Main St', 'Depot')
    const { outletId } = await imported(other.call, file)
    assert.deepEqual([outletId, await stockAt(other.company, other.ids)], [other.ids[0], { MUG: [3, undefined] }])
  })

  test('changes no stock in a run without stock, and then refuses no location', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour')
    const { id } = await sent(call, library([{ SKU: 'MUG', ...at(5, 7, 1) }]))
    await reached(call, id, 'ready')
    succeeded(await call('POST', `/v1/imports/${id}/run`, { stock: false }))
    const { rowsRefused } = await reached(call, id, 'done')
    assert.deepEqual([rowsRefused, await stockAt(company, ids)], [0, { MUG: [undefined, undefined] }])
  })
})

async function moved(call: Company['call'], item: { variantId: string; outletId: string | undefined; delta: number }) {
  const kind = item.delta > 0 ? 'RECEIVED' : 'LOSS'
  const body = succeeded(await call('POST', '/v1/inventories/adjust', { reason: 'count', items: [{ kind, ...item }] }))
  assert.equal(body.failed ?? 0, 0, JSON.stringify(body))
}

describe('choosing the outlets of locations', () => {
  const file = library([{ SKU: 'MUG', ...at(5, 7, 1) }])
  const checked = async (call: Company['call'], id: string, locations: readonly object[]) => {
    assert.equal(succeeded(await call('POST', `/v1/imports/${id}/check`, { locations })).state, 'checking')
    return reached(call, id, 'ready')
  }

  test('checks the file again, sets the stock of the chosen outlets, and leaves out a location without one', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Lager', 'Harbour')
    const { id } = await sent(call, file)
    assert.equal((await reached(call, id, 'ready')).rowsRefused, 1)
    const ready = await checked(call, id, [{ location: 'Depot', outletId: ids[1] }, { location: 'Main St' }])
    assert.equal(ready.rowsRefused, 0)
    assert.deepEqual((await preview(company, id)).locations, [
      { location: 'Main St', variants: 1 },
      { location: 'Harbour', outletId: ids[2], variants: 1 },
      { location: 'Depot', outletId: ids[1], variants: 1 },
    ])
    succeeded(await call('POST', `/v1/imports/${id}/run`))
    await reached(call, id, 'done')
    assert.deepEqual(await stockAt(company, ids), { MUG: [undefined, 1, 7] })
    const refused = await call('POST', `/v1/imports/${id}/check`, { locations: [] })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'import_not_ready'])
  })

  test('leaves a location out until an outlet is chosen for it, even if the outlet of another location is chosen meanwhile', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Lager', 'Harbour')
    const { id } = await sent(call, file)
    await reached(call, id, 'ready')
    await checked(call, id, [{ location: 'Main St' }])
    await checked(call, id, [{ location: 'Depot', outletId: ids[1] }])
    const outletIds = async () => (await preview(company, id)).locations.map(({ outletId }: Body) => outletId)
    assert.deepEqual(await outletIds(), [undefined, ids[2], ids[1]])
    await checked(call, id, [{ location: 'Main St', outletId: ids[0] }])
    assert.deepEqual(await outletIds(), [ids[0], ids[2], ids[1]])
  })

  test('for the only location of a file replaces the outlet that the import had', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Lager')
    const { id } = await sent(call, csvOf([{ 'Item Name': 'Mug', 'Variation Name': 'Regular', Price: 5, SKU: 'MUG', 'Current Quantity Depot': 3 }])) // biome-ignore format: one row
    assert.equal((await reached(call, id, 'ready')).outletId, ids[0])
    assert.equal((await checked(call, id, [{ location: 'Depot', outletId: ids[1] }])).outletId, undefined)
    succeeded(await call('POST', `/v1/imports/${id}/run`))
    assert.equal((await reached(call, id, 'done')).outletId, undefined)
    assert.deepEqual(await stockAt(company, ids), { MUG: [undefined, 3] })
  })

  test('refuses the stock of a location whose outlet was deleted before the run, and imports everything else', async () => {
    for (const isNamed of [false, true]) {
      const { company, call, ids } = await companyWith('Main St', 'Lager', 'Harbour')
      const { id } = await sent(call, file, isNamed ? `outletId=${ids[0]}` : '')
      await reached(call, id, 'ready')
      await checked(call, id, [{ location: 'Depot', outletId: ids[1] }])
      succeeded(await call('DELETE', `/v1/outlet/${ids[1]}`))
      succeeded(await call('POST', `/v1/imports/${id}/run`))
      assert.equal((await reached(call, id, 'done')).rowsRefused, 1)
      assert.match(await refusedLines(call, id), /the stock of ""Depot"" is not imported/)
      assert.deepEqual(await stockAt(company, ids), { MUG: [5, undefined, isNamed ? undefined : 7] })
    }
  })

  test('refuses a location that the file does not have, another company’s outlet, and one outlet for two locations', async () => {
    const { call, ids } = await companyWith('Main St', 'Harbour')
    const elsewhere = await companyWith('Depot')
    const { id } = await sent(call, file)
    await reached(call, id, 'ready')
    const refusals: [object, string, RegExp][] = [
      [{ location: 'Moon', outletId: ids[0] }, '/locations/0/location', /^must be a location of the file: "Main St", "Harbour", "Depot"$/], // biome-ignore format: one row
      [{ location: 'Depot', outletId: elsewhere.ids[0] }, '/locations/0/outletId', /^must be the id of an outlet$/],
      [
        { location: 'Depot', outletId: ids[1] },
        '/locations/0/outletId',
        /^must not be the outlet of another location$/,
      ],
      [{ outletId: ids[1] }, '/locations/0/location', /^is required$/],
    ]
    for (const [choice, pointer, message] of refusals) {
      const { status, body } = await call('POST', `/v1/imports/${id}/check`, { locations: [choice] })
      assert.deepEqual([status, body.errors[0].pointer], [400, pointer])
      assert.match(body.errors[0].message, message)
    }
    const { state } = (await elsewhere.call('POST', `/v1/imports/${id}/check`, { locations: [] })).body
    assert.equal(state, undefined)
    assert.equal((await call('GET', `/v1/imports/${id}`)).body.state, 'ready')
  })
})

describe('the undo of stock at several outlets', () => {
  const files = [library([{ SKU: 'MUG', ...at(5, 7) }]), library([{ SKU: 'MUG', ...at(4, 9, 2) }])] as const

  test('restores the stock of each, and removes the levels that the import created', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour', 'Depot')
    await imported(call, files[0])
    const { id } = await imported(call, files[1])
    assert.deepEqual(await stockAt(company, ids), { MUG: [4, 9, 2] })
    assert.deepEqual(succeeded(await call('GET', `/v1/imports/${id}/undo`)).stock, { restored: 3, left: 0 })
    const { undo } = await undone(company, id)
    assert.deepEqual(undoCounts(undo).stock, '3 0')
    assert.deepEqual(await stockAt(company, ids), { MUG: [5, 7, undefined] })
  })

  test('leaves the stock that has moved at one outlet, and restores it at the others', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour', 'Depot')
    await imported(call, files[0])
    const { id } = await imported(call, files[1])
    const [variant] = await records(company, 'variants')
    await moved(call, { variantId: variant?.id, outletId: ids[1], delta: -1 })
    assert.deepEqual(succeeded(await call('GET', `/v1/imports/${id}/undo`)).stock, { restored: 2, left: 1 })
    const { undo } = await undone(company, id)
    assert.deepEqual([undoCounts(undo).stock, undoCounts(undo).variants], ['2 1', '0 0 1'])
    assert.deepEqual(await stockAt(company, ids), { MUG: [5, 8, undefined] })
    const left = await call('GET', `/v1/imports/${id}/left`)
    assert.match(left.text, /,MUG,"Its stock has moved since the import, and stays; the rest is restored\."/)
  })

  test('deletes a variant with its levels, and keeps all of them if stock has moved at one outlet', async () => {
    const gone = await companyWith('Main St', 'Harbour')
    const { id } = await imported(gone.call, files[0])
    await undone(gone.company, id)
    assert.deepEqual([await listed(gone.company, 'variants'), await listed(gone.company, 'inventories')], [[], []])
    const { company, call, ids } = await companyWith('Main St', 'Harbour')
    const kept = await imported(call, files[0])
    const [variant] = await records(company, 'variants')
    await moved(call, { variantId: variant?.id, outletId: ids[0], delta: 1 })
    const { undo } = await undone(company, kept.id)
    assert.deepEqual(undoCounts(undo).stock, '0 2')
    assert.deepEqual(await stockAt(company, ids), { MUG: [6, 7] })
  })

  test('of an import by the previous version, whose changes have a single level in columns, restores that level', async () => {
    const { company, call, ids } = await companyWith('Main St', 'Harbour')
    await imported(call, files[0])
    const { id } = await imported(call, files[1], `outletId=${ids[0]}`)
    const changed = await service.database.query(
      `update import_changes set levels = null, inventory_id = levels -> 0 ->> 'id', inventory_version = (levels -> 0 ->> 'version')::int,
         stock_before = (levels -> 0 ->> 'before')::float8 where import_id = $1 and levels is not null returning 1`,
      [id],
    )
    assert.equal(changed.length, 1)
    const { undo } = await undone(company, id)
    assert.deepEqual([undoCounts(undo).stock, await stockAt(company, ids)], ['1 0', { MUG: [5, 7] }])
  })
})
