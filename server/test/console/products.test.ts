// The page of a product in the browser: its variants in a grid, saved with it.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest(
  'a product with three variants, prices, stock and pictures is created on one page, and hidden at an outlet',
  async () => {
    const company = await service.company()
    const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn })
    await go(`/c/${company.id}/products/new`)
    // The first input has the focus, and that of an added option.
    await page.locator('form input:focus').waitFor()
    await page.keyboard.type('Shirt')
    await page.getByRole('button', { name: 'Options' }).click()
    const options = page.getByRole('group', { name: 'Options' })
    await options.getByRole('button', { name: 'Add', exact: true }).click()
    await page.keyboard.type('Size')
    for (const size of ['S', 'M', 'L']) {
      await options.getByLabel('Values').first().fill(size)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: 'Add the 3 missing variants' }).click()
    for (const size of ['S', 'M', 'L']) await page.getByLabel(`SKU of ${size}`).fill(`SHIRT-${size}`)
    // Enter goes down, and saves nothing.
    const columns = { 'Price of S': ['10', '12.5', '15'], 'Stock of S at Harbour': ['5', '8', '3'] }
    for (const [first, values] of Object.entries(columns)) {
      await page.getByLabel(first, { exact: true }).focus()
      for (const value of values) {
        await page.keyboard.type(value)
        await page.keyboard.press('Enter')
      }
    }
    await page.getByLabel('Sale price of M').fill('9.9')
    assert.equal(await page.getByLabel('On sale of M').isChecked(), true)
    const wide = `(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1200 })
    canvas.getContext('2d').fillRect(0, 0, 900, 900)
    return canvas.toDataURL('image/jpeg').split(',')[1]
  })()`
    const buffer = Buffer.from(await page.evaluate<string>(wide), 'base64')
    await page.locator('main input[type="file"]').setInputFiles([
      { name: 'front.jpg', mimeType: 'image/jpeg', buffer },
      { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture') },
      { name: 'back.png', mimeType: 'image/png', buffer: await page.screenshot() },
    ])
    await page.getByText('notes.jpg: This browser cannot read it as a picture.').waitFor()
    await page.getByRole('img', { name: 'Picture 2' }).waitFor()
    const width = `document.querySelector('img[alt="Picture 1"]')?.naturalWidth`
    await until('the picture is shown, and made smaller', async () => (await page.evaluate(width)) === 1600)
    await page.getByRole('button', { name: 'Move picture 2 up' }).click()
    await accessible()
    await page.getByRole('button', { name: 'Create product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shirt' }).waitFor()
    await page.getByRole('button', { name: 'Actions for L' }).waitFor()
    // One notice for the product and its variants.
    assert.equal(await page.locator('.mantine-Notification-root').getByText('Saved').count(), 0)
    assert.equal(await page.getByLabel('Price of M', { exact: true }).inputValue(), '12.50')
    await accessible()

    const [product] = (await company.call('GET', '/v1/products')).body.data
    assert.deepEqual(
      [product.productType, product.attributes, product.minPrice, product.maxPrice],
      ['variable', [{ name: 'Size', values: ['S', 'M', 'L'] }], 9.9, 15],
    )
    const { body } = await company.call('GET', `/v1/variants?productId=${product.id}&sortBy=price&sortOrder=asc`)
    assert.deepEqual(
      body.data.map(({ sku, price, salePrice, isOnSale, attributes, inventory }: any) => [
        ...[sku, price, salePrice, isOnSale, attributes[0].value, inventory[0].stock],
      ]),
      [
        ['SHIRT-S', 10, undefined, undefined, 'S', 5],
        ['SHIRT-M', 12.5, 9.9, true, 'M', 8],
        ['SHIRT-L', 15, undefined, undefined, 'L', 3],
      ],
    )
    const names = product.images.map(async (url: string) => {
      const id = /^\/v1\/attachment\/([0-9a-f]{24})\/file$/.exec(url)?.[1]
      return (await company.call('GET', `/v1/attachment/${id}`)).body.name
    })
    assert.deepEqual(await Promise.all(names), ['back.png', 'front.jpg'])

    const shown = async () => (await company.call('GET', `/v1/products?visibleAt=${outlet.id}`)).body.data.length
    const visibility = page.getByRole('switch', { name: 'Shown at Harbour' })
    await visibility.click()
    await page.getByRole('switch', { name: 'Hidden at Harbour' }).waitFor()
    assert.equal(await shown(), 0)
    await page.getByRole('switch', { name: 'Hidden at Harbour' }).click()
    await visibility.waitFor()
    assert.equal(await shown(), 1)
    await accessible()
    quiet()
  },
)

browserTest('one save stores product and variants, and overwrites no price that another user changed', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const variants = await Promise.all(
    ['A', 'B'].map(async (sku) => {
      const { body } = await company.call('POST', '/v1/variant', { productId: product.id, sku, price: 5, barcode: '1' })
      return body.id as string
    }),
  )
  const read = (n: number) => company.call('GET', `/v1/variant/${variants[n]}`)
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByLabel('Price of A', { exact: true }).fill('6')
  await page.getByLabel('Price of B', { exact: true }).fill('7')
  await company.call('PATCH', `/v1/variant/${variants[0]}`, { price: 4 })
  await company.call('PATCH', `/v1/variant/${variants[1]}`, { barcode: '2' })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes(variants[1] as string)) reads.push(request.url())
  })
  // The prices of the variants are in the product, which changed with them, so it asks first.
  await save.click()
  await page.getByText('Changed to 4 meanwhile. Save again to overwrite.').waitFor()
  const { body: b } = await read(1)
  assert.deepEqual([(await read(0)).body.price, b.price, b.barcode], [4, 7, '2'])
  assert.equal(reads.length, 1, 'the versions of all variants are read together')
  assert.ok(reads[0]?.includes(variants[0] as string))
  await save.click()
  await page.getByText('Changed to 4 meanwhile').waitFor({ state: 'detached' })
  assert.equal((await read(0)).body.price, 6)

  await page.getByLabel('Name').first().fill('Green tea')
  await page.getByLabel('Price of B', { exact: true }).fill('8')
  const stored = page.waitForResponse(
    (response) => response.url().endsWith(`/v1/variant/${variants[1]}`) && response.request().method() === 'PATCH',
  )
  await save.click()
  assert.equal((await stored).status(), 200)
  assert.equal((await read(1)).body.price, 8)
  assert.equal((await company.call('GET', `/v1/product/${product.id}`)).body.name, 'Green tea')
  quiet()
})

browserTest('the first wrong input of a variant gets the focus, whether it cannot be read or is refused', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 400/ })
  const focused = (label: string) => page.locator(`input[aria-label="${label}"]:focus`).waitFor()
  await go(`/c/${company.id}/products/new`)
  await page.getByLabel('Name').first().fill('Tea')
  await page.getByLabel('Sale price of Variant 1').fill('1.2.3')
  const create = page.getByRole('button', { name: 'Create product' })
  await create.click()
  await page.getByText('“1.2.3” is not a number.').waitFor()
  await focused('Sale price of Variant 1')
  // The product is created, and its page shows what the service says of the variant.
  await page.getByLabel('Sale price of Variant 1').fill('')
  await page.getByLabel('Price of Variant 1', { exact: true }).fill('1')
  await page.getByLabel('Barcode of Variant 1').fill('4'.repeat(600))
  await create.click()
  await page.getByRole('heading', { level: 1, name: 'Tea' }).waitFor()
  await focused('Barcode of Variant 1')
  await page.getByLabel('Barcode of Variant 1').fill('4'.repeat(501))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await focused('Barcode of Variant 1')
  quiet()
})

browserTest('a variant that is refused as a whole has the focus in its row, with the reason in view', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const { body: variant } = await company.call('POST', '/v1/variant', { productId: product.id, sku: 'TEA-1', price: 5 })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 404/ })
  await go(`/c/${company.id}/products/${product.id}`)
  const price = page.getByLabel('Price of TEA-1', { exact: true })
  await price.fill('6')
  await company.call('DELETE', `/v1/variant/${variant.id}`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const reason = page.locator('#variants').getByText('This no longer exists. Someone may have deleted it.')
  await reason.waitFor()
  await page.locator('input[aria-label="SKU of TEA-1"]:focus').waitFor()
  const isSeen = await reason.evaluate((element: any) => {
    const { x, y, height } = element.getBoundingClientRect()
    return element.contains(element.ownerDocument.elementFromPoint(x + 5, y + height / 2))
  })
  assert.ok(isSeen)
  assert.equal(await price.inputValue(), '6.00')
  quiet()
})

browserTest('a viewer reads the variants of a product without inputs', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  await company.call('POST', '/v1/variant', { productId: product.id, sku: 'TEA-1', price: 5 })
  const signedIn = await person(service, { companyId: company.id }, 'viewer')
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByRole('cell', { name: 'TEA-1', exact: true }).waitFor()
  assert.equal(await page.locator('main form :is(input, textarea, select)').count(), 0)
  await accessible()
  await page.setViewportSize({ width: 375, height: 800 })
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  quiet()
})

browserTest(
  'a printed product shows the stock of its variants, and its deletion names variants only if it has some',
  async () => {
    const company = await service.company()
    const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
    const attributes = ['Size', 'Colour'].map((name) => ({ name, values: ['one'] }))
    const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea', attributes })
    const { body: variant } = await company.call('POST', '/v1/variant', {
      productId: product.id,
      sku: 'TEA-1',
      manageStock: true,
      inventory: [{ outletId: outlet.id, stock: 34 }],
      attributes: [{ name: 'Size', value: 'one' }],
    })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/products/${product.id}`)
    const grid = page.locator('#variants table')
    await grid.getByText('34').first().waitFor()
    // The width of A4 without its margins.
    await page.setViewportSize({ width: 718, height: 1000 })
    await page.emulateMedia({ media: 'print' })
    const paper = await page.locator('#variants').boundingBox()
    const table = await grid.boundingBox()
    assert.ok(paper && table && table.width <= paper.width + 1, `${table?.width} of ${paper?.width}`)
    await page.emulateMedia({ media: null })
    await page.setViewportSize({ width: 1280, height: 800 })

    const dialog = page.getByRole('dialog')
    const ask = async () => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
    }
    const hint = dialog.getByText('To delete its variants and their stock too')
    await ask()
    await hint.waitFor()
    await page.keyboard.press('Escape')
    await company.call('DELETE', `/v1/variant/${variant.id}`)
    await page.reload()
    await ask()
    await dialog.getByRole('button', { name: 'Delete', exact: true, disabled: false }).waitFor()
    assert.equal(await hint.count(), 0)
    quiet()
  },
)

browserTest('outlets with long names are told apart beside the first stock of a new product', async () => {
  const company = await service.company()
  for (const place of ['north', 'south'])
    await company.call('POST', '/v1/outlet', { name: `Harbour branch, ${place} entrance` })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/products/new`)
  const name = page.locator('form td').getByText('Harbour branch, south entrance')
  await name.waitFor()
  assert.equal(await name.evaluate((held) => held.scrollWidth > held.clientWidth && held.clientWidth > 0), false)
  quiet()
})

browserTest('the address of a picture that was typed without https:// is one of the web', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, visits: 'https://pictures.example' })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  await page.route('https://pictures.example/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }))
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByPlaceholder('https://').fill('pictures.example/tea.svg https://pictures.example/cup.svg')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual((await company.call('GET', `/v1/product/${product.id}`)).body.images, [
    'https://pictures.example/tea.svg',
    'https://pictures.example/cup.svg',
  ])
  quiet()
})

browserTest('a row for a new variant is saved once something is typed in it, and not as it was offered', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  await company.call('POST', '/v1/variant', { productId: product.id, sku: 'TEA-1', price: 5 })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/products/${product.id}`)
  for (const name of ['SKU of Variant 2', 'SKU of Variant 3']) {
    await page.getByRole('button', { name: 'Add variant' }).click()
    await page.getByLabel(name).waitFor()
  }
  assert.equal(await page.getByLabel('Price of Variant 3', { exact: true }).inputValue(), '5.00')
  await page.getByLabel('SKU of Variant 3').fill('TEA-3')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit TEA-3' }).waitFor()
  const { body } = await company.call('GET', '/v1/variants')
  assert.deepEqual(body.data.map(({ sku }: any) => sku).sort(), ['TEA-1', 'TEA-3'])
  // The other row stays, and leaving asks nothing.
  await page.getByLabel('SKU of Variant 3').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  quiet()
})
