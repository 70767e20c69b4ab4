// The samples of curl that the page of the reference shows: each works as it is printed, with a key in place of its placeholder.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from './support/browser.ts'
import { sharedService } from './support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** The sample of curl of an operation, such as `products/POST/v1/product`. */
async function sampleOf(page: Page, operation: string): Promise<string> {
  // Another fragment alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(`${service.url}/docs#tag/${operation}`)
  const sample = page.locator(`[id="tag/${operation}"], [id$="/tag/${operation}"]`).locator('pre', { hasText: 'curl ' })
  return ((await sample.first().textContent()) ?? '').trim()
}

browserTest('samples of curl in the reference send no optional parameter, and work as they are printed', async () => {
  const { key } = await service.company()
  const { page, quiet } = await browser.open()
  for (const operation of ['customers/POST/v1/customer', 'products/GET/v1/products']) {
    const sample = await sampleOf(page, operation)
    assert.ok(sample.startsWith('curl ') && sample.includes(service.url), sample)
    assert.doesNotMatch(sample, /dryRun|idempotency-key|limit/i)
    const command = sample
      .replace('YOUR_SECRET_TOKEN', key)
      .replace('curl ', "curl --silent --write-out '\n%{http_code}' ")
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command])
    assert.match(stdout, /\n20[01]$/, `${sample}\n${stdout}`)
  }
  quiet()
})
