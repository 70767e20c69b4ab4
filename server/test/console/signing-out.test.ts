// After a sign-out, nothing of the pages can be seen, not even by going back; a failed sign-out is reported.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service, { keepsPages: true })

browserTest(
  'a sign-out that the server refuses says that the user is still signed in, and can be repeated',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 503/ })
    await go(`/c/${company.id}/customers`)
    let isAway = true
    await page.route('**/v1/console/sign-in', (route) =>
      isAway && route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"message":"Try again."}' })
        : route.continue(),
    )
    const signOut = async () => {
      await page.getByRole('button', { name: 'Your profile:' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut()
    await page.getByText('You are still signed in').waitFor()
    assert.equal((await signedIn.call('GET', '/v1/console/sign-in')).status, 200)
    isAway = false
    await signOut()
    await page.waitForURL(/\/console\/sign-in$/)
    assert.equal((await signedIn.call('GET', '/v1/console/sign-in')).status, 401)
    quiet()
  },
)

browserTest(
  'going back after signing out leads to the sign-in page, and shows nothing of the previous page',
  async () => {
    const company = await service.company()
    await company.call('POST', '/v1/customer', { firstName: 'Confidential' })
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /status of 401/,
    })
    await go('/')
    await go(`/c/${company.id}/customers`)
    await page.getByText('Confidential').waitFor()
    await page.getByRole('button', { name: 'Your profile:' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(/\/console\/sign-in$/)
    await page.getByLabel('E-mail').waitFor()
    await page.evaluate('history.back()')
    await page.waitForURL(/\/(customers|sign-in\?to=.*customers)$/)
    assert.equal(await page.getByText('Confidential').count(), 0)
    await page.waitForURL(/\/sign-in\?to=.*customers$/)
    await page.getByLabel('E-mail').waitFor()
    assert.equal(await page.getByText('Confidential').count(), 0)
    quiet()
  },
)
