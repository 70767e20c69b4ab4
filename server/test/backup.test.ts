// Backups: taken while the service writes, verified by a PostgreSQL that starts from them, and restored completely into
// a folder of their own, or refused.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { pruneArchive } from '../src/database/backup/archive.ts'
import { newestBackup, oldestBackup, removeOld, withBackup, withBackupFolder } from '../src/database/backup/folder.ts'
import { writeManifest } from '../src/database/backup/manifest.ts'
import { restoreBackup } from '../src/database/backup/restore.ts'
import { segmentAt, segmentName } from '../src/database/backup/wal.ts'
import { connect } from '../src/database/connect.ts'
import { skipOnCluster } from './support/nodes.ts'
import {
  archivingFolder,
  cashwrap,
  cashwrapAlone,
  clusterFolder,
  dataFolder,
  emptyDatabase,
  json,
  type Program,
  serve,
  until,
} from './support/program.ts'
import { receiver } from './support/receiver.ts'
import { serveHere } from './support/served.ts'

/** The kernel has it as a file of 4,096 bytes that nobody can read, not even root. */
const unreadableFile = '/sys/bus/platform/drivers_probe'

/** Requests to a server with a key. */
const caller =
  ({ url }: Pick<Program, 'url'>, key: string) =>
  async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
type Call = ReturnType<typeof caller>

const create = async (call: Call, firstName: string): Promise<string> =>
  (await call('POST', '/v1/customer', { firstName })).body.id
const feed = async (call: Call, query = '') => (await call('GET', `/v1/events?limit=1000${query}`)).body
/** A time after a record's creation and before any later one. */
async function momentAfter(id: string, call: Call): Promise<string> {
  const { createdAt } = (await call('GET', `/v1/customer/${id}`)).body
  const moment = new Date().toISOString()
  await until('the clock goes on', () => new Date().toISOString() > moment)
  assert.ok(moment >= createdAt)
  return moment
}
const cursorOf = async (call: Call): Promise<string> => (await feed(call)).meta.nextCursor

describe('a backup of a serving database', () => {
  const later: (() => unknown)[] = []
  const group = { after: (end: () => unknown) => void later.push(end) }
  let backups: string
  let backup: string

  test('is verified and restored to a point in time; cursors of lost events are refused, and webhooks wait until they are resumed; a restore that was killed before leaves no trace', async (t) => {
    const data = await archivingFolder(t)
    backups = join(await dataFolder(group), 'backups')
    const hook = await receiver(t)
    const archive = join(await dataFolder(t), 'archive')
    const environment = { CASHWRAP_DATA: data, CASHWRAP_ARCHIVE: archive, CASHWRAP_WEBHOOK_ALLOW: '127.0.0.0/8' }
    const first = await serve(t, environment)
    const key = first.said.companyKey
    const call = caller(first, key)
    await call('POST', '/v1/automation-trigger', { triggerType: 'customer.*', triggerUrl: hook.url })
    const ada = await create(call, 'Ada')
    const known = await cursorOf(call)
    const written: string[] = []
    let isOver = false
    const writing = (async () => {
      // As many as one page of the list and of the feed have, however long the backup takes.
      while (!isOver && written.length < 500) written.push(await create(call, 'Bea'))
    })()
    const taken = await json(environment, 'backup', backups, '--keep', '1')
    isOver = true
    await writing
    backup = taken.folder
    const cleo = await create(call, 'Cleo')
    const moment = await momentAfter(cleo, call)
    const lostOne = await create(call, 'Dan')
    const lost = await cursorOf(call)
    await until('all webhooks are sent', () => hook.received.some(({ text }) => text.includes(lostOne)))
    await until('segments are archived', async () => (await readdir(archive, { recursive: true })).length > 1)
    await first.stop()

    assert.equal((await json({}, 'backup', 'verify', backups)).rows.companies, 1)
    const folder = join(await dataFolder(t), 'restored')
    // A restore into it was killed: a start takes it for no empty database, and the next restore removes what is left.
    const unfinished = join(folder, '.restore-0123456789ab')
    await mkdir(unfinished, { recursive: true })
    const started = await cashwrap(['serve'], { CASHWRAP_DATA: folder, PORT: '0' })
    assert.equal(started.code, 1)
    assert.ok(
      started.stderr.includes(`The restore into ${folder} is not finished. If it was interrupted, run it again`),
    )
    assert.ok(started.stderr.includes(`or delete ${unfinished} to start with an empty database`))
    assert.deepEqual(await readdir(folder), ['.restore-0123456789ab'])
    const outside = await cashwrap(['restore', backups, '--into', folder, '--to', '2099-01-01'], environment)
    assert.equal(outside.code, 1)
    assert.match(outside.stderr, /can be restored to times from \S+ to \S+ \(the time is in the future\)/)
    const restored = await json(environment, 'restore', backups, '--into', folder, '--to', moment)
    assert.ok(restored.moment <= moment)
    assert.equal(existsSync(unfinished), false)
    await copyFile(join(data, 'secret'), join(folder, 'secret'))
    const second = await serve(t, { ...environment, CASHWRAP_DATA: folder })
    const recall = caller(second, key)
    assert.equal((await recall('GET', `/v1/customer/${ada}`)).status, 200)
    assert.equal((await recall('GET', `/v1/customer/${cleo}`)).status, 200)
    assert.equal((await recall('GET', `/v1/customer/${lostOne}`)).status, 404)
    // Each customer is there if and only if the feed has it, and nothing is newer than the moment.
    const { data: events, meta } = await feed(recall)
    const { body: list } = await recall('GET', '/v1/customers?limit=1000')
    const idsOf = (records: any[], member: string) => records.map((one) => one[member]).toSorted()
    const creates = events.filter(({ type }: { type: string }) => type === 'customer.created')
    assert.deepEqual(idsOf(list.data, 'id'), idsOf(creates, 'recordId'))
    assert.equal(creates.length, written.length + 2)
    assert.ok(events.every(({ createdAt }: { createdAt: string }) => createdAt <= restored.moment))

    for (const cursor of [lost, String(Number(meta.nextCursor) + 1), String(Number(meta.nextCursor) + 2 ** 30)]) {
      const refused = await recall('GET', `/v1/events?after=${cursor}`)
      assert.equal(refused.status, 400)
      assert.deepEqual([refused.body.errors[0].pointer, refused.body.errors[0].code], ['after', 'cursor'])
      assert.match(
        refused.body.errors[0].message,
        /does not belong to this feed, as after a move or a restore of the database/,
      )
    }
    const dora = await create(recall, 'Dora')
    for (const cursor of [known, meta.nextCursor])
      assert.equal((await feed(recall, `&after=${cursor}`)).data.at(-1).recordId, dora)
    assert.equal((await recall('GET', `/v1/events?after=${lost}`)).status, 400)
    const stream = await fetch(`${second.url}/v1/events/stream`, {
      headers: { 'x-api-key': key, 'last-event-id': lost },
    })
    assert.equal(stream.status, 400)
    await stream.body?.cancel()

    assert.match(second.log(), /webhooks, calls to the payment processor, mail and the removal of objects are paused/)
    assert.ok(!hook.received.some(({ text }) => text.includes(dora)))
    assert.deepEqual(await json({ ...environment, CASHWRAP_DATA: folder }, 'resume'), { wereSilent: true })
    await until('the webhook is sent', () => hook.received.some(({ text }) => text.includes(dora)))
  })

  /** Node's own copy of two thousand files takes five times as long. */
  const copyBackup = (to: string) => promisify(execFile)('cp', ['-R', backup, to])

  /** A backup without its files, where nothing reads them. */
  async function copyManifest(to: string): Promise<void> {
    await mkdir(to, { recursive: true })
    await copyFile(join(backup, 'manifest.json'), join(to, 'manifest.json'))
  }

  /** What a restore of a backup says, and that it leaves nothing behind. */
  async function refusal(t: Parameters<typeof dataFolder>[0], from: string): Promise<string> {
    const into = join(await dataFolder(t), 'restored')
    const restoring = { from, into, progress: () => {}, log: () => {}, recovered: async () => assert.fail('recovered') }
    const error: Error = await restoreBackup(restoring).then(
      () => assert.fail('restored'),
      (error) => error,
    )
    assert.equal(error.name, 'OperatorError')
    assert.deepEqual(await readdir(into).catch(() => []), [])
    return error.message
  }

  test('is not removed while it is restored, nor is the log that follows it; a second restore of it waits', async (t) => {
    const folder = await dataFolder(t)
    const archive = join(await dataFolder(t), 'archive')
    const names = ['20261121T000000000Z', '20261122T000000000Z', '20261123T000000000Z']
    const [oldest = '', middle = '', newest = ''] = names
    await copyBackup(join(folder, oldest))
    for (const name of [middle, newest]) await copyManifest(join(folder, name))
    const { manifest } = await newestBackup(join(folder, oldest))
    const { systemId, timeline, segmentBytes, start } = manifest
    // The segment before the backup, and its first one.
    const first = segmentAt(start.lsn, segmentBytes)
    const segments = [first - 1n, first].map((segment) => segmentName(timeline, segment, segmentBytes))
    await mkdir(join(archive, systemId), { recursive: true })
    for (const segment of segments) await writeFile(join(archive, systemId, segment), '')
    await restoreBackup({
      from: join(folder, oldest),
      into: join(await dataFolder(t), 'restored'),
      progress() {},
      log() {},
      async recovered() {
        assert.deepEqual(await removeOld(folder, 1), [middle])
        assert.equal(await pruneArchive(archive, (await oldestBackup(folder)).manifest), 1)
        assert.deepEqual(await readdir(join(archive, systemId)), segments.slice(1))
        assert.match(await refusal(t, join(folder, oldest)), /Another program is restoring the backup/)
      },
    })
    assert.deepEqual(await removeOld(folder, 1), [oldest])
    assert.deepEqual(await readdir(folder), [newest])
  })

  test('that was made while the clock was years ahead is not taken for the newest, and is the first to be removed', async (t) => {
    const folder = await dataFolder(t)
    const older = '20200101T000000000Z'
    const newer = '20200102T000000000Z'
    const ahead = '29990101T000000000Z'
    for (const name of [older, newer, ahead]) await copyManifest(join(folder, name))
    assert.equal((await newestBackup(folder)).folder, join(folder, newer))
    // As if the clock had been set back while the backup was made.
    assert.deepEqual(await removeOld(folder, 2, join(folder, ahead)), [older])
    assert.deepEqual(await removeOld(folder, 1), [ahead])
    assert.deepEqual(await readdir(folder), [newer])
  })

  test('that is removed before it is locked is not restored', async (t) => {
    const folder = join(await dataFolder(t), '20261123T000000000Z')
    await copyManifest(folder)
    const found = await newestBackup(folder)
    await rm(join(folder, 'manifest.json'))
    await assert.rejects(
      withBackup(found, async () => assert.fail('read')),
      /is not a backup/,
    )
  })

  test('is refused if a byte of its manifest or of a file was changed, or a file is cut or missing', async (t) => {
    const copy = join(await dataFolder(t), '20261123T000000000Z')
    await copyBackup(copy)
    const damages: [string, (path: string) => Promise<unknown>, RegExp][] = [
      ['manifest.json', (path) => flip(path, 100), /manifest.json does not match its checksum/],
      ['manifest.json', (path) => flip(path, -4), /manifest.json does not match its checksum/],
      ['base/global/pg_control', (path) => flip(path, 50), /pg_control does not match its checksum/],
      ['base/PG_VERSION', (path) => truncate(path, 1), /PG_VERSION has another size/],
      ['base/backup_label', (path) => rm(path), /backup_label is missing/],
      ['manifest.json', (path) => rm(path), /has no complete backup|has no manifest.json/],
    ]
    for (const [name, damage, said] of damages) {
      const path = join(copy, name)
      const before = await readFile(path)
      await damage(path)
      assert.match(await refusal(t, copy), said)
      await writeFile(path, before)
    }
  })

  test('of another major version of PostgreSQL is refused before anything is copied, and the error names the version that can restore it', async (t) => {
    const copy = join(await dataFolder(t), '20261123T000000000Z')
    await copyManifest(copy)
    const path = join(copy, 'manifest.json')
    const older = { ...JSON.parse(await readFile(path, 'utf8')), postgres: '17.5', cashwrap: '0.0.9' }
    await writeFile(path, writeManifest(older))
    const said =
      /was made by PostgreSQL 17.5, but this is PostgreSQL \d+: restore it with the version of Cashwrap that made it \(0.0.9\)/
    assert.match(await refusal(t, copy), said)
  })

  test('is never restored over anything, and a folder that is not a backup is refused', async (t) => {
    const folder = await dataFolder(t)
    assert.match(await refusal(t, folder), /has no complete backup/)
    assert.match(await refusal(t, join(folder, 'nowhere')), /There is no folder/)
    await writeFile(join(folder, 'manifest.json'), '{"files": []}')
    assert.match(await refusal(t, folder), /is damaged/)
    const { code, stderr } = await cashwrap(['restore', backups, '--into', folder], {})
    assert.equal(code, 1)
    assert.match(stderr, /is not empty \(it has manifest.json\)/)
    // The kernel makes no folder there, and says that the parent is missing.
    const nowhere = await cashwrap(['restore', backups, '--into', '/proc/cashwrap'], {})
    assert.deepEqual([nowhere.code, /no folder can be made there/.test(nowhere.stderr)], [1, true])
  })

  test('is the only one that runs in its folder, and removes old backups and the remains of killed ones', async (t) => {
    const folder = await dataFolder(t)
    const names = ['20261121T000000000Z', '20261122T000000000Z', '20261123T000000000Z']
    // Files of the operator with names that are nearly ours stay.
    const others = ['.new-mail', '.old-bashrc', 'other']
    const remains = ['.new-0123456789ab', '.verify-0123456789ab']
    for (const name of [...names, ...remains, ...others]) await mkdir(join(folder, name))
    await withBackupFolder(folder, async () => {
      await assert.rejects(
        withBackupFolder(folder, async () => {}),
        /Another program is working/,
      )
      assert.deepEqual(await removeOld(folder, 2), names.slice(0, 1))
    })
    assert.deepEqual((await readdir(folder)).toSorted(), [...others, ...names.slice(1)].toSorted())
  })

  test('is never inside the database that it copies, and neither is the archive: each backup would contain them', async (t) => {
    const data = await clusterFolder(t)
    const linked = join(await dataFolder(t), 'link')
    await symlink(join(data, 'postgres'), linked)
    for (const folder of [join(data, 'postgres'), join(linked, 'new', 'backups')]) {
      const copied = await cashwrap(['backup', folder], { CASHWRAP_DATA: data })
      assert.deepEqual(
        [copied.code, /is inside the database's own folder/.test(copied.stderr)],
        [1, true],
        copied.stderr,
      )
      assert.equal(existsSync(join(linked, 'new')), false)
    }
    const environment = { CASHWRAP_DATA: data, CASHWRAP_ARCHIVE: join(linked, 'archive'), PORT: '0' }
    const started = await cashwrapAlone(['serve'], environment)
    assert.deepEqual(
      [started.code, /is inside the database's own folder/.test(started.stderr)],
      [1, true],
      started.stderr,
    )
    assert.equal(existsSync(join(linked, 'archive')), false)
  })

  test('names the file of the database that cannot be read, and blames no other folder', {
    skip: !existsSync(unreadableFile) && `there is no ${unreadableFile}`,
  }, async (t) => {
    const data = await clusterFolder(t)
    const folder = join(await dataFolder(t), 'backups')
    const linked = join(data, 'postgres', 'damaged')
    await symlink(unreadableFile, linked)
    const { code, stderr } = await cashwrap(['backup', folder], { CASHWRAP_DATA: data })
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`${linked} cannot be read: (this user may not read it|its disk reports an error)`))
    assert.doesNotMatch(stderr, new RegExp(`${folder} cannot be`))
    assert.deepEqual(await readdir(folder), [])
    const nowhere = await cashwrap(['backup', '/proc/cashwrap'], { CASHWRAP_DATA: data })
    assert.deepEqual([nowhere.code, /no folder can be made there/.test(nowhere.stderr)], [1, true])
  })

  test('by another tool is marked by one command before the first start: cursors of lost events are refused, and nobody is called', async (t) => {
    const environment = await emptyDatabase(t)
    const connection = { connectionString: environment.DATABASE_URL as string }
    const first = await serveHere(t, connection)
    const key = first.first.companyKey
    await create(caller(first, key), 'Ada')
    const known = await cursorOf(caller(first, key))
    // The living service may be named by mistake.
    const wrong = await cashwrap(['mark-restored', '--moment', '2026-01-01'], environment)
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /Other sessions are at work in the database: \d+\. Stop all servers/)
    assert.equal((await feed(caller(first, key), `&after=${known}`)).data.length, 0)
    await first.stop()
    const early = await cashwrap(['mark-restored', '--moment', '2099-01-01'], environment)
    assert.equal(early.code, 2)
    assert.match(early.stderr, /2099-01-01T00:00:00.000Z is in the future/)
    const moment = new Date().toISOString()
    assert.deepEqual(await json(environment, 'mark-restored', '--moment', moment), { moment })
    const second = await serveHere(t, connection)
    const call = caller(second, key)
    assert.match(second.log(), /webhooks, calls to the payment processor, mail and the removal of objects are paused/)
    const { status, body } = await call('GET', `/v1/events?after=${Number(known) + 1}`)
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [400, 'after', 'cursor'])
    const bea = await create(call, 'Bea')
    assert.equal((await feed(call, `&after=${known}`)).data.at(-1).recordId, bea)
    assert.deepEqual(await json(environment, 'resume'), { wereSilent: true })
  })

  test('with DATABASE_URL is the task of its own tools', { skip: skipOnCluster }, async (t) => {
    const folder = join(await dataFolder(t), 'backups')
    const environment = await emptyDatabase(t)
    const refused = async () => {
      const { code, stderr } = await cashwrap(['backup', folder], environment)
      assert.equal(code, 1)
      assert.match(stderr, /pgBackRest, Barman or WAL-G\. Its archiver: archive_mode is off there/)
    }
    await refused()
    // Also before the first start of a service.
    const database = connect({ connectionString: environment.DATABASE_URL as string, statementMs: 60_000 })
    await database.query('drop schema public cascade; create schema public').finally(() => database.close())
    await refused()
    for (const end of later) await end()
  })
})

/** Changes one byte of a file. */
async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] as number) ^ 1
  await writeFile(path, bytes)
}
