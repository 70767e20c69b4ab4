// Counts from spreadsheets in the browser: a file that one saves is read, each line that does not count is named, and a block of any length is pasted.
import assert from 'node:assert/strict'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { type Company, sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** An outlet and variants of one product, whose SKUs are ESP-0, ESP-1 and so on. */
async function teas(company: Company, count: number): Promise<void> {
  await company.call('POST', '/v1/outlet', { name: 'Harbour' })
  const { body: product } = await company.call('POST', '/v1/product', { name: 'Espresso beans' })
  const items = Array.from({ length: count }, (_, n) => ({ productId: product.id, sku: `ESP-${n}`, manageStock: true }))
  await company.call('POST', '/v1/variants', { items })
}

browserTest(
  'a file of counts may leave cells empty, names each line that does not count, and is chosen again',
  async () => {
    const company = await service.company()
    await teas(company, 2)
    const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
    await go(`/c/${company.id}/stock`)
    await page.getByRole('button', { name: 'Import CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import stock from a file' })
    const choose = (...lines: string[]) =>
      dialog.locator('input[type="file"]').setInputFiles({
        name: 'count.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(['SKU,Barcode,Outlet,Stock', ...lines, ''].join('\r\n')),
      })
    await choose('ESP-0,,Harbour,4', 'ESP-1,,Harbour,', ',,Harbour,', ',,Harbour,3', 'ESP-0,,Harbour,6')
    await dialog.getByText('One change · 0 unchanged · 2 left out').waitFor()
    await dialog.getByText('Line 2: line 6 counts “ESP-0” again').waitFor()
    await dialog.getByText('Line 5: it has neither a SKU nor a barcode').waitFor()
    // Lines are those that an editor shows: empty ones count, and breaks within a cell.
    await choose('', '"ESP-0', '",,Harbour,4', '', 'ESP-9,,Harbour,3')
    await dialog.getByText('Line 6: ').waitFor()
    // The corrected file has the same name.
    await choose('ESP-0,,Harbour,4', 'ESP-1,,Harbour,5')
    await dialog.getByText('2 changes · 0 unchanged · 0 left out').waitFor()
    quiet()
  },
)

browserTest('a file of counts is read as Excel saves it in German, and a workbook is refused as one', async () => {
  const company = await service.company()
  await teas(company, 1)
  await company.call('POST', '/v1/outlet', { name: 'Große Straße' })
  const { page, go, quiet } = await browser.open({ signedIn: await person(service, { companyId: company.id }) })
  await go(`/c/${company.id}/stock`)
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import stock from a file' })
  const choose = (name: string, buffer: Buffer) =>
    dialog.locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer })
  await choose('count.xlsx', Buffer.from('PK\u0003\u0004'))
  await dialog.getByText(/This is a spreadsheet .* Save it as CSV/).waitFor()
  for (const encoding of ['latin1', 'utf16le', 'utf8'] as const) {
    const mark = encoding === 'utf16le' ? '\ufeff' : ''
    await choose(`${encoding}.csv`, Buffer.from(`${mark}SKU;Filiale;Bestand\r\nESP-0;Große Straße;7\r\n`, encoding))
    await dialog.getByText('One change · 0 unchanged · 0 left out').waitFor()
    await choose('empty.csv', Buffer.alloc(0))
    await dialog.getByText('The file is empty.').waitFor()
  }
  quiet()
})

browserTest(
  'a block that is longer than the rows that were read is pasted whole, after those below are read',
  async () => {
    const company = await service.company()
    await teas(company, 300)
    const { page, go, quiet } = await browser.open({
      signedIn: await person(service, { companyId: company.id }),
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await go(`/c/${company.id}/stock`)
    await page.getByRole('gridcell').first().focus()
    await page.evaluate(`navigator.clipboard.writeText('${Array.from({ length: 300 }, (_, n) => n + 1).join('\\n')}')`)
    await page.keyboard.press('Control+v')
    await page.getByRole('status').getByText('300 cells pasted.', { exact: true }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('status').getByText('300 cells saved.').waitFor()
    const { body } = await company.call('GET', '/v1/inventories?sortBy=stock&sortOrder=desc&limit=1')
    assert.equal(body.data[0].stock, 300)
    quiet()
  },
)
