// The measurement of hours runs for half a minute: each request of a mixed load succeeds, and each webhook arrives once or more.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const soak = fileURLToPath(new URL('../../../bench/soak.ts', import.meta.url))

test('half a minute of mixed load is answered without a failure, and each webhook arrives', async () => {
  // The process ends with code 1 if a request failed or a webhook is missing.
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[soak, '--minutes', '0.5', '--load', '0.2', '--records', '1000', '--patient'],
  ])
  assert.match(stdout, /Every request succeeded\./, stdout)
})
