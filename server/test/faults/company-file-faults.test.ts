// Faults of a company's file: a full disk leaves no partial file under its name, and a killed import leaves nothing in
// the database.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { exported, type Place, placeWith } from '../support/company-files.ts'
import { cashwrap, dataFolder, serve, start, until } from '../support/program.ts'

const run = promisify(execFile)

/** A company of some megabytes. */
async function largeCompany(t: Parameters<typeof serve>[0], place: Place): Promise<string> {
  const { companyId, apiKey } = await place.company()
  const { url, stop } = await serve(t, place.environment)
  const items = Array.from({ length: 1_000 }, (_, n) => ({ name: `${n}`, description: 'x'.repeat(4_000) }))
  const { status } = await fetch(`${url}/v1/products`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  })
  assert.equal(status, 200)
  await stop()
  return companyId
}

test('a full disk ends an export with exit code 1, and leaves neither the file nor a part of it', async (t) => {
  const source = await placeWith(t)
  const companyId = await largeCompany(t, source)
  const folder = join(await dataFolder(t), 'small')
  await mkdir(folder)
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'cashwrap-faults', folder]).then(
    () => true,
    () => false,
  )
  if (!isMounted) return t.skip('only root may mount a small disk')
  try {
    const file = join(folder, 'a.ndjson')
    const { code, stderr } = await cashwrap(['company', 'export', companyId, file], source.environment)
    assert.equal(code, 1, stderr)
    assert.match(stderr, /a\.ndjson cannot be written: its disk is full\./)
    assert.deepEqual(await readdir(folder), [])
  } finally {
    await run('umount', [folder])
  }
})

test('an import that is killed in the middle leaves nothing, and succeeds when it is run again', async (t) => {
  const source = await placeWith(t)
  const target = await placeWith(t)
  const { file, printed } = await exported(t, source, await largeCompany(t, source))
  const args = ['company', 'import', file, '--json']
  // The company and its keys are written, but not visible; the products wait.
  const blocker = await target.database.connectAlone()
  t.after(() => blocker.end())
  await blocker.query('begin; lock table products in share row exclusive mode')
  const { child, ended } = start(args, target.environment)
  await until('the import is in the middle', async () => {
    const rows = await target.database.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'insert into products%'`,
    )
    return rows.length > 0
  })
  child.kill('SIGKILL')
  await ended
  await blocker.query('rollback')
  assert.equal(await target.companies(), 0)
  const again = await cashwrap(args, target.environment)
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual(JSON.parse(again.stdout).counts, printed.counts)
})
