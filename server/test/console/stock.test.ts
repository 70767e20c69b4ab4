// Counting stock in the browser: by keyboard alone, from a spreadsheet, and while another user counts the same.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Variants of one product at two outlets, ten of each. */
async function shop(company: Company, count: number) {
  const outlets: string[] = []
  for (const name of ['Centre', 'Harbour']) outlets.push((await company.call('POST', '/v1/outlet', { name })).body.id)
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Espresso beans' })
  const items = Array.from({ length: count }, (_, n) => ({
    productId: product.id,
    manageStock: true,
    sku: `ESP-${n}`,
    barcode: `40063813${String(n).padStart(5, '0')}`,
    inventory: outlets.map((outletId) => ({ outletId, stock: 10 })),
  }))
  const { body } = await company.call('POST', '/v1/variants', { items })
  const variants = body.results.map(({ data }: { data: { id: string } }) => data.id) as string[]
  const stock = async (variant: string) => {
    const { inventory } = (await company.call('GET', `/v1/variant/${variant}`)).body
    return outlets.map((id) => inventory.find(({ outletId }: { outletId: string }) => outletId === id)?.stock)
  }
  return { outlets, product: product.id as string, variants, stock }
}

browserTest('stock is counted by keyboard, and saved as a whole with its reason', async () => {
  const company = await service.company()
  const { outlets, variants, stock } = await shop(company, 4)
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('row', { name: 'Espresso beans ESP-0' }).waitFor()
  await accessible()
  await page.getByRole('gridcell').first().focus()
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await page.keyboard.type('7,5')
  await page.keyboard.press('Tab')
  await page.keyboard.type('3')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await page.keyboard.press('F2')
  await page.keyboard.type('4')
  await page.keyboard.press('Escape')
  await page.getByText('4 cells not saved').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('3 cells not saved').waitFor()
  await page.keyboard.press('Control+y')
  await accessible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Counted on Saturday')
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('4 cells saved.').waitFor()
  assert.deepEqual(await Promise.all(variants.map(stock)), [
    [12, 10],
    [7.5, 3],
    [10, 0],
    [10, 10],
  ])
  const variantId = variants[0]
  const outletId = outlets[0]
  const query = `variantId=${variantId}&outletId=${outletId}&sortOrder=desc&limit=1`
  const { body } = await company.call('GET', `/v1/inventory-history?${query}`)
  assert.equal(body.data[0].reason, 'Counted on Saturday')
  assert.equal(body.data[0].kind, 'RECOUNT')
  await page.getByRole('gridcell').first().focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('h')
  await page.getByRole('dialog').getByText('Counted on Saturday').waitFor()
  await page.getByRole('dialog').getByText('You', { exact: true }).waitFor()
  await accessible()
  // A sale is a link to its order.
  await page.keyboard.press('Escape')
  const lineItems = [{ variantId, quantity: 1, price: '4.00' }]
  await company.call('POST', '/v1/sale', { outletId, receiptId: 'R-7', currency: 'EUR', lineItems, payments: [] })
  await page.keyboard.press('h')
  await page.getByRole('dialog').getByRole('link', { name: 'R-7' }).click()
  await page.getByRole('heading', { level: 1, name: 'R-7' }).waitFor()
  quiet()
})

browserTest(
  'a save of the sheet that found no server says so in the past, and Discard leaves the focus in the sheet',
  async () => {
    const company = await service.company()
    const { variants, stock } = await shop(company, 1)
    const signedIn = await person(service, { companyId: company.id })
    const { page, context, go, quiet } = await browser.open({ signedIn, expects: /INTERNET_DISCONNECTED/ })
    await go(`/c/${company.id}/stock`)
    await page.getByRole('gridcell').first().focus()
    await page.keyboard.type('12')
    await page.keyboard.press('Enter')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Not saved, because the server could not be reached. Save again.').waitFor()
    const away = page.getByText('The server cannot be reached', { exact: false })
    await away.waitFor()
    await context.setOffline(false)
    await away.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('1 cell saved.').waitFor()
    assert.deepEqual(await stock(variants[0] as string), [12, 10])
    await page.getByRole('gridcell').first().focus()
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Discard' }).press('Enter')
    await page.getByText('All changes were discarded.').waitFor()
    await page.locator('[role="gridcell"]:focus').waitFor()
    quiet()
  },
)

browserTest('a block from a spreadsheet is pasted into the sheet, with decimal commas and points', async () => {
  const company = await service.company()
  const { variants, stock } = await shop(company, 3)
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().focus()
  await page.evaluate(`navigator.clipboard.writeText('1,5\\t2.25\\r\\nn/a\\t1,200\\r\\n\\t7\\r\\n')`)
  await page.keyboard.press('Control+v')
  await page.getByRole('status').getByText('4 cells pasted. 1 cell was left as it is. “n/a” is not a number.').waitFor()
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByRole('status').getByText('4 cells saved.').waitFor()
  // The button was disabled meanwhile.
  await page.locator('[role="gridcell"]:focus').waitFor()
  assert.deepEqual(await Promise.all(variants.map(stock)), [
    [1.5, 2.25],
    [10, 1200],
    [10, 7],
  ])
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Control+c')
  await page.getByRole('status').getByText('2 cells copied').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '1.5\t2.25')
  quiet()
})

for (const [locale, pasted, left, stocks] of [
  ['de-AT', '1.000\\t2,5', '2 Zellen eingefügt.', [1000, 2.5]],
  ['en-US', '1,000\\t2.5', '2 cells pasted.', [1000, 2.5]],
  ['fr-FR', '1.000\\t2,5', '1 cell was left as it is. “1.000” could mean 1000 or 1,000.', [10, 2.5]],
] as const)
  browserTest(`a pasted thousand under ${locale} is a thousand or refused, never 1`, async () => {
    const company = await service.company()
    const { variants, stock } = await shop(company, 1)
    const signedIn = await person(service, { companyId: company.id })
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, go, quiet } = await browser.open({ signedIn, permissions, locale })
    await go(`/c/${company.id}/stock`)
    await page.getByRole('gridcell').first().focus()
    await page.evaluate(`navigator.clipboard.writeText('${pasted}')`)
    await page.keyboard.press('Control+v')
    await page.getByRole('status').getByText(left).waitFor()
    await page.keyboard.press('Control+s')
    await page
      .getByRole('status')
      .getByText(/(saved|gespeichert)\.$/)
      .waitFor()
    assert.deepEqual(await stock(variants[0] as string), stocks)
    quiet()
  })

browserTest('what another user counted in the meantime is shown at its cell, and is overwritten or kept', async () => {
  const company = await service.company()
  const { outlets, product, variants, stock } = await shop(company, 3)
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().focus()
  for (const quantity of ['1', '2', '3']) {
    await page.keyboard.type(quantity)
    await page.keyboard.press('Enter')
  }
  await page.getByText('3 cells not saved').waitFor()
  const level = (variant: number, quantity: number) => ({
    productId: product,
    variantId: variants[variant],
    outletId: outlets[0],
    quantity,
  })
  await company.call('POST', '/v1/inventories/set-levels', { items: [level(0, 41), level(1, 42)] })
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('1 cell saved, 2 cells refused.').waitFor()
  await page.getByText('2 need a decision').first().waitFor()
  await page.getByRole('button', { name: '2 need a decision' }).click()
  await page.getByRole('menuitem', { name: 'Go to the next one' }).click()
  await page.getByText('It was 10 when you typed 1. It is now 41.').waitFor()
  await accessible()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByText('It was 10 when you typed 2. It is now 42.').waitFor()
  await page.getByRole('button', { name: 'Keep 42' }).click()
  await page.getByText('1 cell not saved').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('1 cell saved.').waitFor()
  assert.deepEqual(await Promise.all(variants.map(stock)), [
    [1, 10],
    [42, 10],
    [3, 10],
  ])
  quiet()
})

browserTest(
  'a count below zero is refused with its reason where there was no stock yet, and is no conflict',
  async () => {
    const company = await service.company()
    const { product } = await shop(company, 1)
    await company.call('POST', '/v1/variant', { productId: product, manageStock: true, sku: 'NEW' })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/stock`)
    await page.getByRole('row', { name: 'NEW' }).getByRole('gridcell').first().click()
    await page.keyboard.type('-5')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('0 cells saved, 1 cell refused.').waitFor()
    await page.getByRole('button', { name: '1 needs a decision' }).click()
    await page.getByRole('menuitem', { name: 'Go to the next one' }).click()
    const dialog = page.getByRole('dialog', { name: 'Not saved' })
    await dialog.getByText('Stock can be below zero only if “Sell when out of stock” is switched on').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Overwrite' }).count(), 0)
    quiet()
  },
)

browserTest('a cell whose variant has moved to another product since is saved with the new product', async () => {
  const company = await service.company()
  const { variants, stock } = await shop(company, 2)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().focus()
  for (const quantity of ['1', '2']) {
    await page.keyboard.type(quantity)
    await page.keyboard.press('Enter')
  }
  await page.getByText('2 cells not saved').waitFor()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Filter beans' })
  await company.call('PATCH', `/v1/variant/${variants[0]}`, { productId: product.id })
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('2 cells saved.').waitFor()
  assert.deepEqual(await Promise.all(variants.map(stock)), [
    [1, 10],
    [2, 10],
  ])
  const { body } = await company.call('GET', `/v1/inventories?productId=${product.id}`)
  assert.equal(body.meta.count, 2)
  quiet()
})

browserTest('a scanned code leads to its row, however many rows there are', async () => {
  const company = await service.company()
  const { variants } = await shop(company, 700)
  await company.call('PATCH', `/v1/variant/${variants[20]}`, { barcode: '4006381333931' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().waitFor()
  await page.getByRole('searchbox', { name: 'Find a variant' }).fill('4006381300650')
  await page.keyboard.press('Enter')
  await page.locator('[role="gridcell"]:focus').waitFor()
  await page.getByRole('row', { name: 'ESP-650' }).locator('[role="gridcell"]:focus').waitFor()
  assert.ok((await page.getByRole('row').count()) < 60, 'only visible rows are rendered')

  // A barcode of goods is no count, however slowly its scanner types it into a cell; its row is shown whole.
  await page.keyboard.type('4006381333931', { delay: 40 })
  await page.keyboard.press('Enter')
  const cell = page.getByRole('row', { name: 'ESP-20' }).locator('[role="gridcell"]:focus')
  await cell.waitFor()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  const [grid, active] = await Promise.all([
    page.getByRole('grid').boundingBox(),
    page.locator('[role="gridcell"]:focus').boundingBox(),
  ])
  assert.ok(grid && active && active.y + active.height <= grid.y + grid.height + 1, 'the active cell is cut off')
  await page.getByText('Nothing to save').waitFor()
  quiet()
})

browserTest('leaving asks before it drops what is typed, and a viewer cannot type', async () => {
  const company = await service.company()
  const { variants, stock } = await shop(company, 2)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().focus()
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Orders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
  // What the dialog asks comes first.
  await dialog.waitFor()
  await page.keyboard.press('Control+s')
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await page.getByText('1 cell not saved').waitFor()
  assert.deepEqual(await stock(variants[0] as string), [10, 10])
  quiet()

  const viewer = await person(service, { companyId: company.id }, 'viewer')
  const other = await browser.open({ signedIn: viewer })
  await other.go(`/c/${company.id}/stock`)
  await other.page.getByRole('gridcell').first().focus()
  await other.page.keyboard.type('5')
  assert.equal(await other.page.getByRole('grid').getByRole('textbox').count(), 0)
  assert.equal(await other.page.getByRole('button', { name: 'Save' }).count(), 0)
  other.quiet()
})

browserTest(
  'a file of counts is read with a reason for each line left out, put into the sheet, and stored when that is saved',
  async () => {
    const company = await service.company()
    const { variants, stock } = await shop(company, 3)
    const { page, go, quiet, accessible } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
    })
    await go(`/c/${company.id}/stock`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    const csv = await readFile(await file.path(), 'utf8')
    assert.match(csv, /^\ufeffProduct,Variant,SKU,Barcode,Outlet,Stock\r\n/)
    const lines = [
      'ESP-0;;Harbour;4',
      ';4006381300001;;"7,5"',
      'ESP-2;;Centre;10',
      'ESP-9;;Centre;1',
      'ESP-1;;Nowhere;1',
      'ESP-1;;;x',
    ]
    assert.ok(csv.includes('Espresso beans,,ESP-0,4006381300000,Harbour,10'))
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import stock from a file' })
    const buffer = Buffer.from(`SKU;Barcode;Outlet;Stock\r\n${lines.join('\r\n')}\r\n`)
    await dialog.locator('input[type="file"]').setInputFiles({ name: 'count.csv', mimeType: 'text/csv', buffer })
    await dialog.getByText('2 changes · 1 unchanged · 3 left out').waitFor()
    for (const reason of ['no variant has the code “ESP-9”', 'there is no outlet “Nowhere”', '“x” is not a number'])
      await dialog.getByText(reason).waitFor()
    await accessible()
    await dialog.getByRole('button', { name: 'Put 2 counts into the sheet' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await stock(variants[0] as string), [10, 10])
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText(/saved/i).first().waitFor()
    await until('both counts are stored', async () => (await stock(variants[1] as string))[0] === 7.5)
    assert.deepEqual(await stock(variants[0] as string), [10, 4])
    quiet()
  },
)

browserTest('an exported file is read again with its decimals where the point separates thousands', async () => {
  const company = await service.company()
  const { outlets, variants } = await shop(company, 1)
  const inventory = outlets.map((outletId, n) => ({ outletId, stock: n === 0 ? 1.125 : 10 }))
  await company.call('PATCH', `/v1/variant/${variants[0]}`, { inventory })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT' })
  await go(`/c/${company.id}/stock`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV exportieren' }).click(),
  ])
  const csv = await readFile(await file.path(), 'utf8')
  await page.getByRole('button', { name: 'CSV importieren' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bestand aus einer Datei importieren' })
  const buffer = Buffer.from(csv.replace('Harbour;10', 'Harbour;2,125'))
  await dialog.locator('input[type="file"]').setInputFiles({ name: 'count.csv', mimeType: 'text/csv', buffer })
  await dialog.getByText('Eine Änderung · 1 unverändert · 0 ausgelassen').waitFor()
  await dialog.getByText('2,125').waitFor()
  quiet()
})

browserTest('on a phone the change of a cell is beside its undo, and its name is not cut to a letter', async () => {
  const company = await service.company()
  await shop(company, 1)
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT', width: 375 })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('gridcell').first().click()
  const name = page.getByText(/^Espresso beans.*, Centre$/)
  await name.waitFor()
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.getByText('10 → 7').waitFor()
  await name.waitFor({ state: 'hidden' })
  quiet()
})
