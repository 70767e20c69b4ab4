// Two-step authentication in the browser: turned on with an app, asked for wherever a person signs in, and turned off.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeLink } from '../../src/features/people/links.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, password, person, signIn } from '../support/people.ts'
import { currentCode, forgetSteps, turnOn } from '../support/second-factor.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const begin = async (page: Page, email: string) => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

browserTest(
  'a person turns it on with an app, gets recovery codes once, signs in with code and recovery code, and turns it off',
  async () => {
    const company = await service.company()
    const { email } = await newUser(service, { companyId: company.id })
    const { page, go, accessible, quiet } = await browser.open({
      signedIn: await signIn(service, email),
      expects: /status of 400/,
    })
    await go('/user')
    await page.getByRole('button', { name: 'Turn on' }).click()
    const dialog = page.getByRole('dialog')
    // A form says what it lacks when it is sent, and its first input that lacks something has the focus.
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Enter your password.').waitFor()
    await dialog.getByLabel('Current password').and(page.locator(':focus')).waitFor()
    await dialog.getByLabel('Current password').fill('not the one')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Is not your password.').waitFor()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await accessible()
    await page.emulateMedia({ colorScheme: 'dark' })
    await accessible(page, { rules: ['color-contrast'] })
    const secret = (await dialog.locator('code').textContent()) as string
    assert.equal(await dialog.getByRole('button', { name: 'Use a recovery code' }).count(), 0)
    await dialog.getByLabel('Code', { exact: true }).fill('12345')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText(/Is wrong/).waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(currentCode(secret))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const shown = dialog.getByRole('region', { name: 'Recovery codes' })
    const codes = ((await shown.textContent()) as string).split('\n')
    assert.equal(codes.length, 10)
    await accessible()
    // They are shown only now, so Escape does not close them, and the focus stays in the dialog.
    await page.keyboard.press('Escape')
    await dialog.locator(':focus').waitFor()
    await dialog.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 recovery codes left').waitFor()
    for (const kept of [secret, codes[0] as string]) assert.equal((await page.content()).includes(kept), false)

    await forgetSteps(service)
    const other = await browser.open({ expects: /status of 401/ })
    await other.go('/sign-in')
    await begin(other.page, email)
    const code = other.page.getByLabel('Code', { exact: true })
    await code.waitFor()
    await other.accessible()
    await code.fill('12345')
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByText('The code is wrong').waitFor()
    await other.page.getByRole('button', { name: 'Back' }).click()
    assert.equal(await other.page.getByLabel('E-mail').inputValue(), email)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await code.fill(currentCode(secret))
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.waitForURL(new RegExp(`/c/${company.id}$`))

    const third = await browser.open({ expects: /status of 401/ })
    await third.go('/sign-in')
    await begin(third.page, email)
    await third.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await third.page.getByLabel('Recovery code').fill(codes[0] as string)
    await third.page.getByRole('button', { name: 'Sign in' }).click()
    await third.page.waitForURL(new RegExp(`/c/${company.id}$`))

    await page.reload()
    await page.getByText('9 recovery codes left').waitFor()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByText('Enter a code.').waitFor()
    await dialog.getByText('Enter your password.').waitFor()
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
    await dialog.getByLabel('Recovery code').fill(codes[1] as string)
    await dialog.getByLabel('Current password').fill(password)
    await accessible()
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('You sign in without a code.').waitFor()
    quiet()
  },
)

browserTest('an ended sign-in and a link to a new password ask for the code too, and keep what was typed', async () => {
  const company = await service.company()
  const { id, email } = await newUser(service, { companyId: company.id })
  const signedIn = await signIn(service, email)
  const { recoveryCodes } = await turnOn(signedIn)
  const [first, second] = recoveryCodes as [string, string]
  const { page, go } = await browser.open({ signedIn, expects: /status of 401/ })
  await go(`/c/${company.id}/customers/new`)
  await page.getByLabel('Last name').first().fill('Archer')
  await service.database.query('delete from sign_ins where user_id = $1', [id])
  await page.getByRole('button', { name: 'Create customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'You are signed out' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code').fill('23456-ABCDE')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('The code is wrong').waitFor()
  await dialog.getByLabel('Recovery code').fill(first)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  // The refused save continues.
  await page.waitForURL(/customers\/[0-9a-f]{24}$/)
  assert.equal((await company.call('GET', '/v1/customers')).body.data[0].lastName, 'Archer')

  const path = await service.database.transaction((transaction) => makeLink(transaction, id))
  const other = await browser.open({ expects: /status of 401/ })
  await other.page.goto(service.url + path)
  await other.page.getByLabel('New password').fill('a sentence that only Ada knows')
  const save = other.page.getByRole('button', { name: 'Save and sign in' })
  await save.click()
  await other.page.getByRole('button', { name: 'Use a recovery code' }).click()
  // A used one is refused, and the link and the typed password stay.
  await other.page.getByLabel('Recovery code').fill(first)
  await save.click()
  await other.page.getByText('The code is wrong').waitFor()
  await other.page.getByLabel('Recovery code').fill(second)
  await save.click()
  await other.page.waitForURL(new RegExp(`/c/${company.id}$`))
})

browserTest('a person of whom it is required keeps the recovery codes until they are saved, and goes on', async () => {
  const place = { companyId: (await service.company()).id }
  const owner = await person(service, place)
  await turnOn(owner)
  await owner.about(place)('PATCH', '/v1/sign-in-rules', { requiresSecondFactor: true })
  const { email } = await newUser(service, place, 'admin')
  const signedIn = await signIn(service, email)
  const { page, go, quiet } = await browser.open({ isOwn: true, signedIn, expects: /status of 403/ })
  // The first refusal leads there, whichever it is.
  const isShown = Promise.withResolvers<void>()
  await page.route('**/v1/company', (route) => isShown.promise.then(() => route.continue()))
  await go(`/c/${place.companyId}/orders`)
  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  isShown.resolve()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = (await dialog.locator('code').textContent()) as string
  await dialog.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByRole('region', { name: 'Recovery codes' }).waitFor()

  // A while later the person comes back from the window in which the codes are kept, and the page reads what is on.
  await page.clock.setFixedTime(Date.now() + 60_000)
  const read = page.waitForResponse((response) => response.url().endsWith('/v1/console/second-factor'))
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  assert.equal((await (await read).json()).isOn, true)
  await dialog.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor()
  quiet()
})
