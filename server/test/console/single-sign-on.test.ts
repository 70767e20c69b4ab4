// Single sign-on in the browser: linked under the profile, then in place of the password, and by an invitation, with the provider's own form.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { named } from '../support/authenticator.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { openIdProvider } from '../support/openid-provider.ts'
import { invitation, newUser, password, signIn } from '../support/people.ts'
import { testService } from '../support/service.ts'

const provider = await openIdProvider()
const { issuer } = provider.settings
const service = testService({ openId: provider.settings })
/** Another site than the provider's, which is at an address of numbers: cookies are as strict as between two companies. */
const browser = testBrowser({
  ...service,
  get url() {
    return named(service)
  },
})

/** Fills in the provider's form. */
async function signInAtProvider(page: Page, login: string) {
  await page.waitForURL(`${issuer}/interaction/**`)
  await page.getByLabel('Name').fill(login)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

browserTest('a person links the provider, signs in there in place of the password, and unlinks it again', async () => {
  const { email } = await newUser(service, { companyId: (await service.company()).id })
  const { page, context, go, accessible, quiet } = await browser.open({
    signedIn: await signIn(service, email),
    expects: /status of 401/,
    visits: issuer,
  })
  await go('/user')
  await page.getByRole('button', { name: 'Link Acme Login' }).click()
  await signInAtProvider(page, 'ann@work.example')
  await page.getByText(`After linking, ann@work.example can sign in to the account ${email}.`).waitFor()
  assert.equal(new URL(page.url()).search, '')
  await accessible()
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Link Acme Login' }).click()
  await page.getByText('Acme Login can sign you in now.').waitFor()
  await page.getByText(/Linked .* · not used yet/).waitFor()
  await accessible()

  await context.clearCookies()
  await go('/sign-in?to=/user')
  await page.getByRole('button', { name: 'Continue with Acme Login' }).waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Continue with Acme Login' }).click()
  await signInAtProvider(page, 'ann@work.example')
  await page.getByText(/Linked .* · last used/).waitFor()
  await page.getByRole('button', { name: 'Unlink ann@work.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click()
  await page.getByText('Nothing linked yet.').waitFor()

  await context.clearCookies()
  await go('/sign-in')
  await page.getByRole('button', { name: 'Continue with Acme Login' }).click()
  await signInAtProvider(page, 'ann@work.example')
  await page.getByText(/No account is linked to this identity of Acme Login/).waitFor()
  await accessible()
  quiet()
})

browserTest('an invited person joins by the provider, without a password', async () => {
  const email = `new-${Date.now()}@people.example`
  const token = await invitation(service, email)
  const { page, go, quiet } = await browser.open({ expects: /status of 401/, visits: issuer })
  await go(`/link#token=${token}`)
  await page.getByRole('button', { name: 'Continue with Acme Login' }).click()
  await signInAtProvider(page, email)
  await page.waitForURL(/\/console\/c\//)
  await go('/user')
  await page.getByText(/Your account has no password/).waitFor()
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Choose a password' }).click()
  await page.getByLabel('Current password').waitFor()
  quiet()
})
