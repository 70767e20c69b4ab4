// Changing prices in the browser: by keyboard, from a spreadsheet, by percent, and while another user changes the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedBy, roundingsOf } from '../../../console/src/pages/prices/percent.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Variants of one product; the nth has a price of 10 + n. */
async function shop(company: Company, count: number) {
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Espresso beans' })
  const items = Array.from({ length: count }, (_, n) => ({ productId: product.id, sku: `ESP-${n}`, price: 10 + n }))
  const { body } = await company.call('POST', '/v1/variants', { items })
  const ids = body.results.map(({ data }: { data: { id: string } }) => data.id) as string[]
  const read = async (n: number) => (await company.call('GET', `/v1/variant/${ids[n]}`)).body
  return { ids, read }
}

/** Opens the page; names of products are answered once `named` is resolved. */
async function openPrices(company: Company, options = {}, named?: Promise<void>) {
  const window = await browser.open({ signedIn: await person(service, { companyId: company.id }), ...options })
  if (named)
    await window.page.route('**/v1/product/*', async (route) => {
      await named
      await route.continue()
    })
  await window.go(`/c/${company.id}/prices`)
  await window.page.getByRole('gridcell').first().focus()
  return window
}

test('a price changed by percent is exact before it is rounded half up', () => {
  const [cents, five, ten, , ending] = roundingsOf(2).map(({ rounding }) => rounding)
  assert.ok(cents && five && ten && ending)
  assert.equal(changedBy(12.5, 5, cents), 13.13)
  assert.equal(changedBy(1.1, 15, cents), 1.27)
  assert.equal(changedBy(10.05, 10, cents), 11.06)
  assert.equal(changedBy(12.5, 5, five), 13.15)
  assert.equal(changedBy(12.5, 5, ten), 13.1)
  assert.equal(changedBy(12.5, 5, ending), 12.99)
  assert.equal(changedBy(0.4, -10, ending), 0.99)
  assert.equal(changedBy(0.01, -90, cents), 0.01)
  assert.equal(changedBy(1250, 5, roundingsOf(0)[3]?.rounding ?? cents), 1299)
})

browserTest('prices are typed, pasted, switched and removed by keyboard, and saved as a whole', async () => {
  const company = await service.company()
  const { read } = await shop(company, 3)
  const named = Promise.withResolvers<void>()
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, quiet, accessible } = await openPrices(company, { permissions }, named.promise)
  // While the product's name is awaited, a row has a header too.
  await page.locator('[role=rowheader][aria-busy=true]').filter({ hasText: 'ESP-0' }).first().waitFor()
  await accessible()
  // All columns fit, so nothing scrolls sideways.
  const grid = page.getByRole('grid')
  assert.ok(await grid.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  named.resolve()
  await page.keyboard.type('12,5')
  await page.keyboard.press('Tab')
  await page.keyboard.type('9.9')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+ArrowLeft')
  await page.evaluate(`navigator.clipboard.writeText('20\\t18\\tyes\\t7.25\\nn/a\\t\\tno')`)
  await page.keyboard.press('Control+v')
  await page.getByText('1 cell was left as it is. “n/a” is not a number.').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Control+ArrowDown')
  await page.keyboard.press('Control+ArrowLeft')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Control+s')
  await page
    .getByRole('status')
    .getByText(/saved\.$/)
    .waitFor()
  const first = await read(0)
  const second = await read(1)
  const third = await read(2)
  assert.deepEqual([first.price, first.salePrice, first.isOnSale], [12.5, 9.9, true])
  assert.deepEqual([second.price, second.salePrice, second.isOnSale, second.costPrice], [20, 18, true, 7.25])
  assert.deepEqual([third.price, third.isOnSale], [undefined, undefined])
  await accessible()
  quiet()
})

browserTest('200 prices rise by 5 % with a preview, and all of them are stored', async () => {
  const company = await service.company()
  const { read } = await shop(company, 200)
  const { page, quiet, accessible } = await openPrices(company)
  await page.getByRole('button', { name: 'Change by percent' }).click()
  await page.getByRole('textbox', { name: 'Percent' }).fill('5')
  // Nobody changes all prices by accident: that is chosen.
  await page.getByText('1 price will change.').waitFor()
  await page.getByText('All matching (200)').click()
  await page.getByText('200 prices will change.').waitFor()
  await accessible()
  await page.getByRole('button', { name: 'Change 200 prices' }).click()
  await page.getByText('200 cells not saved').waitFor()
  // Wherever the focus is after the dialog, the browser does not save the page as a file instead.
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('Control+s')
  await page.getByRole('status').getByText('200 cells saved.').waitFor()
  assert.equal((await read(0)).price, 10.5)
  assert.equal((await read(199)).price, 219.45)
  quiet()
})

browserTest(
  'a price that another user changed meanwhile is shown as a conflict; stock that moved is none',
  async () => {
    const company = await service.company()
    const { ids, read } = await shop(company, 2)
    const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Centre' })
    const { page, quiet, accessible } = await openPrices(company)
    await page.keyboard.type('30')
    await page.keyboard.press('Enter')
    await page.keyboard.type('31')
    await page.keyboard.press('Enter')
    await page.getByText('2 cells not saved').waitFor()
    await company.call('PATCH', `/v1/variant/${ids[0]}`, { price: 99 })
    await company.call('PATCH', `/v1/variant/${ids[1]}`, { inventory: [{ outletId: outlet.id, stock: 7 }] })
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('1 cell saved, 1 cell refused.').waitFor()
    assert.deepEqual([(await read(0)).price, (await read(1)).price], [99, 31])
    await page.getByText('1 needs a decision').click()
    await page.getByRole('menuitem', { name: 'Go to the next one' }).click()
    await page.getByRole('dialog').getByText('It was 10.00 when you typed 30.00. It is now 99.00.').waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Overwrite with 30.00' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('1 cell saved.').waitFor()
    assert.equal((await read(0)).price, 30)
    quiet()
  },
)
