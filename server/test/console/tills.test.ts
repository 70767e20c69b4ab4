// Tills in the console: sessions are counted and closed, closings are shown and printed, and the settings of tills are changed.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'
import { sellTea as sell, teaShop } from '../support/tea-shop.ts'

const service = sharedService()
const browser = testBrowser(service)
const shop = () => teaShop(service)

browserTest('cash in two currencies is told apart where it is counted', async () => {
  const { company, sessionId } = await shop()
  for (const currency of ['EUR', 'JPY'])
    await company.call('POST', '/v1/transaction', { sessionId, paymentMethod: 'cash', amount: '300', currency })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('button', { name: 'Close session' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('row', { name: 'Cash (EUR)' }).waitFor()
  await dialog.getByRole('row', { name: 'Cash (JPY)' }).waitFor()
  await dialog.getByLabel('Cash counted, JPY').fill('299.5')
  await dialog.getByLabel('Cash counted, JPY').blur()
  await dialog.getByText('Amounts in JPY have no decimals.').waitFor()
  quiet()
})

browserTest('a session is closed with what was counted, and its closing is printed on a roll', async () => {
  const sold = await shop()
  await sell(sold)
  const { company, sessionId } = sold
  const signedIn = await person(service, { companyId: company.id })
  // A session keeps at most 64 characters of who closed it.
  await signedIn.call('PATCH', '/v1/console/user', { name: 'Ann '.repeat(20).trim() })
  const { page, go, quiet, accessible } = await browser.open({ signedIn, expects: /status of 409/ })
  // A second one at the station is refused, and leads to the one that is open. What is known at the end is not asked for.
  await go(`/c/${company.id}/sessions/new`)
  // The only station is chosen, and stays so when it is chosen again.
  await page.getByRole('combobox', { name: 'Station' }).click()
  await page.getByRole('option', { name: 'Till 1' }).click()
  assert.equal(await page.getByLabel('Counted cash').count(), 0)
  await page.getByRole('button', { name: 'Create session' }).click()
  await page.getByText('This station has an open session. Close it first.').waitFor()
  await page.getByRole('link', { name: 'Go to session' }).click()
  await page.getByRole('heading', { name: 'Report (X)' }).waitFor()
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await page.getByRole('row', { name: 'Cash €112.00' }).waitFor()
  await page.getByRole('link', { name: 'Report (X) and closing' }).click()
  await page.getByRole('row', { name: 'Cash €112.00' }).waitFor()
  await page.getByRole('button', { name: 'Close session' }).click()
  const dialog = page.getByRole('dialog')
  // What is finer than a cent cannot be counted, and is not rounded silently.
  await dialog.getByLabel('Cash counted, EUR').fill('111.505')
  await page.keyboard.press('Tab')
  await dialog.getByText('Amounts in EUR have at most 2 decimals.').waitFor()
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await dialog.getByLabel('Cash counted, EUR').and(page.locator(':focus')).waitFor()
  // A drawer cannot hold less than nothing.
  await dialog.getByLabel('Cash counted, EUR').fill('-5')
  await dialog.getByText('Cash cannot be below zero.').waitFor()
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await dialog.getByLabel('Cash counted, EUR').and(page.locator(':focus')).waitFor()
  await dialog.getByLabel('Cash counted, EUR').fill('111.50')
  await dialog.getByText('-€0.50').waitFor()
  // Closing the dialog by mistake loses no count.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Close session' }).click()
  assert.equal(await dialog.getByLabel('Cash counted, EUR').inputValue(), '111.50')
  await dialog.getByRole('button', { name: 'Close session' }).click()
  await page.getByRole('heading', { name: 'Closing (Z) 1' }).waitFor()
  await page.getByRole('row', { name: 'Cash €112.00 €111.50 -€0.50' }).waitFor()
  await page.getByText('Till 1').waitFor()
  await page.evaluate('window.print = () => (window.printed = true)')
  await page.getByRole('button', { name: 'Print' }).click()
  await page.getByRole('menuitem', { name: 'Receipt roll, 80 mm' }).click()
  await page.waitForFunction('window.printed')
  await page.emulateMedia({ media: 'print' })
  const paper = await page.pdf({ preferCSSPageSize: true })
  // 80 mm in points.
  assert.match(paper.toString('latin1'), /MediaBox ?\[0 0 22[67]/)
  await page.emulateMedia({ media: null })
  await page.getByRole('link', { name: 'Closings' }).first().click()
  await page.getByRole('link', { name: 'Closing (Z) 1' }).waitFor()
  await page.getByText('Cash -€0.50').waitFor()
  await accessible()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const [head = '', closing = ''] = (await readFile(await file.path(), 'utf8')).split('\r\n')
  assert.match(head, /Id,Number,Station,Station id,.*,Sales,.*,Cash: Expected,Cash: Counted,Cash: Difference$/)
  assert.match(closing, /,1,Till 1,.*,EUR,false,12\.00,.*,112\.00,111\.50,-0\.50$/)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  // By the day on which tills were closed.
  await page.getByRole('menuitem', { name: 'Closed' }).click()
  const [asked] = await Promise.all([
    page.waitForRequest(/\/v1\/closings\?.*closeTime%5Bgte%5D=/),
    page.getByRole('button', { name: 'Last month' }).click(),
  ])
  assert.equal(new URL(asked.url()).searchParams.get('sortBy'), 'closeTime')
  await page.getByText('No results').waitFor()
  quiet()
})

browserTest('Enter after a count goes on to the next field, and only the button closes the session', async () => {
  const sold = await shop()
  const payments = [
    { paymentMethod: 'cash', amount: '2.00' },
    { paymentMethod: 'credit_card', amount: '10.00' },
  ]
  await sell(sold, { payments })
  const { company, sessionId } = sold
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('button', { name: 'Close session' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Cash counted, EUR').fill('102')
  await page.keyboard.press('Enter')
  await page.keyboard.type('10')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Late')
  await page.keyboard.press('Enter')
  await dialog.locator('button:focus', { hasText: 'Close session' }).waitFor()
  assert.equal((await company.call('GET', '/v1/closings')).body.meta.count, 0)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: 'Card €10.00 €10.00 €0.00' }).waitFor()
  const { closingNote } = (await company.call('GET', `/v1/session/${sessionId}`)).body
  assert.equal(closingNote, 'Late')
  quiet()
})

browserTest('the page of a closed session shows its closing, or its report if it was closed without one', async () => {
  const sold = await shop()
  const { company, stationId, sessionId } = sold
  await sell(sold)
  await company.call('POST', `/v1/session/${sessionId}/close`, { counted: { cash: '111.50' } })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}`)
  await page.getByRole('row', { name: 'Cash €112.00 €111.50 -€0.50' }).waitFor()

  const { body: next } = await company.call('POST', '/v1/session', { stationId, openingAmount: '50.00' })
  await sell(sold)
  await company.call('PATCH', `/v1/session/${next.id}`, { closeTime: new Date().toISOString() })
  await go(`/c/${company.id}/sessions/${next.id}`)
  await page.getByText('This session was closed without a closing (Z).').waitFor()
  await page.getByRole('row', { name: 'Cash €62.00' }).waitFor()
  quiet()
})

browserTest('the report of a session that its till closed shows what the till counted', async () => {
  const sold = await shop()
  const { company, sessionId } = sold
  await sell(sold)
  const closed = { closeTime: new Date().toISOString(), closingAmounts: { cash: '111.50' } }
  await company.call('PATCH', `/v1/session/${sessionId}`, closed)
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/sessions/${sessionId}/report`)
  await page.getByRole('row', { name: 'Cash €112.00 €111.50 -€0.50' }).waitFor()
  quiet()
})

browserTest('the settings of tills are changed on the page of the company; a refused one is explained', async () => {
  const { company, stationId } = await shop()
  const { page, go, quiet, accessible } = await browser.open({
    signedIn: await person(service, { companyId: company.id }),
    expects: /status of 409/,
  })
  await go(`/c/${company.id}/settings/company`)
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('Cash is rounded to').fill('0.05')
  await page.getByLabel('Once for each rate, on the whole receipt').check()
  await page.getByLabel('One open session for each station').uncheck()
  await accessible()
  await save.click()
  await page.getByText('The settings were saved.').waitFor()
  const expected = { oneOpenSession: false, taxRounding: 'receipt', cashRounding: '0.05' }
  assert.deepEqual((await company.call('GET', '/v1/settings')).body, expected)
  await company.call('POST', '/v1/session', { stationId })
  await page.getByLabel('One open session for each station').check()
  await save.click()
  await page.getByRole('alert').filter({ hasText: stationId }).waitFor()
  quiet()
})

browserTest('a difference of six figures is read whole in the list of closings on a phone', async () => {
  const { company, sessionId } = await shop()
  await company.call('POST', '/v1/transaction', { sessionId, paymentMethod: 'cash', amount: '2790.45' })
  await company.call('POST', `/v1/session/${sessionId}/close`, { counted: { cash: '123456.05' } })
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, width: 390 })
  await go(`/c/${company.id}/closings`)
  const difference = page.getByText(/^Cash \+€1\d\d,\d{3}\.\d\d$/).locator('visible=true')
  await difference.waitFor()
  const cut = (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth - element.clientWidth
  assert.equal(await difference.evaluate(cut as never), 0)
  quiet()
})

browserTest(
  'a closing in the millions is read on a phone: names are whole, and no amount is outside of the page',
  async () => {
    const { company, sessionId } = await shop()
    const method = 'Employee voucher'
    await company.call('POST', '/v1/transaction', { sessionId, paymentMethod: method, amount: '2814814.68' })
    const counted = { [method]: '1000000.00' }
    const { body } = await company.call('POST', `/v1/session/${sessionId}/close`, { counted })
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn, width: 375 })
    await go(`/c/${company.id}/closings`)
    const number = await page.getByRole('link', { name: `Closing (Z) ${body.number}` }).boundingBox()
    assert.ok(number && number.width > 70, `its number is ${number?.width} pixels wide in the list`)
    await go(`/c/${company.id}/closings/${body.id}`)
    const name = page.getByRole('rowheader', { name: method }).first()
    await name.waitFor()
    const { height = 0 } = (await name.boundingBox()) ?? {}
    assert.ok(height < 40, `its name is ${height} pixels high`)
    const paper = await page.locator('main article').boundingBox()
    const difference = await page.getByText('-€1,814,814.68').boundingBox()
    assert.ok(paper && difference && difference.x + difference.width <= paper.x + paper.width)
    await accessible()
    quiet()
  },
)
