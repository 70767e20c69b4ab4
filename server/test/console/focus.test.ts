// The focus is visible: the ring has a contrast of 3:1 with its background (WCAG 2.2, 1.4.11), in light and dark. A new page has it
// at its heading, if the element that had it is gone.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)

/** The element that has the focus, and the contrast of its ring with its surroundings; 0 without a ring, undefined outside of the page. */
const ringOfFocused = `(() => {
  const channels = (colour) => {
    const [r = 0, g = 0, b = 0, alpha = 1] = (colour.match(/[\\d.]+/g) ?? []).map(Number)
    return { rgb: colour.startsWith('color(') ? [r, g, b].map((part) => part * 255) : [r, g, b], alpha }
  }
  const over = (above, below) => above.rgb.map((part, n) => part * above.alpha + below[n] * (1 - above.alpha))
  const behind = (element) =>
    element === null ? [255, 255, 255] : over(channels(getComputedStyle(element).backgroundColor), behind(element.parentElement))
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const focused = document.activeElement
  if (focused === document.body) return undefined
  // An input of tags has its ring around the tags too.
  const ringed = [focused, focused.closest('.mantine-Input-input')].find(
    (element) => element && getComputedStyle(element).outlineStyle === 'solid',
  )
  const name = focused.tagName + ' ' + (focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent)
  if (!ringed) return { name, contrast: 0 }
  const { outlineColor, outlineOffset } = getComputedStyle(ringed)
  const ground = behind(parseFloat(outlineOffset) < -1 ? ringed : ringed.parentElement)
  const [light, dark] = [luminance(channels(outlineColor).rgb), luminance(ground)].sort((a, b) => b - a)
  return { name, contrast: (light + 0.05) / (dark + 0.05) }
})()`

interface Ring {
  readonly name: string
  readonly contrast: number
}

/** The rings of all that Tab reaches in a page, until it leaves the page. */
async function ringsOf(page: Page): Promise<Ring[]> {
  const rings: Ring[] = []
  for (;;) {
    await page.keyboard.press('Tab')
    const ring = (await page.evaluate(ringOfFocused)) as Ring | undefined
    if (ring === undefined || rings.length === 200) return rings
    rings.push(ring)
  }
}

for (const colorScheme of ['light', 'dark'] as const)
  browserTest(
    `a ring that is seen shows what has the focus, also on cards and in sheets, in ${colorScheme}`,
    async () => {
      const shop = await teaShop(service)
      await sellTea(shop)
      const { company } = shop
      const signedIn = await person(service, { companyId: company.id })
      const { page, go, quiet } = await browser.open({ signedIn, colorScheme })
      const pages = { '': 'Overview', '/products': 'Products', '/products/new': 'New product', '/stock': 'Stock' }
      for (const [path, heading] of Object.entries(pages)) {
        await go(`/c/${company.id}${path}`)
        await page.getByRole('heading', { level: 1, name: heading }).waitFor()
        const rings = await ringsOf(page)
        assert.ok(rings.length > 15, `${path}: ${rings.length} controls`)
        assert.deepEqual(
          rings.filter(({ contrast }) => contrast < 3),
          [],
          path,
        )
      }
      quiet()
    },
  )

browserTest('a page that a form, a list or a deletion leads to has the focus at its heading', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  const focused = (name: string) => page.locator('h1:focus', { hasText: name }).waitFor()
  await go(`/c/${company.id}/products/new`)
  await page.getByLabel('Name').first().fill('Tea')
  await page.getByRole('button', { name: 'Create product' }).click()
  await focused('Tea')
  await go(`/c/${company.id}/outlets/new`)
  await page.getByLabel('Name').first().fill('Harbour')
  await page.keyboard.press('Enter')
  await focused('Harbour')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await focused('Outlets')
  await go(`/c/${company.id}/products`)
  await page.getByRole('link', { name: 'Tea' }).press('Enter')
  await focused('Tea')
  // Back in the list, the row that was opened has it, also further down.
  await page.goBack()
  await page.locator('tr a:focus', { hasText: 'Tea' }).waitFor()
  const items = Array.from({ length: 90 }, (_, n) => ({ name: `Blend ${n}` }))
  await company.call('POST', '/v1/products', { items })
  await page.reload()
  await page.getByRole('link', { name: 'Blend 89', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Products' }).evaluate((list) => list.scrollTo(0, 2_000))
  await page.getByRole('link', { name: 'Blend 40', exact: true }).press('Enter')
  await focused('Blend 40')
  await page.goBack()
  await page.locator('tr a:focus', { hasText: 'Blend 40' }).waitFor()
  await page.getByRole('region', { name: 'Products' }).evaluate((list) => list.scrollTo(0, 4_000))
  await page.getByRole('link', { name: 'Tea', exact: true }).press('Enter')
  await focused('Tea')
  // A page begins in an entry of the navigation that was pressed, and a new one at its top.
  await page.getByRole('link', { name: 'Products' }).last().press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Products' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.tagName'), 'BODY')
  quiet()
})

browserTest('a button that saves a record has the focus after it, also while there is nothing to save', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/outlets/${outlet.id}`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('Name').first().fill('Port')
  await save.press('Enter')
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.locator('button:focus', { hasText: 'Save' }).waitFor()
  assert.ok(await save.isDisabled())
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()))
  await save.press('Enter')
  await page.getByLabel('Name').first().press('Enter')
  await page.getByLabel('Name').first().fill('Pier')
  await save.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Pier' }).waitFor()
  assert.equal(sent.length, 1)
  quiet()
})

browserTest('a button that was disabled while its action ran has the focus again', async () => {
  const company = await service.company()
  const { body: trigger } = await company.call('POST', '/v1/automation-trigger', {
    triggerType: 'order.*',
    triggerUrl: 'https://hooks.example.com/',
  })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 429/ })
  const json = { statusCode: 429, code: 'rate_limited', reason: 'key_rate', message: 'Wait.' }
  await page.route(`**/v1/automation-trigger/${trigger.id}/test`, async (route) => {
    await page.waitForFunction('document.activeElement === document.body')
    await route.fulfill({ status: 429, json })
  })
  await go(`/c/${company.id}/automation/${trigger.id}`)
  const test = page.getByRole('button', { name: 'Send test event' })
  await test.press('Enter')
  await page.getByText('There were too many requests').waitFor()
  await page.locator('button:focus', { hasText: 'Send test event' }).waitFor()
  quiet()
})

browserTest('the navigation that covers a small page has the focus to itself, and gives it back', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 640 })
  await go(`/c/${company.id}/outlets`)
  await page.getByRole('heading', { level: 1, name: 'Outlets' }).waitFor()
  const focused = page.locator(':focus')
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.press('Enter')
  await page.getByRole('button', { name: 'Close' }).and(focused).waitFor()
  // Below it is the page, which is not reached, and neither is its header.
  for (let n = 0; n < 60; n++) {
    assert.ok(await page.evaluate('document.activeElement.closest("header, #content") === null'))
    await page.keyboard.press('Tab')
  }
  await page.getByRole('link', { name: 'Orders', exact: true }).press('Escape')
  await menu.and(focused).waitFor()
  await menu.press('Enter')
  await page.getByRole('link', { name: 'Orders', exact: true }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Orders' }).and(focused).waitFor()
  quiet()
})
