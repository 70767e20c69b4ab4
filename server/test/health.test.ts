// The service is up, and says so without a key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from './support/service.ts'

const service = testService()

test('health answers ok without a key, and ignores a wrong one', async () => {
  for (const headers of [{}, { 'x-api-key': 'nonsense', 'x-org-api-key': 'nonsense' }]) {
    const { status, body } = await service.caller(headers)('GET', '/v1/public/health')
    assert.equal(status, 200)
    assert.deepEqual(body, { status: 'ok' })
  }
})
