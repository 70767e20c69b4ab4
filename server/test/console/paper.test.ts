// What the console prints: receipts and labels, on the paper that was chosen; and what an edit of an open order computes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeOf, LEAST_MODULE, moduleOf } from '../../../console/src/pages/labels/codes.ts'
import { formats, pageOf, perPage, placeOf } from '../../../console/src/pages/labels/formats.ts'
import { taxRowsOf } from '../../../console/src/pages/receipts/taxes.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

test('digits with a right check digit are EAN or UPC, other codes are Code 128, and a text that no barcode can hold has none', () => {
  const kindOf = (value: string) => codeOf(value)?.kind
  assert.deepEqual(
    ['4006381333931', '96385074', '036000291452', '4006381333932', 'TEA-1', 'Tee grün', ''].map(kindOf),
    ['EAN-13', 'EAN-8', 'UPC-A', 'Code 128', 'Code 128', undefined, undefined],
  )
  assert.equal(codeOf('4006381333931')?.text, '4 006381 333931')
  // The example of the standard (GS1 General Specifications, EAN-8): guard, 4 digits, centre, 4 digits, guard.
  assert.equal(codeOf('96385074')?.modules, '1010001011010111101111010110111010101001110111001010001001011100101')
  const least = codeOf('96385074')
  const long = codeOf('A'.repeat(40))
  assert.ok(least && long && moduleOf(least, 34) === 0.33 && moduleOf(long, 34) < LEAST_MODULE)
})

test('the labels of a sheet are inside it, and none covers another', () => {
  for (const format of formats) {
    const [width, height] = pageOf(format)
    const places = Array.from({ length: perPage(format) }, (_, n) => placeOf(format, n))
    for (const { left, top } of places) {
      assert.ok(left >= 0 && top >= 0, format.id)
      assert.ok(left + format.width <= width + 0.01 && top + format.height <= height + 0.01, format.id)
    }
    const isApart = (one: number, other: number, size: number) => Math.abs(one - other) >= size - 0.01
    for (const [n, one] of places.entries())
      for (const other of places.slice(n + 1))
        assert.ok(
          isApart(one.left, other.left, format.width) || isApart(one.top, other.top, format.height),
          `${format.id}: ${JSON.stringify([one, other])}`,
        )
  }
})

test('the tax table of a receipt has each rate once, with and without tax, to the cent', () => {
  const lines = [
    { total: '20.25', taxes: [{ name: 'Tax', percentage: 5, amount: '1.01' }] },
    { total: '13.50', taxes: [{ name: 'Tax', percentage: 20, amount: '2.70' }] },
  ]
  const rates = [
    { name: 'Tax', percentage: 5, amount: '1.01' },
    { name: 'Tax', percentage: 20, amount: '2.70' },
  ]
  const amounts = (record: object) => taxRowsOf(record).map(({ net, tax, gross }) => [net, tax, gross])
  assert.deepEqual(amounts({ lineItems: lines, summary: { taxes: rates } }), [
    ['20.25', '1.01', '21.26'],
    ['13.50', '2.70', '16.20'],
  ])
  assert.deepEqual(amounts({ lineItems: lines, summary: { isTaxInclusive: true } })[1], ['10.80', '2.70', '13.50'])
  assert.deepEqual(amounts({ summary: { taxes: rates } })[0], [undefined, '1.01', undefined])
  assert.deepEqual(amounts({}), [])
})

async function shop() {
  const company = await service.company()
  await service.database.query(
    `update companies set name = 'Corner Shop', currency = 'EUR', tax_id = 'ATU12345678' where id = $1`,
    [company.id],
  )
  const made = async (path: string, body: object) => (await company.call('POST', path, body)).body.id as string
  const outletId = await made('/v1/outlet', { name: 'Harbour', address: '2 Quay Road', city: 'Linz' })
  const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
  const productId = await made('/v1/product', { name: 'Tea' })
  const codes = ['4006381333931', '96385074', '036000291452', undefined, undefined]
  const variants = []
  for (const [n, barcode] of codes.entries()) {
    const attributes = [{ name: 'Size', value: `${n} g` }]
    const stock = [{ outletId, stock: n + 2 }]
    variants.push(
      await made('/v1/variant', { productId, sku: `TEA-${n}`, barcode, price: 4, attributes, inventory: stock }),
    )
  }
  const { body } = await company.call('POST', '/v1/sale', {
    outletId,
    stationId,
    receiptId: 'R-1',
    currency: 'EUR',
    lineItems: [
      {
        productId,
        variantId: variants[0],
        name: 'Tea',
        description: '0 g',
        price: '4.00',
        quantity: 3,
        discount: { itemDiscount: { percentage: 50 } },
        taxes: [{ name: 'VAT', percentage: 20 }],
      },
    ],
    payments: [{ paymentMethod: 'cash', amount: '10.00' }],
  })
  const owner = await person(service, { companyId: company.id })
  return { company, productId, orderId: body.order.id as string, owner }
}

/** Presses a button that prints, and returns what is on the paper. */
async function printed(page: Page, press: () => Promise<void>): Promise<{ text: string; width: number }> {
  await page.evaluate('window.print = () => { window.printed = true }')
  await press()
  await page.waitForFunction('window.printed')
  await page.evaluate('window.printed = false')
  const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  await page.emulateMedia({ media: 'print' })
  await page.evaluate('window.dispatchEvent(new Event("beforeprint"))')
  const text = await page.evaluate<string>('document.body.innerText')
  await page.evaluate('window.dispatchEvent(new Event("afterprint"))')
  await page.emulateMedia({ media: null })
  // Points in millimetres.
  return { text, width: Math.round((Number(/MediaBox ?\[0 0 ([\d.]+)/.exec(file)?.[1]) / 72) * 25.4) }
}

browserTest(
  'an order and its refund print as receipts with shop, tax number, taxes and change, and nothing of the page',
  async () => {
    const { company, orderId, owner } = await shop()
    const { page, go, quiet } = await browser.open({ signedIn: owner })
    const press = (paper: string) => async () => {
      await page.getByRole('button', { name: 'Print receipt' }).click()
      await page.getByRole('menuitem', { name: paper }).click()
    }
    await go(`/c/${company.id}/orders/${orderId}`)
    await page.getByRole('link', { name: 'Till 1' }).waitFor()
    await page.waitForLoadState('networkidle')
    const roll = await printed(page, press('Receipt roll, 80 mm'))
    for (const part of [
      'Corner Shop',
      'Harbour',
      '2 Quay Road',
      'Tax id ATU12345678',
      'R-1',
      'Till 1',
      '3 × €4.00',
      orderId,
    ])
      assert.ok(roll.text.includes(part), `${part} in ${roll.text}`)
    assert.match(roll.text, /Discount −€6\.00 \(50%\)[\s\S]*Total\s+€7\.20\s+Cash\s+€10\.00\s+Change\s+€2\.80/)
    assert.match(roll.text, /VAT 20%\s+€6\.00\s+€1\.20\s+€7\.20/)
    assert.doesNotMatch(roll.text, /Timeline|Transactions|Print/)
    assert.equal(roll.width, 80)
    const a4 = await printed(page, press('A4'))
    assert.equal(a4.width, 210)

    const refunded = await company.call('POST', `/v1/sale/${orderId}/refund`, {
      reason: 'Torn',
      lines: [{ lineItem: 0, quantity: 1 }],
    })
    await go(`/c/${company.id}/refunds/${refunded.body.refund.id}`)
    await page.getByRole('heading', { level: 1, name: 'Refund of €2.40' }).waitFor()
    await page.waitForLoadState('networkidle')
    const refund = await printed(page, press('Receipt roll, 80 mm'))
    assert.match(refund.text, /Refund\s+For receipt R-1[\s\S]*Torn[\s\S]*Total refunded\s+€2\.40\s+Cash\s+€2\.40/)
    quiet()
  },
)

browserTest('prices, quantities and tax rates are printed and shown with all their decimals', async () => {
  const company = await service.company()
  const { call } = company
  const { body: product } = await call('POST', '/v1/product', { name: 'Fuel' })
  await call('POST', '/v1/variant', { productId: product.id, sku: 'F-1', price: 1.459 })
  const { body: sold } = await call('POST', '/v1/sale', {
    lineItems: [
      { productId: product.id, price: '1.459000', quantity: 41.3755, taxes: [{ name: 'VAT', percentage: 8.875 }] },
      { name: 'A third', price: '3.333333', quantity: 3, taxes: [{ name: 'MwSt 7,7 %', percentage: 7.7 }] },
      { name: 'Rivet', price: '0.00125', quantity: 400, taxes: [] },
    ],
    payments: [{ paymentMethod: 'cash', amount: '100.00' }],
  })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders/${sold.order.id}`)
  const line = page.getByRole('row', { name: /^Fuel/ })
  for (const cell of ['41.3755', '€1.459', '€60.37']) await line.getByText(cell, { exact: true }).waitFor()
  await page.getByText('VAT 8.875%').waitFor()
  // The name has the rate already.
  await page.getByText('MwSt 7,7 %', { exact: true }).first().waitFor()
  await page.waitForLoadState('networkidle')
  const { text } = await printed(page, async () => {
    await page.getByRole('button', { name: 'Print receipt' }).click()
    await page.getByRole('menuitem', { name: 'Receipt roll, 80 mm' }).click()
  })
  for (const part of ['41.3755 × €1.459', '3 × €3.33', '400 × €0.00125', 'VAT 8.875%', 'MwSt 7,7 %'])
    assert.ok(text.includes(part), `${part} in ${text}`)
  assert.ok(!text.includes('7.7%'))
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByText('€1.459', { exact: true }).waitFor()
  // On paper the form has none of its buttons.
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('button', { name: 'Add variant' }).waitFor({ state: 'hidden' })
  assert.ok(await page.getByLabel('Supplier').isVisible())
  assert.equal(await page.locator('form').getByRole('button').count(), 0)
  await page.emulateMedia({ media: null })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Print labels' }).click()
  await page.locator('main').getByText('€1.459', { exact: true }).first().waitFor()
  quiet()
})

browserTest(
  'labels of five variants are printed from their product, a label for each unit in stock, without what is used',
  async () => {
    const { company, productId, owner } = await shop()
    const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
    await go(`/c/${company.id}/products/${productId}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Print labels' }).click()
    await page.getByRole('button', { name: 'Print 5 labels' }).waitFor()
    await page.getByText('Code 128 · TEA-3 · from the SKU').waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Set quantities' }).click()
    await page.getByRole('menuitem', { name: 'As in stock at Harbour' }).click()
    await page.getByRole('textbox', { name: 'Labels of Tea, 4 g' }).fill('8')
    await page.getByRole('textbox', { name: 'Start at label' }).fill('3')
    const add = page.getByRole('searchbox', { name: 'Add a variant' })
    await add.fill('96385074')
    await add.press('Enter')
    // 2 + 4 + 4 + 5 + 8, beginning at the third of 21.
    const button = page.getByRole('button', { name: 'Print 23 labels' })
    await button.waitFor()
    await page.getByText('2 sheets').waitFor()
    const sheets = await printed(page, () => button.click())
    assert.equal(sheets.width, 210)
    assert.equal(sheets.text.match(/€4\.00/g)?.length, 23)
    assert.ok(sheets.text.includes('4 006381 333931'))
    await page.getByRole('combobox', { name: 'Format' }).click()
    await page.getByRole('option', { name: /Dymo 11354/ }).click()
    const roll = await printed(page, () => button.click())
    assert.equal(roll.width, 57)
    await page.reload()
    await button.waitFor()
    quiet()
  },
)

browserTest(
  'the items of an open order are edited, and the order gets the amounts that the service computes',
  async () => {
    const { company, productId, owner } = await shop()
    const line = {
      productId,
      name: 'Tea',
      price: '4.00',
      quantity: 1,
      total: '4.00',
      taxes: [{ name: 'VAT', percentage: 20, amount: '0.80' }],
    }
    const { body: order } = await company.call('POST', '/v1/order', {
      status: 'parked',
      receiptId: 'P-1',
      currency: 'EUR',
      lineItems: [line],
      summary: { isTaxInclusive: false, subTotal: '4.00', total: '4.80' },
    })
    const { page, go, quiet, accessible } = await browser.open({ signedIn: owner, expects: /status of 4(00|12)/ })
    await go(`/c/${company.id}/orders/${order.id}`)
    await page.getByRole('button', { name: 'Edit items' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tea: quantity').fill('3')
    await dialog.getByLabel('Tea: discount in percent').fill('200')
    await dialog.getByText('Must not be more than 100.').waitFor()
    await dialog.getByLabel('Tea: discount in percent').fill('50')
    await dialog.getByRole('searchbox', { name: 'Add an item' }).fill('96385074')
    await dialog.getByRole('searchbox', { name: 'Add an item' }).press('Enter')
    // 3 × 4.00 − 50 % + 20 % + 4.00 without tax.
    const total = dialog.getByRole('region', { name: 'Totals' }).getByText('€11.20').first()
    await total.waitFor()
    await accessible()
    const save = dialog.getByRole('button', { name: 'Save items' })
    await company.call('PATCH', `/v1/order/${order.id}`, { customerNote: 'In a hurry' })
    await save.click()
    await dialog.getByRole('button', { name: 'Keep my items' }).click()
    await total.waitFor()
    assert.equal(await dialog.getByLabel('Tea: quantity').first().inputValue(), '3')
    await dialog.getByLabel('Tea: quantity').first().fill('')
    await dialog.getByText('Enter a quantity.').waitFor()
    await save.click()
    await dialog.locator('[aria-label="Tea: quantity"]:focus').fill('3')
    await total.waitFor()
    await company.call('PATCH', `/v1/order/${order.id}`, { customerNote: 'In a hurry!' })
    await save.click()
    await dialog.getByRole('button', { name: 'Show its current items' }).click()
    await dialog.getByLabel('Tea: quantity').fill('2')
    await dialog.getByRole('region', { name: 'Totals' }).getByText('€9.60').first().waitFor()
    await save.click()
    await page.getByText('The items were saved.').waitFor()
    const { body: saved } = await company.call('GET', `/v1/order/${order.id}`)
    assert.deepEqual(
      [saved.lineItems[0].total, saved.summary.totalTaxes, saved.summary.total],
      ['8.00', '1.60', '9.60'],
    )
    assert.equal(saved.customerNote, 'In a hurry!')

    const viewer = await browser.open({ signedIn: await person(service, { companyId: company.id }, 'viewer') })
    await viewer.go(`/c/${company.id}/orders/${order.id}`)
    await viewer.page.getByRole('button', { name: 'Print receipt', disabled: false }).waitFor()
    assert.equal(await viewer.page.getByRole('button', { name: /^Edit/ }).count(), 0)
    assert.equal(await viewer.page.locator('main :disabled').count(), 0)
    quiet()
  },
)

browserTest(
  'a new order is made of scanned items and a customer, with the amounts that the service computes',
  async () => {
    const { company, owner } = await shop()
    await company.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
    const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
    await go(`/c/${company.id}/orders/new`)
    const finder = page.getByRole('searchbox', { name: 'Add an item' })
    // A name that several have is not added: their list opens again.
    await finder.fill('tea')
    const listed = page.getByRole('option', { name: 'Tea' }).first()
    await listed.waitFor()
    await Promise.all([page.waitForResponse(/\/v1\/variants\?/), finder.press('Enter')])
    await listed.waitFor()
    for (const code of ['96385074', '4006381333931']) {
      await finder.fill(code)
      await finder.press('Enter')
    }
    await page
      .getByLabel(/^Tea · .+: quantity$/)
      .first()
      .fill('2')
    await page.getByRole('region', { name: 'Totals' }).getByText('€12.00').first().waitFor()
    await page.locator('section[aria-label=Totals][aria-busy=false]').waitFor()
    // Enter after a number does not create the order before its customer is chosen.
    await page.keyboard.press('Enter')
    await page.locator('input:focus[aria-label$="unit price"]').waitFor()
    assert.equal((await company.call('GET', '/v1/orders?status=pending')).body.meta.count, 0)
    await page.getByRole('combobox', { name: 'Customer' }).click()
    await page.getByRole('option', { name: 'Ann Archer' }).click()
    // Totals are pale while they are computed again.
    await page.locator('section[aria-label=Totals][aria-busy=false]').waitFor()
    await accessible()
    await page.setViewportSize({ width: 375, height: 800 })
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await page.getByRole('button', { name: 'Create order' }).click()
    await page.getByRole('heading', { level: 1, name: /^Order of/ }).waitFor()
    await page.getByRole('button', { name: 'Edit items' }).waitFor()
    const { body } = await company.call('GET', '/v1/orders?status=pending')
    const [order] = body.data
    assert.equal(body.data.length, 1)
    assert.deepEqual(
      [order.lineItems.length, order.summary.total, order.currency, order.status],
      [2, '12.00', 'EUR', 'pending'],
    )
    assert.ok(order.customerId && order.outletId, 'the customer, and the only outlet')
    quiet()
  },
)

browserTest('a list of labels that another page replaces can be brought back', async () => {
  const { company, productId, owner } = await shop()
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  const print = async () => {
    await go(`/c/${company.id}/products/${productId}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Print labels' }).click()
  }
  await print()
  await page.getByRole('button', { name: 'Print 5 labels' }).waitFor()
  await page.getByRole('textbox', { name: 'Labels of Tea, 4 g' }).fill('8')
  await page.getByRole('button', { name: 'Print 12 labels' }).waitFor()
  await print()
  await page.getByRole('button', { name: 'Print 5 labels' }).waitFor()
  await page.getByText('These labels replaced your list of 12 labels.').waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Bring it back' }).click()
  await page.getByRole('button', { name: 'Print 12 labels' }).waitFor()
  assert.equal(await page.getByText('These labels replaced').count(), 0)
  quiet()
})

browserTest('labels for more variants than a page can have say how many are left out', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const { body: other } = await company.call('POST', '/v1/product', { name: 'Coffee' })
  for (const { id: productId } of [product, other]) {
    const items = Array.from({ length: 251 }, () => ({ productId, price: 4 }))
    assert.equal((await company.call('POST', '/v1/variants', { items })).status, 200)
  }
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/products`)
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Print labels' }).click()
  await page.getByText('Labels can be printed for at most 500 variants at once; 2 are left out.').waitFor()
  await page.getByRole('button', { name: 'Print 500 labels' }).waitFor()
  quiet()
})
