// Connections as shops have them: answers that break off, and a server in the shop's own network without https.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Breaks off each answer in its body. */
const breaking = createServer((_, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
  answer.write('{"data":', () => answer.destroy())
})
before(() => new Promise<void>((listening) => breaking.listen(0, '127.0.0.1', listening)))
after(() => breaking.close())
const brokenUrl = (path: string) => `http://127.0.0.1:${(breaking.address() as AddressInfo).port}${path}`

browserTest('a list whose answer breaks off is read again', async () => {
  const company = await service.company()
  await company.call('POST', '/v1/customer', { lastName: 'Gruber' })
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /CONTENT_LENGTH_MISMATCH|INCOMPLETE|RESET/,
  })
  let asked = 0
  await page.route('**/v1/customers?*', (route) =>
    route.continue(asked++ === 0 ? { url: brokenUrl('/v1/customers') } : {}),
  )
  await go(`/c/${company.id}/customers`)
  await page.getByText('Gruber').waitFor()
  assert.ok(asked > 1)
  quiet()
})

browserTest('a create whose answer breaks off says so, and is done once when the user saves again', async () => {
  const company = await service.company()
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /CONTENT_LENGTH_MISMATCH|INCOMPLETE|RESET/,
  })
  const keys: (string | undefined)[] = []
  await page.route('**/v1/customer', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await route.continue({ url: brokenUrl('/v1/customer') })
  })
  await go(`/c/${company.id}/customers/new`)
  await page.getByLabel('Last name').first().fill('Gruber')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.getByText('Nothing that you typed is lost').waitFor()
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.waitForURL(/customers\/[0-9a-f]{24}$/)
  const { body } = await company.call('GET', '/v1/customers')
  assert.equal(body.meta.count, 1)
  assert.equal(keys.length, 2)
  assert.equal(keys[0], keys[1])
  quiet()
})

browserTest('a form at an address without https saves a record', async () => {
  const company = await service.company()
  const { page, context } = await browser.open({ expects: /./ })
  // This machine too, but not one of the addresses that browsers trust without https.
  const url = service.url.replace('127.0.0.1', '0.0.0.0')
  const [name = '', value = ''] = (await person(service, { companyId: company.id })).cookie.split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  await page.goto(`${url}/console/c/${company.id}/customers/new`)
  assert.equal(await page.evaluate('isSecureContext'), false)
  await page.getByLabel('Last name').first().fill('Gruber')
  await page.getByRole('button', { name: 'Create customer' }).click()
  await page.waitForURL(/customers\/[0-9a-f]{24}$/)
  const { body } = await company.call('GET', '/v1/customers')
  assert.equal(body.data[0].lastName, 'Gruber')
})

browserTest('a page that is opened while the server is away says so, and opens by itself when it is back', async () => {
  const company = await service.company()
  const { page, context, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /INTERNET_DISCONNECTED|Unable to preload|dynamically imported|cannot be reached/,
    isOwn: true,
  })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
  await context.setOffline(true)
  // One page has styles of its own, which fail first; the other has none.
  for (const [name, title] of [
    ['Reports', 'Reports'],
    ['Labels', 'Labels'],
  ] as const) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByText('This page opens as soon as the server can be reached again.').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await context.setOffline(true)
  }
  quiet()
})

browserTest('a record that is opened while the browser is offline is not waited for in silence', async () => {
  const company = await service.company()
  for (const name of ['Harbour', 'Market']) await company.call('POST', '/v1/outlet', { name })
  const { page, context, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /INTERNET_DISCONNECTED/,
    isOwn: true,
  })
  await go(`/c/${company.id}/outlets`)
  // The code of the page is loaded with the first record.
  await page.getByRole('link', { name: 'Harbour' }).click()
  await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Outlets' }).click()
  await page.getByRole('link', { name: 'Market' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Market' }).click()
  await page.getByText('Retrying automatically.').waitFor()
  await context.setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Market' }).waitFor()
  quiet()
})

browserTest(
  'a tab that is open while the console is updated says so, and each page opens in the new version',
  async () => {
    const company = await service.company()
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /404|Unable to preload|dynamically imported/,
      isOwn: true,
    })
    await go(`/c/${company.id}/customers`)
    await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor()
    // What was not loaded yet is gone, until the page itself is loaded again.
    const replace = async () => {
      let isReloaded = false
      await page.route('**/console/**', (route) => {
        isReloaded ||= route.request().isNavigationRequest()
        return isReloaded ? route.continue() : route.fulfill({ status: 404 })
      })
    }
    await replace()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('The console was updated').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('menuitem', { name: 'Tags' }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.getByText('The console was updated').count(), 0)
    // One page has styles of its own, which fail first; the other has none.
    for (const name of ['Reports', 'Labels']) {
      await page.unrouteAll()
      await replace()
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    quiet()
  },
)

browserTest(
  'a part that did not arrive opens when it is asked for again, and nothing claims that the console was updated',
  async () => {
    const company = await service.company()
    await company.call('POST', '/v1/customer', { lastName: 'Gruber' })
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      expects: /ERR_FAILED|Unable to preload|dynamically imported/,
      isOwn: true,
    })
    await go(`/c/${company.id}/customers`)
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    let isBroken = true
    await page.route('**/console/assets/*', (route) =>
      isBroken && route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    for (const [name, opened] of [
      ['Filter', page.getByRole('menuitem', { name: 'Tags' })],
      ['Tag', page.getByRole('dialog')],
    ] as const) {
      isBroken = true
      const asked = page.waitForResponse(
        (answer) => answer.request().method() === 'HEAD' || answer.url().endsWith('/health'),
      )
      await page.getByRole('button', { name, exact: true }).click()
      await asked
      isBroken = false
      await page.getByRole('button', { name, exact: true }).click()
      await opened.waitFor()
      assert.equal(await page.getByText('The console was updated').count(), 0)
      await page.keyboard.press('Escape')
    }
    await page.getByRole('row', { name: /Gruber/ }).waitFor()
    quiet()
  },
)
