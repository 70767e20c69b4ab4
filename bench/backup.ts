// What backups cost: writes with each level of PostgreSQL's log and with an archive, interleaved; then the time and size of a backup, its verification and a restore.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { watchArchive } from '../server/src/database/backup/archive-watch.ts'
import { connect } from '../server/src/database/connect.ts'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { openDatabase } from '../server/src/database/open.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values } = parseArgs({
  options: { records: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
})
const records = Number(values.records)
const program = new URL('../server/bin/cashwrap.js', import.meta.url).pathname
const folder = await temporaryFolder('backup-bench')
const quiet = { info: () => {}, warn: console.error, error: console.error }
const data = join(folder, 'data')
const levels = {
  minimal: { wal_level: 'minimal', archive_mode: 'off' },
  replica: { archive_mode: 'off' },
  archive: { archive_mode: 'on' },
}

/** A row of some 700 bytes, as a create writes it. */
const insert = `insert into measured (body) select json_build_object('id', gen_random_uuid(), 'note', repeat(md5(random()::text), 20))`

/** Single inserts a second of 16 connections, for three seconds. */
async function rateOf(settings: Record<string, string>): Promise<number> {
  const embedded = await openEmbedded({ dataDirectory: data, log: () => {}, settings })
  const database = connect(embedded.connection)
  await database.query(
    'create table if not exists measured (id bigint generated always as identity primary key, body json)',
  )
  const watch =
    settings.archive_mode === 'on'
      ? await watchArchive(database, { archive: join(folder, 'archive'), cluster: embedded.directory, log: quiet })
      : undefined
  let written = 0
  const begun = performance.now()
  const write = async () => {
    for (; performance.now() - begun < 3_000; written++) await database.query({ name: 'measured', text: insert })
  }
  await Promise.all(Array.from({ length: 16 }, write))
  const rate = written / ((performance.now() - begun) / 1000)
  await watch?.stop()
  await database.close()
  await embedded.stop()
  return rate
}

/** Seconds of a command, and what it printed. */
function timed(...args: string[]): { seconds: number; said: any } {
  const begun = performance.now()
  const env = { ...process.env, CASHWRAP_DATA: data }
  const text = execFileSync(process.execPath, [program, ...args, '--json'], { env, encoding: 'utf8' })
  return { seconds: (performance.now() - begun) / 1000, said: JSON.parse(text) }
}

try {
  const first = await openEmbedded({ dataDirectory: data, log: () => {} })
  await (await openDatabase(first.connection)).close()
  await first.stop()
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [name, settings] of Object.entries(levels))
      rates[name] = [...(rates[name] ?? []), await rateOf(settings)]
  for (const [name, all] of Object.entries(rates)) {
    const sorted = all.toSorted((a, b) => a - b)
    const text = `${sorted[sorted.length >> 1]?.toFixed(0)} (${sorted.map((rate) => rate.toFixed(0)).join(', ')})`
    console.log(`${name.padEnd(8)} inserts a second: ${text}`)
  }
  const filled = await openEmbedded({ dataDirectory: data, log: () => {} })
  const database = connect({ ...filled.connection, statementMs: 600_000 })
  await database.query(`${insert} from generate_series(1, ${records})`)
  const [size] = await database.query('select pg_database_size(current_database())')
  console.log(`${records} rows, database of ${(Number(size?.[0]) / 1e6).toFixed(0)} MB`)
  await database.close()
  await filled.stop()
  const backups = join(folder, 'backups')
  const backup = timed('backup', backups)
  console.log(`backup  ${backup.seconds.toFixed(1)} s, ${(backup.said.bytes / 1e6).toFixed(0)} MB`)
  console.log(`verify  ${timed('backup', 'verify', backups).seconds.toFixed(1)} s`)
  console.log(`restore ${timed('restore', backups, '--into', join(folder, 'restored')).seconds.toFixed(1)} s`)
} finally {
}
