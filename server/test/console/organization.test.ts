// A shop's overview and an organization's pages in the browser, including keyboard use and accessibility.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, person, signIn } from '../support/people.ts'
import { limitsOn } from '../support/plan-limits.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('the overview of an active shop shows today’s totals, and that of a new one the first steps', async () => {
  const { company } = await seeded()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}`)
  const today = page.getByRole('region', { name: 'Today' })
  await today.getByText('€30.00', { exact: true }).first().waitFor()
  await page.getByRole('table', { name: 'Last 30 days' }).getByText('€30.00').first().waitFor({ state: 'attached' })
  await page.getByText('Espresso beans').first().waitFor()
  // Arrow keys move through the chart, which shows each day and its total.
  const plot = page.getByRole('group', { name: /^Net sales/ })
  assert.equal(await plot.locator('rect').count(), 30)
  await plot.press('End')
  await plot.getByText('€30.00').waitFor()
  await plot.press('ArrowLeft')
  await plot.getByText('€0.00').waitFor()
  // On a narrow screen, all of the tooltip is visible.
  await page.setViewportSize({ width: 375, height: 800 })
  await page.route('**/v1/reports/sales?*groupBy=day*', async (route) => {
    const response = await route.fetch()
    const report = await response.json()
    const groups = Array.from({ length: 30 }, (_, n) => ({
      ...report.groups[0],
      day: new Date(Date.parse(report.to) - n * 86_400_000).toISOString().slice(0, 10),
      netSales: '123456789012.00',
    }))
    await route.fulfill({ response, json: { ...report, groups } })
  })
  await go(`/c/${company.id}`)
  await plot.waitFor()
  for (const share of [0.45, 0.55]) {
    const { x, y, width } = (await plot.boundingBox()) as NonNullable<Awaited<ReturnType<typeof plot.boundingBox>>>
    await page.mouse.move(x + width * share, y + 100)
    const tip = await plot.getByRole('status').locator('div').boundingBox()
    assert.ok(tip && tip.x >= x && tip.x + tip.width <= x + width)
  }
  const fresh = await service.company()
  const other = await browser.open({ signedIn: await person(service, { companyId: fresh.id }) })
  await other.go(`/c/${fresh.id}`)
  await other.page.getByRole('heading', { name: 'Set up your shop' }).waitFor()
  quiet()
})

browserTest('a figure of the overview stays in one line, at any width', async () => {
  const company = await service.company()
  await service.database.query(`update companies set currency = 'CHF' where id = $1`, [company.id])
  const lineItems = [{ productId: 'sofa', name: 'Sofa', price: '69149.44', quantity: 1 }]
  await company.call('POST', '/v1/sale', { lineItems, payments: [{ paymentMethod: 'cash' }] })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}`)
  const figures = page.getByRole('group', { name: 'Chart data' }).getByText('CHF 69,149.44', { exact: true })
  await figures.nth(1).waitFor()
  for (const width of [1280, 1000, 640, 375, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const lines = await figures.evaluateAll((all) =>
      all.map((one) => {
        const range = one.ownerDocument.createRange()
        range.selectNodeContents(one)
        return range.getClientRects().length
      }),
    )
    assert.deepEqual(lines, [1, 1], `${width}`)
  }
  // With forced colours, the figure that the chart shows has an outline.
  await page.emulateMedia({ forcedColors: 'active' })
  const chosen = page.getByRole('button', { name: 'Net sales', pressed: true })
  assert.equal(
    await chosen.evaluate((button: any) => button.ownerDocument.defaultView.getComputedStyle(button).outlineStyle),
    'solid',
  )
  await page.emulateMedia({ forcedColors: null })
  quiet()
})

browserTest(
  'the overview compares today with the same weekday up to now; bars show the percentages beside them',
  async () => {
    const company = await service.company()
    await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
    const minute = 60_000
    const week = 7 * 24 * 60 * minute
    const sell = async (price: string, paymentMethod: string, earlier: number) => {
      const occurredAt = new Date(Date.now() - earlier).toISOString()
      const lineItems = [{ productId: 'tea', name: 'Tea', price, quantity: 1 }]
      const payments = [{ paymentMethod, amount: price }]
      await company.call('POST', '/v1/sale', { currency: 'EUR', occurredAt, lineItems, payments })
    }
    await sell('20.00', 'cash', week)
    // Later on that day, and yesterday: neither is compared with.
    await sell('500.00', 'cash', week - 20 * minute)
    await sell('480.00', 'card', week / 7)
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}`)
    await page.getByRole('region', { name: 'Today' }).getByText('€20.00 by this time last').first().waitFor()
    const ways = page.getByRole('region', { name: 'Payment methods' })
    for (const [way, share] of [
      ['Cash', '52%'],
      ['Card', '48%'],
    ] as const) {
      const entry = ways.getByRole('listitem').filter({ hasText: way })
      await entry.getByText(share).waitFor()
      assert.equal(await entry.locator('[style*="width"]').getAttribute('style'), `width: ${share};`)
    }
    // Amounts of twelve digits stay within their places.
    await sell('888888888888.00', 'cash', 0)
    await page.reload()
    const sum = page.getByRole('button', { name: /^Gross sales/ })
    await sum.getByText('€888,888').waitFor()
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 })
      assert.ok(await sum.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth), `${width}`)
    }
    quiet()
  },
)

browserTest(
  'a suspended company says so with the reason: its members are shown nothing else, its organization all',
  async () => {
    const { company, owner } = await seeded()
    const { name } = (await company.call('GET', '/v1/company')).body
    const about = owner.about({ organizationId: company.organizationId })
    const path = `/v1/organization-api/companies/${company.id}`
    const suspension = { status: 'suspended', suspendedReason: 'The October invoice is unpaid.' }
    const { email } = await newUser(service, { companyId: company.id })
    const { page, go } = await browser.open({
      signedIn: await signIn(service, email),
      expects: /status of 403|suspended/,
    })
    const other = await browser.open({ signedIn: owner, expects: /status of 403/ })
    // What is open at that moment learns of it from the first refusal.
    for (const opened of [{ page, go }, other]) {
      await opened.go(`/c/${company.id}/customers/new`)
      await opened.page.getByLabel('First name').first().fill('Ann')
    }
    assert.equal((await about('PATCH', path, suspension)).status, 200)
    for (const opened of [page, other.page]) {
      await opened.getByRole('button', { name: 'Create customer' }).click()
      await opened.getByText('The October invoice is unpaid.', { exact: true }).waitFor()
      await opened.getByRole('button', { name: 'Create customer' }).waitFor({ state: 'hidden' })
    }
    const banner = page.getByRole('status').filter({ hasText: 'This company is suspended' })
    await banner.getByText('The October invoice is unpaid.', { exact: true }).waitFor()
    assert.equal(await page.getByText('Something went wrong').count(), 0)
    await go(`/c/${company.id}/customers`)
    await banner.getByText('The October invoice is unpaid.', { exact: true }).waitFor()
    await page.getByRole('button', { name: `Switch company: ${name}` }).waitFor()

    const shown = other.page.getByRole('status').filter({ hasText: 'This company is suspended' })
    for (const at of ['', '/products', '/customers/new']) {
      await other.go(`/c/${company.id}${at}`)
      await shown.getByText('The October invoice is unpaid.', { exact: true }).waitFor()
      await other.page.getByRole('heading', { level: 1 }).waitFor()
    }
    assert.equal(await other.page.getByRole('button', { name: 'Create customer' }).count(), 0)
    // Its settings too are shown, and offer no change.
    for (const [at, shows] of [
      ['keys', 'posk_'],
      ['members', email],
      ['company', 'Currency'],
    ] as const) {
      await other.go(`/c/${company.id}/settings/${at}`)
      const main = other.page.getByRole('main')
      await main.getByText(shows).first().waitFor()
      const changes = main.getByRole('button', { name: /^(Create|Invite|Actions)/ }).or(main.locator('input:enabled'))
      assert.equal(await changes.count(), 0, at)
    }
    assert.equal(await other.page.getByText('Only owners').count(), 0)
    await other.accessible()
    other.quiet()
  },
)

browserTest('what a member has typed stays while the company is suspended, and can be saved afterwards', async () => {
  const { company, owner } = await seeded()
  const change = (body: object) =>
    owner.about({ organizationId: company.organizationId })(
      'PATCH',
      `/v1/organization-api/companies/${company.id}`,
      body,
    )
  const { email } = await newUser(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn: await signIn(service, email), expects: /status of 403/ })
  await go(`/c/${company.id}/customers/new`)
  const name = page.getByLabel('First name').first()
  await name.fill('Ann')
  await change({ status: 'suspended', suspendedReason: 'The October invoice is unpaid.' })
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.getByText('The October invoice is unpaid.', { exact: true }).waitFor()
  await name.waitFor({ state: 'hidden' })
  await change({ status: 'active' })
  // The page looks from time to time, and when it is looked at again.
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
  await name.waitFor()
  assert.equal(await name.inputValue(), 'Ann')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.getByRole('heading', { name: 'Ann', level: 1 }).waitFor()
  quiet()
})

browserTest('people of a company without its organization read the name of its plan', async () => {
  const { company } = await seeded()
  const { email } = await newUser(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn: await signIn(service, email) })
  const { planName, planId } = (await company.call('GET', '/v1/company')).body
  await go(`/c/${company.id}/settings/company`)
  await page.locator('dl div', { hasText: 'Plan' }).getByText(planName, { exact: true }).waitFor()
  assert.equal(await page.getByText(planId).count(), 0)
  quiet()
})

browserTest('pressing Escape does not lose a plan that is being entered', async () => {
  const { organizationId } = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { organizationId }) })
  await go(`/o/${organizationId}/plans`)
  await page.getByRole('button', { name: 'New plan' }).click()
  const name = page.getByRole('dialog', { name: 'New plan' }).getByRole('textbox', { name: 'Name' })
  await name.fill('Small')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  assert.equal(await name.inputValue(), 'Small')
  await page.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Small').waitFor()
  quiet()
})

browserTest('a company that two users change at once keeps both changes', async () => {
  const { company, owner, at } = await seeded()
  const { page, go, tab } = await browser.open({ signedIn: owner, expects: /412/ })
  await go(`${at}/companies/${company.id}`)
  const second = await tab()
  await go(`${at}/companies/${company.id}`, second)
  await page.getByLabel('Industry').fill('Coffee')
  await second.getByLabel('Industry').fill('Tea')
  await second.getByRole('button', { name: 'Save' }).click()
  await second.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed since you opened it' })
  await dialog.getByText('Tea').waitFor()
  await dialog.getByRole('button', { name: 'Save chosen values' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByLabel('Industry').inputValue(), 'Coffee')
})

browserTest('an owner of a shop changes its name and currency in its own settings', async () => {
  const { company } = await seeded()
  const owner = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  await go(`/c/${company.id}/settings/company`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Corner Café')
  await page.getByRole('combobox', { name: 'Currency' }).fill('CHF')
  await page.getByRole('option', { name: /^CHF/ }).click()
  await accessible()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByText('Corner Café').first().waitFor()
  const { name, currency } = (await company.call('GET', '/v1/company')).body
  assert.deepEqual([name, currency], ['Corner Café', 'CHF'])
  quiet()
})

browserTest(
  'a shop that closes after midnight sets the hour at which its days begin: the overview and reports ask for these days',
  async () => {
    const { company } = await seeded()
    await service.database.query(`update companies set timezone = 'Europe/Vienna' where id = $1`, [company.id])
    const owner = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn: owner, isOwn: true })
    await go(`/c/${company.id}/settings/company`)
    await page.getByRole('combobox', { name: 'Day starts at' }).click()
    await page.getByRole('option', { name: '04:00' }).click()
    await accessible()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await company.call('GET', '/v1/company')).body.dayStartHour, 4)
    // 03:30 in Vienna is still the night of the day before.
    await page.clock.setFixedTime('2026-11-21T02:30:00Z')
    const daysAsked = async (path: string) => {
      const [request] = await Promise.all([page.waitForRequest(/\/v1\/reports\/sales/), go(path)])
      const { searchParams } = new URL(request.url())
      return ['from', 'to', 'dayStartHour'].map((name) => searchParams.get(name))
    }
    assert.deepEqual(await daysAsked(`/c/${company.id}/reports?period=today`), ['2026-11-20', '2026-11-20', null])
    assert.deepEqual(await daysAsked(`/c/${company.id}`), ['2026-10-22', null, null])
    quiet()
  },
)

browserTest('an id with a path leads to no other route of the service, and an invalid logo is not a link', async () => {
  const { company, owner, at } = await seeded()
  const about = owner.about({ organizationId: company.organizationId })
  const logo = 'javascript:alert(1)'
  assert.equal((await about('PATCH', `/v1/organization-api/companies/${company.id}`, { logo })).status, 200)
  const viewer = await person(service, { companyId: company.id }, 'viewer')
  const reading = await browser.open({ signedIn: viewer })
  await reading.go(`/c/${company.id}/settings/company`)
  await reading.page.getByText(logo).waitFor()
  assert.equal(await reading.page.getByRole('link', { name: logo }).count(), 0)
  reading.quiet()
  const { page, go, quiet } = await browser.open({ signedIn: owner, expects: /404/ })
  await go(`${at}/companies/..%2forganization`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  quiet()
})

browserTest('the default currency of an organization is chosen in its settings', async () => {
  const { company, owner, at } = await seeded()
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  await go(`${at}/extensions`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Default currency' }).fill('CHF')
  await page.getByRole('option', { name: /^CHF/ }).click()
  await accessible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const about = owner.about({ organizationId: company.organizationId })
  assert.equal((await about('GET', '/v1/organization-api/organization')).body.defaultCurrency, 'CHF')
  quiet()
})

browserTest(
  'a record that the plan does not allow is refused without blaming a field, and can be saved afterwards',
  async () => {
    const company = await service.company()
    const { limit } = limitsOn(service)
    await limit(company, { outlets: 1 })
    await company.call('POST', '/v1/outlet', { name: 'Harbour' })
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /status of 403/,
    })
    await go(`/c/${company.id}/outlets/new`)
    await page.getByLabel('Name').fill('Market')
    await page.getByRole('button', { name: 'Create outlet' }).click()
    const said = await page.getByRole('alert').filter({ hasText: 'The plan allows' }).textContent()
    assert.equal(said, 'The plan allows 1, and there are 1. Remove one, or ask for another plan.')
    await limit(company, { outlets: 2 })
    await page.getByRole('button', { name: 'Create outlet' }).click()
    await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
    quiet()
  },
)

/** A company with a sale, the owner of its organization, and an extension. */
async function seeded() {
  const company = await service.company()
  const owner = await person(service, { organizationId: company.organizationId })
  const about = owner.about({ organizationId: company.organizationId })
  const { body } = await about('POST', '/v1/organization-api/extensions', { name: 'Loyalty cards', status: 'public' })
  const product = await company.call('POST', '/v1/product', { name: 'Espresso beans' })
  const lineItems = [{ productId: product.body.id, name: 'Espresso beans', quantity: 3, total: '30.00' }]
  await company.call('POST', '/v1/order', { status: 'completed', currency: 'EUR', lineItems })
  await company.call('POST', '/v1/transaction', {
    type: 'sale',
    amount: '30.00',
    currency: 'EUR',
    paymentMethod: 'cash',
  })
  return { company, owner, at: `/o/${company.organizationId}`, extensionId: body.id }
}
