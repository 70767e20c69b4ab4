// A key for some resources, as a person makes it: chosen by what people call them, and shown in the list and on its page.
import assert from 'node:assert/strict'
import { permissions } from '../../src/core/scope.ts'
import { keyResources } from '../../src/features/keys/key-resources.ts'
import { createKey } from '../../src/features/keys/key-store.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest(
  'a person limits a key to some resources, and sees in the list and on its page what it gives access to',
  async () => {
    const company = await service.company()
    await createKey(service.database, { companyId: company.id }, { name: 'Board', permissions, resources: ['report'] })
    const signedIn = await person(service, { companyId: company.id }, 'admin')
    const { page, go, quiet } = await browser.open({ signedIn })
    await go(`/c/${company.id}/settings/keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Kiosk')
    assert.ok(await dialog.getByLabel('All resources').isChecked())
    await dialog.getByLabel('Only some resources').check()
    // The four permissions, and each name.
    assert.equal(await dialog.getByRole('checkbox').count(), 4 + keyResources.length)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Choose at least one resource.').waitFor()
    for (const label of ['Products', 'Selling and refunding', 'Rows by column names'])
      await dialog.getByLabel(label, { exact: true }).check()
    // Rows of custom tables can belong to customers.
    assert.ok(await dialog.getByLabel('Customers', { exact: true }).isChecked())
    assert.ok(await dialog.getByLabel('Customers', { exact: true }).isDisabled())
    await dialog.getByLabel('Rows by column names').uncheck()
    await dialog.getByLabel('Customers', { exact: true }).uncheck()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
    const { key } = (await service.caller({ 'x-api-key': value })('GET', '/v1/whoami')).body
    assert.deepEqual(key.resources, ['product', 'sale'])
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Yes, close' }).click()
    await page.getByText('2 resources · Read').waitFor()
    await page.getByText('1 resource · All permissions').waitFor()
    await page.getByText('Everything', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Kiosk' }).click()
    await page.getByText('Limited to: Products, Selling and refunding').waitFor()
    quiet()
  },
)

browserTest('keys of organizations cannot be limited, so their form has no such choice', async () => {
  const { organizationId } = await service.company()
  const { page, go } = await browser.open({ signedIn: await person(service, { organizationId }, 'admin') })
  await go(`/o/${organizationId}/keys`)
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').waitFor()
  assert.equal(await dialog.getByLabel('Only some resources').count(), 0)
})
