// Passkeys in the browser, with Chromium's virtual authenticator: added, used in place of password and code, renamed and removed.
import assert from 'node:assert/strict'
import type { BrowserContext, Page } from 'playwright-core'
import { makeMailedLink } from '../../src/features/people/links.ts'
import { named } from '../support/authenticator.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { invitation, newUser, password, signIn } from '../support/people.ts'
import { turnOn } from '../support/second-factor.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
/** Passkeys belong to a host name. */
const browser = testBrowser({
  ...service,
  get url() {
    return named(service)
  },
})

/** Ends the sign-in of a window, whose page must not read what is then refused. */
async function signOut(page: Page, context: BrowserContext): Promise<void> {
  await page.goto('about:blank')
  await context.clearCookies()
}

/** Gives a page a device that has passkeys and always recognizes its user. Returns what switches that off and on. */
async function withAuthenticator(context: BrowserContext, page: Page) {
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return (isUserVerified: boolean) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

async function addPasskey(page: Page, name: string, code?: string) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Current password').fill(password)
  if (code !== undefined) await dialog.getByLabel('Code', { exact: true }).fill(code)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

browserTest(
  'a person adds a passkey, signs in with it in place of password and code, renames and removes it',
  async () => {
    const { email } = await newUser(service, { companyId: (await service.company()).id })
    const signedIn = await signIn(service, email)
    const { recoveryCodes } = await turnOn(signedIn)
    const { page, context, go, accessible, quiet } = await browser.open({
      isOwn: true,
      signedIn,
      expects: /status of 40[01]/,
    })
    const recognize = await withAuthenticator(context, page)
    await go('/user')
    await addPasskey(page, 'Blue phone', recoveryCodes[0])
    await page.getByText('Blue phone can sign you in now.').waitFor()
    await page.getByText(/Added .* · not used yet/).waitFor()
    // The device has a passkey for this account, and makes no second one.
    await addPasskey(page, 'Again', recoveryCodes[1])
    await page.getByText('The browser could not create a passkey. It may already have one for this account.').waitFor()
    await accessible()
    await page.keyboard.press('Escape')

    await signOut(page, context)
    await go('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    await accessible()
    await recognize(false)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('No passkey was used.').waitFor()
    await recognize(true)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/console\/c\//)

    await go('/user')
    await page
      .getByText(/last used/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Actions for Blue phone' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old phone')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Actions for Old phone' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('No passkeys yet').waitFor()

    // The device still offers it.
    await signOut(page, context)
    await go('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText(/The passkey is unknown/).waitFor()
    quiet()
  },
)

browserTest('a new person opens an invitation, adds a passkey, and signs in with it', async () => {
  const token = await invitation(service)
  // Nobody is signed in at first.
  const { page, context, go, quiet } = await browser.open({ isOwn: true, expects: /status of 401/ })
  await withAuthenticator(context, page)
  await go(`/link#token=${token}`)
  await page.getByLabel('E-mail').fill(`new-${Date.now()}@people.example`)
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account and accept' }).click()
  await page.waitForURL(/\/console\/c\//)
  await go('/user')
  await addPasskey(page, 'Phone')
  await page.getByText('Phone can sign you in now.').waitFor()
  await signOut(page, context)
  await go('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/console\/c\//)
  assert.ok(page.url().startsWith(named(service)))
  quiet()
})

browserTest(
  'an owner requires a second factor; a person at work is led to set one up, and goes on where they were',
  async () => {
    const place = { companyId: (await service.company()).id }
    const owner = await signIn(service, (await newUser(service, place, 'owner')).email)
    const settings = await browser.open({ isOwn: true, signedIn: owner, expects: /status of 40[39]/ })
    await settings.go(`/c/${place.companyId}/settings/members`)
    const require = settings.page.getByRole('switch', { name: 'Require a second factor' })
    await require.click({ force: true })
    await settings.page.getByRole('button', { name: 'Require it' }).click()
    await settings.page.getByText(/this would lock you out/).waitFor()
    await settings.page.keyboard.press('Escape')

    const { id, email } = await newUser(service, place, 'admin')
    const { page, context, go, accessible, quiet } = await browser.open({
      isOwn: true,
      signedIn: await signIn(service, email),
      expects: /status of 40[13]/,
    })
    await withAuthenticator(context, page)
    // Here and below, a page has all that it asks for before that is refused.
    await go(`/c/${place.companyId}/products`)
    await page.waitForLoadState('networkidle')
    await turnOn(owner)
    await require.click({ force: true })
    await settings.page.getByRole('button', { name: 'Require it' }).click()
    await settings.page.getByText('A second factor is now required.').waitFor()
    await settings.accessible()
    assert.equal(await require.isChecked(), true)

    await page.getByRole('link', { name: 'Orders', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor()
    await page.getByText(/^This company or its organization requires a second factor/).waitFor()
    await page.getByRole('button', { name: 'Use an authenticator app' }).waitFor()
    await accessible()
    await addPasskey(page, 'Blue phone')
    await page.waitForURL(/\/orders/)
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
    await page.waitForLoadState('networkidle')

    await signOut(page, context)
    await go('/sign-in')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in with your second factor' }).waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(/\/console\/c\//)
    await page.waitForLoadState('networkidle')

    // A link to a new password needs the passkey first, and leaves it.
    await signOut(page, context)
    const link = await service.database.transaction((transaction) => makeMailedLink(transaction, id))
    await go(link.replace('/console', ''))
    await page.getByText(/requires a second factor, which this link cannot replace/).waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByLabel('New password').fill('another set of words')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.waitForURL(/\/console\/c\//)
    await go('/user')
    await page.getByText('Blue phone').waitFor()
    quiet()
    settings.quiet()
  },
)
