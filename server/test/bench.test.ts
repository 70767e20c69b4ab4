// The benches compare the service with its own statements, which they still intercept on their way to the database, and
// leave nothing behind.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { insertStatement, pageStatement, replaceStatement } from '../../bench/statements.ts'
import { newId } from '../src/core/ids.ts'
import { until } from './support/program.ts'

test('the statements that the benches compare with are those of the engine', async () => {
  const companyId = newId()
  const caught = await Promise.all([
    insertStatement(companyId, 3),
    replaceStatement(companyId, [newId(), newId()]),
    pageStatement(companyId, { limit: 100 }),
    pageStatement(companyId, { limit: 100, searchByLastName: 'KoDe' }),
  ])
  for (const { statement, values } of caught) {
    assert.match(statement.text, /\bcustomers\b/)
    assert.ok(JSON.stringify(values).includes(companyId))
  }
})

test('a bench that is killed leaves neither its folder nor its database, also where root’s PostgreSQL cannot reach the folder', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'cashwrap-bench-'))
  t.after(() => rm(parent, { recursive: true, force: true }))
  const source = `
    import { openEmbedded } from ${JSON.stringify(import.meta.resolve('../src/database/embedded/embedded.ts'))}
    import { temporaryFolder } from ${JSON.stringify(import.meta.resolve('../../bench/temporary-folder.ts'))}
    const dataDirectory = await temporaryFolder('killed', ${JSON.stringify(parent)})
    const settings = { fsync: 'off', shared_buffers: '16MB' }
    const { directory } = await openEmbedded({ dataDirectory, settings, log() {} })
    console.log(directory)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
  const directory = String((await once(child.stdout, 'data'))[0]).trim()
  assert.ok(existsSync(directory))
  child.kill('SIGKILL')
  await until('both are gone', async () => !existsSync(directory) && (await readdir(parent)).length === 0)
})
