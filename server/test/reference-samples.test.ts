// The samples of curl that the page of the reference shows: each works as it is printed, with a key or a sign-in in place of its placeholders.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from './support/browser.ts'
import { person } from './support/people.ts'
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

/** Runs a sample. */
async function succeeds(sample: string): Promise<void> {
  const command = sample.replace('curl ', "curl --silent --write-out '\n%{http_code}' ")
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command])
  assert.match(stdout, /\n20[01]$/, `${sample}\n${stdout}`)
}

browserTest('samples of curl in the reference send no optional parameter, and work as they are printed', async () => {
  const { key } = await service.company()
  const { page, quiet } = await browser.open()
  for (const operation of ['customers/POST/v1/customer', 'products/GET/v1/products']) {
    const sample = await sampleOf(page, operation)
    assert.ok(sample.startsWith('curl ') && sample.includes(service.url), sample)
    assert.doesNotMatch(sample, /dryRun|idempotency-key|limit/i)
    await succeeds(sample.replace('YOUR_SECRET_TOKEN', key))
  }
  quiet()
})

browserTest('samples of routes that only a sign-in may call have the headers that they need', async () => {
  const { id, organizationId } = await service.company()
  const { page, quiet } = await browser.open()
  for (const [place, operation] of [
    [{ companyId: id }, 'keys/POST/v1/keys'],
    [{ companyId: id }, 'keys/GET/v1/keys'],
    [{ organizationId }, 'members/GET/v1/organization-api/members'],
    [{ companyId: id }, 'console/GET/v1/console/sign-ins'],
  ] as const) {
    const { cookie, csrfToken } = await person(service, place)
    const sample = await sampleOf(page, operation)
    await succeeds(
      sample
        .replace('YOUR_SECRET_TOKEN', cookie.split('=')[1] as string)
        .replace(/(x-company-id: )[^']+/i, `$1${id}`)
        .replace(/(x-organization-id: )[^']+/i, `$1${organizationId}`)
        .replace(/(x-csrf-token: )[^']+/i, `$1${csrfToken}`),
    )
  }
  quiet()
})
