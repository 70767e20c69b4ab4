// The bell: what needs attention is counted, leads to its page, is read then, and is switched off on the user's own page.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { testService } from '../support/service.ts'

const service = testService({ alerts: { lookMs: 100, checkMs: 100 } })
const browser = testBrowser(service)

browserTest(
  'the bell counts alerts, each leads to what it is about and is read then, and a kind can be switched off',
  async () => {
    const { id: companyId, call } = await service.company()
    const outlet = (await call('POST', '/v1/outlet', { name: 'Main Street' })).body
    const station = (await call('POST', '/v1/station', { name: 'Till 1', outletId: outlet.id, status: 'AVAILABLE' }))
      .body
    const opened = { stationId: station.id, openTime: '2026-11-20T08:00:00.000Z', openingAmount: '100.00' }
    const session = (await call('POST', '/v1/session', opened)).body
    await call('POST', `/v1/session/${session.id}/close`, { counted: { cash: '99.50' } })
    const product = (await call('POST', '/v1/product', { name: 'Espresso beans' })).body
    const variant = (await call('POST', '/v1/variant', { productId: product.id, manageStock: true })).body
    await call('POST', '/v1/inventory', { variantId: variant.id, outletId: outlet.id, stock: 2 })
    const signedIn = await person(service, { companyId })
    const unread = async () => (await signedIn.about({ companyId })('GET', '/v1/alerts')).body.meta.unread
    await until('both are noticed', async () => (await unread()) === 2)

    const { page, go, quiet, accessible } = await browser.open({ signedIn })
    await go(`/c/${companyId}`)
    await page.getByRole('button', { name: 'Alerts, 2 unread' }).click()
    await page.getByText('\u2068Espresso beans\u2069: 2 left').waitFor()
    await accessible()
    await page.getByRole('link', { name: 'Session closed with a difference' }).click()
    await page.waitForURL(`**/sessions/${session.id}`)
    await page.getByRole('button', { name: 'Alerts, 1 unread' }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('button', { name: 'Alerts', exact: true }).waitFor()
    assert.equal(await unread(), 0)

    await page.getByRole('link', { name: 'Choose which alerts you get' }).click()
    const stock = page.getByRole('switch', { name: 'Low stock: Bell' })
    await stock.click()
    await until(
      'it is stored',
      async () => (await signedIn.call('GET', '/v1/console/alert-settings')).body.stock.bell === false,
    )
    await accessible()
    quiet()
  },
)
