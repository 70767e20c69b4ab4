// Choosing in the browser which outlet gets the stock of a location of a file.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { succeeded } from '../support/custom-tables.ts'
import { csvOf, listed } from '../support/imports.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const counted = (main: number, depot: number) =>
  Buffer.from(
    csvOf([
      {
        'Item Name': 'Mug',
        'Variation Name': 'Regular',
        Price: 5,
        'Current Quantity Main St': main,
        'Current Quantity Depot': depot,
      },
    ]),
  )

browserTest(
  'the locations of a file are shown with their outlets, another outlet can be chosen before the run, and each number that a run would overwrite names its outlet',
  async () => {
    const company = await service.company()
    const ids: string[] = []
    for (const name of ['Main St', 'Lager'])
      ids.push(succeeded(await company.call('POST', '/v1/outlet', { name }), 201).id)
    const owner = await person(service, { companyId: company.id })
    const { page, go, accessible } = await browser.open({ signedIn: owner })
    await go(`/c/${company.id}/imports`)
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'library.csv', mimeType: 'text/csv', buffer: counted(5, 7) })
    const locations = page.getByRole('region', { name: 'Locations in the file' })
    await locations.getByRole('row', { name: 'Main St' }).waitFor()
    assert.equal(await locations.getByLabel('Outlet for Main St').inputValue(), 'Main St')
    await page.getByText('1 line rejected').waitFor()
    await accessible()
    await locations.getByLabel('Outlet for Depot').click()
    await page.getByRole('option', { name: 'Lager' }).click()
    await locations.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('All lines accepted').waitFor()
    await locations.getByLabel('Outlet for Depot').waitFor()
    assert.equal(await locations.getByLabel('Outlet for Depot').inputValue(), 'Lager')
    await page.getByRole('button', { name: 'Run the import' }).click()
    await page.getByRole('heading', { name: 'Results', exact: true }).waitFor()
    await locations.getByRole('link', { name: 'Lager' }).waitFor()
    const levels = await listed(company, 'inventories')
    assert.deepEqual(
      ids.map((id) => levels.find(({ outletId }) => outletId === id)?.stock),
      [5, 7],
    )
    await succeeded(await company.call('PATCH', `/v1/outlet/${ids[1]}`, { alias: 'Depot' }))
    await go(`/c/${company.id}/imports`)
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'again.csv', mimeType: 'text/csv', buffer: counted(8, 9) })
    const stock = page.getByRole('region', { name: 'Stock in the file' })
    await stock.getByRole('row', { name: /Main St 5 8/ }).waitFor()
    await stock.getByRole('row', { name: /Lager 7 9/ }).waitFor()
  },
)
