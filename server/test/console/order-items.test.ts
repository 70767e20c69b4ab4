// The items of an order that another system computed: opening them changes no amount, and its lines keep their taxes.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { succeeded } from '../support/custom-tables.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const gift = { name: 'Gift card', price: '102.00', quantity: 1, subTotal: '102.00', total: '102.00' }
const wax = { name: 'Ski wax', price: '25.59', quantity: 1, subTotal: '25.59', total: '25.59' }
const sums = { isTaxInclusive: false, subTotal: '127.59' }
const vat = { name: 'VAT', percentage: 10 }
const taxed = (line: object, amount: string) => ({ ...line, totalTax: amount, taxes: [{ ...vat, amount }] })

/** Orders whose lines say their taxes in another way: their total, and what it is with a second ski wax. */
const orders = {
  'no taxes': [{ lineItems: [gift, wax], summary: { ...sums, totalTaxes: '0.00', total: '127.59' } }, '153.18'],
  'a rate of the lines': [
    {
      lineItems: [taxed(gift, '10.20'), taxed(wax, '2.56')],
      summary: { ...sums, totalTaxes: '12.76', taxes: [{ ...vat, amount: '12.76' }], total: '140.35' },
    },
    '168.50',
  ],
  'a rate of the order': [
    {
      lineItems: [gift, wax],
      summary: { ...sums, totalTaxes: '12.76', taxes: [{ ...vat, amount: '12.76' }], total: '140.35' },
    },
    '168.50',
  ],
  'an amount of a line': [
    {
      lineItems: [{ ...gift, taxes: [{ name: 'Levy', amount: '5.00' }] }, wax],
      summary: { ...sums, totalTaxes: '5.00', taxes: [{ name: 'Levy', amount: '5.00' }], total: '132.59' },
    },
    '158.18',
  ],
} as const

for (const [what, [body, more]] of Object.entries(orders))
  browserTest(`the lines of an order with ${what} keep that while its items are edited`, async () => {
    const company = await service.company()
    await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
    const rates = [{ name: 'Standard', percentage: 20 }]
    succeeded(await company.call('POST', '/v1/tax-table', { name: 'Standard', rates, isDefault: true }), 201)
    const { id: productId } = succeeded(await company.call('POST', '/v1/product', { name: 'Tea' }), 201)
    succeeded(await company.call('POST', '/v1/variant', { productId, sku: 'TEA-1', price: 10 }), 201)
    const order = { status: 'pending', receiptId: '#1013', currency: 'EUR', ...body }
    const { id } = succeeded(await company.call('POST', '/v1/order', order), 201)
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/orders/${id}`)
    await page.getByRole('button', { name: 'Edit items' }).click()
    const dialog = page.getByRole('dialog', { name: 'Items of order #1013' })
    const total = (amount: string) =>
      dialog
        .getByRole('region', { name: 'Totals' })
        .locator('[data-total]', { hasText: `€${amount}` })
        .waitFor()
    await total(body.summary.total)
    await dialog.getByLabel('Ski wax: quantity').fill('2')
    await total(more)
    // A new line has the taxes of the table.
    const finder = dialog.getByRole('searchbox', { name: 'Add an item' })
    await finder.fill('TEA-1')
    await finder.press('Enter')
    await total((Number(more) + 12).toFixed(2))
    await dialog.getByRole('button', { name: 'Save items' }).click()
    await page.getByText('The items were saved.').waitFor()
    const saved = succeeded(await company.call('GET', `/v1/order/${id}`))
    assert.equal(saved.lineItems[2].totalTax, '2.00')
    quiet()
  })
