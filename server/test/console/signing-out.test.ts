// After a sign-out, nothing of the pages can be seen, not even by going back; a failed sign-out and a lost membership are reported.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { join, newUser, person, signIn } from '../support/people.ts'
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

browserTest('a member who is removed is told so in the open tabs, not that what they show was deleted', async () => {
  const company = await service.company()
  const { id, email } = await newUser(service, { companyId: company.id }, 'admin')
  await join(service, id, { companyId: (await service.company()).id }, 'viewer')
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ada' })
  const { page, go, quiet } = await browser.open({ signedIn: await signIn(service, email), expects: /status of 404/ })
  await go(`/c/${company.id}/customers/${customer.id}`)
  await page.getByLabel('First name').first().fill('Adele')
  const owner = (await person(service, { companyId: company.id })).about({ companyId: company.id })
  const { body: members } = await owner('GET', '/v1/members')
  const member = members.data.find(({ role }: { role: string }) => role === 'admin')
  assert.equal((await owner('DELETE', `/v1/members/${member.id}`)).status, 200)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You no longer have access to this company, or it was deleted.').waitFor()
  assert.equal((await company.call('GET', `/v1/customer/${customer.id}`)).body.firstName, 'Ada')
  quiet()
})
