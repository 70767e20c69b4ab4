// The search over records, pages and actions in the browser: what it finds, by keyboard, and what it asks the server.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A company with two people of one name and one of everything that people look for, and its owner's browser. */
async function opened(options: { width?: number; expects?: RegExp } = {}) {
  const company = await service.company()
  await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
  const make = async (path: string, body: object) => {
    const reply = await company.call('POST', path, body)
    assert.ok(reply.status < 300, reply.text)
    return reply.body.id as string
  }
  const outletId = await make('/v1/outlet', { name: 'Harbour' })
  const graz = await make('/v1/customer', {
    firstName: 'Anna',
    lastName: 'Gruber',
    billing: { city: 'Graz' },
    phone: '+43 679 1234567',
  })
  const linz = await make('/v1/customer', { firstName: 'Anna', lastName: 'Gruber', email: 'anna@linz.example' })
  const productId = await make('/v1/product', { name: 'Espresso beans', sku: 'ESP-1', status: 'active' })
  await make('/v1/variant', { productId, sku: 'ESP-1-250', barcode: '4006381333931', price: 9.9 })
  await make('/v1/order', {
    receiptId: 'R-2031',
    outletId,
    currency: 'EUR',
    customerId: graz,
    status: 'completed',
    summary: { total: '12.50' },
    lineItems: [],
  })
  const signedIn = await person(service, { companyId: company.id })
  const window = await browser.open({ signedIn, ...options })
  const { page } = window
  const box = page.getByRole('combobox', { name: 'Search', exact: true })
  const records = page.getByRole('group', { name: 'Records' }).getByRole('option')
  await window.go(`/c/${company.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { ...window, company, box, records, graz, linz }
}

browserTest(
  'a person is found by the words of the name in any order, and distinguished by the second line',
  async () => {
    const { page, box, records, company, linz, quiet } = await opened()
    await page.keyboard.press('Control+k')
    await box.fill('gruber anna')
    await records.nth(1).waitFor()
    const lines = await records.allInnerTexts()
    assert.deepEqual(lines.map((line) => line.split('\n').slice(0, 2).join('|')).sort(), [
      'Anna Gruber|+43 679 1234567 · Graz',
      'Anna Gruber|anna@linz.example',
    ])
    const place = lines.findIndex((line) => line.includes('linz'))
    for (let n = 0; n < place; n++) await page.keyboard.press('ArrowDown')
    const active = await box.getAttribute('aria-activedescendant')
    assert.equal(await records.nth(place).getAttribute('id'), active)
    assert.equal(await records.nth(place).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/c/${company.id}/customers/${linz}`)
    await box.waitFor({ state: 'detached' })
    quiet()
  },
)

browserTest('a barcode that the list of products does not find leads to the variants that have it', async () => {
  const { page, go, company, quiet } = await opened()
  await go(`/c/${company.id}/products?q=4006381333931`)
  await page.getByRole('link', { name: 'Search SKUs and barcodes of variants' }).click()
  await page.waitForURL(/\/variants\?/)
  await page.getByText('ESP-1-250').first().waitFor()
  quiet()
})

browserTest('records are found by phone digits, receipt, SKU, barcode and id', async () => {
  const { page, box, records, graz, quiet } = await opened()
  await page.keyboard.press('/')
  const sought = [
    ['0679 1234567', /Anna Gruber.*Graz/s],
    ['anna@linz.example', /Anna Gruber.*linz/s],
    ['R-2031', /R-2031.*20\d\d · €12\.50 · Anna Gruber · Harbour · Completed.*order/s],
    ['ESP-1', /Espresso beans.*ESP-1 · €9\.90 · Active.*product/s],
    ['4006381333931', /Espresso beans.*4006381333931 · €9\.90.*variant/s],
    [graz, /Anna Gruber.*Graz/s],
  ] as const
  for (const [typed, shown] of sought) {
    await box.fill(typed)
    await records.filter({ hasText: shown }).first().waitFor()
  }
  quiet()
})

browserTest('“/” opens the search, but on a list the list’s own; Esc closes it and gives the focus back', async () => {
  const { page, box, go, company, quiet } = await opened()
  const button = page.getByRole('button', { name: /^Search or jump/ })
  await button.click()
  await box.waitFor()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await button.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('/')
  await box.waitFor()
  await page.keyboard.press('Control+k')
  await box.waitFor({ state: 'detached' })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('link', { name: 'Anna Gruber' }).first().waitFor()
  await page.keyboard.press('/')
  const own = page.getByRole('searchbox')
  assert.equal(await own.evaluate((each) => each === each.ownerDocument.activeElement), true)
  assert.equal(await box.count(), 0)
  quiet()
})

browserTest('what is typed before the search has appeared is searched for, and Enter opens the result', async () => {
  const { page, records, company, graz, quiet } = await opened()
  const held = Promise.withResolvers<void>()
  await page.route(/CommandPalette/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('0679 12345678')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  assert.equal(await records.count(), 0)
  held.resolve()
  await page.waitForURL(`**/c/${company.id}/customers/${graz}`)
  quiet()
})

browserTest('nothing is asked for empty text, and a request for earlier text is aborted', async () => {
  const { page, box, records, quiet } = await opened()
  const asked: string[] = []
  const aborted: string[] = []
  const textOf = (url: string) => new URL(url).searchParams.get('q') ?? ''
  page.on('request', (request) => {
    if (request.url().includes('/v1/search')) asked.push(textOf(request.url()))
  })
  page.on('requestfailed', (request) => aborted.push(textOf(request.url())))
  await page.route('**/v1/search?q=gru', () => {})
  await page.keyboard.press('Control+k')
  await box.fill('   ')
  await box.fill('')
  await box.fill('gru')
  await until('the first text is asked for', () => asked.includes('gru'))
  await box.fill('gruber')
  await records.nth(1).waitFor()
  assert.deepEqual([asked, aborted], [['gru', 'gruber'], ['gru']])
  quiet()
})

browserTest('Enter that comes before the results opens the first of them, never one of an earlier text', async () => {
  const { page, box, records, quiet } = await opened()
  await page.keyboard.press('Control+k')
  await box.fill('gruber')
  await records.nth(1).waitFor()
  await box.fill('4006381333931')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/variants/*')
  quiet()
})

browserTest('pages and actions are found by other words for them', async () => {
  const { page, box, quiet } = await opened()
  await page.keyboard.press('Control+k')
  const words = {
    webhook: 'Automation',
    'log out': 'Sign out',
    'dark mode': 'Switch between light and dark',
    theme: 'Switch between light and dark',
    keys: 'API keys',
    csv: 'Import',
    export: 'Export customers',
    vat: 'Tax tables',
    password: 'Your profile',
  }
  for (const [word, label] of Object.entries(words)) {
    await box.fill(word)
    await page.getByRole('option', { name: label, exact: true }).waitFor()
  }
  await box.fill('dark mode')
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor()
  quiet()
})

browserTest('custom tables are found by their names', async () => {
  const { page, box, company, quiet } = await opened()
  const { body } = await company.call('POST', '/v1/api/custom-table', { name: 'gift-cards' })
  await page.keyboard.press('Control+k')
  for (const typed of ['cards', 'gift']) {
    await box.fill(typed)
    await page.getByRole('group', { name: 'Pages' }).getByRole('option', { name: 'gift-cards Custom table' }).waitFor()
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/tables/${body._id.$oid}`)
  await page.getByRole('heading', { level: 1, name: 'gift-cards' }).waitFor()
  quiet()
})

browserTest('a viewer is offered no page and no action that a viewer may not use', async () => {
  const { company, box, page } = await opened()
  const viewer = await browser.open({ signedIn: await person(service, { companyId: company.id }, 'viewer') })
  /** All that is offered before anything is typed. */
  const offered = async (where: typeof page) => {
    await where.keyboard.press('Control+k')
    await where.getByRole('option', { name: 'Sign out' }).waitFor()
    return where.getByRole('option').allInnerTexts()
  }
  await viewer.go(`/c/${company.id}`)
  await viewer.page.getByRole('heading', { level: 1 }).waitFor()
  const all = await offered(page)
  const some = await offered(viewer.page)
  assert.deepEqual(
    all.filter((label) => !some.includes(label)),
    ['API keys', 'Members', 'New customer', 'New product', 'New order', 'New outlet'],
  )
  await box.waitFor()
})

browserTest('more records than are shown lead to their list, with the search filled in', async () => {
  const { page, box, company, quiet } = await opened()
  const items = Array.from({ length: 30 }, (_, n) => ({ firstName: `Ida ${n}`, lastName: 'Archer' }))
  await company.call('POST', '/v1/customers', { items })
  await page.keyboard.press('Control+k')
  await box.fill('archer')
  await page.getByRole('option', { name: 'See all customers with “archer”' }).click()
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  assert.equal(await page.getByRole('searchbox').inputValue(), 'archer')
  await page.getByRole('status').getByText('30', { exact: true }).waitFor()
  // No list finds words of several members.
  await page.keyboard.press('Control+k')
  await box.fill('archer ida')
  await page.getByText('More records match.').waitFor()
  quiet()
})

browserTest('a search that fails says why and can be tried again', async () => {
  const { page, box, records } = await opened({ expects: /status of 500/ })
  await page.route('**/v1/search?*', (route) => route.fulfill({ status: 500, json: { message: 'Broken for now.' } }))
  await page.keyboard.press('Control+k')
  await box.fill('gruber')
  await page.getByRole('alert').getByText('Broken for now.').waitFor()
  await page.unroute('**/v1/search?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await records.nth(1).waitFor()
})

browserTest(
  'on a phone the header opens the search, which fits the window and breaks no accessibility rule',
  async () => {
    const { page, box, records, accessible, quiet } = await opened({ width: 375 })
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Search or jump/ })
      .click()
    await box.fill('gruber')
    await records.nth(1).waitFor()
    const dialog = await page.getByRole('dialog', { name: 'Search' }).boundingBox()
    assert.ok(dialog && dialog.x >= 0 && dialog.x + dialog.width <= 375)
    await accessible(page, { within: '[role="dialog"]' })
    await page.emulateMedia({ colorScheme: 'dark' })
    await accessible(page, { within: '[role="dialog"]' })
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await box.waitFor({ state: 'detached' })
    quiet()
  },
)

browserTest('Back from a record shows the list as it was: its search, sort, and place', async () => {
  const { page, go, company, quiet } = await opened()
  const items = Array.from({ length: 250 }, (_, n) => ({ lastName: `Archer ${n}` }))
  await company.call('POST', '/v1/customers', { items })
  await go(`/c/${company.id}/customers?q=archer&in=lastName&sort=lastName`)
  const list = page.getByRole('region', { name: 'Customers' })
  await list.getByRole('link').first().waitFor()
  await list.evaluate((element) => element.scrollTo(0, 2_000))
  const link = list.getByRole('link').nth(22)
  await link.hover()
  const place = await list.evaluate((element) => element.scrollTop)
  assert.ok(place > 1_000)
  await link.click()
  await page.waitForURL(/customers\/[0-9a-f]{24}/)
  await page.getByRole('heading', { level: 1, name: /^Archer/ }).waitFor()
  await page.goBack()
  await until('the list is where it was', async () => (await list.evaluate((element) => element.scrollTop)) === place)
  assert.equal(await page.getByRole('searchbox').inputValue(), 'archer')
  assert.match(page.url(), /sort=lastName/)
  quiet()
})
