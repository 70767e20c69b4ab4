// Many records at once in the browser: rows are selected, edited, tagged, deleted and exported, and changes are undone.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

async function customers(company: Company, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, n) => ({ firstName: 'Ann', lastName: `Archer ${n}`, tags: ['old'] }))
  const { body } = await company.call('POST', '/v1/customers', { items })
  return body.results.map(({ data }: { data: { id: string } }) => data.id)
}

async function openList(company: Company, many: string, options = {}) {
  const window = await browser.open({ signedIn: await person(service, { companyId: company.id }), ...options })
  await window.go(`/c/${company.id}/${many}`)
  await window.page.getByRole('checkbox', { name: 'Select all rows shown' }).waitFor()
  return { ...window, bar: window.page.getByRole('region', { name: 'Selected rows' }) }
}

browserTest(
  'tags are added to all records that match, beyond the rows shown, and undo leaves those of others',
  async () => {
    const company = await service.company()
    const ids = await customers(company, 230)
    const { page, bar, quiet, accessible } = await openList(company, 'customers')
    const alone: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/v1/customer/')) alone.push(request.url())
    })
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    await bar.getByRole('button', { name: 'Select all 230' }).click()
    await bar.getByRole('button', { name: 'Tag' }).click()
    await page.getByRole('button', { name: 'Change 230 records' }).click()
    await page.getByText('Enter a tag to add or to remove.').waitFor()
    await page.getByRole('combobox', { name: 'Add tags' }).fill('summer')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Remove tags' }).fill('old')
    await page.keyboard.press('Enter')
    await accessible()
    // Each phase is held until the bar has said which one it is.
    const bulk = '**/v1/customers*'
    let goOn = () => {}
    const hold = () => new Promise<void>((go) => { goOn = go }) // biome-ignore format: one thought
    let held = hold()
    await page.route(bulk, (route) => held.then(() => route.continue()))
    await page.getByRole('button', { name: 'Change 230 records' }).click()
    await bar.getByText('Reading: 0 of 230…').waitFor()
    const goReading = goOn
    held = hold()
    goReading()
    await bar.getByText('Changing: 0 of 230…').waitFor()
    goOn()
    await page.getByText('230 records changed.').waitFor()
    const tagsOf = async (n: number) => (await company.call('GET', `/v1/customer/${ids[n]}`)).body.tags
    assert.deepEqual([await tagsOf(0), await tagsOf(229)], [['summer'], ['summer']])
    await company.call('PATCH', `/v1/customer/${ids[0]}`, { tags: ['summer', 'vip'] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('230 records restored.').waitFor()
    assert.deepEqual([await tagsOf(0), await tagsOf(229)], [['vip', 'old'], ['old']])
    assert.deepEqual(alone, [], 'Versions are read 100 at a time, and not one by one.')
    quiet()
  },
)

browserTest(
  'rows between two clicks with Shift are edited together; each that fails is listed and stays selected',
  async () => {
    const company = await service.company()
    const ids = await customers(company, 6)
    const { page, bar, quiet, accessible } = await openList(company, 'customers')
    await page.getByRole('checkbox', { name: 'Select Ann Archer 5' }).click()
    await page.getByRole('checkbox', { name: 'Select Ann Archer 2' }).click({ modifiers: ['Shift'] })
    await bar.getByText('4 selected').waitFor()
    await accessible()
    await company.call('DELETE', `/v1/customer/${ids[3]}`)
    await bar.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('combobox', { name: 'What to change' }).click()
    await page.getByRole('option', { name: 'Source' }).click()
    await page.getByRole('combobox', { name: 'Source' }).click()
    await page.getByRole('option').first().click()
    await accessible()
    await page.getByRole('button', { name: 'Change 4 records' }).click()
    await page.getByRole('dialog').getByText('1 record could not be changed').waitFor()
    await accessible()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await bar.getByText('1 selected').waitFor()
    const sources = await Promise.all(
      ids.map(async (id) => (await company.call('GET', `/v1/customer/${id}`)).body.source),
    )
    assert.deepEqual(
      sources.map((source) => source !== undefined),
      [false, false, true, false, true, true],
    )
    quiet()
  },
)

browserTest('deleting says how many and what becomes of references, and customers come back by undo', async () => {
  const company = await service.company()
  await customers(company, 3)
  const { page, bar, quiet, accessible } = await openList(company, 'customers')
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Delete 3 records?').waitFor()
  await dialog.getByText('Records that refer to them are kept').waitFor()
  await accessible()
  await dialog.getByRole('button', { name: 'Delete 3 records' }).click()
  await page.getByText('3 records deleted.').waitFor()
  const count = async () => (await company.call('GET', '/v1/customers')).body.meta.count
  assert.equal(await count(), 0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 records restored.').waitFor()
  assert.equal(await count(), 3)
  quiet()
})

browserTest(
  'Escape leaves the tags at once, and of one record the question before its deletion is about one',
  async () => {
    const company = await service.company()
    await customers(company, 2)
    const { page, bar, quiet } = await openList(company, 'customers')
    await page.getByRole('checkbox', { name: 'Select Ann Archer 1' }).check()
    const tag = bar.getByRole('button', { name: 'Tag' })
    await tag.press('Enter')
    await page.getByRole('combobox', { name: 'Add tags' }).and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByRole('listbox').filter({ visible: true }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tag.and(page.locator(':focus')).waitFor()
    await bar.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('Lists and searches no longer show it. You can restore it.').waitFor()
    await page.getByText('No other record refers to it.').waitFor()
    quiet()
  },
)

browserTest('only the selected rows are exported, in the order of the list, with times of the shop', async () => {
  const company = await service.company()
  await service.database.query(`update companies set timezone = 'America/New_York' where id = $1`, [company.id])
  const ids = await customers(company, 5)
  await company.call('PATCH', `/v1/customer/${ids[3]}`, { tags: ['old', '-new'] })
  const { page, bar, quiet } = await openList(company, 'customers')
  await page.getByRole('checkbox', { name: 'Select Ann Archer 1' }).click()
  await page.getByRole('checkbox', { name: 'Select Ann Archer 3' }).click()
  const waiting = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Export' }).click()
  const lines = (await readFile(await (await waiting).path(), 'utf8')).trim().split('\r\n')
  assert.equal(lines.length, 3)
  assert.match(lines[0] as string, /,Tags,Created \(America\/New_York\)$/)
  assert.match(lines[1] as string, /,Ann Archer 3,,,old; '-new,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.match(lines[2] as string, /,Ann Archer 1,/)
  quiet()
})

browserTest(
  'a new amount of many records has the decimals of the currency, and what moved money has none',
  async () => {
    const company = await service.company()
    await service.database.query(`update companies set currency = 'EUR' where id = $1`, [company.id])
    await company.call('POST', '/v1/session', { stationId: 'till', openingAmount: '5' })
    await company.call('POST', '/v1/cash-movement', { sessionId: 'till', type: 'pay-in', amount: '5' })
    await company.call('POST', '/v1/order', { status: 'parked', lineItems: [{ name: 'Tea', price: '5.00' }] })
    const { page, bar, go, quiet } = await openList(company, 'sessions')
    const edit = async () => {
      await page.getByRole('checkbox', { name: /^Select (?!all)/ }).check()
      await bar.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('combobox', { name: 'What to change' }).click()
      return page.getByRole('option').allTextContents()
    }
    assert.ok(!(await edit()).includes('Counted cash'))
    await page.getByRole('option', { name: 'Opening float' }).click()
    const amount = page.getByRole('textbox', { name: 'Opening float' })
    await amount.fill('3.5')
    await amount.blur()
    assert.equal(await amount.inputValue(), '3.50')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await go(`/c/${company.id}/cash-movements`)
    assert.deepEqual(await edit(), ['Reason', 'Employee'])
    await go(`/c/${company.id}/orders`)
    assert.ok(!(await edit()).includes('Status'))
    quiet()
  },
)

browserTest(
  'a record that someone else changes meanwhile is listed with a reason in the language of the page',
  async () => {
    const company = await service.company()
    const [id] = await customers(company, 1)
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet } = await browser.open({ signedIn, locale: 'de-AT' })
    await page.route('**/v1/customers', async (route) => {
      if (route.request().method() === 'PATCH') await company.call('PATCH', `/v1/customer/${id}`, { phone: '1' })
      await route.continue()
    })
    await go(`/c/${company.id}/customers`)
    await page.getByRole('checkbox', { name: 'Ann Archer 0 auswählen' }).check()
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await page.getByRole('combobox', { name: 'Tags hinzufügen' }).fill('vip')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '1 Datensatz ändern' }).click()
    await page.getByRole('dialog').getByText('Jemand hat das inzwischen geändert.').waitFor()
    quiet()
  },
)

browserTest(
  'a deletion of many records goes on after a lost response and a busy server, and an export too',
  async () => {
    const company = await service.company()
    await customers(company, 450)
    const { page, bar, quiet } = await openList(company, 'customers', { expects: /ERR_FAILED|status of 503/ })
    let sent = 0
    await page.route('**/v1/customers', async (route) => {
      sent++
      // The first slice is deleted without a response.
      if (sent > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    let read = 0
    const busy = { status: 503, headers: { 'retry-after': '0.01' }, json: { code: 'unavailable', message: 'Busy.' } }
    await page.route('**/v1/customers?*limit=1000*', (route) =>
      read++ % 2 === 0 ? route.fulfill(busy) : route.continue(),
    )
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
    await bar.getByRole('button', { name: 'Select all 450' }).click()
    const waiting = page.waitForEvent('download')
    await bar.getByRole('button', { name: 'Export' }).click()
    assert.equal((await readFile(await (await waiting).path(), 'utf8')).trim().split('\r\n').length, 451)
    await bar.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 450 records' }).click()
    await page.getByText('450 records deleted.').waitFor()
    assert.deepEqual([sent, read], [4, 4])
    assert.equal((await company.call('GET', '/v1/customers')).body.meta.count, 0)
    quiet()
  },
)
