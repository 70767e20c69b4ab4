// Lists on paper: all rows with all names in them, though the screen draws only those in view.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Has `window.print` keep what is on the paper, as a browser lays it out between the two events. */
const keepPaper = `window.print = () => {
  dispatchEvent(new Event('beforeprint'))
  window.paper = document.body.innerText
  document.documentElement.dataset.printed = ''
  dispatchEvent(new Event('afterprint'))
}`

/** Presses Ctrl+P, and returns the lines on the paper. */
async function printed(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(keepPaper)
  await page.keyboard.press('Control+p')
  await page.locator('html[data-printed]').waitFor()
  await page.emulateMedia({ media: null })
  return (await page.evaluate<string>('window.paper')).split('\n')
}

/** Names such as “Ann Archer 7”. */
const named = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n}`)

async function made(company: Company, many: string, items: readonly object[]): Promise<string[]> {
  const { body } = await company.call('POST', `/v1/${many}`, { items })
  return body.results.map(({ data }: { data: { id: string } }) => data.id)
}

browserTest('Ctrl+P prints all rows of a list, also those that were not read yet, with the names in them', async () => {
  const company = await service.company()
  const customers = named('Archer', 130)
  const ids = await made(
    company,
    'customers',
    customers.map((lastName) => ({ firstName: 'Ann', lastName })),
  )
  await made(
    company,
    'orders',
    ids.map((customerId, n) => ({ customerId, receiptId: `R-${n}`, outletId: 'main', summary: { total: '5.00' } })),
  )
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/orders`)
  await page.getByRole('link', { name: 'R-129' }).waitFor()
  const lines = await printed(page)
  const rows = lines.filter((line) => line.startsWith('R-'))
  assert.equal(rows.length, 130)
  for (const customer of customers)
    assert.ok(
      rows.some((row) => row.split('\t').includes(`Ann ${customer}`)),
      customer,
    )
  assert.ok(lines.includes('Orders'))
  assert.ok(!lines.some((line) => /Filter|Export|the list has more/.test(line)), lines.slice(0, 20).join('\n'))
  // The list is as before.
  await page.getByRole('link', { name: 'R-129' }).waitFor()
  quiet()
})

browserTest('the command of the browser prints the rows that were read, and says that there are more', async () => {
  const company = await service.company()
  await made(
    company,
    'customers',
    named('Archer', 130).map((lastName) => ({ lastName })),
  )
  const { page, go, quiet } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    width: 375,
  })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('link', { name: 'Archer 129' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(keepPaper)
  await page.evaluate('window.print()')
  const paper = await page.evaluate<string>('window.paper')
  assert.match(paper, /The first 100 rows; the list has more/)
  assert.equal(paper.match(/Archer \d+/g)?.length, 100)
  quiet()
})

browserTest('Ctrl+P without a network prints the rows that were read, at once', async () => {
  const company = await service.company()
  const items = named('Archer', 130).map((lastName) => ({ lastName }))
  await made(company, 'customers', items)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/customers`)
  await page.getByRole('link', { name: 'Archer 129' }).waitFor()
  await page.context().setOffline(true)
  try {
    assert.match((await printed(page)).join('\n'), /The first 100 rows; the list has more/)
  } finally {
    await page.context().setOffline(false)
  }
  quiet()
})

browserTest('Ctrl+P prints the whole sheet of the stock, with what is typed in it', async () => {
  const company = await service.company()
  const [outletId] = await made(company, 'outlets', [{ name: 'Harbour' }])
  const teas = named('Tea', 120)
  const products = await made(
    company,
    'products',
    teas.map((name) => ({ name })),
  )
  const variants = await made(
    company,
    'variants',
    products.map((productId, n) => ({ productId, sku: `T-${n}`, manageStock: true })),
  )
  const items = products.map((productId, n) => ({ productId, variantId: variants[n], outletId, quantity: n }))
  await company.call('POST', '/v1/inventories/set-levels', { items })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stock`)
  const first = page.getByRole('gridcell').first()
  await first.click()
  await page.keyboard.type('777')
  await page.keyboard.press('Enter')
  const rows = (await printed(page)).filter((line) => line.startsWith('Tea '))
  assert.equal(rows.length, 120)
  for (const [n, tea] of teas.entries())
    assert.ok(
      rows.some((row) => new RegExp(`^${tea}\\s+T-${n}\\t(${n}|777)$`).test(row)),
      `${tea}: ${rows.slice(0, 3)}`,
    )
  assert.equal(rows.filter((row) => row.endsWith('\t777')).length, 1)
  quiet()
})

browserTest(
  'what is printed says whose it is, of which days or outlet, and what was searched and filtered',
  async () => {
    const company = await service.company()
    const outletId = (await company.call('POST', '/v1/outlet', { name: 'Fish market' })).body.id
    const stationId = (await company.call('POST', '/v1/station', { name: 'Till 1', outletId, status: 'AVAILABLE' }))
      .body.id
    const { body: session } = await company.call('POST', '/v1/session', { stationId, openingAmount: '50.00' })
    const order = { receiptId: 'R-1', outletId, status: 'parked', currency: 'EUR', summary: { total: '5.00' } }
    assert.equal((await company.call('POST', '/v1/order', order)).status, 201)
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    const has = async (path: string, shown: string, ...expected: readonly (string | RegExp)[]) => {
      await go(`/c/${company.id}/${path}`)
      await page.getByText(shown).filter({ visible: true }).first().waitFor()
      await page.emulateMedia({ media: 'print' })
      await page.evaluate(`${keepPaper}; window.print()`)
      await page.emulateMedia({ media: null })
      const paper = await page.evaluate<string>('window.paper')
      for (const one of [/^Shop$/m, ...expected])
        assert.ok(typeof one === 'string' ? paper.includes(one) : one.test(paper), `${one} in ${paper}`)
      return paper
    }
    const list = await has('orders?q=R-1&f=%7B"status"%3A"parked"%7D', 'R-1', 'Search: “R-1”', 'Status Parked')
    assert.ok(!/Filter|Columns|Remove/.test(list), list)
    const report = await has(
      'reports?from=2026-03-02&to=2026-03-08',
      'No sales in this period',
      '2 Mar 2026 – 8 Mar 2026',
    )
    assert.ok(!/Group by|Then by/.test(report), report)
    await has(`sessions/${session.id}/report`, 'Fish market', /Outlet\s+Fish market/)
    quiet()
  },
)
