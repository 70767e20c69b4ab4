// The samples of curl that the page of the reference shows: each works as it is printed, with a key or a sign-in in place of its placeholders.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { browserTest, testBrowser } from '../support/browser.ts'
import { person } from '../support/people.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
const browser = testBrowser(service)

/** Operations by their fragments in the page, such as `products/POST/v1/product`. */
const methodAndPath = /\/([A-Z]+)(\/.+)$/

/** Leaves only some operations, and the components that they refer to, in the document that the page reads: to show all takes seconds. */
async function showOnly(page: Page, operations: readonly string[]): Promise<void> {
  await page.route('**/v1/openapi.json', async (route) => {
    const response = await route.fetch()
    const document = await response.json()
    const paths: Record<string, Record<string, unknown>> = {}
    for (const operation of operations) {
      const [, method = '', path = ''] = operation.match(methodAndPath) ?? []
      paths[path] = { ...paths[path], [method.toLowerCase()]: document.paths[path][method.toLowerCase()] }
    }
    await route.fulfill({
      response,
      json: { ...document, webhooks: {}, paths, components: componentsOf(paths, document) },
    })
  })
}

/** The components that a part of a document refers to, and all that these refer to. */
function componentsOf(part: unknown, { components }: { components: Record<string, Record<string, unknown>> }) {
  const { securitySchemes } = components
  const found: Record<string, Record<string, unknown>> = { securitySchemes: securitySchemes ?? {} }
  const follow = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (found[kind]?.[name] !== undefined) continue
      const component = components[kind]?.[name]
      found[kind] = { ...found[kind], [name]: component }
      follow(JSON.stringify(component))
    }
  }
  follow(JSON.stringify(part))
  return found
}

/** The sample of curl of an operation. */
async function sampleOf(page: Page, operation: string): Promise<string> {
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
  const operations = ['customers/POST/v1/customer', 'products/GET/v1/products']
  await showOnly(page, operations)
  for (const operation of operations) {
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
  const operations = [
    [{ companyId: id }, 'keys/POST/v1/keys'],
    [{ companyId: id }, 'keys/GET/v1/keys'],
    [{ organizationId }, 'members/GET/v1/organization-api/members'],
    [{ companyId: id }, 'console/GET/v1/console/sign-ins'],
  ] as const
  await showOnly(
    page,
    operations.map(([, operation]) => operation),
  )
  for (const [place, operation] of operations) {
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
