// Protection against losing data: deletions show what refers to the record, deleted customers can be restored, notices leave
// Save free, and exports name the records that they refer to. All data of a company can be taken away.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { makeTable } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('deleting an outlet or a product first shows what refers to it', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea', outlets: [outlet.id] })
  for (const name of ['One', 'Two'])
    await company.call('POST', '/v1/station', { name, outletId: outlet.id, status: 'AVAILABLE' })
  const { body: variant } = await company.call('POST', '/v1/variant', { productId: product.id, manageStock: true })
  const level = { productId: product.id, variantId: variant.id, outletId: outlet.id }
  await company.call('POST', '/v1/inventories/set-levels', { items: [{ ...level, quantity: 5 }] })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  const asked = async (path: string) => {
    await go(path)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('These records refer to it').waitFor()
    return dialog.getByRole('listitem').allTextContents()
  }
  const ofOutlet = await asked(`/c/${company.id}/outlets/${outlet.id}`)
  for (const line of ['2 stations', '1 stock level', '1 product']) assert.ok(ofOutlet.includes(line), `${ofOutlet}`)
  await accessible()
  const ofProduct = await asked(`/c/${company.id}/products/${product.id}`)
  assert.deepEqual(ofProduct.sort(), ['1 stock level', '1 variant'])
  quiet()
})

browserTest('a deleted customer can be found with the filter, and restored', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
  await company.call('DELETE', `/v1/customer/${customer.id}`)
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/customers`)
  await page.getByText('No customers yet').waitFor()
  await page.getByRole('switch', { name: 'Show deleted' }).check()
  await page.getByRole('link', { name: /Ann Archer/ }).click()
  await page.getByText('This record is deleted.').waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('Ann Archer was restored.').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  assert.equal((await company.call('GET', `/v1/customer/${customer.id}`)).body.isDeleted, false)
  quiet()

  await company.call('DELETE', `/v1/customer/${customer.id}`)
  const viewer = await person(service, { companyId: company.id }, 'viewer')
  const other = await browser.open({ signedIn: viewer })
  await other.go(`/c/${company.id}/customers/${customer.id}`)
  await other.page.getByText('This record is deleted.').waitFor()
  assert.equal(await other.page.getByRole('button', { name: 'Restore' }).count(), 0)
})

for (const width of [375, 1280])
  browserTest(`at ${width} pixels no notice covers the Save button`, async () => {
    const company = await service.company()
    const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, width })
    await go(`/c/${company.id}/customers/${customer.id}`)
    const save = page.getByRole('button', { name: 'Save', exact: true })
    for (const name of ['Anna', 'Annabel', 'Anne']) {
      await page.getByLabel('First name').first().fill(name)
      await save.click()
    }
    const notices = page.locator('.mantine-Notification-root')
    await notices.nth(2).waitFor()
    const button = (await save.boundingBox()) as NonNullable<Awaited<ReturnType<typeof save.boundingBox>>>
    for (const notice of await notices.all()) {
      const box = await notice.boundingBox()
      if (box === null) continue
      const isApart =
        box.y + box.height <= button.y ||
        box.y >= button.y + button.height ||
        box.x + box.width <= button.x ||
        box.x >= button.x + button.width
      assert.ok(isApart, `a notice at ${JSON.stringify(box)} lies over ${JSON.stringify(button)}`)
    }
    quiet()
  })

browserTest('exported lists and tables contain the names of referenced records beside their ids', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const { body: variant } = await company.call('POST', '/v1/variant', { productId: product.id, sku: 'TEA-1' })
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
  await company.call('DELETE', `/v1/customer/${customer.id}`)
  await company.call('POST', '/v1/order', {
    receiptId: 'R1',
    customerId: customer.id,
    outletId: 'of-another-system',
    summary: { total: '5.00' },
  })
  const level = { productId: product.id, variantId: variant.id, outletId: outlet.id }
  await company.call('POST', '/v1/inventories/set-levels', { items: [{ ...level, quantity: 5 }] })
  const table = await makeTable(
    company.call,
    { product: { type: 'string', referenceLinkedCollection: 'products' } },
    'shelf',
  )
  await table.row({ product: product.id })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 404/ })
  const exported = async (path: string) => {
    await go(path)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const [titles = '', row = ''] = (await readFile(await file.path(), 'utf8')).slice(1).split('\r\n')
    const cells = row.split(',')
    return Object.fromEntries(titles.split(',').map((title, n) => [title, cells[n]]))
  }
  const order = await exported(`/c/${company.id}/orders`)
  assert.deepEqual([order.Customer, order['Customer id']], ['Ann Archer', customer.id])
  assert.deepEqual([order.Outlet, order['Outlet id']], ['', 'of-another-system'])
  const stock = await exported(`/c/${company.id}/inventories`)
  assert.deepEqual([stock.Product, stock['Product id']], ['Tea', product.id])
  assert.deepEqual([stock.Variant, stock['Variant id']], ['TEA-1', variant.id])
  assert.deepEqual([stock.Outlet, stock['Outlet id']], ['Harbour', outlet.id])
  const row = await exported(`/c/${company.id}/tables/${table.id}?tab=data`)
  assert.deepEqual([row.product, row['product name']], [product.id, 'Tea'])
  quiet()
})

browserTest('an admin exports all data to one file, and a viewer is not offered it', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/customer', { firstName: 'Ada' })
  const signedIn = await person(service, { companyId: company.id }, 'admin')
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/settings/company`)
  await page.getByRole('button', { name: 'Export all data' }).click()
  const files = page.getByRole('list', { name: 'Exports' })
  await files.getByText('Ready', { exact: true }).waitFor()
  await accessible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Download the export of' }).click(),
  ])
  assert.match(file.suggestedFilename(), new RegExp(`^company-${company.id}-.*\\.ndjson$`))
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  assert.equal(JSON.parse(lines[0] as string).cashwrapCompany.counts.customers, 1)
  quiet()

  const viewer = await browser.open({ signedIn: await person(service, { companyId: company.id }, 'viewer') })
  await viewer.go(`/c/${company.id}/settings/company`)
  await viewer.page.getByRole('heading', { name: 'Tills and rounding' }).waitFor()
  await viewer.page.getByText(company.id).first().waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Export all data' }).count(), 0)
})
