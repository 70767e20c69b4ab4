// Dialogs keep what is typed: they ask before they drop it, come back after a failure, and do nothing twice.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Escape and a click outside ask; the user stays, and finds the input as it was. */
async function asksBeforeClosing(page: Page, isKept: () => Promise<void>): Promise<void> {
  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 400)]) {
    await close()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByText('Leave without saving?').waitFor({ state: 'detached' })
    await isKept()
  }
}

browserTest(
  'the dialog of a refund asks before it drops what is typed, and keeps it if the company is suspended or the role changes',
  async () => {
    const sold = await teaShop(service)
    const id = await sellTea(sold)
    const { company } = sold
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 403/ })
    await go(`/c/${company.id}/orders/${id}`)
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Refund' })
    const quantity = dialog.getByLabel('Tea: quantity')
    await quantity.waitFor()
    // Nothing is typed yet.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await quantity.fill('1')
    await dialog.getByLabel('Reason').fill('Torn')
    const isKept = async () => {
      assert.equal(await quantity.inputValue(), '1')
      assert.equal(await dialog.getByLabel('Reason').inputValue(), 'Torn')
    }
    await asksBeforeClosing(page, isKept)

    const suspend = (status: string) =>
      service.database.query('update companies set status = $2 where id = $1', [company.id, status])
    await suspend('suspended')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByText('This company is suspended').waitFor()
    await isKept()
    await suspend('active')
    const become = (role: string) =>
      service.database.query('update members set role = $2 where user_id = $1', [signedIn.userId, role])
    await become('viewer')
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByText('Only admins and owners can do this').waitFor()
    await page.getByRole('button', { name: 'Edit', exact: true, includeHidden: true }).waitFor({ state: 'detached' })
    await isKept()
    await become('owner')
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
    await dialog.getByText('Paid back, cash').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await company.call('GET', `/v1/refunds?orderId=${id}`)).body.data[0].reason, 'Torn')
    quiet()
  },
)

browserTest(
  'a change of many records asks before it is dropped, and comes back as typed if nothing could be changed',
  async () => {
    const company = await service.company()
    const items = [1, 2, 3].map((n) => ({ firstName: 'Ann', lastName: `Archer ${n}` }))
    await company.call('POST', '/v1/customers', { items })
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /status of 500/,
    })
    await go(`/c/${company.id}/customers`)
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    const bar = page.getByRole('region', { name: 'Selected rows' })
    await bar.getByRole('button', { name: 'Tag' }).click()
    const added = page.getByRole('combobox', { name: 'Add tags' })
    await added.fill('summer')
    await page.keyboard.press('Enter')
    // In the input, Escape closes its list first.
    await page.getByRole('button', { name: 'Change 3 records' }).focus()
    const dialog = page.getByRole('dialog', { name: 'Tag 3 records' })
    const isKept = () => dialog.getByText('summer', { exact: true }).waitFor()
    await asksBeforeClosing(page, isKept)

    await page.route('**/v1/customers', (route) => route.fulfill({ status: 500, json: { message: 'Try again.' } }), {
      times: 1,
    })
    await dialog.getByRole('button', { name: 'Change 3 records' }).click()
    await page.getByRole('dialog').getByText('Try again.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await isKept()
    await dialog.getByRole('button', { name: 'Change 3 records' }).click()
    await page.getByText('3 records changed.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    quiet()
  },
)

browserTest(
  'cash in whose response is lost is entered once, also if its drawer is closed, or the page reloaded, and it is entered again',
  async () => {
    const { company, sessionId } = await teaShop(service)
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /ERR_FAILED/,
    })
    await page.route(
      '**/v1/cash-movement',
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
    await go(`/c/${company.id}/sessions/${sessionId}`)
    const drawer = page.getByRole('dialog')
    const enter = async (amount: string) => {
      await page.getByRole('button', { name: 'Cash in or out' }).click()
      await drawer.getByRole('radio', { name: 'Paid in' }).check()
      await drawer.getByLabel('Amount').fill(amount)
      await drawer.getByRole('button', { name: 'Create cash movement' }).click()
    }
    const leave = async () => {
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Leave' }).click()
      await drawer.waitFor({ state: 'detached' })
    }
    await enter('20.00')
    await drawer.getByText('The server cannot be reached.').waitFor()
    await leave()
    await page.reload()
    await enter('20.00')
    await drawer.waitFor({ state: 'detached' })
    assert.equal((await company.call('GET', `/v1/cash-movements?sessionId=${sessionId}`)).body.meta.count, 1)
    // The next one is another one.
    await enter('20.00')
    await drawer.waitFor({ state: 'detached' })
    assert.equal((await company.call('GET', `/v1/cash-movements?sessionId=${sessionId}`)).body.meta.count, 2)
    quiet()
  },
)

browserTest('a void and a closing whose response is lost end as done', async () => {
  const sold = await teaShop(service)
  const id = await sellTea(sold)
  const { company, sessionId } = sold
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /ERR_FAILED/,
  })
  for (const path of ['**/void', '**/close'])
    await page.route(
      path,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Void' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Void' }).click()
  await dialog.getByText('The server cannot be reached.').waitFor()
  await dialog.getByRole('button', { name: 'Void' }).click()
  await page.getByText('Order R-1 was voided.').waitFor()
  // Nothing was refunded: the payment was voided.
  await page.locator('dl', { hasText: 'Fulfilment' }).getByText('Voided', { exact: true }).waitFor()

  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('button', { name: 'Close session' }).click()
  await dialog.getByLabel('Cash counted, EUR').fill('100.00')
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await dialog.getByText('The server cannot be reached.').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close session' }).click()
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await page.getByRole('heading', { name: 'Closing (Z) 1' }).waitFor()
  quiet()
})

browserTest(
  'a new category is named at once by keyboard, and the focus returns to the button that opened it',
  async () => {
    const company = await service.company()
    await company.call('POST', '/v1/category', { name: 'Coffee' })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/categories`)
    await page.getByRole('button', { name: 'New category' }).press('Enter')
    const drawer = page.getByRole('dialog')
    await drawer.locator('input:focus').waitFor()
    await page.keyboard.type('Tea')
    await page.keyboard.press('Enter')
    await drawer.waitFor({ state: 'detached' })
    await page.waitForFunction(`document.activeElement.textContent === 'New category'`)
    const { body } = await company.call('GET', '/v1/categories')
    assert.deepEqual(body.data.map(({ name }: { name: string }) => name).sort(), ['Coffee', 'Tea'])
    quiet()
  },
)

browserTest('dialogs begin at their first input, and the buttons of a long one stay in view', async () => {
  const sold = await teaShop(service)
  const { company, sessionId, productId, variantId } = sold
  const lineItems = Array.from({ length: 30 }, () => ({
    productId,
    variantId,
    name: 'Tea',
    price: '4.00',
    quantity: 1,
  }))
  await company.call('POST', '/v1/inventories/set-levels', {
    items: [{ productId, variantId, outletId: sold.outletId, quantity: 50 }],
  })
  const id = await sellTea(sold, { lineItems, payments: [{ paymentMethod: 'cash', amount: '120.00' }] })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const dialog = page.getByRole('dialog')
  const focused = async (label: string) => {
    await dialog.locator('input:focus').waitFor()
    const name = '(element) => element.labels?.[0]?.textContent ?? element.ariaLabel'
    assert.equal(await page.evaluate(`(${name})(document.activeElement)`), label)
  }
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await focused('Tea: quantity')
  const window = await page.locator('.mantine-Modal-content').boundingBox()
  const button = await dialog.getByRole('button', { name: 'Refund', exact: true }).boundingBox()
  assert.ok(window && button && button.y + button.height <= window.y + window.height - 8)
  await page.keyboard.press('Escape')
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await page.getByRole('button', { name: 'Cash in or out' }).click()
  await focused('Amount *')
  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('button', { name: 'Close session' }).click()
  await focused('Cash counted, EUR')
  await page.keyboard.press('Escape')
  await go(`/c/${company.id}/stock`)
  await page.getByRole('button', { name: 'Import CSV' }).click()
  await focused('Outlet')
  quiet()
})

browserTest('in a long dialog or drawer, what Tab reaches is behind neither its title nor its buttons', async () => {
  const sold = await teaShop(service)
  const { company, productId, variantId } = sold
  const lineItems = Array.from({ length: 12 }, () => ({
    productId,
    variantId,
    name: 'Tea',
    price: '4.00',
    quantity: 1,
  }))
  const level = { productId, variantId, outletId: sold.outletId, quantity: 50 }
  await company.call('POST', '/v1/inventories/set-levels', { items: [level] })
  const id = await sellTea(sold, { lineItems, payments: [{ paymentMethod: 'cash', amount: '48.00' }] })
  const { body: parked } = await company.call('POST', '/v1/order', { status: 'parked', currency: 'EUR', lineItems })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const dialog = page.getByRole('dialog')
  const focused = `((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return [element.textContent, top, bottom]
  })(document.activeElement)`
  for (const [path, open, save] of [
    [`orders/${id}`, 'Refund', 'Refund'],
    [`orders/${parked.id}`, 'Edit items', 'Save items'],
  ] as const) {
    await go(`/c/${company.id}/${path}`)
    await page.getByRole('button', { name: open, exact: true }).click()
    await dialog.locator('input:focus').waitFor()
    const button = await dialog.getByRole('button', { name: save, exact: true }).boundingBox()
    const title = await dialog.getByRole('heading').first().boundingBox()
    assert.ok(button && title)
    const seen: number[] = []
    for (;;) {
      await page.keyboard.press('Tab')
      const [text, top, bottom] = (await page.evaluate(focused)) as [string, number, number]
      if (text === 'Cancel') break
      seen.push(top)
      assert.ok(top >= title.y + title.height && bottom <= button.y, `${save}, ${seen.length}: ${top} to ${bottom}`)
    }
    assert.ok(seen.length > 20)
  }
  quiet()
})

browserTest('a form in a dialog begins at its first input, but on a phone not under its keyboard', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  for (const isPhone of [false, true]) {
    const { page, context, go, quiet } = await browser.open({ signedIn, isOwn: true, width: isPhone ? 390 : 1280 })
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone })
    await go(`/c/${company.id}/settings/keys`)
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input:focus, button:focus').waitFor()
    assert.equal(await dialog.locator('input:focus').count(), isPhone ? 0 : 1)
    await go('/user')
    await page.getByRole('button', { name: 'Turn on', exact: true }).click()
    await dialog.getByLabel('Current password').waitFor()
    await dialog.locator('input:focus, button:focus').waitFor()
    assert.equal(await dialog.locator('input:focus').count(), isPhone ? 0 : 1)
    quiet()
  }
})

browserTest('the question before a record with a long name is deleted is seen whole, also on a phone', async () => {
  const company = await service.company()
  const isWhole = `[...document.querySelectorAll('.dialog-title')].every((title) => title.scrollHeight <= title.clientHeight + 1)`
  const names = ['W'.repeat(300), '日本語の長い名前'.repeat(20), 'A long name of an outlet '.repeat(12).trim()]
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 390, locale: 'de-AT' })
  for (const name of names) {
    const { body } = await company.call('POST', '/v1/outlet', { name })
    await go(`/c/${company.id}/outlets/${body.id}`)
    await page.getByRole('button', { name: 'Mehr', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Löschen' }).click()
    const title = page.getByRole('dialog').getByRole('heading').first()
    await title.getByText(/^.{40,}… löschen\?$/).waitFor()
    assert.equal(await page.evaluate(isWhole), true, name)
  }
  quiet()
})
