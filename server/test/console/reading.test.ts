// What viewers see: text in full contrast, and no inputs.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { makeTable } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Inputs of a page's main part, except those that search and filter. */
const inputs = 'main form :is(input, textarea, select)'

browserTest('a viewer reads a customer as text, with notes, metadata, addresses and references', async () => {
  const company = await service.company()
  const { body: outlet } = await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { body: customer } = await company.call('POST', '/v1/customer', {
    firstName: 'Ann',
    email: 'ann@example.com',
    outletId: outlet.id,
    totalSpent: '10.00',
    tags: ['regular'],
    billing: { address1: '1 High Street', city: 'Vienna' },
    notes: [{ message: 'Prefers mail\nin the morning', createdAt: '2026-01-02T03:04:05.000Z' }],
    metadata: [{ key: 'size', value: '42' }, { points: 5 }],
  })
  const order = { lineItems: [{ name: 'Cup', quantity: 1, price: '12.50', total: '12.50' }], customerId: customer.id }
  assert.equal((await company.call('POST', '/v1/order', order)).status, 201)
  await company.call('PATCH', `/v1/customer/${customer.id}`, {
    outletId: null,
    billing: { address1: '1 High Street', city: 'Graz' },
  })
  await company.call('PATCH', `/v1/customer/${customer.id}`, {
    outletId: outlet.id,
    billing: { address1: '1 High Street', city: 'Vienna' },
  })
  const signedIn = await person(service, { companyId: company.id }, 'viewer')
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, go, quiet, accessible } = await browser.open({ signedIn, colorScheme })
    await go(`/c/${company.id}/customers/${customer.id}`)
    const form = page.locator('main form')
    for (const shown of ['ann@example.com', 'Harbour', '1 High Street', 'Prefers mail', 'size: 42', 'Points 5'])
      await form.getByText(shown).first().waitFor()
    assert.equal(await page.locator(inputs).count(), 0)
    // What was bought here, not what was written into the record.
    await page.locator('dl div', { hasText: 'Lifetime spend' }).getByText('€12.50').waitFor()
    // In the colour of the page's text, not in the grey of disabled inputs.
    const [colour, ofPage] = await Promise.all(
      [form.getByText('ann@example.com'), page.locator('body')].map((text) =>
        text.evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color),
      ),
    )
    assert.match(colour ?? '', /^rgb/)
    assert.equal(colour, ofPage)
    await accessible()
    await page.setViewportSize({ width: 375, height: 800 })
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Changes are kept for 30 days.').waitFor()
    const [newest, , first] = await page
      .getByRole('list', { name: 'Changes, newest first' })
      .getByRole('listitem')
      .all()
    assert.match((await newest?.textContent()) ?? '', /^Changed.*Billing › City.*Graz.*Vienna/)
    await newest?.getByRole('link', { name: 'Harbour' }).waitFor()
    assert.match((await first?.textContent()) ?? '', /^Created/)
    await accessible()
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    quiet()
  }
})

browserTest('a viewer reads the settings of a trigger and of a table, and its rows', async () => {
  const company = await service.company()
  const { body: trigger } = await company.call('POST', '/v1/automation-trigger', {
    triggerType: 'order.*',
    triggerUrl: 'https://hooks.example.com/orders',
    customTriggerName: 'Orders',
  })
  const table = await makeTable(company.call, { points: 'number', level: 'string' }, 'loyalty')
  await table.row({ points: 5, level: 'gold' })
  const signedIn = await person(service, { companyId: company.id }, 'viewer')
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/automation/${trigger.id}?tab=settings`)
  await page.getByText('https://hooks.example.com/orders', { exact: true }).waitFor()
  assert.equal(await page.locator(inputs).count(), 0)
  await accessible()
  await go(`/c/${company.id}/tables/${table.id}?tab=settings`)
  await page.locator('main form').getByText('loyalty').first().waitFor()
  assert.equal(await page.locator(inputs).count(), 0)
  await go(`/c/${company.id}/tables/${table.id}?tab=data`)
  await page.getByText('gold').click()
  await page.getByRole('dialog').getByText('gold').waitFor()
  assert.equal(await page.locator('[role="dialog"] form :is(input, textarea)').count(), 0)
  await accessible()
  quiet()
})
