// Guarantees for the whole console: accessibility rules on every page, and on all that opens on it.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { makeTable } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { type TestService, testService } from '../support/service.ts'

type Open = (page: Page) => Promise<void>

/** Pages, each with what opens on it. */
type Pages = readonly (readonly [path: string, ...opens: Open[]])[]

const press =
  (name: string | RegExp, then?: string): Open =>
  async (page) => {
    await page.getByRole('button', { name }).first().click()
    if (then !== undefined) await page.getByRole('menuitem', { name: new RegExp(`^${then}`) }).click()
  }
const list =
  (name: string): Open =>
  (page) =>
    page.getByRole('combobox', { name }).first().click()

/** The test of a part of the pages: each part is a file, so that they run at the same time and none takes as long as a test may. */
export function testPages(part: 'sales' | 'goods' | 'administration'): void {
  const service = testService()
  const browser = testBrowser(service)
  const name = `no page of ${part}, and nothing that opens on it, breaks an accessibility rule, in light and dark`
  browserTest(name, () => checkPages(service, browser, part))
}

async function checkPages(
  service: TestService,
  browser: ReturnType<typeof testBrowser>,
  part: Parameters<typeof testPages>[0],
) {
  const { owner, [part]: pages } = await seeded(service)
  const { page, go, quiet, accessible } = await browser.open({ signedIn: owner })
  /** Dark differs only in colours; on a page that was checked before, only what opened on it is checked. */
  const inBoth = async (within?: string) => {
    await accessible()
    await page.emulateMedia({ colorScheme: 'dark' })
    await accessible(page, { rules: ['color-contrast'], ...(within !== undefined && { within }) })
    await page.emulateMedia({ colorScheme: 'light' })
  }
  const opening = '[role="dialog"], [role="menu"], [role="listbox"]'
  const opened = page.locator(opening).filter({ visible: true })
  for (const [path, ...opens] of pages) {
    await go(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.locator('[aria-busy="true"]').filter({ visible: true }).first().waitFor({ state: 'detached' })
    await inBoth()
    for (const open of opens) {
      await open(page)
      await opened.first().waitFor()
      await inBoth(opening)
      await page.keyboard.press('Escape')
      await opened.first().waitFor({ state: 'hidden' })
    }
    await page.setViewportSize({ width: 375, height: 800 })
    await until(`${path} fits a small window`, () =>
      page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    )
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  quiet()
}

/** The owner of an organization whose company has one of everything, and all pages with what opens on them, in three parts. */
async function seeded(service: TestService) {
  const company = await service.company()
  const owner = await person(service, { organizationId: company.organizationId })
  const own = owner.about({ companyId: company.id })
  const ofOrganization = owner.about({ organizationId: company.organizationId })
  const make = async (path: string, body: object, call = company.call) => {
    const { status, body: made, text } = await call('POST', path, body)
    assert.ok(status < 300, `${path}: ${text}`)
    return made.id as string
  }
  const outletId = await make('/v1/outlet', { name: 'Harbour' })
  const category = await make('/v1/category', { name: 'Coffee' })
  const productId = await make('/v1/product', { name: 'Espresso beans', categories: [category] })
  const variantId = await make('/v1/variant', { productId, sku: 'E-1', price: 10, inventory: [{ outletId, stock: 3 }] })
  const customerId = await make('/v1/customer', { firstName: 'Ann', lastName: 'Archer', tags: ['regular'] })
  const stationId = await make('/v1/station', { name: 'Till 1', outletId, status: 'AVAILABLE' })
  const sessionId = await make('/v1/session', { stationId, sessionNumber: '17', openingAmount: '150.00' })
  const lineItems = [{ productId, variantId, name: 'Espresso beans', quantity: 3, price: '10.00', total: '30.00' }]
  const paid = { currency: 'EUR', outletId, sessionId }
  const orderId = await make('/v1/order', { ...paid, status: 'completed', customerId, lineItems, receiptId: 'R-1' })
  const transaction = await make('/v1/transaction', {
    ...paid,
    type: 'sale',
    amount: '30.00',
    paymentMethod: 'cash',
    orderId,
  })
  const refund = await make('/v1/refund', {
    orderId,
    currency: 'EUR',
    reason: 'Damaged',
    lineItems,
    summary: { total: '30.00' },
  })
  const closedId = await make('/v1/session', {
    stationId: await make('/v1/station', { name: 'Till 2', outletId, status: 'AVAILABLE' }),
    openingAmount: '50.00',
  })
  const closing = await make(`/v1/session/${closedId}/close`, { counted: { cash: '49.50' } })
  const sold = await company.call('POST', '/v1/sale', {
    outletId,
    stationId,
    receiptId: 'R-2',
    currency: 'EUR',
    lineItems,
    payments: [{ paymentMethod: 'cash', amount: '30.00' }],
  })
  const role = await make('/v1/role', {
    name: 'Cashier',
    permissions: [{ permissionId: 'sales.view', name: 'View past sales', value: true }],
  })
  const account = await make('/v1/account', { email: 'till@example.com', name: 'Till' })
  const trigger = await make('/v1/automation-trigger', {
    triggerType: 'customer.*',
    triggerUrl: 'https://crm.example.com/hook',
    customTriggerName: 'To the CRM',
  })
  const table = await makeTable(company.call, { tier: 'string', points: 'number' })
  await table.row({ tier: 'gold', points: 3 })
  const keyId = await make('/v1/keys', { name: 'Till', permissions: ['read'] }, own)
  await make('/v1/members', { email: `${company.id}@access.example`, role: 'viewer' }, own)
  const extension = await make('/v1/organization-api/extensions', { name: 'Cards', status: 'public' }, ofOrganization)
  await make('/v1/organization-api/plans', { name: `Plan ${company.id}` }, ofOrganization)

  const c = `/c/${company.id}`
  const o = `/o/${company.organizationId}`
  const actions = /^Actions for/
  const sales: Pages = [
    [c, press('Switch company'), press('Your profile'), press('Search or jump to')],
    [`${c}/orders`, press('Filter'), press('Filter', 'Status'), press('Columns'), press('Search in')],
    [`${c}/orders/${orderId}`, press('More'), press('More', 'As JSON'), press('Print receipt')],
    [`${c}/orders/${sold.body.order.id}`, press(/^Refund$/), press('More', 'Void')],
    [`${c}/orders/new`],
    [`${c}/transactions`],
    [`${c}/transactions/${transaction}`],
    [`${c}/refunds`],
    [`${c}/refunds/${refund}`],
    [`${c}/customers`],
    [`${c}/customers/${customerId}`, list('Outlet')],
    [`${c}/customers/${customerId}?tab=history`],
    [`${c}/customers/new`],
    [`${c}/sessions`],
    [`${c}/sessions/${sessionId}`],
    [`${c}/sessions/${sessionId}/report`, press('Close session')],
    [`${c}/sessions/${closedId}`],
    [`${c}/closings`],
    [`${c}/closings/${closing}`, press('Print')],
    [`${c}/reports`, list('Group by')],
  ]
  const goods: Pages = [
    [`${c}/products`],
    [`${c}/products/${productId}`],
    [`${c}/products/new`, list('Status')],
    [`${c}/categories`, press('New category')],
    [`${c}/stock`],
    [`${c}/prices`],
    [`${c}/labels`],
    [`${c}/imports`],
    [`${c}/outlets`],
    [`${c}/outlets/${outletId}`],
    [`${c}/stations/${stationId}`],
    [`${c}/accounts/${account}`],
    [`${c}/roles`],
    [`${c}/roles/new`],
    [`${c}/roles/${role}`],
    [`${c}/tables`, press('New table')],
    [`${c}/tables/${table.id}`, press('Add row')],
    [`${c}/tables/${table.id}?tab=structure`, press('Add field')],
    [`${c}/tables/${table.id}?tab=settings`],
    [`${c}/attachments`],
  ]
  const administration: Pages = [
    [`${c}/settings/keys/${keyId}`],
    [`${c}/settings/keys`, press('Create key'), press(actions), press(actions, 'Rotate'), press(actions, 'Delete')],
    [`${c}/automation`],
    [`${c}/automation/new`, list('Events')],
    [`${c}/automation/${trigger}`, press('More'), press('More', 'Switch off'), press('More', 'Delete')],
    [`${c}/automation/${trigger}?tab=settings`],
    [`${c}/automation/${trigger}?tab=verify`],
    [`${c}/events`],
    [`${c}/settings/members`, press('Invite member'), press(/^Role of/)],
    [`${c}/settings/company`],
    [`${c}/guides`],
    [`${c}/guides/people`],
    [`${c}/nothing/here`],
    [o],
    [`${o}/companies/${company.id}`, press(/^Suspend/)],
    [`${o}/plans`, press('New plan')],
    [`${o}/extensions`],
    [`${o}/extensions/${extension}`],
    [`${o}/extensions/new`],
    [`${o}/keys`],
    [`${o}/members`],
    ['/user'],
  ]
  return { owner, sales, goods, administration }
}
