// Around the pages of the console: navigation, forms that are left, rights, and other tabs of the same browser.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, person, signIn } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('a resource that the navigation does not name is listed under Data, with a list of its own', async () => {
  const company = await service.company()
  const { page, go } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await page.route('**/v1/console/resources', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    const [roles] = data.filter(({ many }: { many: string }) => many === 'roles')
    await route.fulfill({ response, json: { data: [...data, { ...roles, many: 'gift-cards', title: 'Gift cards' }] } })
  })
  await page.route('**/v1/gift-cards?*', (route) => route.fulfill({ json: { data: [], meta: { count: 0 } } }))
  await go(`/c/${company.id}`)
  await page.getByRole('navigation').getByRole('button', { name: 'Data' }).click()
  await page.getByRole('link', { name: 'Gift cards', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Gift cards' }).waitFor()
})

browserTest(
  'all sections of the navigation are in view at 800 pixels, and the guides are pages of the console',
  async () => {
    const company = await service.company()
    const { page, go, quiet, accessible } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
    })
    await go(`/c/${company.id}`)
    const pages = page.getByRole('navigation', { name: 'Pages' })
    const user = await page.getByRole('button', { name: /^Your profile/ }).boundingBox()
    for (const section of ['Developers', 'Settings']) {
      const box = await pages.getByRole('button', { name: section }).boundingBox()
      assert.ok(box && user && box.y + box.height <= user.y, `${section} is in view`)
    }
    await pages.getByRole('button', { name: 'Developers' }).click()
    await pages.getByRole('link', { name: 'Guides' }).click()
    await page.getByRole('heading', { level: 1, name: 'The console' }).waitFor()
    await page.getByRole('link', { name: 'People', exact: true }).last().click()
    await page.waitForURL(/\/guides\/people$/)
    await page.getByRole('article').getByRole('heading', { level: 1 }).waitFor()
    await accessible()
    await page.setViewportSize({ width: 375, height: 800 })
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    quiet()
  },
)

browserTest(
  'an error from the server is shown at its field until that is corrected, and nothing typed is lost',
  async () => {
    const company = await service.company()
    const { page, go } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /status of 400/,
    })
    await go(`/c/${company.id}/customers/new`)
    await page.getByRole('button', { name: 'Create customer' }).click()
    const alert = page.getByRole('alert')
    // An error about no field names what the form calls the fields.
    const needed = 'At least one of these is required: E-mail, Phone, First name, Last name, External id.'
    await alert
      .getByRole('listitem')
      .filter({ hasText: /^At least/ })
      .waitFor()
    assert.deepEqual(await alert.getByRole('listitem').allTextContents(), [needed])
    // The keyboard continues from where it was, or from the first wrong field.
    const focused = page.locator(':focus')
    await page.getByRole('button', { name: 'Create customer' }).and(focused).waitFor()
    await page.getByLabel('First name').first().fill('Ann')
    await alert.waitFor({ state: 'detached' })
    await page.getByLabel('E-mail').first().fill('no address')
    await page.getByRole('button', { name: 'Create customer' }).click()
    await alert.getByText('E-mail').waitFor()
    const field = page.getByLabel('E-mail').first()
    assert.equal(await field.getAttribute('aria-invalid'), 'true')
    await field.and(focused).waitFor()
    await page.getByLabel('Last name').first().fill('Archer')
    assert.equal(await alert.count(), 1)
    assert.equal(await page.getByLabel('First name').first().inputValue(), 'Ann')
    await field.fill('ann@example.com')
    await alert.waitFor({ state: 'detached' })
    assert.equal(await field.getAttribute('aria-invalid'), null)
    await page.getByRole('button', { name: 'Create customer' }).click()
    await page.waitForURL(/customers\/[0-9a-f]{24}$/)
    const { body } = await company.call('GET', '/v1/customers')
    assert.equal(body.data[0].email, 'ann@example.com')
  },
)

browserTest('why a long form could not be saved is in view, below the header of a phone', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 390, expects: /status of 409/ })
  await go(`/c/${company.id}/customers/new`)
  await page.getByLabel('E-mail').first().fill('ann@example.com')
  await page.route('**/v1/customer', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message: 'Another rule refuses it.' } }),
  )
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.getByRole('button', { name: 'Create customer' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Another rule refuses it.' })
  await alert.waitFor()
  await page.waitForFunction(`document.activeElement.textContent === 'Create customer'`)
  const { y = -1, height = 0 } = (await alert.boundingBox()) ?? {}
  assert.ok(y >= 52 && y + height <= 800, `it is at ${y}`)
  quiet()
})

browserTest('the question whether to leave closes when saving ends; the user stays, and can then leave', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { lastName: 'Archer' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const held = Promise.withResolvers<void>()
  await page.route('**/v1/customer/*', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  const at = `/c/${company.id}/customers/${customer.id}`
  await go(at)
  await page.getByLabel('Last name').first().fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  held.resolve()
  await question.waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
  assert.equal(new URL(page.url()).pathname, `/console${at}`)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.waitForURL(/\/orders$/)
  quiet()
})

browserTest('a viewer sees nothing to change, and the server refuses a change too', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { lastName: 'Archer' })
  const viewer = await person(service, { companyId: company.id }, 'viewer')
  const { page, go, quiet } = await browser.open({ signedIn: viewer })
  await go(`/c/${company.id}/customers/${customer.id}`)
  await page.getByRole('heading', { level: 1, name: 'Archer' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  const { status } = await viewer.about({ companyId: company.id })('PATCH', `/v1/customer/${customer.id}`, {
    lastName: 'X',
  })
  assert.equal(status, 403)
  await go(`/c/${company.id}/customers/new`)
  await page.getByText('not create any').waitFor()
  assert.equal(await page.getByText('Not set').count(), 0)
  for (const at of ['orders/new', 'automation/new']) {
    await go(`/c/${company.id}/${at}`)
    await page.getByText('not create any').waitFor()
    assert.equal(await page.locator('form').count(), 0, at)
  }
  quiet()
})

browserTest('the address of another company is not found', async () => {
  const own = await service.company()
  const other = await service.company()
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: own.id }),
    expects: /status of 404/,
  })
  await go(`/c/${other.id}/customers`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  // A 404 is an ordinary response, not an error of the page.
  quiet()
  // An impossible id is not mistaken for an unreachable server.
  await go('/c/%E2%82%AC/customers')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  quiet()
})

browserTest('a deletion can be undone for some seconds', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/outlets/${outlet.id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  assert.equal((await company.call('GET', `/v1/outlet/${outlet.id}`)).status, 200)
  quiet()
})

browserTest('Ctrl+Z takes a deletion back from anywhere on the page, but in an input only what is typed', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/outlets/${outlet.id}`)
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  await page.getByRole('searchbox').pressSequentially('Harb')
  await page.keyboard.press('Control+z')
  assert.equal(await undo.count(), 1)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('Control+z')
  await undo.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Harbour' }).waitFor()
  assert.equal((await company.call('GET', `/v1/outlet/${outlet.id}`)).status, 200)
  quiet()
})

browserTest('a menu that loads late opens only if the user still waits for it', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/UserChoices-*.js', async (route) => {
    await held.promise
    await route.continue()
  })
  await go(`/c/${company.id}/customers/new`)
  const button = page.getByRole('button', { name: 'Your profile:' })
  const name = page.getByLabel('First name').first()
  await button.click()
  await name.focus()
  const read = page.waitForResponse(/UserChoices/)
  held.resolve()
  await (await read).finished()
  await button.and(page.locator('[id]')).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Sign out' }).count(), 0)
  await name.and(page.locator(':focus')).waitFor()
  await button.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  quiet()
})

browserTest('any page and any customer can be found by keyboard alone', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { lastName: 'Zimmermann' })
  const { page, go, quiet } = await browser.open({
    isOwn: true,
    signedIn: await person(service, { companyId: company.id }),
  })
  // As on a busy computer, which paints late: Enter opens what the list shows, not what was selected a moment before.
  await page.addInitScript(
    'const soon = requestAnimationFrame; requestAnimationFrame = (draw) => soon(() => setTimeout(draw, 200))',
  )
  await go(`/c/${company.id}/orders`)
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search records').waitFor()
  await page.keyboard.type('zimmer')
  await page.getByText('Zimmermann').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`customers/${customer.id}$`))
  quiet()
})

browserTest(
  'a page continues after the same user signs in again in another tab, and restarts for another user',
  async () => {
    const company = await service.company()
    const { body: customer } = await company.call('POST', '/v1/customer', { lastName: 'Archer' })
    const place = { companyId: company.id }
    const { email } = await newUser(service, place)
    const { page, go, become } = await browser.open({
      signedIn: await signIn(service, email),
      expects: /status of 403/,
    })
    await go(`/c/${company.id}/customers/${customer.id}`)
    const save = async (lastName: string) => {
      await page.getByLabel('Last name').first().fill(lastName)
      await page.getByRole('button', { name: 'Save' }).click()
    }
    await become(await signIn(service, email))
    await save('Renamed')
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
    await become(await person(service, place))
    await save('Another')
    await page.getByRole('alert').getByText('x-csrf-token').waitFor()
    assert.equal(await page.getByLabel('Last name').first().inputValue(), 'Another')
    assert.equal((await company.call('GET', `/v1/customer/${customer.id}`)).body.lastName, 'Renamed')

    // The next user of the tab sees nothing that the previous one read there.
    const other = await service.company()
    await become(await person(service, { companyId: other.id }))
    // Unsaved input does not prevent that.
    page.on('dialog', (question) => void question.dismiss())
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await page.waitForURL(new RegExp(`/c/${other.id}$`))
  },
)

browserTest('the navigation has no entry of a page that only admins may read for a viewer', async () => {
  const { id } = await service.company()
  for (const role of ['viewer', 'admin'] as const) {
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: id }, role) })
    await go(`/c/${id}/events`)
    const navigation = page.getByRole('navigation')
    await navigation.getByRole('button', { name: 'Settings' }).click()
    await navigation.getByRole('link', { name: 'Company' }).waitFor()
    for (const name of ['API keys', 'Members'])
      assert.equal(await navigation.getByRole('link', { name }).count(), role === 'viewer' ? 0 : 1, `${role}: ${name}`)
    quiet()
  }
})
