// Lists and forms in the browser: search, filters, input and exports, with hostile names.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('a list shows its exact count, and the server searches, filters and sorts it', async () => {
  const company = await service.company()
  const items = Array.from({ length: 250 }, (_, n) => ({
    firstName: 'Ann',
    lastName: `Archer ${n}`,
    source: n % 2 ? 'pos' : 'api',
  }))
  await company.call('POST', '/v1/customers', { items })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/customers`)
  const list = page.getByRole('region', { name: 'Customers' })
  await page.getByRole('status').getByText('250').waitFor()
  // The arrow goes to the first row wherever the list is scrolled to, and does not scroll it under the headings.
  await list.evaluate((element) => element.scrollTo(0, 2000))
  await list.locator('tr[data-index="0"]').waitFor({ state: 'detached' })
  await page.getByRole('searchbox').press('ArrowDown')
  await list.locator('tr[data-index="0"] a:focus').waitFor()
  assert.equal(await list.evaluate((element) => element.scrollTop), 0)
  await page.getByRole('searchbox').fill('nobody')
  await page.getByText('No record contains all words of “nobody” in: e-mail, first name, last name, phone.').waitFor()
  await page.getByRole('searchbox').fill('archer 24')
  await page.getByRole('status').getByText('13', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Search in: All fields' }).click()
  await page.getByRole('menuitem', { name: 'Last name' }).click()
  await page.getByRole('status').getByText('11', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('menuitem', { name: 'Source' }).click()
  await page.getByRole('combobox', { name: 'Source' }).click()
  await page.getByRole('option', { name: 'Till' }).click()
  await page.getByRole('status').getByText('5', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Customer' }).first().click()
  await list.getByRole('link').first().getByText('Archer 241').waitFor()
  await page.getByRole('searchbox').press('ArrowDown')
  await list.locator('a:focus', { hasText: 'Archer 241' }).waitFor()
  assert.match(page.url(), /q=archer\+24|q=archer%2024/)
  quiet()
})

browserTest('a saved view brings back the search, filters, sort and columns of a list', async () => {
  const company = await service.company()
  const items = ['Archer', 'Baker', 'Archer-Cook'].map((lastName, n) => ({ lastName, source: n === 1 ? 'pos' : 'api' }))
  await company.call('POST', '/v1/customers', { items })
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
  })
  const views = page.getByRole('button', { name: 'Saved views' })
  const head = (name: string) => page.getByRole('columnheader', { name })
  await go(`/c/${company.id}/customers?sort=lastName&f=%7B%22source%22%3A%22api%22%7D`)
  await page.getByRole('searchbox').fill('archer')
  await page.getByRole('status').getByText('2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Phone' }).click()
  await page.getByRole('button', { name: 'Move E-mail to the right' }).click()
  await accessible()
  await page.keyboard.press('Escape')
  const width = page.getByRole('separator', { name: 'Width of Tags' })
  await width.press('ArrowRight')
  assert.equal(await width.getAttribute('aria-valuenow'), '216')
  await views.click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByRole('textbox', { name: 'Name of the view' }).and(page.locator(':focus')).fill(' Archers ')
  await accessible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('View “Archers” saved').waitFor()

  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'Reset columns' }).click()
  await page.keyboard.press('Escape')
  await head('Phone').waitFor()
  await go(`/c/${company.id}/customers`)
  await page.getByRole('status').getByText('3', { exact: true }).waitFor()
  await views.click()
  await page.getByRole('menuitem', { name: 'Archers', exact: true }).click()
  await page.getByRole('status').getByText('2', { exact: true }).waitFor()
  await head('Phone').waitFor({ state: 'detached' })
  assert.deepEqual((await page.getByRole('columnheader').allTextContents()).slice(1, 4), ['Customer', 'Tags', 'E-mail'])
  assert.equal(await width.getAttribute('aria-valuenow'), '216')
  assert.equal(await page.getByRole('searchbox').inputValue(), 'archer')
  const names = await page.getByRole('region', { name: 'Customers' }).getByRole('link').allTextContents()
  assert.deepEqual(names, ['Archer', 'Archer-Cook'])

  await views.click()
  await page.getByRole('menuitem', { name: 'Delete “Archers”' }).click()
  await page.getByText('View “Archers” deleted').waitFor()
  await views.click()
  assert.equal(await page.getByRole('menuitem', { name: 'Archers', exact: true }).count(), 0)

  // Views and addresses from before keep the last day as another parameter; a filter that the list does not show is none.
  const old = { 'createdAt[lt]': '2020-01-31', 'closeTime[gte]': '2020-01-01' }
  const [asked] = await Promise.all([
    page.waitForRequest(/\/v1\/customers\?/),
    go(`/c/${company.id}/customers?f=${encodeURIComponent(JSON.stringify(old))}`),
  ])
  const { searchParams } = new URL(asked.url())
  assert.equal(searchParams.get('createdAt[lt]'), '2020-01-31T23:00:00.000Z')
  assert.equal(searchParams.get('closeTime[gte]'), null)
  await page.getByText('until 31 Jan 2020').waitFor()
  quiet()
})

browserTest(
  'on a phone or an upright tablet each row is a card with its name, amount, time and actions, in an order to choose',
  async () => {
    const company = await service.company()
    await service.database.query(`update companies set timezone = 'Europe/Vienna' where id = $1`, [company.id])
    // Late in the shop's evening of 31 October, half an hour into November, and half an hour into October.
    const times = ['2025-10-31T22:30:00.000Z', '2025-10-31T23:30:00.000Z', '2025-09-30T22:30:00.000Z']
    const orders = times.map((occurredAt, n) => ({
      receiptId: `R-${n + 1}`,
      status: 'completed',
      currency: 'EUR',
      lineItems: [],
      occurredAt,
      summary: { total: `${n + 1}00.00` },
    }))
    await company.call('POST', '/v1/orders', { items: orders })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn, width: 375 })
    await go(`/c/${company.id}/orders`)
    const list = page.getByRole('region', { name: 'Orders' })
    const isWithin = () => list.evaluate((element) => element.scrollWidth <= element.clientWidth)
    await list.getByText('€300.00').waitFor()
    assert.equal(await isWithin(), true)
    await list.getByText('completed', { exact: false }).first().waitFor()
    // They are sorted by when they happened, and show it, although all were recorded now.
    assert.deepEqual(await list.getByRole('link').allTextContents(), ['R-2', 'R-1', 'R-3'])
    await list.getByText('31 Oct 2025, 23:30').waitFor()
    await accessible()
    await list.getByRole('button', { name: 'Sort: Date' }).click()
    await page.getByRole('menuitem', { name: 'Order' }).click()
    await page.waitForURL(/sort=receiptId/)
    await list.getByRole('link').first().filter({ hasText: 'R-1' }).waitFor()
    assert.deepEqual(await list.getByRole('link').allTextContents(), ['R-1', 'R-2', 'R-3'])
    await page.setViewportSize({ width: 820, height: 800 })
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    assert.equal(await isWithin(), true)
    // In a window with a mouse, the total is in view, and the list scrolls sideways to the rest.
    await page.setViewportSize({ width: 1024, height: 800 })
    const total = await list.getByRole('columnheader', { name: 'Total' }).boundingBox()
    assert.ok(total && total.x + total.width <= 1024)
    // On a tablet on its side, all of it is in view.
    const tablet = await browser.open({ signedIn, width: 1180, hasTouch: true })
    await tablet.go(`/c/${company.id}/orders`)
    await tablet.page.getByRole('region', { name: 'Orders' }).getByRole('button', { name: 'Sort: Date' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })

    // A filter takes the days of the shop, the last one included.
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Date', exact: true }).click()
    await page.getByLabel('Date from').fill('2025-10-01')
    await page.getByLabel('Date until').fill('2025-10-31')
    await list.getByRole('link', { name: 'R-2' }).waitFor({ state: 'detached' })
    assert.deepEqual(await list.getByRole('link').allTextContents(), ['R-1', 'R-3'])
    await page.getByRole('button', { name: 'Date from 1 Oct 2025 until 31 Oct 2025' }).waitFor()
    await page.getByRole('button', { name: 'Last month' }).click()
    await page.getByText('No results').waitFor()

    await page.setViewportSize({ width: 375, height: 800 })
    await go(`/c/${company.id}/settings/keys`)
    const keys = page.getByRole('region', { name: 'API keys' })
    await keys.getByRole('button', { name: 'Actions for First key' }).waitFor()
    assert.equal(await keys.evaluate((element) => element.scrollWidth <= element.clientWidth), true)
    quiet()
  },
)

browserTest(
  'orders are found by what is still to be paid, also where the address has a sort that the list has not',
  async () => {
    const company = await service.company()
    const sell = (receiptId: string, payments: object[]) =>
      company.call('POST', '/v1/sale', {
        receiptId,
        lineItems: [{ name: 'Tea', price: '4.00', quantity: 1 }],
        payments,
      })
    await sell('R-1', [{ paymentMethod: 'cash' }])
    await sell('R-2', [])
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/orders?sort=-price`)
    const list = page.getByRole('region', { name: 'Orders' })
    await list.getByRole('link', { name: 'R-1' }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Payment status' }).click()
    await page.getByRole('combobox', { name: 'Payment status' }).click()
    await page.getByRole('option', { name: 'Unpaid' }).click()
    await list.getByRole('link', { name: 'R-1' }).waitFor({ state: 'detached' })
    assert.deepEqual(await list.getByRole('link').allTextContents(), ['R-2'])
    quiet()
  },
)

browserTest('payments and refunds have no form of their own: their lists lead to the orders', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 1024 })
  for (const [path, title] of [
    ['transactions', 'No transactions yet'],
    ['refunds', 'No refunds yet'],
  ]) {
    await go(`/c/${company.id}/${path}/new`)
    await page.getByText('Page not found').first().waitFor()
    await go(`/c/${company.id}/${path}`)
    await page.getByText(title as string).waitFor()
    assert.equal(await page.locator('main').getByRole('link', { name: /^New / }).count(), 0)
    await page.locator('main').getByRole('link', { name: 'Orders' }).click()
    await page.getByText('No orders yet').waitFor()
  }
  quiet()
})

browserTest('payments, refunds and sessions without a number are named by their amount or time', async () => {
  const company = await service.company()
  const order = { receiptId: 'R1', currency: 'EUR', lineItems: [], summary: { total: '12.00' } }
  const { body: sold } = await company.call('POST', '/v1/order', order)
  const make = async (path: string, body: unknown) => {
    const { status, text } = await company.call('POST', path, body)
    assert.equal(status, 201, text)
  }
  await make('/v1/transaction', { amount: '12.00', currency: 'EUR', paymentMethod: 'cash', type: 'sale' })
  await make('/v1/transaction', { amount: '1234567.89', currency: 'EUR', paymentMethod: 'credit_card', type: 'sale' })
  await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
  await make('/v1/cash-movement', { sessionId: 'shift-1', type: 'pay-out', amount: '12.30' })
  await make('/v1/refund', { orderId: sold.id, currency: 'EUR', lineItems: [], summary: { total: '7.50' } })
  await make('/v1/session', { stationId: 'till-1', openTime: '2026-11-24T08:00:00.000Z' })
  const { page, go } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  for (const [many, name] of [
    ['transactions', '€12.00 · Cash'],
    ['transactions', '€1,234,567.89 · Credit card'],
    ['cash-movements', '-€12.30 · Paid out'],
    ['refunds', 'Refund of €7.50'],
    ['sessions', '24 Nov 2026, 09:00'],
  ] as const) {
    await go(`/c/${company.id}/${many}`)
    await page.getByRole('link', { name, exact: true }).waitFor()
  }
  await page.getByRole('cell', { name: 'Still open' }).waitFor()
  // A card has once what its name says.
  const payment = { amount: '4.50', paymentMethod: 'cash', type: 'sale' }
  await make('/v1/transaction', { ...payment, orderId: sold.id, receiptId: 'R1' })
  await page.setViewportSize({ width: 375, height: 800 })
  const cards = { 'Refund of €7.50': /€7.50/g, '€12.00 · Cash': /€12.00|Cash/g }
  for (const [name, said] of Object.entries(cards)) {
    await go(`/c/${company.id}/${name.startsWith('Refund') ? 'refunds' : 'transactions'}`)
    const card = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    assert.equal((await card.textContent())?.match(said)?.length, name.split(' · ').length)
  }
  // A receipt number of its own does not say which order is paid.
  await make('/v1/transaction', { ...payment, orderId: sold.id, receiptId: 'T-9' })
  await go(`/c/${company.id}/transactions`)
  await page.getByRole('row', { name: 'T-9' }).getByText('R1').waitFor()
  assert.equal(await page.getByText('R1').filter({ visible: true }).count(), 2)
})

browserTest('a failed page of a list is requested again only when the user retries', async () => {
  const company = await service.company()
  const items = Array.from({ length: 150 }, (_, n) => ({ lastName: `Archer ${n}` }))
  await company.call('POST', '/v1/customers', { items })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 500/ })
  let asked = 0
  let isBroken = true
  await page.route('**/v1/customers?*cursor=*', async (route) => {
    asked++
    await (isBroken ? route.fulfill({ status: 500, json: { message: 'Broken for now.' } }) : route.continue())
  })
  await go(`/c/${company.id}/customers`)
  const list = page.getByRole('region', { name: 'Customers' })
  await list.getByRole('link').first().waitFor()
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await page.getByText('Broken for now.').waitFor()
  await page.waitForTimeout(500)
  assert.equal(asked, 1)
  isBroken = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Broken for now.').waitFor({ state: 'detached' })
  assert.equal(asked, 2)
})

browserTest('names with HTML, of 500 characters, and right-to-left are shown as they are', async () => {
  const company = await service.company()
  const names = ['<img src=x onerror=alert(1)>', 'N'.repeat(500), 'محمد العربي', '{{constructor}}']
  await company.call('POST', '/v1/customers', { items: names.map((lastName) => ({ lastName })) })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/customers`)
  for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor()
  await page.getByRole('link', { name: names[0] as string }).click()
  await page.getByRole('heading', { level: 1, name: names[0] as string }).waitFor()
  assert.equal(await page.locator('img[src="x"]').count(), 0)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  quiet()
})

browserTest('values named like members of every JavaScript object are shown like any others', async () => {
  const company = await service.company()
  const words = ['constructor', '__proto__']
  const orders = words.map((word) => ({
    receiptId: word,
    status: word,
    summary: { total: '1.00' },
    paymentMethods: [{ paymentType: word, amount: '1.00' }],
  }))
  await company.call('POST', '/v1/orders', { items: orders })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  for (const word of words) {
    await go(`/c/${company.id}/orders`)
    await page.getByRole('link', { name: word }).click()
    await page.getByRole('list', { name: 'Payments' }).getByText(word.replaceAll('_', ''), { exact: false }).waitFor()
  }
  quiet()
})

browserTest('an export contains the filtered records, in the chosen columns, and no formula', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/customers', {
    items: [
      { lastName: '=HYPERLINK("http://evil.example")', phone: '+43 1' },
      { lastName: 'Quote "and", comma' },
      { lastName: 'Cut;=1+1' },
      { lastName: '＝1+1' },
      { lastName: 'Line\n=1+1' },
    ],
  })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/customers?sort=createdAt`)
  await page.getByRole('status').getByText('5').waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  assert.match(lines[0] as string, /^\ufeffId,Customer,E-mail,Phone,/)
  assert.match(lines[1] as string, /,"'=HYPERLINK\(""http:\/\/evil\.example""\)",,'\+43 1,/)
  assert.match(lines[2] as string, /,"Quote ""and"", comma",/)
  assert.match(lines[3] as string, /,Cut;'=1\+1,/)
  assert.match(lines[4] as string, /,'＝1\+1,/)
  assert.match(lines[5] as string, /,"Line\n'=1\+1",/)
  quiet()
})

browserTest('exported amounts are numbers with their currency, also where the list shows them in a name', async () => {
  const company = await service.company()
  await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
  await company.call('POST', '/v1/cash-movement', { sessionId: 'till', type: 'pay-out', amount: '12.30' })
  await company.call('POST', '/v1/cash-movement', { sessionId: 'till', type: 'pay-in', amount: '500', currency: 'JPY' })
  await company.call('POST', '/v1/sale', { currency: 'USD', lineItems: [{ name: 'Tea', price: '4.00', quantity: 1 }] })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const exported = async (many: string) => {
    await go(`/c/${company.id}/${many}`)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    return (await readFile(await file.path(), 'utf8')).trim().split('\r\n')
  }
  const [titles = '', yen = '', euro = ''] = await exported('cash-movements')
  assert.match(titles, /,Cash movement,Type,Amount,Currency,/)
  assert.match(yen, /,pay-in,500,JPY,/)
  assert.match(euro, /,pay-out,-12.30,EUR,/)
  const [head = '', order = ''] = await exported('orders')
  assert.match(head, /,Total,Currency,/)
  assert.match(order, /,4.00,USD,/)
  // Records that name no currency have that of the company.
  await company.call('POST', '/v1/variant', { productId: 'tea', sku: 'TEA', price: 4.5 })
  await company.call('POST', '/v1/session', { stationId: 'till', openingAmount: '100.00' })
  const [, variant = ''] = await exported('variants')
  assert.match(variant, /,4\.5,EUR,/)
  const [, session = ''] = await exported('sessions')
  assert.match(session, /,,EUR$/)
  quiet()
})

browserTest('an exported role has the names of the permissions that it grants', async () => {
  const company = await service.company()
  const permissions = [
    { permissionId: 'sales.create', name: 'Make sales', value: true },
    { permissionId: 'sales.void', name: 'Void sales', value: false },
    { permissionId: 'drawer.open', name: 'Open the drawer', value: true },
  ]
  await company.call('POST', '/v1/role', { name: 'Cashier', permissions })
  const { page, go } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/roles`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  assert.match(await readFile(await file.path(), 'utf8'), /,Cashier,Make sales; Open the drawer,/)
})
