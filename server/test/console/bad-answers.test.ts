// Parts of pages whose request fails: each says what failed and goes on by itself where it says so, and switches keep the focus.
import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const problem = (status: number, retryAfter = '0.01') => ({
  status,
  headers: { 'retry-after': retryAfter },
  json: { statusCode: status, code: status === 500 ? 'internal_error' : 'unavailable', message: 'It failed.' },
})

/** Answers requests of a path with a function, until the function that it returns is called. */
async function answering(page: Page, path: RegExp, answer: (route: Route) => Promise<void>) {
  const matches = (url: URL) => path.test(url.pathname)
  await page.route(matches, answer)
  return () => page.unroute(matches)
}

browserTest('a part that could not be reached is said to be read by itself, and is, without a button', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, accessible } = await browser.open({ signedIn, isOwn: true, expects: /Failed to load resource/ })
  // Delays between tries are short, so that it gives up soon.
  await page.addInitScript(
    '{ const late = setTimeout; window.setTimeout = (run, ms, ...all) => late(run, Math.min(ms, 50), ...all) }',
  )
  const mend = await answering(page, /^\/v1\/(console\/passkeys|public\/health)$/, (route) => route.abort())
  await go('/user')
  const part = page.getByText('This part loads as soon as the server can be reached again.')
  await part.waitFor()
  await page.getByText('Retrying automatically.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  await accessible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible(page, { rules: ['color-contrast'] })
  await mend()
  await page.getByText('This browser cannot use passkeys here').waitFor()
  await part.waitFor({ state: 'detached' })
})

browserTest(
  'a part that asks the user to try again is not beside a bar that says that this happens by itself',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, expects: /status of 503/ })
    const held: Route[] = []
    let isRead = false
    await answering(page, /^\/v1\/console\/second-factor$/, (route) => route.fulfill(problem(503, '60')))
    await answering(page, /^\/v1\/console\/passkeys$/, async (route) => {
      if (isRead) await route.fulfill(problem(503))
      else held.push(route)
    })
    await go('/user')
    const bar = page.getByText('The server is busy')
    await bar.waitFor()
    await until('the passkeys are read', () => held.length > 0)
    isRead = true
    await held[0]?.fulfill(problem(503))
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await bar.waitFor({ state: 'detached' })
  },
)

browserTest('the bar is shown although something that was read before could not be read again', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 503/ })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  let tries = 0
  await answering(page, /^\/v1\/console\/sign-in$/, async (route) => {
    tries++
    await route.fulfill(problem(503))
  })
  await page.evaluate('window.dispatchEvent(new Event("focus"))')
  await until('the sign-in is tried for the last time', () => tries === 6)
  await answering(page, /^\/v1\/orders$/, (route) => route.fulfill(problem(503, '60')))
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByText('The server is busy').waitFor()
})

browserTest('a switch of an alert keeps the focus, and goes back if the server refuses it', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 503/ })
  await go('/user')
  const stock = page.getByRole('switch', { name: 'Low stock: Bell' })
  const state = async () => (await signedIn.call('GET', '/v1/console/alert-settings')).body.stock.bell
  await stock.press('Space')
  await until('it is stored', async () => (await state()) === false)
  // Once more, without another Tab.
  await page.keyboard.press('Space')
  await until('it is stored', async () => (await state()) === true)
  await answering(page, /^\/v1\/console\/alert-settings$/, (route) => route.fulfill(problem(503)))
  await page.keyboard.press('Space')
  await page.getByText('The server cannot respond at the moment').waitFor()
  await until('it is on again', () => stock.isChecked())
  assert.equal(await state(), true)
})

browserTest(
  'a switch of an alert that is pressed twice goes back to what the server has if both are refused',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, expects: /status of 503/ })
    await go('/user')
    const held: Route[] = []
    await answering(page, /^\/v1\/console\/alert-settings$/, async (route) => {
      if (route.request().method() === 'PATCH') held.push(route)
      else await route.fallback()
    })
    const stock = page.getByRole('switch', { name: 'Low stock: Bell' })
    await stock.press('Space')
    await page.keyboard.press('Space')
    for (const n of [0, 1]) {
      await until('it is sent', () => held.length > n)
      await held[n]?.fulfill(problem(503))
    }
    const refusals = page.getByText('The server cannot respond at the moment')
    await until('both are refused', async () => (await refusals.count()) === 2)
    assert.equal(await stock.isChecked(), true)
  },
)

browserTest(
  'a file that the server could not take is not called wrong; an import that cannot be read has a heading',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, expects: /status of (400|500|503)/ })
    const choose = (name: string, text: string) =>
      page.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await go(`/c/${company.id}/imports`)
    const mend = await answering(page, /^\/v1\/imports$/, (route) =>
      route.request().method() === 'POST' ? route.fulfill(problem(503)) : route.fallback(),
    )
    await choose('teas.csv', 'SKU,Name\nTEA-1,Tea\n')
    await page.getByRole('alert').getByText('The file was not uploaded').waitFor()
    await mend()
    await choose('colours.csv', 'colour;size\nred;4\n')
    await page.getByRole('alert').getByText('This file cannot be imported').waitFor()
    await answering(page, /^\/v1\/imports\//, (route) => route.fulfill(problem(500)))
    await go(`/c/${company.id}/imports/${company.id}`)
    await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
    assert.equal(await page.title(), 'Something went wrong · Cashwrap')
  },
)

browserTest('a picture whose link could not be read is not left out without a word', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 500/ })
  await go(`/c/${company.id}/attachments/new`)
  const mend = await answering(page, /\/file\/link$/, (route) => route.fulfill(problem(500)))
  const buffer = await page.screenshot()
  await page.locator('input[type="file"]').setInputFiles({ name: 'shelf.png', mimeType: 'image/png', buffer })
  await page.getByRole('heading', { level: 1, name: 'shelf.png' }).waitFor()
  await page.getByRole('alert').getByText('Something went wrong on the server').waitFor()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: 'Picture of shelf.png' }).waitFor()
})

browserTest('an outlet that is typed is not replaced by the only one, which is read meanwhile', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn })
  const held: Route[] = []
  const mend = await answering(page, /^\/v1\/outlets$/, async (route) => {
    if (new URL(route.request().url()).searchParams.get('limit') === '2') held.push(route)
    else await route.fallback()
  })
  await go(`/c/${company.id}/orders/new`)
  const outlet = page.getByRole('combobox', { name: 'Outlet' })
  await outlet.fill('Airp')
  await until('the only outlet is read', () => held.length > 0)
  const answered = page.waitForResponse((response) => response.url().includes('limit=2'))
  for (const route of held) await route.continue()
  await (await answered).finished()
  await mend()
  await page
    .getByRole('listbox')
    .getByText('No results')
    .or(page.getByRole('option', { name: 'Airp' }))
    .first()
    .waitFor()
  assert.equal(await outlet.inputValue(), 'Airp')
})

browserTest(
  'events that could not be reached are read again by a button, since they are read by no query',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, expects: /Failed to load resource/ })
    const mend = await answering(page, /^\/v1\/events$/, (route) => route.abort())
    await go(`/c/${company.id}/events`)
    const again = page.getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await mend()
    await again.click()
    await page.getByText('No recent events').waitFor()
  },
)

browserTest('a new secret is not shown where someone else has changed the trigger meanwhile', async () => {
  const company = await service.company()
  const made = { triggerType: 'customer.*', triggerUrl: 'https://example.com/', apiKey: 'a secret of the receiver' }
  const { id } = (await company.call('POST', '/v1/automation-trigger', made)).body
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /status of 412/ })
  await go(`/c/${company.id}/automation-triggers/${id}?tab=settings`)
  await page.getByRole('button', { name: 'Use my own' }).click()
  await page.getByLabel('Your secret').fill('hunter2 again')
  await company.call('PATCH', `/v1/automation-trigger/${id}`, { apiKey: 'a secret of a colleague' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Changed since you opened it' })
  await dialog.getByRole('radio', { name: 'Secret: Your value' }).waitFor()
  const shown = (await dialog.textContent()) ?? ''
  assert.doesNotMatch(shown, /hunter|gain/)
  assert.match(shown, /•ague/)
})

browserTest(
  'the schema says which typed values are not shown beside those of someone else, and on a phone both have room',
  async () => {
    const company = await service.company()
    const { id } = (await company.call('POST', '/v1/customer', { firstName: 'Ada', lastName: 'Byron' })).body
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, accessible } = await browser.open({ signedIn, width: 375, expects: /status of 412/ })
    await answering(page, /^\/v1\/console\/resources$/, async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const { members } = data.find(({ many }: { many: string }) => many === 'customers')
      members.find(({ name }: { name: string }) => name === 'lastName').isSecret = true
      await route.fulfill({ response, json: { data } })
    })
    await go(`/c/${company.id}/customers/${id}`)
    await page.getByLabel('First name').first().fill('Augusta')
    await page.getByLabel('Last name').first().fill('King, Countess of Lovelace')
    await company.call('PATCH', `/v1/customer/${id}`, { firstName: 'Ada Augusta', lastName: 'Lovelace' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Changed since you opened it' })
    const mine = page.getByRole('radio', { name: 'Last name: Your value' })
    await mine.waitFor()
    const shown = (await dialog.textContent()) ?? ''
    assert.match(shown, /Augusta/)
    assert.doesNotMatch(shown, /Countess/)
    const cell = await dialog.getByRole('cell').filter({ has: mine }).boundingBox()
    assert.ok((cell?.width ?? 0) > 140, `${cell?.width} px`)
    await accessible()
  },
)
