// Refunding and voiding in the console, and the report of what was sold: each shows its result without a reload.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'
import { sellTea as sell, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)
const shop = () => teaShop(service)

const words = (text: string) => text.replace(/\s+/g, ' ')

const stockOf = async ({ company, variantId }: { company: Company; variantId: string }) =>
  (await company.call('GET', `/v1/inventories?variantId=${variantId}`)).body.data[0].stock

browserTest('an order is refunded by units, which shows the amount and the new state', async () => {
  const sold = await shop()
  const id = await sell(sold)
  const { company } = sold
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByText('Item 1 (Tea), total: €12.01 received, €12.00 calculated').waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Refund', exact: true })
  await dialog.getByText('3 sold').waitFor()
  await confirm.click()
  await dialog.getByText('Enter a quantity for at least one item').waitFor()
  await dialog.getByLabel('Tea: quantity').and(page.locator(':focus')).waitFor()
  await dialog.getByLabel('Tea: quantity').fill('1')
  await dialog.getByLabel('Cash: amount').or(dialog.getByLabel('Payment method')).first().waitFor()
  // Money is paid back by the button, not by Enter after a number.
  await page.keyboard.press('Enter')
  await dialog.locator('input:focus:not([aria-label="Tea: quantity"])').waitFor()
  assert.equal((await company.call('GET', '/v1/refunds')).body.meta.count, 0)
  await dialog.getByLabel('Tea: restock').uncheck()
  await dialog.getByLabel('Reason').fill('Torn')
  // Payments are pale while they are computed again.
  await dialog.locator('fieldset[aria-busy=false]').waitFor()
  await accessible()
  await confirm.click()
  await dialog.getByText('Paid back, cash').waitFor()
  // The form is gone, and what comes next has the focus.
  await dialog.locator('button:focus', { hasText: 'Done' }).press('Enter')
  await page.getByRole('tabpanel').getByText('Partially refunded').waitFor()
  assert.equal(await stockOf(sold), 7)

  // What another till refunded meanwhile is refused at the line.
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByText('2 of 3 left').waitFor()
  await dialog.getByLabel('Tea: quantity').fill('3')
  await confirm.click()
  await dialog.getByText('Only 2 left.').waitFor()
  await dialog.getByText('Everything left').click()
  await confirm.click()
  await dialog.getByText('7 → 9').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ state: 'detached' })
  assert.equal((await company.call('GET', `/v1/order/${id}`)).body.status, 'refunded')
  quiet()
})

browserTest('a tip can be refunded alone, and not finer than its currency', async () => {
  const sold = await shop()
  const id = await sell(sold, {
    summary: { tip: { amount: '2.00' } },
    payments: [{ paymentMethod: 'cash', amount: '14.00' }],
  })
  const { company } = sold
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const tip = dialog.getByLabel('Tip', { exact: true })
  const confirm = dialog.getByRole('button', { name: 'Refund', exact: true })
  await tip.fill('1.555')
  await tip.blur()
  await dialog.getByText('Amounts in EUR have at most 2 decimals.').waitFor()
  await confirm.click()
  await tip.and(page.locator(':focus')).waitFor()
  await tip.fill('1.5')
  await tip.blur()
  assert.equal(await tip.inputValue(), '1.50')
  // A dry run under way would find the tip refunded.
  await dialog.locator('fieldset[aria-busy=false]').waitFor()
  await confirm.click()
  await dialog.getByText('Paid back, cash').waitFor()
  quiet()
})

browserTest('a refund is paid back by the methods of the sale, by another one, or by several', async () => {
  const sold = await shop()
  const { company, productId, variantId } = sold
  const tea = { productId, variantId, name: 'Tea', price: '4.00', quantity: 3 }
  const given = { name: 'Cup', price: '5.00', quantity: -1 }
  const id = await sell(sold, {
    lineItems: [tea, given],
    payments: [{ paymentMethod: 'credit_card', amount: '7.00' }],
  })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 40[09]/,
  })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const methods = dialog.getByLabel('Payment method')
  const confirm = dialog.getByRole('button', { name: 'Refund', exact: true })
  await dialog.getByLabel('Tea: quantity').fill('1')
  await dialog.getByLabel('Credit card: amount').waitFor()
  assert.equal(await dialog.getByLabel('Credit card: amount').inputValue(), '4.00')
  // The amount of before is not taken for that of the new quantity.
  let answer = () => {}
  const isAnswered = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/refund?dryRun=true', (route) => isAnswered.then(() => route.continue()))
  await dialog.getByLabel('Tea: quantity').fill('2')
  await dialog.locator('fieldset[aria-busy="true"]').waitFor()
  answer()
  await dialog.locator('fieldset[aria-busy="false"]').waitFor()
  await dialog.getByLabel('Amount', { exact: true }).waitFor()
  await page.unroute('**/refund?dryRun=true')

  // Of the exchange more comes back than was paid, so the service does not choose.
  await dialog.getByLabel('Tea: quantity').fill('3')
  await dialog.getByText('The refund exceeds the remaining payments').waitFor()
  assert.equal(await methods.inputValue(), '')
  await confirm.click()
  await dialog.getByText('Is required.').waitFor()
  await methods.click()
  await page.getByRole('option', { name: 'Cash' }).click()
  const cash = dialog.getByLabel('Cash: amount')
  assert.equal(await cash.inputValue(), '12.00')
  const add = dialog.getByRole('button', { name: 'Add a payment method' })
  await add.click()
  await dialog.locator(':focus[aria-label="Payment method"]').waitFor()
  await dialog.getByRole('button', { name: 'Remove Payment method' }).click()
  await dialog.locator('button:focus', { hasText: 'Add a payment method' }).press('Enter')
  await methods.nth(1).fill('voucher')
  await methods.nth(1).press('Tab')
  const voucher = dialog.getByLabel('Voucher: amount')
  await cash.fill('5')
  assert.equal(await voucher.inputValue(), '7.00')
  await cash.fill('15')
  assert.equal(await voucher.inputValue(), '0.00')
  await cash.fill('5')
  await voucher.fill('8')
  await confirm.click()
  await dialog.getByText('Must add up to 12.').waitFor()
  await accessible()
  await voucher.fill('7')
  // What was refused is no longer wrong. After the refund, which read pages again, nothing is computed for another one.
  await dialog.getByText('Must add up to 12.').waitFor({ state: 'detached' })
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/refund?') && sent.push(request.url()))
  await confirm.click()
  await dialog.getByText('Paid back, voucher').waitFor()
  assert.deepEqual(sent, [])
  const { body } = await company.call('GET', `/v1/transactions?orderId=${id}&type=refund`)
  assert.deepEqual(body.data.map((one: any) => `${one.paymentMethod} ${one.amount}`).sort(), ['cash 5', 'voucher 7'])
  quiet()
})

browserTest('a refund in coins shows what is refunded and the rounding beside what is paid back', async () => {
  const sold = await shop()
  await sold.company.call('PATCH', '/v1/settings', { cashRounding: '0.05' })
  const id = await sell(sold, {
    lineItems: [{ name: 'Tea', price: '19.99', quantity: 2 }],
    payments: [{ paymentMethod: 'cash', amount: '40.00' }],
  })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: sold.company.id }) })
  await go(`/c/${sold.company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const sums = () => dialog.locator('dl div').allInnerTexts()
  await dialog.getByLabel('Tea: quantity').fill('1')
  await dialog.getByText('€19.99').waitFor()
  assert.equal(await dialog.getByLabel('Cash: amount').inputValue(), '20.00')
  assert.deepEqual((await sums()).map(words), ['Refunded €19.99', 'Cash rounding €0.01', 'Total to pay back €20.00'])
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByText('Paid back, cash').waitFor()
  assert.deepEqual((await sums()).map(words), ['Returned €19.99', 'Cash rounding €0.01', 'Paid back, cash €20.00'])
  quiet()
})

browserTest('a refund of everything left shows what is paid back in all before it can be confirmed', async () => {
  const sold = await shop()
  const payments = ['4.00', '8.00'].map((amount, n) => ({ paymentMethod: n === 0 ? 'cash' : 'credit_card', amount }))
  const id = await sell(sold, { payments })
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: sold.company.id }),
    width: 390,
  })
  await go(`/c/${sold.company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Refund', exact: true })
  let answer = () => {}
  const isAnswered = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/refund?dryRun=true', (route) => isAnswered.then(() => route.continue()))
  await dialog.getByText('Everything left').click()
  await dialog.getByText('Refunds all remaining items').waitFor()
  assert.ok(await confirm.isDisabled(), 'the amount is not known yet')
  answer()
  await dialog.getByText('Total to pay back').waitFor()
  assert.deepEqual((await dialog.locator('dl div').allInnerTexts()).map(words), ['Total to pay back €12.00'])
  await confirm.click()
  await dialog.getByText('Paid back, credit card').waitFor()
  quiet()
})

browserTest('what a method pays back of a currency without decimals has none', async () => {
  const sold = await shop()
  const tea = { name: 'Tea', price: '400', quantity: 3 }
  const payments = ['500', '700'].map((amount, n) => ({ paymentMethod: n === 0 ? 'cash' : 'debit_card', amount }))
  const id = await sell(sold, { currency: 'JPY', lineItems: [tea], payments })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: sold.company.id }) })
  await go(`/c/${sold.company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tea: quantity').fill('2')
  await dialog.getByLabel('Cash: amount').fill('200')
  assert.equal(await dialog.getByLabel('Debit card: amount').inputValue(), '600')
  assert.equal(await dialog.getByLabel('Payment method').last().inputValue(), 'Debit card')
  quiet()
})

browserTest('two variants of a product are told apart in the refund of a sale', async () => {
  const { company, outletId, productId } = await shop()
  const kettles = await Promise.all(
    ['Black', 'Copper'].map(async (value) => {
      const variant = { productId, manageStock: true, attributes: [{ name: 'Colour', value }] }
      const { body } = await company.call('POST', '/v1/variant', { ...variant, inventory: [{ outletId, stock: 5 }] })
      return { variantId: body.id, price: '89.00', quantity: 1 }
    }),
  )
  const { body } = await company.call('POST', '/v1/sale', { outletId, lineItems: kettles })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders/${body.order.id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Tea · Black', { exact: true }).waitFor()
  await dialog.getByLabel('Tea · Copper: quantity').fill('1')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByText('Stock of Tea · Copper').waitFor()
  await dialog.getByText('4 → 5').waitFor()
  quiet()
})

browserTest('a refund whose response is lost is done once, also if its dialog is closed and opened again', async () => {
  const sold = await shop()
  const id = await sell(sold)
  const { company } = sold
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /ERR_FAILED|ERR_INTERNET/,
  })
  let lost = () => {}
  const isAnswered = new Promise<void>((answered) => {
    lost = answered
  })
  await page.route(
    '**/refund',
    async (route) => {
      await route.fetch()
      await isAnswered
      await route.abort()
    },
    { times: 1 },
  )
  await go(`/c/${company.id}/orders/${id}`)
  const dialog = page.getByRole('dialog')
  const refundOne = async () => {
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByLabel('Tea: quantity').fill('1')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  }
  await refundOne()
  // It stays open while the refund is under way.
  await page.keyboard.press('Escape')
  lost()
  await dialog.getByText('The server cannot be reached.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await dialog.waitFor({ state: 'detached' })
  await refundOne()
  await dialog.getByText('Paid back, cash').waitFor()
  const { body } = await company.call('GET', `/v1/refunds?orderId=${id}`)
  assert.equal(body.meta.count, 1)
  quiet()
})

browserTest('an order is voided after a question; a viewer can neither refund nor void', async () => {
  const sold = await shop()
  const id = await sell(sold)
  const { company } = sold
  const viewer = await browser.open({ signedIn: await person(service, { companyId: company.id }, 'viewer') })
  await viewer.go(`/c/${company.id}/orders/${id}`)
  await viewer.page.getByText('Payment', { exact: true }).waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Refund', exact: true }).count(), 0)
  await viewer.page.getByRole('button', { name: 'Print receipt' }).waitFor()
  await viewer.page.getByRole('button', { name: 'More' }).click()
  await viewer.page.getByRole('menuitem', { name: 'As JSON' }).waitFor()
  assert.equal(await viewer.page.getByRole('menuitem', { name: 'Void' }).count(), 0)

  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Void' }).click()
  await page.getByRole('dialog').getByText('The order is cancelled').waitFor()
  await accessible()
  await page.getByRole('dialog').getByRole('button', { name: 'Void' }).click()
  await page.getByText('Order R-1 was voided.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).waitFor({ state: 'detached' })
  assert.equal(await stockOf(sold), 10)
  // A sale without a receipt number is called by its time.
  const { body } = await company.call('POST', '/v1/sale', { lineItems: [{ name: 'Tea', price: '4.00', quantity: 1 }] })
  await go(`/c/${company.id}/orders/${body.order.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Void' }).click()
  await page.getByRole('dialog', { name: /^Void order of \d/ }).waitFor()
  quiet()
})

browserTest('beside the cards of an order, its transactions show their amounts on a small laptop too', async () => {
  const sold = await shop()
  const id = await sell(sold)
  const signedIn = await person(service, { companyId: sold.company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 1024 })
  await go(`/c/${sold.company.id}/orders/${id}`)
  const amount = page.locator('td[data-amount]', { hasText: '€12.00' })
  await page.getByRole('heading', { name: 'Transactions' }).scrollIntoViewIfNeeded()
  await amount.waitFor()
  const isSeen = await amount.evaluate((cell: any) => {
    const { right, y, height } = cell.getBoundingClientRect()
    return cell.contains(cell.ownerDocument.elementFromPoint(right - 5, y + height / 2))
  })
  assert.ok(isSeen)
  quiet()
})

browserTest('sales of a period are grouped by two dimensions beside the period before, and saved as CSV', async () => {
  const sold = await shop()
  await sell(sold)
  const { company } = sold
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/reports`)
  await page.getByText('Compared with').waitFor()
  await page.getByRole('combobox', { name: 'Group by' }).click()
  await page.getByRole('option', { name: 'Outlet' }).click()
  await page.getByRole('combobox', { name: 'Then by' }).click()
  await page.getByRole('option', { name: 'Product' }).click()
  await page.getByRole('row', { name: /^Harbour Tea €.* 1 \d+ €12\.00/ }).waitFor()
  await page.getByRole('row', { name: /^Total €.* 1 / }).waitFor()
  // What a row is about stays in view beside the sums at the right.
  await page.setViewportSize({ width: 390, height: 800 })
  const table = page.getByRole('group', { name: 'Sales' })
  const outlet = table.getByRole('cell', { name: 'Harbour' })
  const left = async () => (await outlet.boundingBox())?.x
  const before = await left()
  await table.evaluate((scroller: { scrollLeft: number }) => {
    scroller.scrollLeft = 200
  })
  assert.equal(await table.evaluate((scroller: { scrollLeft: number }) => scroller.scrollLeft), 200)
  assert.equal(await left(), before)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('button', { name: 'Tax', exact: true }).click()
  await page.getByRole('heading', { name: 'Tax by outlet' }).waitFor()
  assert.equal(
    await page.getByRole('columnheader', { name: 'Tax', exact: true }).getAttribute('aria-sort'),
    'descending',
  )
  await accessible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const csv = await readFile(await file.path(), 'utf8')
  assert.match(csv, /Outlet,Outlet id,Product,Product id,Currency,Lines,/)
  assert.ok(csv.includes(`Tea,${sold.productId},`))
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByLabel('From').fill('2020-01-01')
  await page.getByText('No sales in this period.').waitFor()
  quiet()
})
