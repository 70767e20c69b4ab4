// What came in and what went out is told apart in the console: net sales are after refunds, and money that goes out is negative.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A shop that sold three teas for 10.00 and 20 % tax, and took one of them back. */
async function refundedShop() {
  const sold = await teaShop(service)
  const { company, sessionId, productId, variantId } = sold
  const tea = {
    productId,
    variantId,
    name: 'Tea',
    price: '5.00',
    quantity: 3,
    taxes: [{ name: 'VAT', percentage: 20 }],
  }
  const orderId = await sellTea(sold, { lineItems: [tea], payments: [{ paymentMethod: 'cash', amount: '18.00' }] })
  const { status } = await company.call('POST', `/v1/sale/${orderId}/refund`, {
    lines: [{ lineItem: 0, quantity: 1 }],
    payments: [{ paymentMethod: 'cash', amount: '6.00' }],
    sessionId,
  })
  assert.equal(status, 201)
  return sold
}

browserTest('net sales of the overview, of reports and of their files are after refunds and without tax', async () => {
  const { company } = await refundedShop()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}`)
  const today = page.getByRole('region', { name: 'Today' })
  await today.getByText('€10.00', { exact: true }).waitFor()
  await today.getByText('€6.00', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Net sales €10\.00/ }).waitFor()
  await page.getByRole('button', { name: /^Gross sales €15\.00/ }).waitFor()

  await go(`/c/${company.id}/reports?by=productId`)
  await page.getByRole('heading', { name: 'Net sales by product' }).waitFor()
  const cellOf = async (title: string) => {
    const titles = await page.getByRole('columnheader').allInnerTexts()
    const at = titles.findIndex((one) => one.split('\n')[0] === title)
    return page.getByRole('row', { name: /^Tea / }).locator('td').nth(at).textContent()
  }
  assert.equal(await cellOf('Gross sales'), '€15.00')
  assert.equal(await cellOf('Refunds'), '€6.00')
  assert.equal(await cellOf('Refunds without tax'), '€5.00')
  // Below them is the sum of the period before.
  assert.equal(await cellOf('Net sales'), '€10.00€0.00')
  const table = page.getByRole('group', { name: 'Sales' })
  assert.ok(await table.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth <= clientWidth))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const [head = '', row = ''] = (await readFile(await file.path(), 'utf8')).split(/\r?\n/)
  assert.equal(row.split(',')[head.split(',').indexOf('Net sales')], '10.00')
  const [journal] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Journal (CSV)' }).click(),
  ])
  const [titles = '', ...entries] = (await readFile(await journal.path(), 'utf8')).trim().split(/\r?\n/)
  assert.match(
    titles,
    /^\ufeff?Day,Outlet,Outlet id,Currency,Account,Tax rate,Payment method,Cash movement,Debit,Credit$/,
  )
  assert.deepEqual(
    entries.map((line) => line.split(',').slice(4).join(',')),
    ['Sales,20,,,0.00,10.00', 'Tax,20,,,0.00,2.00', 'Payments,,Cash,,12.00,0.00'],
  )
  quiet()
})

browserTest('a report by two long names fits on 1280 pixels and on a sheet, and its net sales on a phone', async () => {
  const { company, productId, outletId } = await refundedShop()
  // One more sale, with a delivery, which has a column only where a shop has some.
  const other = { outletId, summary: { shippingTotal: '2345.00', total: '22345.00' } }
  const bulk = { name: 'Tea by the ton', price: '20000.00', quantity: 1, total: '20000.00' }
  assert.equal((await company.call('POST', '/v1/order', { ...other, lineItems: [bulk] })).status, 201)
  const name = 'Loose leaves of the second harvest that are picked by hand, organic'
  for (const path of [`/v1/product/${productId}`, `/v1/outlet/${outletId}`]) await company.call('PATCH', path, { name })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/reports?by=productId&and=outletId`)
  const row = page.getByRole('row', { name: `${name} ${name}` })
  await row.waitFor()
  const table = page.getByRole('group', { name: 'Sales' })
  const hidden = () => table.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth - clientWidth)
  assert.equal(await hidden(), 0)
  // The part of an A4 sheet between a browser’s margins. What does not fit is lost.
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 718, height: 1046 })
  assert.equal(await hidden(), 0)
  await page.emulateMedia({ media: null })
  const cell = row.locator('td').nth(2)
  assert.equal(await cell.textContent(), '€10.00€0.00')
  await page.setViewportSize({ width: 390, height: 800 })
  const { x = 0, width = 0 } = (await cell.boundingBox()) ?? {}
  assert.ok(width > 0 && x + width <= 390, `from ${x}, ${width} wide`)
  quiet()
})

browserTest('a refund is negative among transactions and on its page, as is cash that is taken out', async () => {
  const { company, sessionId } = await refundedShop()
  const moved = { sessionId, type: 'pay-out', amount: '7.00', reason: 'Milk' }
  await company.call('POST', '/v1/cash-movement', moved)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/transactions`)
  await page.getByRole('cell', { name: '€18.00', exact: true }).waitFor()
  await page.getByRole('cell', { name: '-€6.00', exact: true }).click()
  await page.getByRole('tabpanel').getByText('-€6.00', { exact: true }).waitFor()
  await go(`/c/${company.id}/cash-movements`)
  await page.getByRole('link', { name: /^-€7\.00 · / }).waitFor()
  quiet()
})
