// Values as people read them: words of the API by their labels, complete amounts, and times where programs sent none.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { csvOf, imported, shirt } from '../support/imports.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const shop = async () => {
  const company = await service.company()
  return { company, signedIn: await person(service, { companyId: company.id }), at: `/c/${company.id}` }
}

browserTest(
  'words of the API are shown, offered and filtered by their labels, and any other word is taken as typed',
  async () => {
    const { company, signedIn, at } = await shop()
    const { call } = company
    const { body: product } = await call('POST', '/v1/product', { name: 'Cup', status: 'active' })
    const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT' })
    await go(`${at}/products/${product.id}`)
    const status = page.getByRole('combobox', { name: 'Status' })
    await status.waitFor()
    assert.equal(await status.inputValue(), 'Aktiv')
    await status.click()
    await page.getByRole('option', { name: 'Archiviert' }).click()
    await page.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert', { exact: true }).first().waitFor()
    const stored = async () => (await call('GET', `/v1/product/${product.id}`)).body.status
    assert.equal(await stored(), 'archived')

    await status.fill('seasonal')
    const saved = page.waitForResponse((response) => response.request().method() !== 'GET')
    await page.getByRole('button', { name: 'Speichern' }).click()
    await saved
    assert.deepEqual([await stored(), await status.inputValue()], ['seasonal', 'seasonal'])

    await call('PATCH', `/v1/product/${product.id}`, { status: 'draft' })
    await go(`${at}/products?f=${encodeURIComponent(JSON.stringify({ status: 'draft' }))}`)
    await page.getByRole('button', { name: 'Status Entwurf' }).click()
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Aktiv', exact: true }).waitFor()
    quiet()
  },
)

browserTest('amounts of any size are whole in lists and on the pages of what they belong to', async () => {
  const { company, signedIn, at } = await shop()
  const { call } = company
  const { body: session } = await call('POST', '/v1/session', { stationId: 'till' })
  // Rupees are usually written without paisa, and have them all the same.
  const amounts = [['1234567890.12'], ['999999999999999.99'], ['12.50', 'PKR']]
  for (const [amount, currency] of amounts) {
    const made = await call('POST', '/v1/transaction', {
      type: 'sale',
      amount,
      currency,
      paymentMethod: 'cash',
      sessionId: session.id,
    })
    assert.equal(made.status, 201)
  }
  const { page, go, quiet } = await browser.open({ signedIn })
  for (const [path, table] of [
    ['transactions', page.getByRole('region', { name: 'Transactions' })],
    [`sessions/${session.id}`, page.locator('table').filter({ hasText: 'Payment method' })],
  ] as const) {
    await go(`${at}/${path}`)
    for (const shown of ['1,234,567,890.12', '999,999,999,999,999.99', '12.50']) {
      const cell = table.locator('td', { hasText: shown }).filter({ hasNotText: 'Cash' }).first()
      await cell.waitFor()
      assert.ok(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), `${path}: ${shown}`)
    }
  }
  quiet()
})

browserTest(
  'titles and times of lists are whole at 1280 pixels, also the long times of the United States',
  async () => {
    const { company, signedIn, at } = await shop()
    const { call } = company
    // Of the widest letters.
    const occurredAt = '2025-11-28T22:58:00.000Z'
    const make = async (name: string, body: object) => {
      const made = await call('POST', `/v1/${name}`, body)
      assert.equal(made.status, 201, made.text)
      return made.body
    }
    const order = await make('order', {
      receiptId: 'R-2025-000123',
      lineItems: [{ name: 'Cup', quantity: 1 }],
      occurredAt,
    })
    await make('transaction', { type: 'sale', amount: '12.50', paymentMethod: 'cash', orderId: order.id, occurredAt })
    const session = await make('session', { stationId: 'till', openTime: occurredAt, openingAmount: '200.00' })
    for (const paymentMethod of ['cash', 'credit_card'])
      await make('transaction', { sessionId: session.id, paymentMethod, amount: '1234.50' })
    const counted = { cash: '2500.00', credit_card: '1000.00' }
    assert.equal((await call('POST', `/v1/session/${session.id}/close`, { counted })).status, 201)
    await make('product', { name: 'Cup' })
    await imported(call, csvOf(shirt))
    for (const locale of ['en-US', 'de-AT']) {
      const { page, go, quiet } = await browser.open({ signedIn, locale })
      for (const path of ['orders', 'sessions', 'closings', 'products', 'imports', `orders/${order.id}`]) {
        await go(`${at}/${path}`)
        await page.locator('main td', { hasText: /\S/ }).first().waitFor()
        const cut = await page
          .locator('main :is(th, td)')
          .evaluateAll((cells) =>
            cells
              .filter((cell) =>
                [cell, ...cell.querySelectorAll('*')].some(
                  (part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth,
                ),
              )
              .map(({ textContent }) => textContent),
          )
        assert.deepEqual(cut, [], `${locale}: ${path}`)
        const isWhole =
          "[...document.querySelectorAll('main section')].every((one) => one.scrollWidth <= one.clientWidth)"
        assert.ok(await page.evaluate(isWhole), `${locale}: ${path} does not scroll sideways`)
      }
      quiet()
    }
  },
)

browserTest(
  'an order without a receipt number says so beside its time, and is named by its time on a phone',
  async () => {
    const { company, signedIn, at } = await shop()
    const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
    await company.call('POST', '/v1/order', { customerId: customer.id, lineItems: [{ name: 'Cup' }] })
    const { page, go, quiet } = await browser.open({ signedIn })
    // Among the orders of a customer too, which have their times in a column.
    for (const path of [`customers/${customer.id}`, 'orders']) {
      await go(`${at}/${path}`)
      await page.getByRole('link', { name: 'No receipt number', exact: true }).waitFor()
    }
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: /^Order of \d/ }).waitFor()
    quiet()
  },
)

browserTest(
  'a payment of an order without a receipt number says so in its column, where a time would be cut',
  async () => {
    const { company, signedIn, at } = await shop()
    const { body: order } = await company.call('POST', '/v1/order', { lineItems: [{ name: 'Cup' }] })
    await company.call('POST', '/v1/transaction', { orderId: order.id, amount: '2.00', paymentMethod: 'cash' })
    const { page, go, quiet } = await browser.open({ signedIn })
    await go(`${at}/transactions`)
    const cell = page.getByRole('cell', { name: 'No receipt number', exact: true })
    await cell.waitFor()
    assert.ok(await cell.evaluate(({ scrollWidth, clientWidth }: any) => scrollWidth <= clientWidth))
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByText(/^Order of \d/).waitFor()
    quiet()
  },
)

browserTest('the receipt numbers of a customer’s orders are whole at 768 pixels', async () => {
  const { company, signedIn, at } = await shop()
  const made = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
  const occurredAt = '2025-11-28T22:58:00.000Z'
  const order = { status: 'completed', receiptId: 'R-2025-000123', customerId: made.body.id, occurredAt }
  await company.call('POST', '/v1/order', { ...order, summary: { total: '1234567.50' } })
  for (const locale of ['en-US', 'de-AT']) {
    const { page, go, quiet } = await browser.open({ signedIn, locale, width: 768 })
    await go(`${at}/customers/${made.body.id}`)
    for (const shown of [/^R-2025-000123$/, /2025, |2025 /, /Completed|Abgeschlossen/]) {
      const cell = page.locator('main td', { hasText: shown }).first()
      await cell.waitFor()
      assert.ok(
        await cell.evaluate((whole) =>
          [whole, ...whole.querySelectorAll('*')].every(
            ({ scrollWidth, clientWidth }) => clientWidth === 0 || scrollWidth <= clientWidth,
          ),
        ),
        `${locale}: ${shown}`,
      )
    }
    quiet()
  }
})

browserTest(
  'a session that a program opened without a time is open since it was created, in lists and reports',
  async () => {
    const { company, signedIn, at } = await shop()
    const { body: session } = await company.call('POST', '/v1/session', { stationId: 'till' })
    const { page, go, quiet } = await browser.open({ signedIn })
    const shown = (await page.evaluate(
      ([time]) =>
        new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time as string)),
      [session.createdAt],
    )) as string
    await go(`${at}/sessions`)
    await page.locator(`td time[datetime="${session.createdAt}"]`).waitFor()
    await go(`${at}/sessions/${session.id}`)
    await page.locator('main').getByText(shown, { exact: true }).nth(1).waitFor()
    const { body: report } = await company.call('GET', `/v1/session/${session.id}/report`)
    assert.equal(report.openTime, session.createdAt)
    quiet()
  },
)

browserTest('cash is put into the drawer of an open session from its page, and its report has it at once', async () => {
  const { company, signedIn, at } = await shop()
  const { body: session } = await company.call('POST', '/v1/session', { stationId: 'till', openingAmount: '100.00' })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 400/ })
  await go(`${at}/sessions/${session.id}`)
  await page.getByRole('button', { name: 'Cash in or out' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cash in or out' })
  await dialog.getByLabel('Amount').fill('1')
  await dialog.getByRole('button', { name: 'Create cash movement' }).click()
  await dialog.getByText('Is required.').waitFor()
  await dialog.getByRole('radio', { name: 'Paid out' }).check()
  await dialog.getByLabel('Amount').fill('0')
  await dialog.getByRole('button', { name: 'Create cash movement' }).click()
  await dialog
    .getByText(/must be more than 0/)
    .first()
    .waitFor()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByLabel('Reason').fill('Window cleaner')
  await dialog.getByRole('button', { name: 'Create cash movement' }).click()
  await dialog.waitFor({ state: 'detached' })
  const movement = page.getByRole('row', { name: /Window cleaner/ })
  await movement.getByRole('link', { name: '-€20.00 · Paid out' }).waitFor()
  await movement.getByRole('cell', { name: '-€20.00', exact: true }).waitFor()
  await page.getByRole('row', { name: /^Cash/ }).getByText('80.00').first().waitFor()
  const { body } = await company.call('GET', `/v1/cash-movements?sessionId=${session.id}`)
  assert.deepEqual(
    body.data.map(({ type, amount }: { type: string; amount: string }) => [type, amount]),
    [['pay-out', '20']],
  )
  // Its amount and type are only shown.
  await movement.getByRole('link').click()
  await page.getByText('add an opposite movement in the open session').waitFor()
  await page.getByLabel('Reason').waitFor()
  assert.equal((await page.getByRole('radio').count()) + (await page.getByLabel('Amount').count()), 0)
  // A closed session takes none, and what its closing has written is only shown.
  await page.goBack()
  await page.getByLabel('Opening float').waitFor()
  assert.equal(await page.getByText('Closing amounts').count(), 0)
  await company.call('PATCH', `/v1/session/${session.id}`, { closeTime: '2026-11-21T18:00:00Z', closedBy: 'ann' })
  await go(`${at}/sessions/${session.id}`)
  await page.getByText('can no longer be changed').waitFor()
  await page.getByText('Closed by').waitFor()
  assert.deepEqual(
    await Promise.all(
      ['Closed by', 'Closed', 'Counted cash', 'Opening float'].map((one) => page.getByLabel(one).count()),
    ),
    [0, 0, 0, 0],
  )
  assert.equal(await page.getByRole('button', { name: 'Cash in or out' }).count(), 0)
  quiet()
})

browserTest(
  'a second session at a station is refused with the way to the open one, in the language of the page',
  async () => {
    const { company, signedIn, at } = await shop()
    const { body: station } = await company.call('POST', '/v1/station', {
      name: 'Kasse 1',
      outletId: 'o',
      status: 'AVAILABLE',
    })
    const { body: session } = await company.call('POST', '/v1/session', { stationId: station.id })
    const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 4(09|00)/ })
    await go(`${at}/sessions/new`)
    // The only station is chosen.
    await page.locator('main button[type=submit]').click()
    await page.getByText('Hat noch eine offene Schicht.').waitFor()
    await page.getByRole('link', { name: 'Zu dieser Schicht' }).click()
    await page.waitForURL(new RegExp(`/sessions/${session.id}/report$`))
    quiet()
  },
)

browserTest('a payment method of a till’s own keeps its name, and a usual one has its label', async () => {
  const { company, signedIn, at } = await shop()
  const { call } = company
  const { body: session } = await call('POST', '/v1/session', { stationId: 'till' })
  const sale = { lineItems: [{ name: 'Cup', quantity: 1, price: '12.00' }], sessionId: session.id }
  const made = await call('POST', '/v1/sale', {
    ...sale,
    payments: [
      { paymentMethod: 'PayPal', amount: '7.00' },
      { paymentMethod: 'gift_card', amount: '5.00' },
    ],
  })
  assert.equal(made.status, 201)
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`${at}/sessions/${session.id}`)
  for (const name of ['PayPal', 'Gift card']) await page.getByRole('rowheader', { name, exact: true }).first().waitFor()
  await go(`${at}/orders/${made.body.order.id}`)
  await page.getByText('€7.00 paid, PayPal').waitFor()
  await page.getByText('€5.00 paid, gift card').waitFor()
  await go(`${at}/transactions/${made.body.transactions[0].id}`)
  await page.locator('dl').getByText('PayPal', { exact: true }).first().waitFor()
  // What was paid is not typed over.
  await page.getByText('Only the notes of a payment can be changed.').waitFor()
  assert.equal(await page.locator('main form :is(input, textarea, select)').count(), 1)
  await page.getByLabel('Notes').fill('Voucher of 2024')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { body: noted } = await company.call('GET', `/v1/transaction/${made.body.transactions[0].id}`)
  assert.deepEqual([noted.notes, noted.amount], ['Voucher of 2024', '7.00'])
  quiet()
})

browserTest(
  'an order that was stored without sums shows what its lines come to, and a total only if nothing else counts',
  async () => {
    const { company, signedIn, at } = await shop()
    const lineItems = [
      { name: 'Wrapping', quantity: 3, price: '0.335' },
      { name: 'Ribbon', quantity: 0.5, price: '2.00' },
    ]
    const { page, go, quiet } = await browser.open({ signedIn })
    const show = async (more: object) => {
      const { body } = await company.call('POST', '/v1/order', { currency: 'EUR', lineItems, ...more })
      await go(`${at}/orders/${body.id}`)
      await page.getByRole('row', { name: 'Wrapping 3 €0.335 €1.01' }).waitFor()
      await page.getByRole('row', { name: 'Ribbon 0.5 €2.00 €1.00' }).waitFor()
    }
    await show({})
    await page.getByText('€2.01', { exact: true }).waitFor()
    // As before it is printed.
    await page.waitForLoadState('networkidle')
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert.match((await page.locator('[data-paper]').textContent()) ?? '', /€1\.01.*€1\.00.*Total€2\.01/)
    const sums = page.locator('dl div')
    const isTotalUnknown = async () => {
      assert.equal(await sums.filter({ hasText: /^Subtotal/ }).textContent(), 'Subtotal€2.01')
      assert.equal(await sums.filter({ hasText: /^Total/ }).count(), 0)
    }
    // The sale adds taxes.
    await show({ status: 'pending' })
    await isTotalUnknown()
    await show({ cartDiscount: { percentage: 10 } })
    await isTotalUnknown()
    // The list has the same totals.
    await go(`${at}/orders`)
    const totals = page.getByRole('region', { name: 'Orders' }).locator('tbody tr')
    await totals.filter({ hasText: '€2.01' }).waitFor()
    assert.deepEqual([await totals.count(), await totals.filter({ hasText: '€2.01' }).count()], [3, 1])
    quiet()
  },
)

browserTest('a payment is found by the id that its processor gave it', async () => {
  const { company, signedIn, at } = await shop()
  for (const [amount, id] of Object.entries({ '2.00': 'pi_1', '3.00': 'pi_2' }))
    await company.call('POST', '/v1/transaction', {
      amount,
      paymentMethod: 'credit_card',
      paymentData: { processorTransactionId: id },
    })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`${at}/transactions`)
  await page.getByRole('cell', { name: /^\D*3\.00$/ }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Processor transaction id' }).click()
  await page.getByRole('textbox', { name: 'Processor transaction id' }).fill('pi_1')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: /^\D*3\.00$/ }).waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: /^\D*2\.00$/ }).waitFor()
  quiet()
})
