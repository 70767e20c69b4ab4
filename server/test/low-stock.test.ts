// The report of low stock has what is left of variants with managed stock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '../src/database/connect.ts'
import { checkDue } from '../src/features/alerts/check.ts'
import { markWritten } from '../src/features/alerts/due.ts'
import { createCompany, createOrganization } from '../src/features/tenants/tenants.ts'
import type { Body } from './support/contract.ts'
import { succeeded } from './support/custom-tables.ts'
import { copyDatabase } from './support/database.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()

test('low stock is listed, the lowest first, for variants with managed stock', async () => {
  const { call } = await service.company()
  const made = async (path: string, body: Body): Promise<Body> => succeeded(await call('POST', path, body), 201)
  const got = async (path: string): Promise<Body> => succeeded(await call('GET', path))
  const product = await made('/v1/product', { name: 'Tea' })
  const outlet = await made('/v1/outlet', { name: 'Main Street' })
  const variant = (body: Body) => made('/v1/variant', { productId: product.id, ...body })
  const attributes = [{ name: 'Size', value: '250 g' }, { name: 'Colour', value: 'Green' }] // biome-ignore format: one thought
  const few = await variant({ manageStock: true, sku: 'T-1', attributes })
  const none = await variant({ manageStock: true, allowBackorder: true })
  const many = await variant({ manageStock: true })
  const unmanaged = await variant({})
  const set = async (variantId: string, outletId: string, stock: number) =>
    made('/v1/inventory', { variantId, outletId, stock })
  const level = await set(few?.id, outlet.id, 4.5)
  const gone = await set(none?.id, 'elsewhere', -2)
  const deleted = await set(none?.id, outlet.id, 0)
  await call('DELETE', `/v1/inventory/${deleted.id}`)
  await set(many?.id, outlet.id, 5)
  await set(unmanaged?.id, outlet.id, 0)
  await set('nobody', outlet.id, 0)
  const report = await got('/v1/reports/low-stock')
  const ofTea = { productId: product.id, productName: 'Tea' }
  assert.deepEqual(report, {
    data: [
      { inventoryId: gone.id, variantId: none?.id, ...ofTea, outletId: 'elsewhere', stock: -2 },
      {
        inventoryId: level.id,
        variantId: few?.id,
        ...ofTea,
        outletId: outlet.id,
        outletName: 'Main Street',
        variantName: '250 g / Green',
        sku: 'T-1',
        stock: 4.5,
      },
    ],
    meta: { count: 2 },
  })
  const one = await got('/v1/reports/low-stock?below=6&limit=1')
  assert.deepEqual([one.data.length, one.meta.count], [1, 3])
  assert.deepEqual(await got('/v1/reports/low-stock?below=-2'), { data: [], meta: { count: 0 } })
})

test('a company whose low stock takes long to find is checked for alerts again after a multiple of that time', async (t) => {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection)
  t.after(() => database.close().then(drop))
  const { organizationId } = await createOrganization(database, { name: 'Shops' })
  const { companyId } = await createCompany(database, { name: 'Large Shop', organizationId })
  for (const [stockPause, isLater] of [
    [1e9, true],
    [0, false],
  ] as const) {
    await markWritten(database, [companyId])
    await database.query('update alert_checks set due_at = now(), position = -1')
    await checkDue(database, { checkMs: 60_000, stockPause })
    const rows = await database.query(`select due_at > now() + interval '2 minutes' from alert_checks`)
    assert.deepEqual(rows, [[isLater]])
  }
})
