// What pages show while the server is slow: old results are marked, and nothing is called missing before the server has answered.
import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Holds requests, and returns a function that releases those held so far. */
async function holding(page: Page, path: string | RegExp) {
  const held: Route[] = []
  await page.route(path, (route) => void held.push(route))
  return async (): Promise<void> => {
    await until(`${path} is asked`, () => held.length > 0)
    for (const route of held.splice(0)) await route.continue()
  }
}

browserTest(
  'rows and count of the search before are marked until another one is answered, and not selected in it',
  async () => {
    const company = await service.company()
    const items = ['Archer', 'Archer-Cook', 'Baker'].map((lastName) => ({ firstName: 'Ann', lastName }))
    await company.call('POST', '/v1/customers', { items })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn })
    await go(`/c/${company.id}/customers`)
    const list = page.getByRole('region', { name: 'Customers' })
    const count = page.getByRole('main').getByRole('status')
    await count.getByText('3', { exact: true }).waitFor()
    const goOn = await holding(page, '**/v1/customers?*')
    await page.getByRole('searchbox').fill('baker')
    await count.getByText('Loading…').waitFor()
    assert.equal(await list.getAttribute('aria-busy'), 'true')
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).click()
    await page.getByRole('checkbox', { name: 'Select Ann Archer-Cook' }).click()
    assert.equal(await page.getByRole('region', { name: 'Selected rows' }).count(), 0)
    await goOn()
    await count.getByText('1', { exact: true }).waitFor()
    assert.equal(await list.getAttribute('aria-busy'), 'false')
    await page.getByRole('searchbox').fill('bakers')
    await goOn()
    await page.getByText('No record contains all words of “bakers”').waitFor()
    // The empty result of the previous search says nothing about this one.
    await page.getByRole('searchbox').fill('archer')
    await page.getByText('No record contains').waitFor({ state: 'detached' })
    await goOn()
    await count.getByText('2', { exact: true }).waitFor()
    // The keyboard is ahead of the server: it has reached a row that is gone with the next response.
    await page.getByRole('searchbox').fill('cook')
    await count.getByText('Loading…').waitFor()
    await page.getByRole('searchbox').press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await list.locator('a:focus').waitFor()
    await goOn()
    await list.locator('a:focus', { hasText: 'Archer-Cook' }).waitFor()
    quiet()
  },
)

browserTest('a button that waits turns a sign in its middle, also without movement, and sends once', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/outlets/new`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Harbour')
  const goOn = await holding(page, '**/v1/outlet')
  const create = page.getByRole('button', { name: 'Create outlet' })
  await create.press('Enter')
  const middleOf = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    return box && [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)
  }
  await page.locator('.mantine-Button-loader').waitFor()
  assert.deepEqual(await middleOf('.mantine-Button-loader'), await middleOf('button[data-loading]'))
  await name.press('Enter')
  await goOn()
  await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  assert.equal((await company.call('GET', '/v1/outlets?searchByName=Harbour')).body.meta.count, 1)
  quiet()
})

browserTest(
  'figures of the days chosen before are marked until those of the others are there, and not saved',
  async () => {
    const company = await service.company()
    const sold = {
      outletId: 'main',
      lineItems: [{ name: 'Tea', price: '5.00' }],
      payments: [{ paymentMethod: 'cash' }],
    }
    assert.equal((await company.call('POST', '/v1/sale', sold)).status, 201)
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn })
    await go(`/c/${company.id}/reports`)
    const sales = page.getByRole('main').locator('section', { has: page.getByRole('table') })
    await sales.waitFor()
    const goOn = await holding(page, '**/v1/reports/sales?*')
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await sales.getByText('Loading…').waitFor()
    assert.equal(await sales.getAttribute('aria-busy'), 'true')
    assert.ok(await page.getByRole('button', { name: 'Download CSV' }).isDisabled())
    await goOn()
    await sales.getByText('Loading…').waitFor({ state: 'detached' })
    assert.ok(await page.getByRole('button', { name: 'Download CSV' }).isEnabled())
    quiet()
  },
)
