// Products, categories, orders and customers in the browser: edit conflicts, an unreachable server, and trees moved by keyboard.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('a customer edited in two tabs: both versions are shown, and nothing typed is lost', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', phone: '1' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, tab, go } = await browser.open({ signedIn, expects: /status of 412/ })
  const other = await tab()
  const path = `/c/${company.id}/customers/${customer.id}`
  await go(path)
  await go(path, other)
  await page.getByLabel('First name').first().fill('Mine')
  await page.getByLabel('Phone').first().fill('+1')
  await other.getByLabel('First name').first().fill('<b>Theirs</b>')
  await other.getByRole('button', { name: 'Save' }).click()
  await other.getByText('Saved', { exact: true }).waitFor()

  const save = page.getByRole('button', { name: 'Save', exact: true })
  const conflict = page.getByRole('dialog', { name: 'Changed since you opened it' })
  await save.click()
  await conflict.getByText('<b>Theirs</b>').waitFor()
  await conflict.getByText('Mine').waitFor()
  await page.keyboard.press('Escape')
  await conflict.waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('First name').first().inputValue(), 'Mine')

  await save.click()
  await conflict.getByRole('radio', { name: 'First name: Current value' }).check()
  await conflict.getByRole('button', { name: 'Save chosen values' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.deepEqual([now.firstName, now.phone], ['<b>Theirs</b>', '+1'])

  // Discarding the changes shows the newest known version.
  await page.getByLabel('First name').first().fill('Mine')
  await company.call('PATCH', `/v1/customer/${customer.id}`, { firstName: 'Theirs again' })
  await save.click()
  await conflict.getByText('Theirs again').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  assert.equal(await page.getByLabel('First name').first().inputValue(), 'Theirs again')
})

browserTest(
  'a conflict names the parts of an address in German, its state is no status, and what is chosen no link',
  async () => {
    const company = await service.company()
    const made = async (name: string) => (await company.call('POST', '/v1/outlet', { name })).body.id
    const [outletId] = [await made('Nord'), await made('Süd')]
    const billing = { address1: 'Main 1', city: 'Albany', state: 'NY', postCode: '12207' }
    const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', billing })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 412/ })
    await go(`/c/${company.id}/customers/${customer.id}`)
    await page.getByRole('group', { name: 'Rechnungsadresse' }).getByLabel('Ort').fill('Troy')
    await page.getByRole('combobox', { name: 'Filiale' }).click()
    await page.getByRole('option', { name: 'Süd' }).click()
    await company.call('PATCH', `/v1/customer/${customer.id}`, { outletId, billing: { ...billing, city: 'Rome' } })
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    const conflict = page.getByRole('dialog', { name: 'Seit dem Öffnen geändert' })
    for (const city of ['Rome', 'Troy']) {
      let shown = conflict.locator('label')
      for (const part of ['Adresse Main 1', `Ort ${city}`, 'Bundesland NY', 'Postleitzahl 12207'])
        shown = shown.filter({ has: page.getByText(new RegExp(part)) })
      await shown.waitFor()
    }
    await conflict.getByText('Nord').click()
    assert.equal(await conflict.getByRole('radio', { name: 'Filiale: Jetziger Wert' }).isChecked(), true)
  },
)

browserTest('what is typed while a form is being saved stays, and the next save includes it', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/customer/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  await go(`/c/${company.id}/customers/${customer.id}`)
  await page.getByLabel('First name').first().fill('Anna')
  await page.keyboard.press('Enter')
  await page.getByLabel('Last name').first().fill('Baker')
  held.resolve()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Last name').first().inputValue(), 'Baker')
  const answered = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  assert.equal((await answered).status(), 200)
  const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.deepEqual([now.firstName, now.lastName], ['Anna', 'Baker'])
  quiet()
})

browserTest('switching to another company shows nothing that was read or typed in the first', async () => {
  const first = await service.company()
  const second = await service.company()
  await first.call('POST', '/v1/customer', { firstName: 'Ann', lastName: 'Archer' })
  const signedIn = await person(service, { organizationId: first.organizationId })
  const { page, go, quiet } = await browser.open({ signedIn })
  // As the switcher, the palette, and back and forward in the browser do it: without reloading the page.
  const goOn = (path: string) =>
    page.evaluate(
      `window.history.pushState({}, '', '/console${path}'); window.dispatchEvent(new PopStateEvent('popstate'))`,
    )

  await go(`/c/${first.id}/customers`)
  await page.getByText('Ann Archer').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/customers?*', async (route) => {
    await held.promise
    await route.continue()
  })
  await goOn(`/c/${second.id}/customers`)
  const asked = page.waitForRequest(
    (request) => request.url().includes('/v1/customers?') && request.headers()['x-company-id'] === second.id,
  )
  await asked
  assert.equal(await page.getByText('Ann Archer').count(), 0)
  held.resolve()
  await page.getByText('No customers yet').waitFor()

  await go(`/c/${first.id}/customers/new`)
  await page.getByLabel('First name').first().fill('Typed in the first')
  await goOn(`/c/${second.id}/customers/new`)
  await page
    .getByRole('link', { name: 'Customers' })
    .and(page.locator(`[href*="${second.id}"]`))
    .first()
    .waitFor()
  assert.equal(await page.getByLabel('First name').first().inputValue(), '')
  quiet()
})

browserTest('a form stays as it is while the server is unreachable, and is saved when it is back', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, context, go } = await browser.open({ signedIn, expects: /ERR_INTERNET_DISCONNECTED|ERR_FAILED/ })
  await go(`/c/${company.id}/customers/${customer.id}`)
  await page.getByLabel('Last name').first().fill('Archer')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The server cannot be reached', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Last name').first().inputValue(), 'Archer')
  await context.setOffline(false)
  await page.getByText('The server cannot be reached', { exact: true }).waitFor({ state: 'detached' })
  assert.equal(await page.getByLabel('Last name').first().inputValue(), 'Archer')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.equal(now.lastName, 'Archer')
})

browserTest('a variant is added to a product, deleted, and restored with Undo', async () => {
  const company = await service.company()
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/products/new`)
  const name = '<i>Beans</i>'
  await page.getByLabel('Name').first().fill(name)
  await page.getByLabel('Picture URL').fill('https://elsewhere.example/beans.jpg')
  await page.getByRole('button', { name: 'Create product' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByText('On another host: not loaded here').waitFor()
  await page.getByRole('button', { name: 'Add variant' }).click()
  await page.getByLabel('SKU of Variant 1').fill('B-1')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('button', { name: 'Edit B-1' })
  await row.waitFor()
  await page.getByRole('button', { name: 'Actions for B-1' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.waitFor()
  const { body: variants } = await company.call('GET', '/v1/variants')
  assert.equal(variants.meta.count, 1)
  await accessible()
  quiet()
})

browserTest(
  'a new variant price shows on its product and in the list at once, and only the variant has an input for it',
  async () => {
    const company = await service.company()
    const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea', minPrice: 5, maxPrice: 5 })
    const { body: variant } = await company.call('POST', '/v1/variant', { productId: product.id, sku: 'TEA-1' })
    const { page, go, quiet, accessible } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
    })
    await go(`/c/${company.id}/products`)
    await page.getByRole('link', { name: /Tea/ }).click()
    await page.getByRole('button', { name: /TEA-1/ }).first().click()
    await page.getByRole('dialog').getByLabel('Price', { exact: true }).fill('7.5')
    const again = page.waitForResponse((response) => response.url().endsWith(`/v1/product/${product.id}`))
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    // Saving a variant reads its product again, since its prices may have changed.
    assert.equal((await again).status(), 200)
    assert.equal(await page.getByLabel('Lowest price').count(), 0)
    await accessible()
    const { body: now } = await company.call('GET', `/v1/product/${product.id}`)
    await page.locator('main dl').getByText(now.minPrice.toFixed(2)).first().waitFor()
    await page.getByRole('link', { name: 'Products', exact: true }).first().click()
    await page.getByRole('row', { name: new RegExp(`Tea.*${now.minPrice.toFixed(2)}`) }).waitFor()
    assert.equal((await company.call('GET', `/v1/variant/${variant.id}`)).body.price, 7.5)
    quiet()
  },
)

browserTest(
  'categories are navigated and moved by keyboard; loops and missing parents are shown, not lost',
  async () => {
    const company = await service.company()
    const make = async (name: string, parentId?: string): Promise<string> =>
      (await company.call('POST', '/v1/category', { name, ...(parentId && { parentId }) })).body.id
    const tea = await make('Tea')
    const coffee = await make('Coffee')
    const beans = await make('Beans', coffee)
    await make('<img src=x onerror=alert(1)>', coffee)
    await make('Lost', '6740a1f2c3d4e5f6a7b8c9d1')
    const first = await make('Round')
    await company.call('PATCH', `/v1/category/${first}`, { parentId: await make('About', first) })
    const { page, go, quiet, accessible } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
    })
    await go(`/c/${company.id}/categories`)
    const line = (name: string) => page.getByRole('treeitem', { name })
    await line('Lost').getByText('Parent is missing').waitFor()
    await page.getByText('Circular parents').waitFor()
    await line('Coffee').focus()
    await page.keyboard.press('ArrowRight')
    await line('<img src=x').waitFor()
    await page.keyboard.press('ArrowLeft')
    await line('Tea').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('t')
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByText('Tea was moved.').first().waitFor()
    await line('Coffee').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('b')
    await page.keyboard.press('Alt+ArrowLeft')
    await page.getByText('Beans is now at the top level.').waitFor()
    await accessible()
    const { body: moved } = await company.call('GET', `/v1/category/${beans}`)
    assert.equal(moved.parentId, undefined)
    const { body: ordered } = await company.call('GET', `/v1/category/${tea}`)
    assert.equal(typeof ordered.menuOrder, 'number')
    quiet()
  },
)

for (const [when, moment] of [
  ['since the tree was read', 'before'],
  ['while it is moved', 'meanwhile'],
] as const)
  browserTest(
    `a category that another user changes ${when} is not overwritten by a move, and the page says so`,
    async () => {
      const company = await service.company()
      const { body: tea } = await company.call('POST', '/v1/category', { name: 'Tea' })
      await company.call('POST', '/v1/category', { name: 'Coffee' })
      const path = `/v1/category/${tea.id}`
      const changeIt = () => company.call('PATCH', path, { menuOrder: 7 })
      const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
      await go(`/c/${company.id}/categories`)
      await page.getByRole('treeitem', { name: 'Tea' }).focus()
      if (moment === 'before') await changeIt()
      await page.route('**/v1/categories', async (route) => {
        await changeIt()
        await route.continue()
      })
      await page.keyboard.press('Alt+ArrowUp')
      await page.getByText('Tea has changed since you loaded it.').waitFor()
      assert.equal((await company.call('GET', path)).body.menuOrder, 7)
      quiet()
    },
  )

browserTest('an order is shown as a receipt, with its refunds', async () => {
  const company = await service.company()
  const ids = { productId: '6740a1f2c3d4e5f6a7b8c9d1', variantId: '6740a1f2c3d4e5f6a7b8c9d4' }
  const { body: order } = await company.call('POST', '/v1/order', {
    receiptId: 'R-1',
    currency: 'EUR',
    lineItems: [{ ...ids, name: 'محمص', quantity: 2, price: '12.50', total: '25.00' }],
    customSales: [{ name: 'Wrapping '.repeat(25), quantity: 1, price: '999999999991.00', total: '999999999991.00' }],
    balance: '27.00',
    cartFees: ['odd', null, { name: 'Service', amount: '1.00' }],
    summary: { total: '27.00', taxes: [{ name: 'VAT', percentage: 20, amount: '4.50' }] },
    paymentMethods: [{ paymentType: 'cash', amount: '30.00', change: '3.00' }],
    notes: ['odd', { message: 'Called twice' }],
  })
  await company.call('POST', '/v1/transaction', { orderId: order.id, amount: '27.00', paymentMethod: 'cash' })
  await company.call('POST', '/v1/refund', { orderId: order.id, lineItems: [ids], summary: { total: '12.50' } })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  await go(`/c/${company.id}/orders/${order.id}`)
  const receipt = page.getByRole('region', { name: 'Receipt' })
  for (const text of ['محمص', 'Wrapping', 'VAT 20%', '€27.00', '-€12.50', '€14.50', '€3.00 change'])
    await receipt.getByText(text).first().waitFor()
  // What is due counts the payment and the refund, other than the balance that the sale left.
  await receipt.getByText('Balance due').locator('..').getByText('-€12.50').waitFor()
  // An amount of twelve digits stays in one line, and leaves the name its words.
  for (const width of [1280, 1000, 375]) {
    await page.setViewportSize({ width, height: 800 })
    const cell = receipt.getByText('€999,999,999,991.00').last()
    const lines = await cell.evaluate((element) => {
      const range = element.ownerDocument.createRange()
      range.selectNodeContents(element)
      return range.getClientRects().length
    })
    assert.equal(lines, 1, `${width}`)
    const name = await receipt.getByText('Wrapping').boundingBox()
    assert.ok(name && name.width >= 50, `${width}: ${JSON.stringify(name)}`)
    assert.ok(await receipt.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), `${width} fits`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByText('€27.00 paid, cash').waitFor()
  await page.getByText('Called twice').waitFor()
  await accessible()
  quiet()
})
