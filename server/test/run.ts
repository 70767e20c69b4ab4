// `npm test`: starts one PostgreSQL for all tests, makes the migrated database that each test file copies, and runs the files in parallel.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { templateDatabase } from './support/database.ts'
import { putCluster } from './support/program.ts'

// The console for its tests; if it is up to date this takes no time.
const building = spawn(process.execPath, ['console/build.ts'], { stdio: 'inherit' })
const [isUnbuilt] = await once(building, 'exit')
if (isUnbuilt) process.exit(1)

const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./server/test/support/slowest.ts',
  '--test-reporter-destination=stdout',
]
/** Whether a folder in memory has space. There, copies of databases cost a fraction of what they cost on a disk. */
async function roomIn(place: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(place).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= bytes
}

const compiled = new URL('../../node_modules/.cache/cashwrap', import.meta.url)
const base = (await roomIn('/dev/shm', 4e9)) ? '/dev/shm' : tmpdir()
const folder = await mkdtemp(join(base, 'cashwrap-test-'))
// PostgreSQL refuses root and runs as another user, which must be able to reach the folder.
await chmod(folder, 0o755)
// Durability has tests of its own, on a separate PostgreSQL; all others do not need it.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
// Created and migrated once; other PostgreSQL servers of tests start with a copy.
const prepared = join(folder, 'prepared')
let running: EmbeddedDatabase | undefined
let code: number | null = 1
try {
  running = await openEmbedded({ dataDirectory: prepared, log: () => {}, settings })
  await (await openDatabase(running.connection)).close()
  await running.stop()
  await putCluster(folder, prepared)
  running = await openEmbedded({ dataDirectory: folder, log: () => {}, settings })
  const { connection } = running
  const database = connect(connection, { size: 1 })
  await database.query(`create database ${templateDatabase} template ${connection.database}`)
  await database.close()

  const asked = process.argv.slice(2)
  const files = asked.length > 0 ? asked : await Array.fromAsync(glob('server/test/**/*.test.ts'))
  // A browser takes a whole core: beside the others its pages would be too slow.
  const inBrowser = files.filter((file) => /server\/test\/console\//.test(file))
  const codes = [
    await run(
      'test_files',
      files.filter((file) => !inBrowser.includes(file)),
      // Twice as many as there are cores on a small machine: many wait for a process or a deadline.
      4,
    ),
    await run('test_files_in_browser', inBrowser, 2),
  ]
  code = codes.find((one) => one !== 0) ?? 0

  /** Runs files in a number of processes, the longest first; resolves to the exit code. */
  async function run(sequence: string, some: readonly string[], processes: number): Promise<number | null> {
    if (some.length === 0) return 0
    const database = connect(connection, { size: 1 })
    await database.query(`create sequence ${sequence}`)
    await database.close()
    // The longest first, so that no process is left with one at the end: the one that opens every page, then by size.
    const sizes = new Map(await Promise.all(some.map(async (file) => [file, (await stat(file)).size] as const)))
    const costOf = (file: string) =>
      /accessibility/.test(file) ? Number.POSITIVE_INFINITY : (sizes.get(file) as number)
    const sorted = some.toSorted((a, b) => costOf(b) - costOf(a))
    const worker = new URL('support/worker.ts', import.meta.url).href
    const programs = Array.from({ length: Math.min(processes, some.length) }, (_, n) =>
      join(folder, `${sequence}-${n}.mjs`),
    )
    for (const program of programs)
      await writeFile(
        program,
        `import { runFiles } from ${JSON.stringify(worker)}\nawait runFiles(${JSON.stringify(sorted)}, ${JSON.stringify(sequence)})\n`,
      )
    const runner = spawn(process.execPath, ['--test', `--test-concurrency=${processes}`, ...reporters, ...programs], {
      stdio: 'inherit',
      env: {
        ...process.env,
        CASHWRAP_TEST_DATABASE: JSON.stringify(connection),
        CASHWRAP_TEST_FOLDER: prepared,
        TMPDIR: base,
        // The processes load the same files; like the command line they find them compiled.
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? fileURLToPath(compiled),
      },
    })
    const stop = (signal: NodeJS.Signals) => runner.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    return new Promise((resolve) => runner.once('exit', resolve))
  }
} finally {
  await running?.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(code ?? 1)
