// The console by keyboard alone: what is added, removed or asked has the focus, and a screen reader reads what is chosen.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Waits until an element has the focus. */
const focused = (page: Page, element: Locator) => element.and(page.locator(':focus')).waitFor()

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab')
    if (await element.and(page.locator(':focus')).count()) return
  }
  assert.fail(`Tab does not reach ${element}`)
}

browserTest('a product with an option, variants and their prices is made by keyboard alone', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/products/new`)
  await focused(page, page.getByLabel('Name').first())
  await page.keyboard.type('Sock')
  await tabTo(page, page.getByRole('button', { name: 'Options' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Add', exact: true }))
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('group', { name: 'Options' }).getByLabel('Name'))
  await page.keyboard.type('Size')
  await page.keyboard.press('Tab')
  for (const size of ['S', 'M']) {
    await page.keyboard.type(size)
    await page.keyboard.press('Enter')
  }
  const values = page.getByRole('combobox', { name: 'Values' })
  assert.equal(await values.getAttribute('aria-description'), 'S, M')
  await tabTo(page, page.getByRole('button', { name: 'Add the 2 missing variants' }))
  await page.keyboard.press('Enter')
  await focused(page, page.getByLabel('Size of S'))
  await tabTo(page, page.getByLabel('Price of S', { exact: true }))
  await page.keyboard.type('9.90')
  await page.keyboard.press('Enter')
  await focused(page, page.getByLabel('Price of M', { exact: true }))
  await page.keyboard.type('8')
  await tabTo(page, page.getByRole('button', { name: 'Add variant' }))
  await page.keyboard.press('Enter')
  await focused(page, page.getByLabel('Size of Variant 3'))
  await tabTo(page, page.getByRole('button', { name: 'Create product' }))
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('heading', { level: 1, name: 'Sock' }))
  const { body } = await company.call('GET', '/v1/variants')
  // A row in which nothing was typed is not saved.
  assert.deepEqual(body.data.map(({ price }: { price: number }) => price).sort(), [8, 9.9])
  quiet()
})

browserTest('the focus stays among variants if the only row is removed', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/products/new`)
  await page.getByRole('button', { name: 'Options' }).focus()
  await tabTo(page, page.getByRole('button', { name: 'Remove Variant 1' }))
  // The ten elements that were focused last are all in the row.
  for (const key of ['Shift+Tab', 'Shift+Tab', 'Tab', 'Tab']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await focused(page, page.getByRole('button', { name: 'Options' }))
  // A stored one is deleted by a menu, which is gone too.
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Sock' })
  await company.call('POST', '/v1/variant', { productId: product.id, sku: 'S' })
  page.once('dialog', (dialog) => void dialog.accept())
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByRole('button', { name: 'Actions for S' }).press('Enter')
  await focused(page, page.getByRole('menuitem', { name: 'Edit' }))
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByText('was deleted').waitFor()
  await page.locator('#content :focus').waitFor()
  quiet()
})

browserTest('Enter opens a list of choices, and does not send the form', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/settings/keys`)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Till')
  await dialog.getByRole('combobox', { name: 'Expires' }).press('Enter')
  await page.getByRole('option', { name: 'In 30 days' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-combobox-selected]').waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByText(/^It works until \d/).waitFor()
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await dialog.getByLabel('Name').press('Enter')
  await dialog.getByText('posk_').first().waitFor()
  quiet()
})

browserTest(
  'the question before a deletion begins at its button, also while it counts; one about many asks nothing',
  async () => {
    const company = await service.company()
    await company.call('POST', '/v1/outlets', { items: [{ name: 'Harbour' }, { name: 'Port' }] })
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).search))
    const counts = () => asked.filter((query) => query.includes('outletId'))
    await go(`/c/${company.id}/outlets`)
    const bar = page.getByRole('region', { name: 'Selected rows' })
    const dialog = page.getByRole('dialog')
    await page.getByRole('checkbox', { name: 'Select Harbour' }).check()
    await bar.getByRole('button', { name: 'Delete' }).press('Enter')
    await dialog.getByText('No other record refers to it.').waitFor()
    await focused(page, dialog.getByRole('button', { name: 'Delete 1 record' }))
    assert.ok(counts().length > 0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select Port' }).check()
    asked.length = 0
    await bar.getByRole('button', { name: 'Delete' }).press('Enter')
    await dialog.getByText('Records that refer to them are kept').waitFor()
    await focused(page, dialog.getByRole('button', { name: 'Delete 2 records' }))
    await page.keyboard.press('Enter')
    await page.getByText('2 records deleted.').waitFor()
    assert.deepEqual(counts(), [])
    quiet()
  },
)
