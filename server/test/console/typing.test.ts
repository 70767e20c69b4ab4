// Input in record forms: notes and metadata as plain text, numbers in the locale's format, and invalid text that is not lost.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const save = async (page: Page) => {
  await page.getByRole('button', { name: /^(Save|Speichern)$/ }).click()
  await page
    .getByText(/^(Saved|Gespeichert)$/)
    .last()
    .waitFor()
}

browserTest('notes and metadata of a customer are typed as plain text', async () => {
  const company = await service.company()
  const kept = [{ message: 'Prefers mail', createdAt: '2026-01-02T03:04:05.000Z', author: 'Ann' }, { any: ['json'] }]
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', notes: kept })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/customers/${customer.id}`)
  const before = Date.now()
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('textbox', { name: 'Note 3' }).fill('Pays by invoice, always "on time".')
  await page.getByRole('textbox', { name: 'Note 1' }).fill('Prefers e-mail')
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('textbox', { name: 'Key 1' }).fill('size')
  await page.getByRole('textbox', { name: 'Value 1' }).fill('42')
  // An empty row is not sent.
  await page.getByRole('button', { name: 'Add row' }).click()
  await accessible()
  await save(page)
  const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
  const { createdAt, ...note } = now.notes.at(-1)
  assert.deepEqual(now.notes.slice(0, 2), [{ ...kept[0], message: 'Prefers e-mail' }, kept[1]])
  assert.deepEqual(note, { message: 'Pays by invoice, always "on time".' })
  assert.ok(Date.parse(createdAt) >= before - 1000 && Date.parse(createdAt) <= Date.now() + 1000)
  assert.deepEqual(now.metadata, [{ key: 'size', value: '42' }])

  await page.getByRole('button', { name: 'Remove: Notes 1' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  assert.equal(await page.getByRole('textbox', { name: 'Note 1' }).inputValue(), 'Prefers e-mail')
  quiet()
})

browserTest('metadata of a product is typed in rows, and an error from the server is shown at its row', async () => {
  const company = await service.company()
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Tea' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 400/ })
  await go(`/c/${company.id}/products/${product.id}`)
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('button', { name: 'Add row' }).click()
  await page.getByRole('textbox', { name: 'Key 2' }).fill('k'.repeat(501))
  await page.getByRole('textbox', { name: 'Value 2' }).fill('green')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('Metadata › Entry 1 › Key').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Key 2' }).getAttribute('aria-invalid'), 'true')
  await page.getByRole('textbox', { name: 'Key 2' }).fill('colour')
  await save(page)
  const { body: now } = await company.call('GET', `/v1/product/${product.id}`)
  assert.deepEqual(now.metadata, [{ key: 'colour', value: 'green' }])
  quiet()
})

browserTest('text that is not JSON stays in its input, and prevents saving', async () => {
  const company = await service.company()
  const { body: customer } = await company.call('POST', '/v1/customer', { firstName: 'Ann', metadata: [{ points: 5 }] })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn })
  await go(`/c/${company.id}/customers/${customer.id}`)
  const box = page.getByRole('textbox', { name: 'Entry 1' })
  await box.fill('{"points": 6')
  await page.getByLabel('First name').first().fill('Anna')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert')
  await alert.getByText('Metadata › Entry 1: This is not valid JSON.').waitFor()
  assert.equal(await box.inputValue(), '{"points": 6')
  await page.locator('main').getByText('This is not valid JSON. Correct it, or clear the field.').last().waitFor()
  assert.equal(await box.getAttribute('aria-invalid'), 'true')
  const { body: untouched } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.deepEqual([untouched.firstName, untouched.metadata], ['Ann', [{ points: 5 }]])
  await box.fill('{"points": 6}')
  await save(page)
  const { body: now } = await company.call('GET', `/v1/customer/${customer.id}`)
  assert.deepEqual([now.firstName, now.metadata], ['Anna', [{ points: 6 }]])
  // Discarded text is no longer shown.
  await box.fill('{"points"')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  assert.deepEqual(JSON.parse(await box.inputValue()), { points: 6 })
  quiet()
})

for (const [locale, typed, shown, saved] of [
  ['de-AT', '1.000', '1000', 1000],
  ['de-AT', '1.234,50', '1234,5', 1234.5],
  ['en-US', '1,000', '1000', 1000],
  ['en-US', '12,50', '12.5', 12.5],
  ['fr-FR', '1 000,5', '1000,5', 1000.5],
] as const)
  browserTest(`${typed} as a number is read in the format of ${locale}, and shown as it was read`, async () => {
    const company = await service.company()
    const { body: category } = await company.call('POST', '/v1/category', { name: 'Tea' })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, locale })
    await go(`/c/${company.id}/categories/${category.id}`)
    const order = page.getByLabel(/^(Menu order|Reihenfolge)/)
    await order.focus()
    await page.keyboard.insertText(typed)
    await page.getByLabel('Name').focus()
    assert.equal(await order.inputValue(), shown)
    await save(page)
    assert.equal((await company.call('GET', `/v1/category/${category.id}`)).body.menuOrder, saved)
    quiet()
  })

browserTest('an ambiguous number is refused with a reason, and stays as it was pasted', async () => {
  const company = await service.company()
  const { body: session } = await company.call('POST', '/v1/session', { stationId: 'till', openingAmount: '10.00' })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, locale: 'fr-FR' })
  await go(`/c/${company.id}/sessions/${session.id}`)
  const amount = page.getByLabel('Opening float')
  assert.equal(await amount.inputValue(), '10,00')
  await amount.fill('1.000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const reason = '“1.000” could mean 1000 or 1,000. Enter one of these instead.'
  await page.getByRole('alert').getByText(reason).waitFor()
  assert.equal(await amount.inputValue(), '1.000')
  // It is marked as wrong while it has the focus too, until something is typed there.
  const marked = page.locator('input[aria-invalid="true"]:focus')
  await marked.waitFor()
  assert.deepEqual(
    await page.evaluate(
      `[document.activeElement, document.querySelector('form input:not(:focus)')].map((input) => getComputedStyle(input).outlineStyle)`,
    ),
    ['solid', 'none'],
    'a ring shows which input has the focus',
  )
  await page.getByText(reason).nth(1).waitFor()
  await amount.fill('1.0000.')
  await marked.waitFor({ state: 'detached' })
  await amount.press('Enter')
  await marked.waitFor()
  assert.equal((await company.call('GET', `/v1/session/${session.id}`)).body.openingAmount, '10.00')
  await amount.fill('1 000,50')
  await save(page)
  assert.equal((await company.call('GET', `/v1/session/${session.id}`)).body.openingAmount, '1000.50')
  quiet()
})

browserTest(
  'an address that a customer does not have is a button, and one that is being emptied keeps its fields',
  async () => {
    const company = await service.company()
    const { body: ann } = await company.call('POST', '/v1/customer', { firstName: 'Ann', billing: { city: 'Graz' } })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn })
    await go(`/c/${company.id}/customers/${ann.id}`)
    const billing = page.getByRole('group', { name: 'Billing' })
    const city = billing.getByLabel('City')
    await city.waitFor()
    const shipping = page.getByRole('group', { name: 'Shipping' })
    assert.equal(await shipping.getByRole('textbox').count(), 0)
    await shipping.getByRole('button', { name: 'Add: Shipping' }).click()
    await shipping.locator('input:focus').waitFor()
    await accessible()
    await page.keyboard.type('Bob')
    // Fields do not vanish while they are emptied.
    await city.fill('')
    await city.waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const { shipping: stored } = (await company.call('GET', `/v1/customer/${ann.id}`)).body
    assert.equal(stored.firstName, 'Bob')
    quiet()
  },
)

browserTest('yes or no is a switch, which is off where nothing is set', async () => {
  const company = await service.company()
  const { body: table } = await company.call('POST', '/v1/tax-table', { name: 'VAT', rates: [{ percentage: 20 }] })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/tax-tables/${table.id}`)
  const isInclusive = page.getByRole('switch', { name: 'Prices include tax' })
  await isInclusive.waitFor()
  assert.equal(await isInclusive.isChecked(), false)
  await isInclusive.press('Space')
  await page.getByRole('switch', { name: 'Compounding' }).press('Space')
  await accessible()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const { body } = await company.call('GET', `/v1/tax-table/${table.id}`)
  assert.deepEqual([body.isTaxInclusive, body.isDefault, body.rates[0].compounding], [true, undefined, true])
  quiet()
})
