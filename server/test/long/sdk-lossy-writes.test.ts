// The SDK over a bad network: of 5,000 writes, a tenth of which loses its answer, each is done once.
import { test } from 'node:test'
import { lossyWrites } from '../../../sdk/test/lossy-writes.ts'
import { testService } from '../support/service.ts'

const service = testService()

test('of 5,000 writes through the SDK, a tenth of which loses its answer, each is done once', async (t) => {
  const run = await lossyWrites(t, service, 5_000)
  t.diagnostic(JSON.stringify(run))
})
