// What keeps the embedded PostgreSQL from starting is reported in one sentence, and nothing that is not ours is touched.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { smallDisk } from '../../faults/small-disk.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import { ask, closings, clusterFolder, makeFolder, open } from '../support/embedded-folder.ts'
import { cashwrap, putCluster } from '../support/program.ts'

const asRoot = process.getuid?.() === 0

test('every obstacle is reported in one sentence', async (t) => {
  const folder = await makeFolder(t)
  await writeFile(join(folder, 'file'), '')
  await refuses(join(folder, 'file'), /a file is in its place/)
  await refuses(join(folder, 'file', 'data'), /a file is in its place/)
  await refuses('/proc/cashwrap', /no folder can be made there/)

  await mkdir(join(folder, 'other', 'postgres', 'pictures'), { recursive: true })
  if (asRoot) await chown(join(folder, 'other', 'postgres'), ...(await postgresIds(t)))
  await refuses(join(folder, 'other'), /something other than a database/)

  await mkdir(join(folder, 'lost'))
  await symlink(join(folder, 'nowhere'), join(folder, 'lost', 'postgres'))
  await refuses(join(folder, 'lost'), /points to a folder that is missing or empty/)

  await assert.rejects(open(join(folder, 'settings'), { shared_buffers: 'much' }), (error: Error) => {
    return error instanceof OperatorError && /cannot start .*shared_buffers.*postgres\.log/.test(error.message)
  })
})

test('a folder without write permission is reported', { skip: asRoot }, async (t) => {
  const folder = await makeFolder(t)
  await chmod(folder, 0o500)
  await refuses(join(folder, 'data'), /may not use or write to it/)
  await refuses(folder, /may not use or write to it/)
})

test('a start on a full disk says so, though PostgreSQL can no longer write why it ended', {
  skip: !asRoot,
}, async (t) => {
  const parent = await makeFolder(t)
  const disk = await smallDisk({ after: (close) => void closings.push(close), end: async () => {} }, parent, 'tables')
  const folder = join(disk.folder, 'data')
  await mkdir(folder)
  await putCluster(folder)
  await disk.fill()
  await refuses(folder, /there is no space left on its disk/)
  await disk.free()
  assert.deepEqual(await ask(await open(folder), 'select 1'), [1])
})

test('a backup of a database whose disk is full says so in one sentence', { skip: !asRoot }, async (t) => {
  const parent = await makeFolder(t)
  const disk = await smallDisk({ after: (close) => void closings.push(close), end: async () => {} }, parent, 'tables')
  const folder = join(disk.folder, 'data')
  await mkdir(folder)
  await putCluster(folder)
  await open(folder)
  await disk.fill()
  const { code, stderr } = await cashwrap(['backup', join(parent, 'backups')], { CASHWRAP_DATA: folder })
  assert.equal(code, 1, stderr)
  assert.match(stderr, /^error: The disk of (the )?PostgreSQL [^\n]* is full\. Free some space on it\.\n$/)
})

test('a copy of a folder whose PostgreSQL runs is refused, and nobody is told to end that PostgreSQL', async (t) => {
  const folder = await clusterFolder(t)
  const database = await open(folder)
  const copy = await makeFolder(t)
  await promisify(execFile)('cp', ['-a', database.directory, copy])
  await refuses(copy, /was running as process \d+ in .*`cashwrap backup` and `cashwrap restore`/)
  assert.deepEqual(await ask(database, 'select 1'), [1])
})

test('a cluster of another user is not touched', { skip: !asRoot }, async (t) => {
  const folder = await clusterFolder(t)
  const database = await open(folder)
  await database.stop()
  await chown(database.directory, 54321, 54321)
  await refuses(
    folder,
    /belongs to user 54321, but started as root it would run as \w+: start as user 54321. If no service uses it any more, .*chown/,
  )
})

test('a cluster whose log cannot be written is reported, without the content of an older log; one of another PostgreSQL version is not touched', async (t) => {
  const folder = await makeFolder(t)
  const database = await open(folder)
  await database.stop()
  const log = join(database.directory, 'postgres.log')
  await rename(log, join(folder, 'older.log'))
  await chmod(join(folder, 'older.log'), 0o444)
  if (asRoot) await chown(join(folder, 'older.log'), 0, 0)
  await symlink(join(folder, 'older.log'), log)
  await refuses(folder, /cannot create .*postgres\.log/)
  await writeFile(join(database.directory, 'PG_VERSION'), '9\n')
  await refuses(folder, /was created by PostgreSQL 9, but this is PostgreSQL \d+/)
})

async function refuses(folder: string, reason: RegExp): Promise<void> {
  await assert.rejects(open(folder), (error: Error) => {
    assert.ok(error instanceof OperatorError, error.stack)
    assert.match(error.message, reason)
    return true
  })
}

/** The owner of PostgreSQL's files on this machine, as a first start shows. */
async function postgresIds(t: TestContext): Promise<[number, number]> {
  const database = await open(await makeFolder(t))
  const { uid, gid } = await stat(database.directory)
  return [uid, gid]
}
