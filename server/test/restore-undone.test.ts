// A restore from an archive says where it went to another moment than the one that was asked for, and why.
import assert from 'node:assert/strict'
import { chmod, copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cashwrap, clusterFolder, dataFolder, json, type Program, serve, until } from './support/program.ts'

async function create({ url }: Program, key: string, firstName: string): Promise<void> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const { status } = await fetch(`${url}/v1/customer`, { method: 'POST', headers, body: JSON.stringify({ firstName }) })
  assert.equal(status, 201)
}

/** A time after all that was answered, and before all that follows. */
async function momentNow(): Promise<string> {
  const moment = Date.now() + 1
  await until('the moment has passed', () => Date.now() > moment)
  return new Date(moment).toISOString()
}

/** Copies the log of a stopped database into an archive, as its archiver does, without the pause before that starts. */
async function archiveLog(data: string, archive: string): Promise<string[]> {
  const log = join(data, 'postgres', 'pg_wal')
  const names = (await readdir(log)).filter((name) => /^[0-9A-F]{8}(\.history|[0-9A-F]{16})$/.test(name))
  for (const name of names) {
    await copyFile(join(log, name), join(archive, name))
    await chmod(join(archive, name), 0o644)
  }
  return names
}

test('a restore to a moment that an earlier restore undid says from when on; where the archive lacks a segment, the refusal names it', async (t) => {
  const data = await clusterFolder(t)
  const folder = await dataFolder(t)
  const backups = join(folder, 'backups')
  const environment = { CASHWRAP_DATA: data }
  const original = await serve(t, environment)
  const key = original.said.companyKey
  const backup = await json(environment, 'backup', backups)
  await create(original, key, 'Ada')
  const kept = await momentNow()
  await create(original, key, 'Bea')
  const undone = await momentNow()
  await original.stop()
  const { systemId } = JSON.parse(await readFile(join(backup.folder, 'manifest.json'), 'utf8'))
  const archive = join(folder, 'archive')
  const segments = join(archive, systemId)
  await mkdir(segments, { recursive: true })
  await archiveLog(data, segments)
  const restoring = (into: string, ...options: string[]) =>
    ['restore', backups, '--into', join(folder, into), '--archive', archive, ...options] as const

  const first = await json(environment, ...restoring('first', '--to', kept))
  assert.equal(first.undoneFrom, undefined)
  const restored = join(folder, 'first')
  await copyFile(join(data, 'secret'), join(restored, 'secret'))
  const serving = await serve(t, { CASHWRAP_DATA: restored })
  await create(serving, key, 'Cleo')
  await serving.stop()
  const names = await archiveLog(restored, segments)
  assert.ok(names.includes('00000002.history'))

  const again = await json(environment, ...restoring('again', '--to', undone))
  // The service may have committed something of its own within the millisecond of `kept`.
  assert.ok(again.moment <= kept && kept <= again.undoneFrom && again.undoneFrom <= undone, JSON.stringify(again))
  // As after `backup --keep` in another folder, which removes what was archived before the backups there.
  const last = (await readdir(segments)).filter((name) => /^0{7}2[0-9A-F]{16}$/.test(name)).toSorted()
  await rm(join(segments, last[0] as string))
  const { code, stderr } = await cashwrap(restoring('lacking', '--to', await momentNow()), environment)
  assert.equal(code, 1)
  assert.match(stderr, /cannot be restored: the backup .* \(the archive lacks 0{7}2[0-9A-F]{16}\)/)
})
