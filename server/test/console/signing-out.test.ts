// Whoever comes to a browser after somebody signed out there sees nothing of what was shown, by going back either.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { testService } from '../support/service.ts'

const service = testService()
const browser = testBrowser(service, { keepsPages: true })

browserTest('going back after signing out leads to the sign-in, and shows nothing of the page before', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/customer', { firstName: 'Told to nobody' })
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 401/,
  })
  await go('/')
  await go(`/c/${company.id}/customers`)
  await page.getByText('Told to nobody').waitFor()
  await page.getByRole('button', { name: 'Your sign-in:' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/console\/sign-in$/)
  await page.getByLabel('E-mail').waitFor()
  await page.evaluate('history.back()')
  await page.waitForURL(/\/(customers|sign-in\?to=.*customers)$/)
  assert.equal(await page.getByText('Told to nobody').count(), 0)
  await page.waitForURL(/\/sign-in\?to=.*customers$/)
  await page.getByLabel('E-mail').waitFor()
  assert.equal(await page.getByText('Told to nobody').count(), 0)
  quiet()
})
