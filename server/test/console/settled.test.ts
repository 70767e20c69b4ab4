// The console cannot delete what a closing has counted, and shows counted beside expected amounts.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A shop whose only session was closed with a sale, a refund and a cash movement. */
async function closedShop() {
  const sold = await teaShop(service)
  const { company, sessionId } = sold
  const orderId = await sellTea(sold)
  const { body: refunded } = await company.call('POST', `/v1/sale/${orderId}/refund`, {
    lines: [{ lineItem: 0, quantity: 1 }],
    payments: [{ paymentMethod: 'cash', amount: '4.00' }],
    sessionId,
  })
  const movement = { sessionId, type: 'pay-in', amount: '5.00', reason: 'Coins' }
  const { body: moved } = await company.call('POST', '/v1/cash-movement', movement)
  const order = { sessionId, receiptId: 'R-9', lineItems: [{ name: 'Cup', price: '2.00', quantity: 1 }] }
  const { body: plain } = await company.call('POST', '/v1/order', order)
  const { body: closed } = await company.call('POST', `/v1/session/${sessionId}/close`, { counted: { cash: '112.50' } })
  assert.equal(closed.figures[0].salesCount, 2)
  const [payment] = (await company.call('GET', `/v1/transactions?orderId=${orderId}&type=sale`)).body.data
  return {
    ...sold,
    orderId,
    refundId: refunded.refund.id,
    movementId: moved.id,
    paymentId: payment.id,
    plainId: plain.id,
  }
}

browserTest('what a closing has counted is not offered to be deleted, alone or among others', async () => {
  const { company, sessionId, orderId, refundId, movementId, paymentId, plainId } = await closedShop()
  const { body: parked } = await company.call('POST', '/v1/order', { status: 'parked', lineItems: [{ name: 'Cup' }] })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const items = async (path: string): Promise<string[]> => {
    await go(`/c/${company.id}/${path}`)
    await page.getByRole('tab', { name: 'Details' }).waitFor()
    const menu = page.getByRole('button', { name: 'More' })
    if ((await menu.count()) === 0) return []
    await menu.click()
    await page.getByRole('menuitem').first().waitFor()
    return page.getByRole('menuitem').allTextContents()
  }
  assert.deepEqual(await items(`transactions/${paymentId}`), [])
  assert.deepEqual(await items(`cash-movements/${movementId}`), [])
  assert.deepEqual(await items(`sessions/${sessionId}`), [])
  assert.deepEqual(await items(`refunds/${refundId}`), ['As JSON'])
  assert.deepEqual(await items(`orders/${orderId}`), ['As JSON'])
  // A closing counts an order without a status as well.
  assert.deepEqual(await items(`orders/${plainId}`), ['As JSON'])
  // An order that was never sold is in no closing.
  assert.deepEqual(await items(`orders/${parked.id}`), ['Cancel order', 'As JSON', 'Delete'])
  for (const many of ['transactions', 'cash-movements', 'sessions', 'refunds', 'orders']) {
    await go(`/c/${company.id}/${many}`)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Export' }).waitFor()
    assert.equal(await bar.getByRole('button', { name: 'Delete' }).count(), 0, many)
  }
  quiet()
})

browserTest('a session that has records is not deleted, and one that was opened by mistake is', async () => {
  const sold = await teaShop(service)
  const { company, sessionId } = sold
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const dialog = page.getByRole('dialog')
  const ask = async () => {
    await go(`/c/${company.id}/sessions/${sessionId}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  await ask()
  await dialog.getByText('It is permanently deleted').waitFor()
  await dialog.locator('button:enabled', { hasText: 'Delete' }).waitFor()
  await sellTea(sold)
  await ask()
  await dialog.getByText('This session has records, so it cannot be deleted').waitFor()
  await dialog.getByText('1 order').waitFor()
  assert.ok(await dialog.getByRole('button', { name: 'Delete' }).isDisabled())
  assert.equal(await dialog.getByText('It is permanently deleted').count(), 0)
  quiet()
})

browserTest(
  'the number and the place of a sale are shown, and cannot be changed, for it or for many orders at once',
  async () => {
    const { company, orderId } = await closedShop()
    const { body: parked } = await company.call('POST', '/v1/order', { status: 'parked', lineItems: [{ name: 'Cup' }] })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const dialog = page.getByRole('dialog')
    await go(`/c/${company.id}/orders/${orderId}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByText('R-1', { exact: true }).waitFor()
    assert.equal(await dialog.getByLabel('Receipt', { exact: true }).count(), 0)
    for (const name of ['Outlet', 'Station', 'Session'])
      assert.equal(await dialog.getByRole('combobox', { name, exact: true }).count(), 0, name)
    await dialog.getByText('Harbour').first().waitFor()
    await dialog.getByRole('combobox', { name: 'Customer', exact: true }).waitFor()
    await go(`/c/${company.id}/orders/${parked.id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByRole('combobox', { name: 'Station', exact: true }).waitFor()
    await dialog.getByLabel('Receipt', { exact: true }).waitFor()
    await go(`/c/${company.id}/orders`)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check()
    await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('combobox', { name: 'What to change' }).click()
    const offered = await page.getByRole('option').allTextContents()
    assert.deepEqual(
      ['Receipt', 'Outlet', 'Station', 'Session'].filter((name) => offered.includes(name)),
      [],
    )
    quiet()
  },
)

browserTest('a session that its till closed shows each amount counted beside what was expected', async () => {
  const sold = await teaShop(service)
  const { company, sessionId } = sold
  await sellTea(sold)
  await company.call('PATCH', `/v1/session/${sessionId}`, {
    closeTime: new Date().toISOString(),
    closingAmounts: { cash: '111.50', voucher: '5.00' },
    closingReportData: JSON.stringify({ drawer: 2, items: [{ name: 'Mint', quantity: 3 }] }),
  })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await page.getByRole('row', { name: 'Balances Expected Counted Difference' }).waitFor()
  await page.getByRole('row', { name: 'Cash €112.00 €111.50 -€0.50' }).waitFor()
  await page.getByRole('row', { name: 'Voucher €0.00 €5.00 +€5.00' }).waitFor()
  await page.locator('dd').filter({ hasText: 'Drawer 2' }).filter({ hasText: 'Mint' }).waitFor()
  assert.equal(await page.locator('main').getByText('{').count(), 0)
  quiet()
})
