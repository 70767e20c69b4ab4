// Importing files of other shops in the browser: upload, preview, run, undo, and rejection of other files.
import assert from 'node:assert/strict'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserTest, testBrowser } from '../support/browser.ts'
import { shopifyOrders } from '../support/history.ts'
import { csvOf, imported, mugs, reached, send, shirt } from '../support/imports.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const fileOf = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const shopify = csvOf([
  {
    Handle: 'tee',
    Title: 'T-Shirt',
    'Body (HTML)': 'Cotton',
    Vendor: 'Us',
    Type: 'Shirts',
    Published: 'true',
    'Option1 Name': 'Size',
    'Option1 Value': 'S',
    'Variant SKU': 'TEE-S',
    'Variant Price': '20.00',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '4',
    'Gift Card': 'false',
  },
  {
    Handle: 'tee',
    'Option1 Value': 'M',
    'Variant SKU': 'TEE-M',
    'Variant Price': '20.00',
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': '6',
  },
  { Handle: 'mug', Title: 'Mug', 'Variant SKU': 'MUG', 'Variant Price': 'dear', 'Option1 Name': 'Title' },
])

browserTest('a WooCommerce file is previewed before anything is written, and runs on request', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const owner = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  await go(`/c/${company.id}/imports`)
  await page.getByRole('heading', { name: 'No imports yet' }).waitFor()
  await accessible()
  await page.locator('input[type="file"]').setInputFiles(fileOf('shirts.csv', csvOf(shirt)))
  await page.getByRole('heading', { level: 1, name: 'shirts.csv' }).waitFor()
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  await page.getByRole('region', { name: 'The first products' }).getByText('T-Shirt', { exact: true }).waitFor()
  await accessible()
  assert.equal((await company.call('GET', '/v1/products')).body.meta.count, 0)
  await page.getByRole('button', { name: 'Run the import' }).click()
  await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
  // The button is gone.
  await page.locator('h1:focus', { hasText: 'shirts.csv' }).waitFor()
  await accessible()
  const { body } = await company.call('GET', '/v1/variants?sku=TEE-R')
  assert.deepEqual(body.data[0].inventory, [{ outletId: outlet.id, stock: 3 }])
  // The records show that a user made them, not a key.
  const [product] = (await company.call('GET', '/v1/products')).body.data
  assert.equal(product.fromService, true)
  const [entry] = (await company.call('GET', '/v1/inventory-history')).body.data
  assert.deepEqual([entry?.userId, entry?.keyId], [entry && owner.userId, undefined])
  await page.getByRole('link', { name: 'View stock' }).click()
  await page.getByRole('row', { name: 'TEE-R' }).getByText('3', { exact: true }).waitFor()

  // A run that did not end goes on with the file that was sent.
  await service.database.query(`update imports set state = 'cancelled', undo_until = null where company_id = $1`, [company.id]) // biome-ignore format: one thought
  await go(`/c/${company.id}/imports`)
  await page.getByRole('link', { name: 'shirts.csv' }).click()
  await page.getByRole('button', { name: 'Run again' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run the import again?' })
  assert.ok(await dialog.getByLabel('Also set stock to the numbers in the file').isChecked())
  await dialog.getByRole('button', { name: 'Run again' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Run again' }).waitFor({ state: 'detached' })
  await page.locator('main').getByText('Done', { exact: true }).first().waitFor()
  quiet()
})

browserTest('an import that was cancelled while its run waited to start is run again with its file', async () => {
  const company = await service.company()
  const { body: job } = await send(company.call, csvOf(shirt), 'fileName=shirts.csv')
  await reached(company.call, job.id, 'ready')
  // As it is left by a run and a cancellation right after it.
  await service.database.query(
    `update imports set state = 'cancelled', tally = null, started_at = null, finished_at = now() where company_id = $1`,
    [company.id],
  )
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/imports/${job.id}`)
  await page.getByRole('button', { name: 'Run again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
  await page.locator('main').getByText('Done', { exact: true }).first().waitFor()
  quiet()
})

browserTest('an import that somebody else runs at the same time shows its result, and no failure', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  await go(`/c/${company.id}/imports`)
  await page.locator('input[type="file"]').setInputFiles(fileOf('shop.csv', csvOf(shirt)))
  await page.getByRole('button', { name: 'Run the import' }).waitFor()
  const [{ id }] = (await company.call('GET', '/v1/imports')).body.data
  const refused = page.waitForResponse((response) => response.url().endsWith('/run') && response.status() === 409)
  await page.route(/\/run$/, async (route) => {
    await company.call('POST', `/v1/imports/${id}/run`)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Run the import' }).click()
  await refused
  await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
  await page.getByText('Something went wrong').waitFor({ state: 'detached' })
  quiet()
})

browserTest('an undo shows its effect before it runs, and lists what it did not undo', async () => {
  const company = await service.company()
  const owner = await person(service, { companyId: company.id })
  const { id } = await imported(company.call, csvOf(shirt))
  const [product] = (await company.call('GET', '/v1/products?sku=MUG')).body.data
  await company.call('PATCH', `/v1/product/${product.id}`, { name: 'My mug' })
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  await go(`/c/${company.id}/imports/${id}`)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'Products 1 0 1' }).waitFor()
  await accessible()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('heading', { name: 'What was undone', exact: true }).waitFor()
  await page.locator('h1:focus').waitFor()
  await page
    .getByRole('region', { name: 'What was not undone' })
    .getByText('It was changed since the import.')
    .waitFor()
  await accessible()
  assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).count(), 0)
  assert.deepEqual(
    (await company.call('GET', '/v1/products')).body.data.map(({ name }: { name: string }) => name),
    ['My mug'],
  )
  quiet()
})

browserTest('what an undo would do fits on a phone without scrolling sideways, in German too', async () => {
  const company = await service.company()
  const owner = await person(service, { companyId: company.id })
  const { id } = await imported(company.call, csvOf(shirt))
  const { page, go, quiet } = await browser.open({ signedIn: owner, locale: 'de-AT', width: 390 })
  await go(`/c/${company.id}/imports/${id}`)
  await page.getByRole('button', { name: 'Rückgängig machen', exact: true }).click()
  const table = page.getByRole('dialog').getByRole('table')
  await table.getByRole('row', { name: 'Produkte' }).waitFor()
  const inner = await table.boundingBox()
  const outer = await table.locator('..').boundingBox()
  assert.ok(inner && outer && inner.width <= outer.width, `${inner?.width} in ${outer?.width}`)
  quiet()
})

browserTest(
  'a file that was imported before is compared first, asks for confirmation, and leaves stock unchanged',
  async () => {
    const company = await service.company()
    const owner = await person(service, { companyId: company.id })
    const { outletId } = await imported(company.call, csvOf(shirt))
    const [mug] = (await company.call('GET', '/v1/variants?sku=MUG')).body.data
    await company.call('PATCH', `/v1/variant/${mug.id}`, { price: 7 })
    const level = { variantId: mug.id, productId: mug.productId, outletId }
    const set = (quantity: number) => company.call('POST', '/v1/inventories/set-levels', [{ ...level, quantity }])
    await set(40)
    const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
    const { body: again } = await send(company.call, csvOf(shirt))
    await reached(company.call, again.id, 'ready')
    await go(`/c/${company.id}/imports/${again.id}`)
    const changes = page.getByRole('region', { name: 'Changes to existing records' })
    await changes.getByRole('row', { name: /MUG.*Price.*7.*5/ }).waitFor()
    await page
      .getByRole('region', { name: 'Stock in the file' })
      .getByRole('row', { name: /MUG.*40.*1\.5/ })
      .waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Run the import' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByRole('checkbox').isChecked(), false)
    await accessible()
    await dialog.getByRole('button', { name: 'Run the import' }).click()
    await page.getByText('Stock was not changed.').waitFor()
    await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
    const { body } = await company.call('GET', `/v1/variant/${mug.id}`)
    assert.deepEqual([body.price, body.inventory], [5, [{ outletId, stock: 40 }]])
    assert.equal((await company.call('GET', '/v1/imports')).body.meta.count, 2)
    quiet()
  },
)

browserTest('the rejected lines of a Shopify file are shown, also in German, and can be downloaded', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/imports`)
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).press('Enter'),
  ])
  await chooser.setFiles(fileOf('products.csv', shopify))
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  await page.getByRole('region', { name: 'Rejected lines' }).getByText('dear').waitFor()
  await accessible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  assert.match(await readFile(await file.path(), 'utf8'), /^\ufeffLine,Column in the file,Reason\r\n4,Variant Price,/)
  const german = await browser.open({ signedIn, locale: 'de-AT' })
  await german.page.goto(page.url())
  await german.page.getByText('„dear“ ist keine Zahl.').waitFor()
  const [saved] = await Promise.all([
    german.page.waitForEvent('download'),
    german.page.getByRole('button', { name: 'CSV herunterladen' }).click(),
  ])
  assert.match(await readFile(await saved.path(), 'utf8'), /„dear“ ist keine Zahl\./)
  german.quiet()
  await page.getByRole('button', { name: 'Run the import' }).click()
  await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
  assert.equal((await company.call('GET', '/v1/variants?sku=TEE-M')).body.meta.count, 1)
  await page.getByRole('link', { name: 'Import', exact: true }).first().click()
  await page.getByRole('link', { name: 'products.csv' }).waitFor()
  await accessible()
  quiet()
})

browserTest('a file of orders shows its first orders and its payments, and leads to them after the run', async () => {
  const company = await service.company()
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/imports`)
  await page.locator('input[type="file"]').setInputFiles(fileOf('orders.csv', csvOf(shopifyOrders)))
  await page.getByRole('heading', { name: 'Preview' }).waitFor()
  const first = page.getByRole('region', { name: 'The first orders' })
  await first.getByRole('row', { name: /#1 .*Completed 3 .*98\.70 New/ }).waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Run the import' }).click()
  await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
  await accessible()
  await page.getByRole('link', { name: 'View payments' }).click()
  await page.getByText('189.79').waitFor()
  quiet()
})

browserTest('a file with too many invalid lines shows the first of them, and cannot be run', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/imports`)
  const wrong = csvOf(mugs(10_001, { 'Regular price': 'dear' }))
  await page.locator('input[type="file"]').setInputFiles(fileOf('wrong.csv', wrong))
  await page.getByRole('alert').getByText('More than 10,000 lines cannot be imported').waitFor()
  await page.getByRole('region', { name: 'Rejected lines' }).getByText('dear').first().waitFor()
  assert.equal(await page.getByRole('button', { name: /^Run/ }).count(), 0)
  quiet()
})

browserTest('a large file that is not a catalogue is rejected at once, with a reason', async () => {
  const company = await service.company()
  const { page, go } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 400|ERR_CONNECTION/,
  })
  const folder = await mkdtemp(join(tmpdir(), 'cashwrap-files-'))
  try {
    const write = async (name: string, block: Buffer) => {
      const file = await open(join(folder, name), 'w')
      for (let megabyte = 0; megabyte < 50; megabyte++) await file.write(block)
      await file.close()
      return join(folder, name)
    }
    const binary = await write('photo.csv', Buffer.alloc(1024 * 1024, 'x\0'))
    const prose = await write(
      'story.csv',
      Buffer.alloc(1024 * 1024, 'Once upon a time there was no catalogue at all.\n'),
    )
    await go(`/c/${company.id}/imports`)
    const alert = page.getByRole('alert')
    await page.locator('input[type="file"]').setInputFiles(binary)
    await alert.getByText('not a text file').waitFor()
    await page.locator('input[type="file"]').setInputFiles(prose)
    await alert.getByText('story.csv is not an English product export of WooCommerce').waitFor()
    assert.equal((await company.call('GET', '/v1/imports')).body.meta.count, 0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
