// What could not be read is not shown as empty: lists of choices, alerts, events and counts before a deletion say what failed.
import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { makeTable } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Requests whose path matches fail, until the function that it returns is called. */
async function failing(page: Page, path: RegExp): Promise<() => Promise<void>> {
  const matches = (url: URL) => path.test(url.pathname)
  const body = JSON.stringify({ statusCode: 500, code: 'internal_error', message: 'It failed.', requestId: 'r-1' })
  await page.route(matches, (route) => route.fulfill({ status: 500, contentType: 'application/problem+json', body }))
  return () => page.unroute(matches)
}

const failed = /Something went wrong on the server/

browserTest(
  'a list of choices, the finder of variants and the switcher say what failed, not that nothing exists',
  async () => {
    const company = await service.company()
    await company.call('POST', '/v1/outlet', { name: 'Harbour' })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 500/ })
    const mend = await failing(page, /^\/v1\/(outlets|search|console\/companies)$/)
    await go(`/c/${company.id}/orders/new`)
    const outlet = page.getByRole('combobox', { name: 'Outlet' })
    await outlet.click()
    await page.getByRole('listbox').getByText(failed).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('mug')
    await page.getByRole('listbox').getByText(failed).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Switch company' }).click()
    await page.getByRole('listbox').getByText(failed).waitFor()
    await page.keyboard.press('Escape')
    // The stock is not said to have no outlet either.
    const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
    await company.call('POST', '/v1/variant', { productId: product.id, manageStock: true })
    await page.getByRole('link', { name: 'Stock' }).click()
    await page.getByRole('alert').getByText(failed).waitFor()
    await go(`/c/${company.id}/orders/new`)
    await outlet.click()
    await page.getByRole('listbox').getByText(failed).waitFor()
    await page.keyboard.press('Escape')
    await mend()
    // Opened again, it is asked for again.
    await outlet.click()
    await page.getByRole('option', { name: 'Harbour' }).waitFor()
    quiet()
  },
)

browserTest('alerts and events that could not be read are not called none, and are read again', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn, expects: /status of 500/ })
  const mend = await failing(page, /^\/v1\/(alerts|events)$/)
  await go(`/c/${company.id}/events`)
  await page.getByRole('alert').getByText(failed).waitFor()
  await page.getByText('No recent events').waitFor({ state: 'detached' })
  await accessible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible(page, { rules: ['color-contrast'] })
  await page.getByRole('button', { name: 'Alerts' }).click()
  const alerts = page.getByRole('dialog', { name: 'Alerts' })
  await alerts.getByText(failed).waitFor()
  await mend()
  await alerts.getByRole('button', { name: 'Try again' }).click()
  await alerts.getByText('No alerts').waitFor()
  await page.keyboard.press('Escape')
  await alerts.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No recent events').waitFor()
  quiet()
})

browserTest(
  'a table or field is not called empty before it is deleted, while its rows could not be counted',
  async () => {
    const company = await service.company()
    const table = await makeTable(company.call, { tier: 'string' })
    await table.row({ tier: 'gold' })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 500/ })
    const mend = await failing(page, /^\/v1\/api\/custom-table-data\//)
    await go(`/c/${company.id}/tables/${table.id}?tab=settings`)
    await page.getByRole('button', { name: 'Delete table' }).click()
    await page.getByText('All of its rows are deleted with it.').waitFor()
    await mend()
    await go(`/c/${company.id}/tables/${table.id}?tab=settings`)
    await page.getByRole('button', { name: 'Delete table' }).click()
    await page.getByText('1 row is deleted with it.').waitFor()
    quiet()
  },
)

browserTest('a record that could not be read leaves no title of the page before, and has a heading', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn, expects: /status of 500/ })
  const mend = await failing(page, /^\/v1\/outlets?\/[0-9a-f]{24}$/)
  await go(`/c/${company.id}/outlets`)
  await page.getByRole('link', { name: 'Harbour' }).click()
  await page.getByRole('heading', { level: 1, name: 'Something went wrong' }).waitFor()
  assert.equal(await page.title(), 'Something went wrong · Cashwrap')
  await accessible()
  await mend()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: outlet.name }).waitFor()
  assert.equal(await page.title(), 'Harbour · Cashwrap')
  quiet()
})

browserTest('members and extensions that could not be read are one failure, not two', async () => {
  const { organizationId } = await service.company()
  const signedIn = await person(service, { organizationId })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 500/ })
  await failing(page, /^\/v1\/organization-api\//)
  for (const path of ['members', 'extensions']) {
    await go(`/o/${organizationId}/${path}`)
    await page.getByText(failed).waitFor()
    assert.equal(await page.getByText(failed).count(), 1, path)
  }
  quiet()
})

browserTest('while the server asks to try again later, the page says so, and opens by itself', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 503/ })
  const json = { statusCode: 503, code: 'overloaded', message: 'Try again.' }
  let isBusy = true
  await page.route('**/v1/outlets*', (route) =>
    isBusy ? route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json }) : route.fallback(),
  )
  await go(`/c/${company.id}/outlets`)
  await page.getByText('The server is busy').waitFor()
  isBusy = false
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  await page.getByText('The server is busy').waitFor({ state: 'detached' })
  quiet()
})

/** Holds reads up until they are answered in the test. */
async function holding(page: Page, path: string) {
  const held: Route[] = []
  await page.route(path, (route) => void held.push(route))
  return async (): Promise<Route> => {
    await until(`${path} is read`, () => held.length > 0)
    return held.shift() as Route
  }
}

const tooMany = {
  status: 429,
  headers: { 'retry-after': '0.01' },
  json: { statusCode: 429, code: 'rate_limited', reason: 'key_rate', message: 'Wait.' },
}

browserTest('the server is called busy only where it keeps the user waiting, and in calm colours', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn, expects: /status of 429/ })
  const bar = page.getByText('The server is busy')
  const alerts = await holding(page, '**/v1/alerts')
  const stations = await holding(page, '**/v1/stations?*')
  // No page waits for the alerts.
  await go(`/c/${company.id}/outlets`)
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  for (const _ of [1, 2]) await (await alerts()).fulfill(tooMany)
  await alerts()
  assert.equal(await bar.count(), 0)
  // The delay of one refusal, after which the server wants to be asked again at once, is not noticed.
  await go(`/c/${company.id}/stations`)
  await (await stations()).fulfill(tooMany)
  const second = await stations()
  assert.equal(await bar.count(), 0)
  await second.fulfill(tooMany)
  await bar.waitFor()
  const colour = await bar.evaluate(
    (text: any) => (globalThis as any).getComputedStyle(text.parentElement).backgroundColor,
  )
  assert.equal(colour, 'rgb(255, 255, 255)')
  await accessible()
  await page.emulateMedia({ colorScheme: 'dark' })
  await accessible(page, { rules: ['color-contrast'] })
  quiet()
})

/** An expression that collects what lists of choices say from now on. */
const watchChoices = `(() => {
  window.said = []
  const read = () => {
    for (const list of document.querySelectorAll('[role=listbox]')) if (list.checkVisibility()) said.push(list.textContent)
  }
  new MutationObserver(read).observe(document.body, { subtree: true, childList: true, characterData: true })
})()`

browserTest('what is sought in a list of choices is not called missing before the server has answered', async () => {
  const company = await service.company()
  // Of two, none is chosen at first.
  for (const name of ['Harbour', 'Airport']) await company.call('POST', '/v1/outlet', { name })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/orders/new`)
  const choices = page.getByRole('listbox')
  const outlet = page.getByRole('combobox', { name: 'Outlet' })
  await outlet.fill('a name that no outlet has, and too long for an id of another system')
  await choices.getByText('No results').waitFor()
  const outlets = await holding(page, '**/v1/outlets?*')
  await outlet.fill('Harb')
  const search = await outlets()
  assert.equal(await choices.textContent(), 'Searching…')
  await search.continue()
  await page.getByRole('option', { name: 'Harbour' }).waitFor()
  await page.keyboard.press('Escape')
  // Nor in the moment before it is asked.
  await page.evaluate(watchChoices)
  await page.getByRole('searchbox').fill('mug')
  await choices.getByText('No results').waitFor()
  const said = new Set((await page.evaluate('said')) as string[])
  assert.deepEqual([...said], ['Searching…', 'No results'])
  quiet()
})

browserTest('after Try again the focus is on the page, and then on the heading of its record', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 500/ })
  const mend = await failing(page, /^\/v1\/outlet\//)
  await go(`/c/${company.id}/outlets/${outlet.id}`)
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await mend()
  const reads = await holding(page, `**/v1/outlet/${outlet.id}`)
  await again.press('Enter')
  const read = await reads()
  assert.equal(await page.evaluate('document.activeElement.id'), 'content')
  await read.continue()
  await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Harbour')
  quiet()
})
