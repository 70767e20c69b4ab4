// A member who is removed from all that they could open, in an open page: what they read, in the language of the console.
import { browserTest, testBrowser } from '../support/browser.ts'
import { newUser, password, person, signIn } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('who is removed from the only company reads in German that the access may be gone', async () => {
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
  await page.getByText('Ihre Anmeldung ist beendet. Melden Sie sich wieder an.').waitFor()
  const dialog = page.getByRole('dialog', { name: 'Sie sind abgemeldet' })
  // Before the password is typed in vain.
  await dialog.getByText('oder ein Inhaber hat Ihren Zugang entfernt').waitFor()
  await dialog.getByLabel('Passwort', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Anmelden' }).click()
  await dialog.getByText('wurde vielleicht Ihr Zugang entfernt').waitFor()
})
