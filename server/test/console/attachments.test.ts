// Attachments in the browser: a file is uploaded, shown, replaced and removed, and a failed upload leaves nothing behind.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { attachmentWithFile } from '../support/files.ts'
import { person } from '../support/people.ts'
import { until } from '../support/program.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

browserTest('a picture becomes an attachment that shows, downloads, replaces and loses it', async () => {
  const company = await service.company()
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/attachments/new`)
  await page.getByText('Drop a file here to add it').waitFor()
  await accessible()
  const png = await page.screenshot()
  await choose(page, 'shelf.png', 'image/png', png)
  await title(page, 'shelf.png')
  await page.getByRole('img', { name: 'Picture of shelf.png' }).waitFor()
  const width = `document.querySelector('main img')?.naturalWidth`
  await until('the picture is shown', async () => (await page.evaluate(width)) === 1280)
  const [{ id, mimeType, file }] = (await company.call('GET', '/v1/attachments')).body.data
  assert.deepEqual([mimeType, file.bytes], ['image/png', png.length])
  await accessible()

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  assert.equal(download.suggestedFilename(), 'shelf.png')
  assert.deepEqual(await readFile(await download.path()), png)

  await choose(page, 'list.txt', 'text/plain', Buffer.from('milk, bread'))
  await page.getByText('text/plain', { exact: true }).waitFor()
  assert.equal(await page.locator('main img').count(), 0)
  // The form below saves the version that the upload made.
  await page.getByLabel('Name').first().fill('list.txt')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await title(page, 'list.txt')
  assert.equal((await company.call('GET', `/v1/attachment/${id}/file`)).text, 'milk, bread')

  await page.getByRole('button', { name: 'Remove file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove file' }).click()
  await page.getByText('Drop a file here', { exact: true }).waitFor()
  assert.equal((await company.call('GET', `/v1/attachment/${id}`)).body.file, undefined)
  quiet()
})

browserTest('a file that someone else sent meanwhile is neither removed nor replaced before it is shown', async () => {
  const company = await service.company()
  const id = await attachmentWithFile(company.call)
  const signedIn = await person(service, { companyId: company.id })
  const { page, go, quiet } = await browser.open({ signedIn, expects: /status of 412/ })
  await go(`/c/${company.id}/attachments/${id}`)
  await page.getByRole('button', { name: 'Remove file' }).waitFor()
  const path = `${service.url}/v1/attachment/${id}/file`
  const put = async (body: string) => {
    const headers = { 'x-api-key': company.key, 'content-type': 'text/plain' }
    assert.equal((await fetch(path, { method: 'PUT', headers, body })).status, 200)
  }
  const kept = async () => (await company.call('GET', `/v1/attachment/${id}/file`)).text
  await put('from the office')
  await page.getByRole('button', { name: 'Remove file' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove file' }).click()
  await dialog.getByRole('alert').waitFor()
  await page.getByText('15 bytes').waitFor()
  assert.equal(await kept(), 'from the office')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await put('again')
  await choose(page, 'list.txt', 'text/plain', Buffer.from('milk, bread'))
  await page.getByText('5 bytes', { exact: true }).waitFor()
  assert.equal(await kept(), 'again')
  await choose(page, 'list.txt', 'text/plain', Buffer.from('milk, bread'))
  await page.getByText('11 bytes').waitFor()
  await page.getByRole('button', { name: 'Remove file' }).click()
  await dialog.getByRole('button', { name: 'Remove file' }).click()
  await page.getByText('Drop a file here', { exact: true }).waitFor()
  quiet()
})

browserTest('a file that is dropped on an attachment takes the place of the one that it has', async () => {
  const company = await service.company()
  const id = await attachmentWithFile(company.call)
  const signedIn = await person(service, { companyId: company.id })
  // The file claims to be a picture, but is not one.
  const { page, go } = await browser.open({ signedIn })
  await go(`/c/${company.id}/attachments/${id}`)
  const zone = page.getByRole('region', { name: 'File' }).locator('> div').last()
  await page.getByRole('button', { name: 'Replace' }).waitFor()
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    transfer.items.add(new File(['{"a":1}'], 'a.json', { type: 'application/json' }))
    return transfer
  })()`)
  await zone.dispatchEvent('dragover', { dataTransfer: transfer })
  await zone.dispatchEvent('drop', { dataTransfer: transfer })
  await page.getByText('application/octet-stream', { exact: true }).waitFor()
  assert.equal((await company.call('GET', `/v1/attachment/${id}/file`)).text, '{"a":1}')
})

browserTest(
  'a file that is too large, empty or interrupted is refused with the reason, and no attachment stays',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go } = await browser.open({ signedIn, expects: /ERR_FAILED/ })
    await go(`/c/${company.id}/attachments/new`)
    await page.getByText('Drop a file here to add it').waitFor()
    await choose(page, 'large.bin', 'application/x-any', Buffer.alloc(25 * 1024 * 1024 + 1))
    await page.getByRole('alert').getByText('the maximum is 25 MB').waitFor()
    await choose(page, 'empty.txt', 'text/plain', Buffer.alloc(0))
    await page.getByRole('alert').getByText('The file is empty').waitFor()
    await page.route('**/v1/attachment/*/file', (route) => route.abort())
    const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await choose(page, 'a.txt', 'text/plain', Buffer.from('a'))
    await page.getByRole('alert').getByText('The connection broke').waitFor()
    assert.ok((await removed).ok())
    assert.equal((await company.call('GET', '/v1/attachments')).body.meta.count, 0)
  },
)

browserTest('a viewer sees and downloads the file, and cannot change it', async () => {
  const company = await service.company()
  const id = await attachmentWithFile(company.call)
  const signedIn = await person(service, { companyId: company.id }, 'viewer')
  const { page, go, accessible } = await browser.open({ signedIn })
  await go(`/c/${company.id}/attachments/${id}`)
  await page.getByRole('button', { name: 'Download' }).waitFor()
  assert.equal(await page.locator('main :is(input, textarea, select)').count(), 0)
  assert.equal(await page.getByRole('button', { name: /Replace|Remove/ }).count(), 0)
  await accessible()
})

browserTest(
  'of several files that are dropped none is taken, and those beside the zone leave the page as it is',
  async () => {
    const company = await service.company()
    const signedIn = await person(service, { companyId: company.id })
    const { page, go, quiet, accessible } = await browser.open({ signedIn })
    await go(`/c/${company.id}/attachments/new`)
    const zone = page.getByText('Drop a file here to add it').locator('..')
    await zone.waitFor()
    const dropped = (count: number) =>
      page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      for (let n = 0; n < ${count}; n++) transfer.items.add(new File(['a'], n + '.txt', { type: 'text/plain' }))
      return transfer
    })()`)
    await zone.dispatchEvent('drop', { dataTransfer: await dropped(2) })
    await page.getByText('2 files were dropped, and none was uploaded').waitFor()
    await accessible()
    assert.equal((await company.call('GET', '/v1/attachments')).body.meta.count, 0)
    // The browser shows a dropped file in place of the page unless the event is prevented.
    const isIgnored = await page.evaluate(`['dragover', 'drop'].map((type) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['a'], 'a.txt'))
    const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer })
    return !document.querySelector('h1').dispatchEvent(event)
  })`)
    assert.deepEqual(isIgnored, [true, true])
    await zone.dispatchEvent('drop', { dataTransfer: await dropped(1) })
    await title(page, '0.txt')
    quiet()
  },
)
