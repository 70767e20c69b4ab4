// The frame around the pages of the console: it covers nothing, and its navigation shows where one is.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

browserTest('the bar for an unreachable server covers nothing, and disappears when the server is back', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go } = await browser.open({ signedIn, expects: /ERR_FAILED/ })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
  await page.route('**/v1/**', (route) => route.abort())
  await page.getByRole('searchbox').fill('archer')
  const bar = page.getByText('The server cannot be reached')
  await bar.waitFor()
  const top = (await bar.locator('..').boundingBox())?.y ?? 0
  const user = await page.getByRole('button', { name: /^Your profile/ }).boundingBox()
  assert.ok(
    user && user.y + user.height <= top,
    `the menu of the navigation ends at ${user?.y}, the bar begins at ${top}`,
  )
  assert.ok(
    (await page.evaluate<number>('document.querySelector("main > div > div").getBoundingClientRect().bottom')) <= top,
  )
  await page.unroute('**/v1/**')
  await bar.waitFor({ state: 'detached' })
})

browserTest('in a low window the navigation shows the entry of the open page', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await page.setViewportSize({ width: 1280, height: 420 })
  await go(`/c/${company.id}/settings/company`)
  const entry = page.getByRole('navigation').getByRole('link', { name: 'Company' })
  await entry.waitFor()
  await page.getByRole('heading', { level: 1, name: 'Company' }).waitFor()
  const link = await entry.boundingBox()
  const user = await page.getByRole('button', { name: /^Your profile/ }).boundingBox()
  assert.ok(link && user && link.y + link.height <= user.y)
  quiet()
})
