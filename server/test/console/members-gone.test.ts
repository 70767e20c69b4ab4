// A member whose account was deleted: an open page and the sign-in page say so, in the language of the console.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, person, signIn } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest(
  'who is removed from the only company reads in German that the account is gone, and is asked for no password',
  async () => {
    const company = await service.company()
    const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann' })
    const { email } = await newUser(service, { companyId: company.id }, 'viewer')
    const signedIn = await signIn(service, email)
    const { page, go } = await browser.open({ signedIn, locale: 'de-AT', expects: /status of 401/ })
    await go(`/c/${company.id}/customers`)
    await page.getByRole('link', { name: 'Ann' }).waitFor()
    const owner = (await person(service, { companyId: company.id })).about({ companyId: company.id })
    const { body: members } = await owner('GET', '/v1/members')
    const { id } = members.data.find((member: { email: string }) => member.email === email)
    await owner('DELETE', `/v1/members/${id}`)
    await page.getByRole('link', { name: 'Ann' }).click()
    await page.waitForURL(new RegExp(customer.id))
    const dialog = page.getByRole('dialog', { name: 'Ihr Zugang wurde entfernt' })
    await dialog.getByText('Ihr Konto wurde gelöscht, weil ein Inhaber').waitFor()
    assert.equal(await dialog.getByLabel('Passwort').count(), 0)
    await dialog.getByRole('button', { name: 'Anderes Konto verwenden' }).click()
    await page.waitForURL(/sign-in/)
    await page.getByRole('alert').getByText('Ihr Konto wurde gelöscht, weil ein Inhaber').waitFor()
    await page.getByLabel('Passwort', { exact: true }).waitFor()
  },
)
