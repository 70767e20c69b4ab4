// Taking payment for an order that waits: it becomes a sale, with change, stock and session, in one dialog.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { succeeded } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

const words = (text: string) => text.replace(/\s+/g, ' ')

/** A tea shop with an order of some units at 4.00 that waits to be paid. */
async function waiting(quantity: number, more: object = {}) {
  const shop = await teaShop(service)
  const { company, outletId, productId, variantId } = shop
  const lineItems = [{ productId, variantId, name: 'Tea', quantity, price: '4.00' }]
  const body = { status: 'pending', outletId, lineItems, ...more }
  const { id } = succeeded(await company.call('POST', '/v1/order', body), 201)
  const stock = async () => succeeded(await company.call('GET', `/v1/inventories?variantId=${variantId}`)).data[0].stock
  const order = async () => succeeded(await company.call('GET', `/v1/order/${id}`))
  return { ...shop, id, stock, order, path: `/c/${company.id}/orders/${id}` }
}

browserTest('an order is paid by card and in cash, with a tip, change and the session of the only till', async () => {
  const { company, sessionId, path, order, stock } = await waiting(3)
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Take payment' })
  await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="12.00"]')).waitFor()
  await dialog.getByLabel('Tip').fill('1.50')
  await dialog.getByText('€13.50').waitFor()
  await dialog.getByRole('combobox', { name: 'Payment method' }).click()
  await page.getByRole('option', { name: 'Credit card' }).click()
  await dialog.getByLabel('Credit card: amount').fill('5')
  await dialog.getByRole('button', { name: 'Add a payment method' }).click()
  await confirm.click()
  await dialog.getByText('Choose a payment method.').waitFor()
  await dialog.getByRole('combobox', { name: 'Payment method' }).last().and(page.locator(':focus')).waitFor()
  await dialog.getByRole('combobox', { name: 'Payment method' }).last().fill('cash')
  await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="8.50"]')).waitFor()
  await dialog.getByLabel('Cash: amount').fill('20')
  await dialog.getByText('€11.50').waitFor()
  assert.match(words((await dialog.locator('dl').textContent()) ?? ''), /Total€13\.50Change€11\.50$/)
  await accessible()
  assert.equal(await stock(), 10, 'nothing is sold yet')
  await confirm.click()
  await dialog.getByText('10 → 7').waitFor()
  assert.match(
    words((await dialog.locator('dl').textContent()) ?? ''),
    /Paid, credit card€5\.00Paid, cash€8\.50Change€11\.50/,
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Completed').first().waitFor()
  // The button that opened the dialog is gone.
  await page.locator('h1:focus').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Take payment' }).count(), 0)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Receipt').waitFor()
  assert.equal(await dialog.getByLabel('Status').count(), 0)
  const { status, paid, due, summary, sessionId: own } = await order()
  assert.deepEqual([status, paid, due, summary.tip.amount, own], ['completed', '13.50', '0.00', '1.50', sessionId])
  quiet()
})

browserTest('goods that are missing are sold only if someone says so', async () => {
  const { company, path, order, stock } = await waiting(11)
  const { page, go } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Sell anyway').waitFor()
  await dialog.getByText('€44.00').waitFor()
  await dialog.getByRole('button', { name: 'Take payment' }).click()
  await dialog.getByText('Line 1 has only 10 in stock. To sell it anyway, choose “Sell anyway”').waitFor()
  assert.equal(await stock(), 10)
  await dialog.getByLabel('Sell anyway').check()
  await dialog.getByRole('button', { name: 'Take payment' }).click()
  await dialog.getByText('10 → -1').or(dialog.getByText('10 → −1')).waitFor()
  assert.equal(await stock(), -1)
  assert.equal((await order()).due, '0.00')
})

browserTest('an order can be sold on account, and a deposit is not taken twice', async () => {
  const { company, path, order, outletId } = await waiting(2, { outletId: undefined })
  const { call } = company
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }), expects: /status of 400/ }) // biome-ignore format: one thought
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog')
  // Its goods leave the shelf somewhere.
  await dialog.getByLabel('Outlet').fill('Harb')
  await page.getByRole('option', { name: 'Harbour' }).click()
  await dialog.getByRole('button', { name: 'Remove Cash' }).click()
  await dialog.getByText('No payment is taken now').waitFor()
  await dialog.getByRole('button', { name: 'Complete sale' }).click()
  await dialog.getByText('Nothing was paid.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const sold = await order()
  assert.deepEqual([sold.due, sold.outletId, sold.paymentStatus], ['8.00', outletId, 'unpaid'])

  // The customer pays later: a part by card, and the rest in cash.
  const pay = page.getByRole('button', { name: 'Take payment' })
  await pay.click()
  await dialog.getByRole('combobox', { name: 'Payment method' }).fill('invoice')
  await dialog.getByLabel('Invoice: amount').fill('3')
  await dialog.getByText('€5.00').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Remove' }).count(), 0)
  await dialog.getByRole('button', { name: 'Take payment' }).click()
  await dialog.getByText('Paid, invoice').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await pay.click()
  await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="5.00"]')).waitFor()
  await dialog.getByRole('button', { name: 'Take payment' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await pay.waitFor({ state: 'detached' })
  const paid = await order()
  assert.deepEqual([paid.due, paid.paid, paid.paymentStatus], ['0.00', '8.00', 'paid'])

  const lineItems = [{ name: 'Cake', price: '20.00' }]
  const { id } = succeeded(await call('POST', '/v1/order', { status: 'parked', outletId, lineItems }), 201)
  const deposit = { orderId: id, type: 'sale', paymentMethod: 'cash', amount: '20.00' }
  succeeded(await call('POST', '/v1/transaction', deposit), 201)
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Take payment' }).click()
  await dialog.getByText('Nothing is left to pay.').waitFor()
  await dialog.getByRole('button', { name: 'Complete sale' }).click()
  await dialog.getByText('Nothing was paid.').waitFor()
  assert.deepEqual((await call('GET', `/v1/transactions?orderId=${id}`)).body.meta.count, 1)
  quiet()
})

browserTest('what the shop owes of a sale is paid out, and so is the deposit of a cancelled order', async () => {
  const { company } = await waiting(1)
  const { call } = company
  const lineItems = [
    { name: 'Old cake', price: '20.00', quantity: -1 },
    { name: 'Cake', price: '5.00' },
  ]
  const { order } = succeeded(await call('POST', '/v1/sale', { lineItems }), 201)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders/${order.id}`)
  const payOut = page.getByRole('button', { name: 'Pay out' })
  await payOut.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="15.00"]')).waitFor()
  await dialog.getByRole('button', { name: 'Pay out' }).click()
  await dialog.getByText('Paid back, cash').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await payOut.waitFor({ state: 'detached' })
  const { due, refunded } = succeeded(await call('GET', `/v1/order/${order.id}`))
  assert.deepEqual([due, refunded], ['0.00', '15.00'])

  const parked = succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems }), 201)
  const deposit = { orderId: parked.id, type: 'sale', paymentMethod: 'card', amount: '7.00' }
  succeeded(await call('POST', '/v1/transaction', deposit), 201)
  await go(`/c/${company.id}/orders/${parked.id}`)
  // What a sale, a refund or a void writes is not chosen.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Status' }).click()
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['Pending', 'Parked'])
  await page.getByRole('option', { name: 'Pending' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Pending').first().waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Cancel order' }).click()
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await page.locator('h1:focus').waitFor()
  await payOut.click()
  await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="7.00"]')).waitFor()
  await dialog.getByRole('button', { name: 'Pay out' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await payOut.waitFor({ state: 'detached' })
  assert.equal(succeeded(await call('GET', `/v1/order/${parked.id}`)).due, '0.00')
  quiet()
})

browserTest('a viewer takes no payment, and two people take it once', async () => {
  const { company, path, id, order } = await waiting(1)
  const viewer = await browser.open({ signedIn: await person(service, { companyId: company.id }, 'viewer') })
  await viewer.go(path)
  await viewer.page.getByText('Timeline').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Take payment' }).count(), 0)
  const { page, go } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Take payment' })
  await dialog.getByText('€4.00').waitFor()
  await page.locator('button:enabled', { hasText: 'Take payment' }).last().waitFor()
  succeeded(await company.call('POST', `/v1/sale/${id}/complete`, { payments: [{ paymentMethod: 'card' }] }))
  // The dialog reads the order again, and says that it is too late.
  await dialog.getByText('only a pending or parked order can be completed').waitFor()
  assert.ok(await confirm.isDisabled())
  assert.equal((await order()).paid, '4.00')
})

browserTest('what another till changes meanwhile is shown before anything is sold or paid', async () => {
  const { company, path, id, order } = await waiting(1)
  const { call } = company
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 412/, isOwn: true })
  await go(path)
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Take payment' })
  const cash = (amount: string) => dialog.getByLabel('Cash: amount').and(dialog.locator(`[value="${amount}"]`))
  /** Lets another till change the order while the request is under way. */
  const meanwhile = (sent: RegExp, change: () => Promise<unknown>) =>
    page.route(sent, async (route) => { await change(); await route.continue() }, { times: 1 }) // biome-ignore format: one thought
  await page.getByRole('button', { name: 'Take payment' }).click()
  await cash('4.00').waitFor()
  const lineItems = [{ name: 'Tea', quantity: 2, price: '4.00' }]
  await meanwhile(/\/complete$/, () => call('PATCH', `/v1/order/${id}`, { lineItems }))
  await confirm.click()
  await dialog.getByText('has changed since you read it').waitFor()
  assert.equal((await order()).status, 'pending')
  await cash('8.00').waitFor()
  await dialog.getByRole('button', { name: 'Remove Cash' }).click()
  await dialog.getByRole('button', { name: 'Complete sale' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Take payment' }).click()
  await cash('8.00').waitFor()
  const payments = [{ paymentMethod: 'card', amount: '3.00' }]
  await meanwhile(/\/payments$/, () => call('POST', `/v1/sale/${id}/payments`, { payments }))
  await confirm.click()
  await dialog.getByText('has changed since you read it').waitFor()
  assert.equal((await order()).paid, '3.00')
  await cash('5.00').waitFor()
  await confirm.click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  assert.equal((await order()).due, '0.00')
})

browserTest(
  'the shop pays out what a deposit is above the total, and what comes back of an order without sums',
  async () => {
    const { company, path, id, order } = await waiting(2)
    const { call } = company
    const deposit = { orderId: id, type: 'sale', paymentMethod: 'card', amount: '10.00' }
    succeeded(await call('POST', '/v1/transaction', deposit), 201)
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }), expects: /status of 400/ }) // biome-ignore format: one thought
    await go(path)
    const dialog = page.getByRole('dialog')
    const payOut = async (amount: string) => {
      await page.getByRole('button', { name: 'Take payment' }).click()
      await dialog.getByText('Pay out').waitFor()
      await dialog
        .getByLabel('Cash: amount')
        .and(dialog.locator(`[value="${amount}"]`))
        .waitFor()
      await dialog.getByRole('button', { name: 'Complete sale' }).click()
      await dialog.getByText('Paid back, cash').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
    }
    await payOut('2.00')
    const { paid, refunded, due } = await order()
    assert.deepEqual([paid, refunded, due], ['10.00', '2.00', '0.00'])

    const lineItems = [{ name: 'Tea', quantity: -2, price: '4.00' }]
    const back = succeeded(await call('POST', '/v1/order', { status: 'parked', lineItems }), 201)
    await go(`/c/${company.id}/orders/${back.id}`)
    await payOut('8.00')
    assert.equal(succeeded(await call('GET', `/v1/order/${back.id}`)).refunded, '8.00')
    quiet()
  },
)

browserTest('the sums of an order without a deposit are asked once when the dialog opens', async () => {
  const { company, path } = await waiting(3)
  const { page, go } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const asked: unknown[] = []
  page.on('request', (request) => request.url().includes('dryRun=true') && asked.push(request.postDataJSON()))
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  await page.locator('button:enabled', { hasText: 'Take payment' }).last().waitFor()
  assert.equal(asked.length, 1)
  await page.getByRole('dialog').getByLabel('Tip').fill('1')
  await page.getByRole('dialog').getByText('€13.00').waitFor()
  await page.locator('button:enabled', { hasText: 'Take payment' }).last().waitFor()
  assert.equal(asked.length, 2)
})

browserTest('an amount that was typed is not lost without a question', async () => {
  const { company, path } = await waiting(1)
  const { page, go } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(path)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('€4.00').first().waitFor()
  await dialog.getByLabel('Cash: amount').fill('20')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).waitFor()
})

browserTest(
  'a payment whose response is lost is taken once, and its dialog ends as done when it is sent again',
  async () => {
    for (const isOnAccount of [false, true]) {
      const { company, id, path, order } = await waiting(2)
      if (isOnAccount) succeeded(await company.call('POST', `/v1/sale/${id}/complete`, { payments: [] }))
      const { page, go, quiet } = await browser.open({
        signedIn: await person(service, { companyId: company.id }),
        expects: /ERR_FAILED/,
      })
      await go(path)
      await page.getByRole('button', { name: 'Take payment' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Take payment' })
      await dialog.getByLabel('Cash: amount').and(dialog.locator('[value="8.00"]')).waitFor()
      await page.route(
        ({ pathname, search }) => /\/(complete|payments)$/.test(pathname) && search === '',
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
      await confirm.click()
      await dialog.getByText('The server cannot be reached').waitFor()
      assert.equal((await order()).due, '0.00', 'it was taken')
      await confirm.and(dialog.locator(':focus')).press('Enter')
      await dialog.getByText('Paid, cash').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await page.getByRole('button', { name: 'Take payment' }).waitFor({ state: 'detached' })
      assert.equal((await order()).paid, '8.00')
      quiet()
    }
  },
)
