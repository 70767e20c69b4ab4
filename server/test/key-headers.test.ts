// The headers that a key is sent in (decisions §8): which routes take an older one, and that a request has one key in one header.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem } from './support/problem.ts'
import { rawText } from './support/raw.ts'
import { keyed, neededQuery, pathOf } from './support/routes.ts'
import { sharedService, textOf } from './support/service.ts'

const service = sharedService()

async function get(url: string, headers: Record<string, string>) {
  const response = await fetch(url, { headers })
  return { status: response.status, headers: response.headers, text: await textOf(response) }
}

test('the header apiKey is accepted under /v1/api only, with a Deprecation header in the response', async () => {
  const { key: apiKey } = await service.company()
  const paths = keyed.filter(({ method, surface }) => method === 'GET' && surface === 'company')
  for (const route of paths) {
    const url = service.url + pathOf(route) + neededQuery(route)
    const legacy = await get(url, { apiKey })
    if (route.path.startsWith('/v1/api/')) {
      assert.ok([200, 404].includes(legacy.status), route.path)
      assert.match(legacy.headers.get('deprecation') ?? '', /^@\d+$/)
    } else {
      assertProblem(legacy, 401, 'missing_key')
      assert.equal(legacy.headers.get('deprecation'), null)
    }
    assert.equal((await get(url, { 'x-api-key': apiKey })).headers.get('deprecation'), null)
  }
})

test('the header apiKey follows the rules of the other: one of the two, no organization key, and not with another key', async () => {
  const { key: apiKey } = await service.company()
  const { key: other } = await service.company()
  const { organizationKey } = service
  const url = `${service.url}/v1/api/products`
  assertProblem(await get(url, { apiKey: 'x' }), 401, 'invalid_key')
  assertProblem(await get(url, { apiKey: organizationKey }), 401, 'invalid_key')
  assertProblem(await get(url, { apiKey, 'x-org-api-key': organizationKey }), 400, 'conflicting_credentials')
  assertProblem(await get(url, { apiKey, 'x-api-key': other }), 400, 'conflicting_credentials')
  const both = await get(url, { apiKey, 'x-api-key': apiKey })
  assert.deepEqual([both.status, both.headers.get('deprecation')], [200, null])
  // Elsewhere it is a header like any other.
  assert.equal((await get(`${service.url}/v1/products`, { apiKey: 'x', 'x-api-key': apiKey })).status, 200)
})

test('a duplicate key header is refused', async () => {
  const { key: apiKey } = await service.company()
  const head = `GET /v1/whoami HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: ${apiKey}\r\n`
  assert.match(await rawText(service.url, [`${head}\r\n`]), /^HTTP\/1\.1 200 /)
  assert.match(await rawText(service.url, [`${head}X-API-KEY: ${apiKey}\r\n\r\n`]), /^HTTP\/1\.1 401 .*"invalid_key"/s)
  assert.match(await rawText(service.url, [`${head}x-org-api-key: a\r\n\r\n`]), /^HTTP\/1\.1 400 .*"conflicting_cred/s)
})
