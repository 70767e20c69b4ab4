// The first steps of a new shop: they show what is done, and lead to what is next.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { csvOf, imported, mugs } from '../support/imports.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest(
  'the first steps of a shop are its details, an outlet, a catalogue and a key; each is ticked once it is there',
  async () => {
    const company = await service.company()
    const { page, go, quiet, accessible } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
    })
    const step = (title: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    await go(`/c/${company.id}`)
    await step('Connect your till').getByText('One key so far.').waitFor()
    for (const title of ['Add an outlet', 'Import a catalogue', 'Or add products one by one'])
      assert.equal(await step(title).getByText('so far').count(), 0, title)
    await accessible()
    await step('Name your shop').getByRole('link', { name: 'Edit details' }).waitFor()
    await page.getByRole('link', { name: 'Add outlet' }).click()
    await page.getByRole('heading', { name: 'New outlet' }).waitFor()

    await service.database.query(`update companies set timezone = 'Europe/Vienna' where id = $1`, [company.id])
    // A catalogue that was imported ticks its step; what was typed does not.
    await company.call('POST', '/v1/product', { name: 'Tea' })
    await go(`/c/${company.id}`)
    await step('Name your shop').getByText('Its time zone is Europe/Vienna.').waitFor()
    await step('Or add products one by one').getByText('One product so far.').waitFor()
    assert.equal(await step('Import a catalogue').getByText('so far').count(), 0)
    await imported(company.call, csvOf(mugs(2)))
    await go(`/c/${company.id}`)
    await step('Import a catalogue').getByText('One catalogue imported so far.').waitFor()
    await step('Or add products one by one').getByText('3 products so far.').waitFor()
    // The import has made the first outlet.
    await step('Add an outlet').getByText('One outlet so far.').waitFor()
    quiet()
  },
)

browserTest('a new shop begins with its first steps, even while its reports are still being calculated', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await page.route('**/v1/reports/sales?*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isComplete: false } })
  })
  await go(`/c/${company.id}`)
  await page.getByRole('heading', { name: 'Connect your till' }).waitFor()
  assert.equal(await page.getByText('still being calculated').count(), 0)
  quiet()
})

browserTest(
  'a shop without outlets: an import says that it makes one, and an input that there is none yet',
  async () => {
    const company = await service.company()
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /status of 400/,
    })
    await go(`/c/${company.id}/imports`)
    await page.getByPlaceholder('A new one, named after the company').waitFor()
    await go(`/c/${company.id}/stations/new`)
    await page.getByLabel('Name').first().fill('Till 1')
    await page.getByRole('button', { name: 'Create station' }).click()
    // The first wrong input gets the focus, and its options do not cover what is said about it.
    await page.locator('input[aria-invalid="true"]:focus').waitFor()
    await page.getByText('Is required.').first().waitFor()
    assert.equal(await page.locator('input[aria-expanded="true"]').count(), 0)
    await page.getByRole('combobox', { name: 'Outlet' }).click()
    await page.getByText('No outlets yet').waitFor()
    await page.getByRole('combobox', { name: 'Outlet' }).fill('harbour')
    await page.getByRole('option', { name: /“harbour”/ }).waitFor()
    quiet()
  },
)

browserTest(
  'a new station is at the only outlet and a session at the only station; of two, one is chosen',
  async () => {
    const company = await service.company()
    const outlet = (await company.call('POST', '/v1/outlet', { name: 'Harbour' })).body
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const shows = (value: string) => page.locator(`input[role="combobox"][value="${value}"]`).waitFor()
    await go(`/c/${company.id}/stations/new`)
    await shows('Harbour')
    await page.getByLabel('Name').first().fill('Till 1')
    await page.getByRole('button', { name: 'Create station' }).click()
    await page.getByRole('heading', { level: 1, name: 'Till 1' }).waitFor()
    const [station] = (await company.call('GET', '/v1/stations')).body.data
    assert.deepEqual([station.outletId, station.status], [outlet.id, 'AVAILABLE'])
    await go(`/c/${company.id}/sessions/new`)
    await shows('Till 1')
    await company.call('POST', '/v1/outlet', { name: 'Market' })
    await go(`/c/${company.id}/stations/new`)
    assert.equal(await page.getByRole('combobox', { name: 'Outlet' }).inputValue(), '')
    quiet()
  },
)
