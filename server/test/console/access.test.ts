// Access to the console and the API in the browser: links, passwords, keys and members, including wrong and expired ones.
import assert from 'node:assert/strict'
import type { Request } from 'playwright-core'
import { firstLink, makeLink } from '../../src/features/people/links.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, password, person, signIn } from '../support/people.ts'
import { testService } from '../support/service.ts'

const service = testService()
const browser = testBrowser(service)

const chosen = 'a sentence that only Ada knows'

/** The path of a link for a user, below the console's base path. */
const linkFor = async (userId: string): Promise<string> =>
  (await service.database.transaction((transaction) => makeLink(transaction, userId))).replace(/^\/console/, '')

browserTest(
  'the first user signs in by the link, creates a key, calls the API with it, deletes it and sees it refused',
  async () => {
    const company = await service.company()
    // As on a first start: the link is for the oldest organization, and no user lists the company yet.
    await service.database.query('delete from users')
    const path = (await firstLink(service.database)) as string
    const { page, go, quiet } = await browser.open({ expects: /status of 400/ })
    await go(path.replace(/^\/console/, ''))
    await page.getByRole('heading', { name: 'Welcome to Cashwrap' }).waitFor()
    assert.equal(new URL(page.url()).hash, '')
    await page.getByRole('button', { name: 'Get started' }).click()
    for (const label of ['E-mail', 'New password'])
      await page.locator(`[aria-invalid="true"]`).and(page.getByLabel(label)).waitFor()
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill('ada@first.example')
    await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' })
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Get started' }).click()
    await page.getByText('10 characters').last().waitFor()
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace')
    await page.getByLabel('New password').fill(chosen)
    await page.getByRole('button', { name: 'Get started' }).click()
    // The owner of a single shop lands in the shop.
    await page.waitForURL(/\/c\/[0-9a-f]{24}$/)

    await go(`/c/${company.id}/settings/keys`)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Till in the harbour')
    await dialog.getByLabel('Create', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
    assert.match(value, /^posk_[0-9A-Za-z]{36}$/)
    await dialog.getByText(`curl ${service.url}/v1/whoami`).waitFor()
    const call = service.caller({ 'x-api-key': value })
    assert.deepEqual((await call('GET', '/v1/whoami')).body.key.permissions, ['read', 'create'])
    // The dialog asks before it closes, and the value is never shown again.
    await page.keyboard.press('Escape')
    await dialog.getByText('Have you copied the key?').waitFor()
    await dialog.getByRole('button', { name: 'Yes, close' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await page.content()).includes(value), false)

    await page.getByRole('button', { name: 'Actions for Till in the harbour' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('heading', { name: 'Delete Till in the harbour?' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete key' }).click()
    await page.getByText('Till in the harbour was deleted.').waitFor()
    assert.equal((await call('GET', '/v1/whoami')).status, 401)
    quiet()
  },
)

browserTest('a rotated key gets a successor, and works until the chosen time', async () => {
  const company = await service.company()
  const old = await service.keyFor(company.id, ['read'])
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }, 'admin'),
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await go(`/c/${company.id}/settings/keys`)
  const actions = page.getByRole('button', { name: /Actions for/ }).first()
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Rotate' }).press('Enter')
  const dialog = page.getByRole('dialog')
  // A keyboard user is back where the dialog was opened.
  await dialog.press('Escape')
  await page.locator('button:focus[aria-label^="Actions for"]').waitFor()
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Rotate' }).press('Enter')
  await dialog.getByLabel('In 7 days').check()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), value)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Deleted in 7 days').waitFor()
  for (const call of [old.call, service.caller({ 'x-api-key': value })])
    assert.equal((await call('GET', '/v1/whoami')).status, 200)
  quiet()
})

browserTest('a key that someone else has deleted is gone from the list after its rotation was refused', async () => {
  const company = await service.company()
  await service.keyFor(company.id, ['read'])
  const signedIn = await person(service, { companyId: company.id }, 'admin')
  const { page, go } = await browser.open({ signedIn, expects: /status of 404/ })
  await go(`/c/${company.id}/settings/keys`)
  const actions = page.getByRole('button', { name: /Actions for/ })
  await actions.first().click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Rotate key' }).waitFor()
  await service.database.query('delete from api_keys where company_id = $1', [company.id])
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.press('Escape')
  await page.getByText('No keys yet').waitFor()
})

browserTest(
  'after ten wrong passwords ten more are refused unchecked, and the page says when to try again',
  async () => {
    const { email } = await newUser(service, { companyId: (await service.company()).id })
    const { page, go } = await browser.open({ expects: /status of (401|429)/ })
    await go('/sign-in')
    await page.getByLabel('E-mail').fill(email)
    for (let n = 1; n <= 20; n++) {
      await page.getByLabel('Password', { exact: true }).fill(`a wrong password ${n}`)
      const [answer] = await Promise.all([
        page.waitForResponse(/\/v1\/console\/sign-in$/),
        page.getByRole('button', { name: 'Sign in' }).click(),
      ])
      assert.equal(answer.status(), n <= 10 ? 401 : 429)
      if (n === 10) await page.getByText('The e-mail address or the password is wrong.').waitFor()
    }
    await page.getByText(/^Too many wrong attempts: try again at \d\d:\d\d$/).waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(/Too many wrong attempts/).waitFor()
    assert.equal(await page.getByLabel('E-mail').inputValue(), email)
  },
)

browserTest('a link that is expired, used or missing says what to do', async () => {
  const { id } = await newUser(service)
  const { page, go } = await browser.open({ expects: /status of 401/ })
  const late = await linkFor(id)
  await service.database.query('update sign_in_links set expires_at = now() where user_id = $1', [id])
  await go(late)
  await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor()
  await page.getByText(/This link expired at .* Ask for a new one/).waitFor()
  const good = await linkFor(id)
  await page.goto('about:blank')
  await go(good)
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await page.getByLabel('New password').fill(chosen)
  await service.database.query('update sign_in_links set used_at = now() where user_id = $1', [id])
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await page.getByText('This link was already used.').waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Link incomplete' }).waitFor()
})

browserTest('a wrong password and a link that is used are refused in German', async () => {
  const { id, email } = await newUser(service)
  const { page, go } = await browser.open({ locale: 'de-AT', expects: /status of 401/ })
  await go('/sign-in')
  await page.getByLabel('E-Mail').fill(email)
  await page.getByLabel('Passwort', { exact: true }).fill('a wrong password')
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor()
  const used = await linkFor(id)
  await service.database.query('update sign_in_links set used_at = now() where user_id = $1', [id])
  await go(used)
  await page.getByRole('heading', { name: 'Dieser Link gilt nicht' }).waitFor()
  await page
    .getByText(/^Er wurde schon verwendet, ist abgelaufen oder unvollständig, oder die Einladung wurde zurückgezogen\./)
    .waitFor()
})

browserTest('a save after the sign-in has ended asks for the password over the page, and then goes on', async () => {
  const company = await service.company()
  const { email } = await newUser(service, { companyId: company.id })
  const signedIn = await signIn(service, email)
  const { page, go } = await browser.open({ signedIn, expects: /status of (401|400)/ })
  await go(`/c/${company.id}/customers/new`)
  await page.getByLabel('Last name').first().fill('Archer')
  await service.database.query('delete from sign_ins where id = $1', [signedIn.signInId])
  await page.getByRole('button', { name: 'Create customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the right one')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText(/is wrong\./).waitFor()
  // Nothing is read while the save is carried out: it could be shown as it was before.
  const reads: string[] = []
  const note = (request: Request) => void (request.method() === 'GET' && reads.push(request.url()))
  page.on('request', note)
  await page.route('**/v1/customer', async (route) => {
    const response = await route.fetch()
    page.off('request', note)
    await route.fulfill({ response })
  })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/customers\/[0-9a-f]{24}$/)
  assert.deepEqual(reads, [])
  const { body } = await company.call('GET', '/v1/customers')
  assert.deepEqual([body.data.length, body.data[0].lastName], [1, 'Archer'])
})

browserTest(
  'an ended sign-in resumes after a sign-in in another tab, and another user can sign in instead',
  async () => {
    const company = await service.company()
    const { email } = await newUser(service, { companyId: company.id })
    const signedIn = await signIn(service, email)
    const { page, go, become } = await browser.open({ signedIn, expects: /status of 401/ })
    await go(`/c/${company.id}/customers/new`)
    await page.getByLabel('Last name').first().fill('Archer')
    const dialog = page.getByRole('dialog', { name: 'You are signed out' })
    const end = async (signInId: string, button: string) => {
      await service.database.query('delete from sign_ins where id = $1', [signInId])
      await page.getByRole('button', { name: button, exact: true }).click()
      await dialog.waitFor()
    }
    await end(signedIn.signInId, 'Create customer')
    await dialog.getByRole('button', { name: 'Forgot your password?' }).click()
    // Without a mail server none is offered.
    await dialog.getByText(`cashwrap user reset-password ${email}`).waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Send reset link' }).count(), 0)
    const renewed = await signIn(service, email)
    await become(renewed)
    await page.evaluate('window.dispatchEvent(new Event("focus"))')
    await page.waitForURL(/customers\/[0-9a-f]{24}$/)

    // The page asks before it drops what is typed.
    await page.getByLabel('Last name').first().fill('Bowman')
    await end(renewed.signInId, 'Save')
    let asked = 0
    page.on('dialog', (question) => {
      asked++
      void question.accept()
    })
    await dialog.getByRole('button', { name: 'Use another account' }).click()
    await page.waitForURL((url) => url.pathname === '/console/sign-in')
    assert.equal(asked, 1)
    const [customer] = (await company.call('GET', '/v1/customers')).body.data
    assert.equal(new URL(page.url()).searchParams.get('to'), `/c/${company.id}/customers/${customer.id}`)
    assert.equal(customer.lastName, 'Archer')
  },
)

browserTest('a user who is a member of nothing is told so, and whom to ask', async () => {
  const { email } = await newUser(service)
  const { page, go, quiet } = await browser.open({ signedIn: await signIn(service, email) })
  await go('/')
  await page.getByRole('heading', { name: 'Your profile' }).waitFor()
  await page.getByText('You are not a member of any company. Ask an owner').waitFor()
  quiet()
})

browserTest('signing in leads back to the requested page, and never outside of the console', async () => {
  const company = await service.company()
  const { email } = await newUser(service, { companyId: company.id })
  const destinations = [
    [`/c/${company.id}/outlets?sort=name`, `/console/c/${company.id}/outlets`],
    ['https://evil.example/', `/console/c/${company.id}`],
    ['//evil.example/', `/console/c/${company.id}`],
  ] as const
  for (const [to, expected] of destinations) {
    const { page, go, context } = await browser.open({ expects: /status of 401/ })
    if (to.startsWith('/c/')) await go(to)
    else await go(`/sign-in?to=${encodeURIComponent(to)}`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.pathname === expected)
    await context.close()
  }
})

browserTest('a member is invited by a link, creates an account with it, and sees what the role allows', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  const address = `${company.id}@members.example`
  await go(`/c/${company.id}/settings/members`)
  await page.getByRole('button', { name: 'Invite member' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail').fill(address)
  await dialog.getByLabel('Name').fill('Carl')
  await dialog.getByLabel('Viewer').check()
  await dialog.getByRole('button', { name: 'Invite member' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Invited', { exact: true }).waitFor()

  const other = await browser.open({ expects: /status of 401/ })
  await other.page.goto(link)
  await other.page.getByText(/has invited you/).waitFor()
  await other.page.getByText(/gets access to Shop of Test as a viewer/).waitFor()
  assert.equal(await other.page.getByLabel('E-mail').inputValue(), address)
  assert.equal(await other.page.getByLabel('Your name').inputValue(), 'Carl')
  await other.page.getByLabel('New password').fill(chosen)
  await other.page.getByRole('button', { name: 'Create account and accept' }).click()
  await other.page.waitForURL(new RegExp(`/c/${company.id}$`))
  for (const [path, said] of [
    ['keys', 'Only admins can see API keys'],
    ['members', 'Only admins can see members'],
  ]) {
    await other.go(`/c/${company.id}/settings/${path}`)
    await other.page.getByRole('heading', { name: said as string }).waitFor()
    assert.equal(await other.page.getByRole('main').getByRole('button').count(), 0)
  }

  // The last owner cannot leave, and the dialog says so. Owners of the organization would count too.
  await service.database.query('delete from members where organization_id is not null')
  await page.getByRole('button', { name: /^Role of .*: Owner/ }).click()
  await page.getByRole('menuitemradio', { name: /Viewer/ }).click()
  await dialog.getByRole('button', { name: 'Change my role' }).click()
  await dialog.getByText('last owner').waitFor()
  quiet()
})

browserTest('a member is invited with the lowest role, unless another one is chosen', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { organizationId: company.organizationId }),
  })
  for (const [path, lowest] of [
    [`/c/${company.id}/settings/members`, 'Viewer'],
    [`/o/${company.organizationId}/members`, 'Admin'],
  ] as const) {
    await go(path)
    await page.getByRole('button', { name: 'Invite member' }).first().click()
    assert.equal(await page.getByRole('dialog').getByLabel(lowest).isChecked(), true)
  }
  quiet()
})

browserTest('an invitation is accepted with the signed-in account, or with one that signs in for it', async () => {
  const owners = await service.company()
  const owner = await person(service, { companyId: owners.id })
  const invite = async (): Promise<string> => {
    const body = { email: `${Math.random()}@label.example`, role: 'admin' }
    const made = await owner.about({ companyId: owners.id })('POST', '/v1/members', body)
    return made.body.link.replace(/^\/console/, '')
  }
  const { email } = await newUser(service, { companyId: (await service.company()).id })
  const { page, go, quiet } = await browser.open({ signedIn: await signIn(service, email) })
  await go(await invite())
  await page.getByText(`You are signed in as ${email}`).waitFor()
  await page.getByRole('button', { name: 'Accept invitation' }).click()
  await page.waitForURL(new RegExp(`/c/${owners.id}$`))
  quiet()

  const second = await newUser(service, { companyId: (await service.company()).id })
  const other = await browser.open({ expects: /status of (400|401)/ })
  await other.go(await invite())
  // An address with an account is refused at its input, and the other way to accept is offered.
  await other.page.getByLabel('E-mail').fill(second.email)
  await other.page.getByLabel('New password').fill(chosen)
  await other.page.getByRole('button', { name: 'Create account and accept' }).click()
  await other.page.getByText(/cannot be used for a new account/i).waitFor()
  await other.page.getByText('I have an account').click()
  await other.page.getByLabel('E-mail').fill(second.email)
  await other.page.getByLabel('Password', { exact: true }).fill(password)
  await other.page.getByRole('button', { name: 'Sign in and accept' }).click()
  await other.page.waitForURL(new RegExp(`/c/${owners.id}$`))
})

browserTest('users see where they are signed in, and sign the other browsers out', async () => {
  const { email } = await newUser(service, { companyId: (await service.company()).id })
  const own = await signIn(service, email)
  const second = await signIn(service, email)
  const third = await signIn(service, email)
  const { page, go, quiet } = await browser.open({ signedIn: own })
  await go('/user')
  await page.getByText('This browser', { exact: true }).waitFor()
  const buttons = page.getByRole('button', { name: /^Sign out .* at 127\.0\.0\.1$/ })
  await buttons.first().waitFor()
  assert.equal(await buttons.count(), 2)
  await buttons.first().click()
  await buttons.nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('You are now signed in only here.').waitFor()
  for (const ended of [second, third]) assert.equal((await ended.call('GET', '/v1/console/sign-in')).status, 401)
  assert.equal((await own.call('GET', '/v1/console/sign-in')).status, 200)
  quiet()
})
