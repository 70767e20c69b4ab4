// Amounts in the browser have the decimals that the service gives their currency, which are not those of `Intl`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedBy, roundingsOf } from '../../../console/src/pages/prices/percent.ts'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** A company in a currency, and its owner's window. */
async function shopIn(currency: string, options = {}) {
  const company = await service.company()
  const { status } = await company.call('PATCH', `/v1/organization-api/companies/${company.id}`, { currency })
  assert.equal(status, 200)
  const window = await browser.open({ signedIn: await person(service, { companyId: company.id }), ...options })
  return { company, ...window, at: `/c/${company.id}` }
}

/** A variant with a price, which it reads later. */
async function priced({ call }: Company, price: number) {
  const { body: product } = await call('POST', '/v1/product', { name: 'Tea' })
  const { body: variant } = await call('POST', '/v1/variant', { productId: product.id, sku: 'T-1', price })
  return async () => (await call('GET', `/v1/variant/${variant.id}`)).body.price
}

test('prices are rounded to the smallest unit, five or ten of it, whole units, or one smallest unit below these', () => {
  const named = (digits: number) => roundingsOf(digits).map(({ label }) => label)
  assert.deepEqual(named(0), ['1', '5', '10', '99'])
  assert.deepEqual(named(2), ['0.01', '0.05', '0.10', '1', '.99'])
  assert.deepEqual(named(3), ['0.001', '0.005', '0.010', '1', '.999'])
  assert.deepEqual(named(4), ['0.0001', '0.0005', '0.0010', '1', '.9999'])
  const raised = (digits: number, amount: number) =>
    roundingsOf(digits).map(({ rounding }) => changedBy(amount, 10, rounding))
  assert.deepEqual(raised(3, 1.255), [1.381, 1.38, 1.38, 1, 0.999])
  assert.deepEqual(raised(4, 1.2345), [1.358, 1.358, 1.358, 1, 0.9999])
  assert.deepEqual(raised(2, 1990.5), [2189.55, 2189.55, 2189.6, 2190, 2189.99])
})

browserTest(
  'amounts in each currency have its decimals, all of them and no more, in English and in German',
  async () => {
    const { company, page, go, quiet, at } = await shopIn('EUR', { locale: 'de-AT' })
    const amounts = [
      ['12.5', 'PKR', '12,50'],
      ['1990', 'HUF', '1.990,00'],
      ['1.255', 'IQD', '1,255'],
      ['2.5', 'KWD', '2,500'],
      ['1250', 'JPY', '1.250'],
      ['1.2345', 'CLF', '1,2345'],
      ['7.5', 'UYW', '7,5000'],
    ] as const
    for (const [amount, currency] of amounts) {
      const made = await company.call('POST', '/v1/transaction', {
        type: 'sale',
        amount,
        currency,
        paymentMethod: 'cash',
      })
      assert.equal(made.status, 201)
    }
    await go(`${at}/transactions`)
    const table = page.getByRole('region', { name: 'Zahlungen' })
    for (const [, , shown] of amounts)
      await table
        .getByText(new RegExp(`(^|[^\\d.,])${shown.replace('.', '\\.')}($|[^\\d.,])`))
        .first()
        .waitFor()
    // Nobody gives many payments another amount or method, or deletes what a closing has counted.
    await table.getByRole('checkbox').nth(1).check()
    const bar = page.getByRole('region', { name: 'Ausgewählte Zeilen' })
    await bar.getByRole('button', { name: 'Exportieren' }).waitFor()
    for (const name of ['Bearbeiten', 'Löschen']) assert.equal(await bar.getByRole('button', { name }).count(), 0)
    quiet()
  },
)

browserTest(
  'prices of a currency with cents are changed by percent to the cent, wherever nobody pays with it',
  async () => {
    const { company, page, go, quiet, at } = await shopIn('PKR')
    const price = await priced(company, 10)
    await go(`${at}/prices`)
    await page.getByRole('gridcell', { name: '10.00' }).first().focus()
    await page.getByRole('button', { name: 'Change by percent' }).click()
    await page.getByRole('textbox', { name: 'Percent' }).fill('25')
    await page.getByText('1 price will change.').waitFor()
    await page.getByRole('button', { name: 'Change 1 price' }).click()
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('1 cell saved.').waitFor()
    assert.equal(await price(), 12.5)
    const cell = page.getByRole('gridcell', { name: '12.50' }).first()
    await cell.focus()
    await page.keyboard.press('F2')
    assert.equal(await page.locator('input:focus').inputValue(), '12.50')
    quiet()
  },
)

browserTest('the axis of a chart has the amounts at its lines, and not rounded ones', async () => {
  const { company, page, go, quiet, at } = await shopIn('EUR')
  const sold = async (price: string, ...shown: string[]) => {
    const made = await company.call('POST', '/v1/sale', { lineItems: [{ name: 'Tea', price, quantity: 1 }] })
    assert.equal(made.status, 201)
    await go(at)
    for (const amount of shown)
      await page.locator('main').getByText(amount, { exact: true }).waitFor({ state: 'attached' })
  }
  await sold('1.20', '€0.25', '€0.75', '€1.25')
  await sold('1200.00', '€250', '€750', '€1.25k')
  quiet()
})

browserTest('an amount that is finer than its currency is refused at its input, and not rounded', async () => {
  const { company, page, go, quiet, at } = await shopIn('EUR', { locale: 'de-AT' })
  const { body: session } = await company.call('POST', '/v1/session', { stationId: 'till', openingAmount: '7.00' })
  await go(`${at}/sessions/${session.id}`)
  const amount = page.getByLabel('Anfangsbestand')
  await amount.fill('12,345')
  await page.keyboard.press('Enter')
  await page.getByText('Beträge in EUR haben höchstens 2 Nachkommastellen.').first().waitFor()
  await amount.and(page.locator(':focus')).waitFor()
  await amount.fill('12,34')
  await page.getByText('Beträge in EUR haben').first().waitFor({ state: 'detached' })
  assert.equal((await company.call('GET', `/v1/session/${session.id}`)).body.openingAmount, '7.00')
  quiet()
})

browserTest('an amount is read again when the currency of its record changes', async () => {
  const { company, page, go, quiet, at } = await shopIn('EUR', { locale: 'de-AT', expects: /status of 404/ })
  await go(`${at}/cash-movements/new`)
  const amount = page.getByLabel('Betrag', { exact: false }).first()
  const currency = page.getByLabel('Währung', { exact: false }).first()
  await amount.fill('12,345')
  await currency.fill('kwd')
  await page.getByText('KWD', { exact: true }).first().waitFor()
  await page.getByText('Beträge in').first().waitFor({ state: 'detached' })
  await currency.fill('JPY')
  await page.getByText('Beträge in JPY haben keine Nachkommastellen.').waitFor()
  await page.keyboard.press('Enter')
  await amount.and(page.locator(':focus')).waitFor()
  await amount.fill('12,00')
  await currency.fill('EUR')
  await page.getByText('Beträge in').first().waitFor({ state: 'detached' })
  assert.equal((await company.call('GET', '/v1/cash-movements')).body.meta.count, 0)

  // An amount that another program stored finer than its currency prevents no other change.
  const stored = { sessionId: 's', type: 'pay-in', amount: '12.345', currency: 'EUR' }
  const { id: finer } = (await company.call('POST', '/v1/cash-movement', stored)).body
  page.on('dialog', (dialog) => void dialog.accept())
  await go(`${at}/cash-movements/${finer}`)
  const known = page.getByLabel('Externe Id', { exact: true })
  await known.fill('M-1')
  await page.keyboard.press('Enter')
  await page.getByText('Gespeichert', { exact: true }).waitFor()
  // What someone else has deleted meanwhile is not described by its id in English.
  await company.call('DELETE', `/v1/cash-movement/${finer}`)
  await known.fill('M-2')
  await page.keyboard.press('Enter')
  await page.getByText('Das gibt es nicht mehr. Vielleicht hat es jemand gelöscht.').waitFor()
  quiet()
})

browserTest(
  'an input shows an amount with the decimals of its currency, and typing it again is no change',
  async () => {
    for (const [openingAmount, currency, shown] of [
      ['12.5', 'EUR', '12,50'],
      ['12.5', 'KWD', '12,500'],
      ['1250', 'JPY', '1250'],
    ] as const) {
      const { company, page, go, quiet, at } = await shopIn(currency, { locale: 'de-AT' })
      const { body: session } = await company.call('POST', '/v1/session', { stationId: 'till', openingAmount })
      await go(`${at}/sessions/${session.id}`)
      const amount = page.getByLabel('Anfangsbestand')
      await amount.waitFor()
      assert.equal(await amount.inputValue(), shown)
      await amount.fill('7')
      const unsaved = page.getByText('Ungespeicherte Änderungen')
      await unsaved.waitFor()
      await amount.fill(shown)
      await unsaved.waitFor({ state: 'detached' })
      quiet()
    }
  },
)
