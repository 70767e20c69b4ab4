// The SDK over a bad network: each of 5,000 writes is done once, although a tenth of them lose their response.
import { test } from 'node:test'
import { lossyWrites } from '../../../sdk/test/lossy-writes.ts'
import { testService } from '../support/service.ts'

const service = testService()

test('each of 5,000 writes through the SDK is done once, although a tenth of them lose their response', async (t) => {
  const run = await lossyWrites(t, service, 5_000)
  t.diagnostic(JSON.stringify(run))
})
