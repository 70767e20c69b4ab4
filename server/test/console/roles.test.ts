// Roles in the browser: the matrix of permissions.
import assert from 'node:assert/strict'
import { defaultRoles } from '../../src/features/tenants/new-company.ts'
import { tillPermissions } from '../../src/resources/till-permissions.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const isGranted = (role: any, id: string) =>
  role.permissions.find(({ permissionId }: { permissionId: string }) => permissionId === id)?.value

/** A company with the roles of every new one, the last of them a cashier. */
async function withRoles() {
  const company = await service.company()
  const ids: string[] = []
  for (const role of defaultRoles) ids.push((await company.call('POST', '/v1/role', role)).body.id)
  return { company, cashier: `/v1/role/${ids.at(-1)}`, cashierId: ids.at(-1) as string }
}

browserTest('a click in the matrix changes that permission alone, and a new role lists all of them', async () => {
  const { company, cashier, cashierId } = await withRoles()
  const own = { permissionId: 'loyalty.delete', name: 'Delete points', category: 'loyalty', value: true }
  const { body: before } = await company.call('GET', cashier)
  await company.call('PATCH', cashier, { permissions: [...before.permissions, own, { category: 'nameless' }] })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/roles/${cashierId}`)
  await page.getByText('10 of 29 granted').waitFor()
  await page.getByRole('checkbox', { name: 'Refund sales' }).check()
  await page.getByText('11 of 29 granted').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { body: after } = await company.call('GET', cashier)
  assert.deepEqual(after.permissions, [
    ...before.permissions.map((one: any) => (one.permissionId === 'sales.refund' ? { ...one, value: true } : one)),
    ...[own, { category: 'nameless' }],
  ])
  await accessible()

  await go(`/c/${company.id}/roles/new`)
  await page.getByLabel('Name').first().fill('Trainee')
  await page.getByRole('checkbox', { name: 'Everything in Customers' }).check()
  await page.getByRole('checkbox', { name: 'Delete customers' }).uncheck()
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('heading', { level: 1, name: 'Trainee' }).waitFor()
  const [made] = (await company.call('GET', '/v1/roles?searchByName=Trainee')).body.data
  assert.equal(made.permissions.length, 29)
  assert.deepEqual(
    ['customers.view', 'customers.edit', 'customers.delete', 'sales.create', 'loyalty.delete'].map((id) =>
      isGranted(made, id),
    ),
    [true, true, false, false, false],
  )
  quiet()
})

browserTest(
  'a company without roles is offered the permissions that the API names, by keyboard, in German and on a phone',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn, locale: 'de-AT', width: 390 })
    await go(`/c/${company.id}/roles/new`)
    await page.getByText(`0 von ${tillPermissions.length} erlaubt`).waitFor()
    await page.getByLabel('Name').first().fill('Lehrling')
    await page.getByLabel('Berechtigungen suchen').fill('bestand')
    // Enter in the search does not create the role.
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: 'Verkaufen', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByText('3 von').waitFor()
    await page.getByLabel('Berechtigungen suchen').fill('ufo')
    await page.getByText('Keine Berechtigung passt zur Suche.').waitFor()
    await page.getByLabel('Berechtigungen suchen').fill('')
    await page.getByRole('checkbox', { name: 'Verkaufen', exact: true }).check()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await accessible()
    await page.getByRole('button', { name: 'Rolle erstellen' }).click()
    await page.getByRole('heading', { level: 1, name: 'Lehrling' }).waitFor()
    const [made] = (await company.call('GET', '/v1/roles')).body.data
    const granted = ['sales.create', 'stock.view', 'stock.count', 'stock.adjust']
    assert.deepEqual(
      made.permissions,
      tillPermissions.map((one) => ({ ...one, value: granted.includes(one.permissionId) })),
    )
    quiet()
  },
)

browserTest('a viewer reads which permissions a role has, without inputs', async () => {
  const { company, cashierId } = await withRoles()
  const signedIn = await person(service, { companyId: company.id }, 'viewer')
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/roles/${cashierId}`)
  await page.getByText('Make sales: granted', { exact: true }).waitFor()
  await page.getByText('Void sales: not granted', { exact: true }).waitFor()
  assert.equal(await page.locator('main form :is(input, textarea, select)').count(), 0)
  await accessible()
  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByText('Void sales', { exact: true }).waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  // The list says how many of them each role has, and on a phone also what is counted: one made by the API may list no others.
  await go(`/c/${company.id}/roles`)
  await page.getByText('Permissions 9', { exact: true }).waitFor()
  await page.getByText('Permissions 28', { exact: true }).first().waitFor()
  // An empty list says what would be in it, and not that a viewer may create it.
  await go(`/c/${company.id}/stations`)
  await page.getByText('A station is a till or kiosk at an outlet. Sessions are opened and closed at it.').waitFor()
  assert.equal(await page.getByText('Create the first').count(), 0)
  // Nor is a viewer offered to upload or edit what the service would refuse.
  await go(`/c/${company.id}/attachments/new`)
  await page.getByText('You can view records here, but not create any.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Choose a file' }).count(), 0)
  const { body: tea } = await company.call('POST', '/v1/product', { name: 'Tea' })
  await company.call('POST', '/v1/variant', { productId: tea.id, sku: 'TEA' })
  await go(`/c/${company.id}/products/${tea.id}`)
  await page.getByRole('button', { name: 'View TEA' }).click()
  await page.getByRole('dialog', { name: 'TEA' }).waitFor()
  quiet()
})

browserTest('what was typed stays in its form when the role no longer allows to save it', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id }, 'admin')
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 403/ })
  await go(`/c/${company.id}/customers/new`)
  const name = page.getByLabel('First name').first()
  await name.fill('Ann')
  await page.getByRole('button', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'API keys' }).waitFor()
  await service.database.query(`update members set role = 'viewer' where user_id = $1`, [signedIn.userId])
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.getByText('Only admins and owners can do this. If you need to, ask an owner').waitFor()
  // The refusal shows that the role has changed.
  await page.getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' })
  assert.equal(await name.inputValue(), 'Ann')
  quiet()
})

browserTest('a page that stays open notices within a minute that the role of its user has changed', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id }, 'admin')
  const { page, go, quiet } = await browser.open({ signedIn, isOwn: true })
  await page.clock.install()
  await go(`/c/${company.id}/customers`)
  await page.getByRole('button', { name: 'Developers' }).click()
  await page.getByRole('link', { name: 'API keys' }).waitFor()
  await service.database.query(`update members set role = 'viewer' where user_id = $1`, [signedIn.userId])
  await page.clock.fastForward(60_000)
  await page.getByRole('link', { name: 'API keys' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Create customer' }).waitFor({ state: 'detached' })
  quiet()
})

browserTest(
  'a German console names the permissions of the first roles in German, and others as the company does',
  async () => {
    const { company, cashier, cashierId } = await withRoles()
    const { body: before } = await company.call('GET', cashier)
    const own = { permissionId: 'loyalty.delete', name: 'Delete points', value: true }
    const odd = { permissionId: 'odd.view', name: 'constructor', value: false }
    await company.call('PATCH', cashier, { permissions: [...before.permissions, own, odd] })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT' })
    await go(`/c/${company.id}/roles/${cashierId}`)
    await page.getByRole('checkbox', { name: 'Verkäufe stornieren' }).waitFor()
    await page.getByRole('checkbox', { name: 'Alles in Verkauf' }).waitFor()
    for (const name of ['Delete points', 'constructor'])
      await page.getByRole('checkbox', { name, exact: true }).waitFor()
    quiet()
  },
)

browserTest('the form of a role says that another one has its name, and takes it nevertheless', async () => {
  const { company, cashierId } = await withRoles()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  const warning = page.getByText('Another role has this name.')
  await go(`/c/${company.id}/roles/new`)
  await page.getByLabel('Name').first().fill(' cashier')
  await warning.waitFor()
  await page.getByLabel('Name').first().fill('Cashier 2')
  await warning.waitFor({ state: 'detached' })
  await page.getByLabel('Name').first().fill('Cashier')
  await warning.waitFor()
  await page.getByRole('button', { name: 'Create role' }).click()
  await page.getByRole('heading', { level: 1, name: 'Cashier' }).waitFor()
  assert.equal((await company.call('GET', '/v1/roles?searchByName=Cashier')).body.meta.count, 2)
  await go(`/c/${company.id}/roles/${cashierId}`)
  await warning.waitFor()
  await page.getByLabel('Name').first().fill('Head cashier')
  await warning.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal(await warning.count(), 0)
  quiet()
})
