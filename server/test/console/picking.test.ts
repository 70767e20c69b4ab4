// Inputs that offer records: what looks alike is told apart, and what cannot be unset has no button for it.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { succeeded } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A tea shop with a second outlet, whose till has the same name and an open session. */
async function twoOutlets() {
  const shop = await teaShop(service)
  const { call } = shop.company
  const outletId = (await call('POST', '/v1/outlet', { name: 'Market' })).body.id
  const stationId = (await call('POST', '/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })).body.id
  await call('POST', '/v1/session', { stationId })
  return { ...shop, stations: [shop.stationId, stationId] }
}

browserTest('sessions of tills with the same name are offered and shown with their outlets', async () => {
  const { company, sessionId, stations } = await twoOutlets()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/cash-movements/new`)
  await page.getByRole('combobox', { name: 'Session' }).click()
  for (const place of ['Till 1 · Harbour', 'Till 1 · Market']) await page.getByRole('option', { name: place }).waitFor()
  // So are the tills of a list, and that of a report.
  await go(`/c/${company.id}/sessions`)
  for (const place of ['Till 1 · Harbour', 'Till 1 · Market']) await page.getByText(place, { exact: true }).waitFor()
  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('link', { name: 'Till 1 · Harbour' }).waitFor()
  const lineItems = [{ name: 'Tea', quantity: 1, price: '4.00' }]
  for (const stationId of stations) await company.call('POST', '/v1/sale', { stationId, lineItems })
  await go(`/c/${company.id}/reports?by=stationId`)
  for (const place of ['Till 1 · Harbour', 'Till 1 · Market'])
    await page
      .getByRole('rowheader', { name: place })
      .or(page.getByRole('cell', { name: place }))
      .first()
      .waitFor()
  quiet()
})

browserTest('a list of choices says how many more there are than it offers, and typing finds them', async () => {
  const company = await service.company()
  const items = Array.from({ length: 34 }, (_, n) => ({ name: `Shop ${n + 1}` }))
  await company.call('POST', '/v1/outlets', { items })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stations/new`)
  const outlet = page.getByRole('combobox', { name: 'Outlet' })
  await outlet.click()
  const more = page.getByRole('option', { name: '4 more; type to find them' })
  await more.waitFor()
  assert.ok(await more.isDisabled())
  await page.keyboard.type('Shop 34')
  await page.getByRole('option', { name: 'Shop 34' }).waitFor()
  await more.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await outlet.inputValue(), 'Shop 34')
  quiet()
})

browserTest(
  'in a chain whose tills all have the same name, each is shown with its outlet by reading few outlets',
  async () => {
    const { company } = await teaShop(service)
    const made = async (path: string, body: object) =>
      succeeded(await company.call('POST', path, body), 201).id as string
    let sessionId = ''
    for (let n = 1; n <= 105; n++) {
      const outletId = await made('/v1/outlet', { name: `Shop ${n}` })
      const stationId = await made('/v1/station', { name: 'Till 1', outletId, status: 'IN_USE' })
      if (n === 105) sessionId = await made('/v1/session', { stationId })
    }
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    let outletsRead = 0
    page.on('request', (request) => {
      if (/\/v1\/outlet\/\w+$/.test(request.url())) outletsRead++
    })
    await go(`/c/${company.id}/sessions/${sessionId}/report`)
    await page.getByRole('link', { name: 'Till 1 · Shop 105' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(outletsRead <= 2, `${outletsRead}`)
    quiet()
  },
)

browserTest('a session whose till is read late is shown with it, and not searched without it', async () => {
  const { company, sessionId } = await twoOutlets()
  const { id } = succeeded(
    await company.call('POST', '/v1/order', {
      status: 'pending',
      sessionId,
      lineItems: [{ name: 'Tea', price: '1.00' }],
    }),
    201,
  )
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    isOwn: true,
  })
  await page.clock.install()
  let release = () => {}
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/v1\/station\//, async (route) => {
    await isReleased
    await route.continue()
  })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const session = page.getByRole('combobox', { name: 'Session' })
  await session.and(page.locator('[value]:not([value=""])')).waitFor()
  // What is typed is searched after a moment.
  await page.clock.runFor(1000)
  release()
  await session.and(page.locator('[value$="Till 1 · Harbour"]')).waitFor()
  quiet()
})

browserTest('the station of an order can be replaced when its payment is taken, and not removed', async () => {
  const { company, outletId, stationId } = await twoOutlets()
  const order = { status: 'pending', outletId, stationId, lineItems: [{ name: 'Tea', quantity: 1, price: '4.00' }] }
  const { id } = (await company.call('POST', '/v1/order', order)).body
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders/${id}`)
  await page.getByRole('button', { name: 'Take payment' }).click()
  const station = page.getByRole('dialog').getByRole('combobox', { name: 'Station' })
  await station.and(page.locator('[value^="Till 1"]')).waitFor()
  await station.click()
  // A chosen option that is chosen again stays.
  await page.getByRole('option', { name: 'Till 1 · Harbour' }).click()
  await station.and(page.locator('[value="Till 1 · Harbour"]')).waitFor()
  assert.equal(await station.locator('xpath=../..').getByRole('button', { includeHidden: true }).count(), 0)
  quiet()
})

browserTest('a new order begins in the search for items, and its payment has readable inputs on a phone', async () => {
  const { company, stationId } = await twoOutlets()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/orders/new`)
  await page.locator('input[type="search"]:focus').waitFor()
  await page.getByRole('button', { name: 'Create order' }).press('Enter')
  await page.getByText('An order needs at least one item.').waitFor()
  await page.locator('input[type="search"]:focus').waitFor()
  const order = { status: 'pending', stationId, lineItems: [{ name: 'Tea', quantity: 1, price: '4.00' }] }
  const { id } = (await company.call('POST', '/v1/order', order)).body
  const phone = await browser.open({ signedIn, width: 390 })
  await phone.go(`/c/${company.id}/orders/${id}`)
  await phone.page.getByRole('button', { name: 'Take payment' }).click()
  const dialog = phone.page.getByRole('dialog')
  for (const name of ['Station', 'Outlet']) {
    const box = await dialog.getByRole('combobox', { name }).boundingBox()
    assert.ok((box?.width ?? 0) > 250, `${name}: ${box?.width}`)
  }
  quiet()
})
