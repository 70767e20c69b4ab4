// `npm test`, `npm run test:console`, `npm run test:accessibility`, `npm run test:long`, and the first part of `npm run test:faults`: starts one PostgreSQL for all tests, makes the migrated database that each test file copies, and runs the files in parallel.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Connection, connect } from '../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../src/database/embedded/embedded.ts'
import { templateDatabase } from './support/database.ts'
import { makeTemplate, nodesIn } from './support/nodes.ts'
import { prepareCluster } from './support/prepared.ts'
import { putCluster } from './support/program.ts'

// The console for its tests; if it is up to date this takes no time.
const built = once(spawn(process.execPath, ['console/build.ts'], { stdio: 'inherit' }), 'exit')

const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./server/test/support/files-reporter.ts',
  '--test-reporter-destination=stdout',
]
/** A run in which more files fail has a defect: none of them runs again. */
const mostAgain = 3

/** More processes than a small machine has cores, because many tests wait for a process or a deadline. Each takes some seconds to warm up. */
const processes = 3
/** Fewer if tests have a browser, which takes a whole core. */
const browsers = 2

/** Files that mostly wait, such as for a lease: one more process runs them, beside those that keep the cores busy. */
const waiting =
  /^(server|sdk)\/test\/((restored-)?archive|catalog-import-command|event-waiting|log|migrate|payment-processor|retries|sockets|webhook-dispatch|webhooks)\.test\.ts$/

/** Files that take longer than their size suggests, in any order: they start first, so that no process is left with one at the end. */
const slowest =
  /\/(report-sums|backup|sweep(-\w+)?|hostile-input|payment-processor-failures|row-security|long-pages|row-security-role|restore-undone|custom-table-purge|secret|imports|alerts|automation|lists|package|dependencies)\.test\.ts$/

/** What files are sorted by: the longest, as far as their size or the list of the slowest says so, start first. */
const weightOf = async (file: string): Promise<number> => (await stat(file)).size + (slowest.test(file) ? 1e6 : 0)

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
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  shared_buffers: '256MB',
  // No table lives long enough to need it, and its workers took a sixth of the tests' processor time.
  autovacuum: 'off',
  // Otherwise each of some 6,000 connections loads them, which takes a tenth of its processor time.
  shared_preload_libraries: 'plpgsql,pg_trgm',
}
// Migrated once; other PostgreSQL servers of tests start with a copy.
const prepared = join(folder, 'prepared')
const failures = join(folder, 'failures')
let running: EmbeddedDatabase | undefined
let code: number | null = 1
try {
  await prepareCluster(prepared, settings)
  await putCluster(folder, prepared)
  const nodes = nodesIn(process.env.CASHWRAP_TEST_DATABASE_URL)
  if (nodes.length > 0) await makeTemplate(nodes, templateDatabase)
  // For the services that files share, those of each file, and second ones, in four processes.
  else
    running = await openEmbedded({
      dataDirectory: folder,
      log: () => {},
      settings: { ...settings, max_connections: '600' },
    })
  const connection = running?.connection ?? (nodes[0] as Connection)
  const database = connect(connection, { size: 1 })
  if (nodes.length === 0) await database.query(`create database ${templateDatabase} template ${connection.database}`)

  const asked = process.argv.slice(2)
  const all = () =>
    Array.fromAsync(
      glob(['server/test/**/*.test.ts', 'sdk/test/**/*.test.ts'], {
        exclude: ['server/test/console', 'server/test/faults', 'server/test/accessibility', 'server/test/long'],
      }),
    )
  const files = asked.length > 0 ? asked : await all()
  const sizes = new Map(await Promise.all(files.map(async (file) => [file, await weightOf(file)] as const)))
  const sorted = files.toSorted((a, b) => (sizes.get(b) as number) - (sizes.get(a) as number))
  const isInBrowser = files.some((file) => /server\/test\/(console|accessibility)\//.test(file))
  const queues = [
    { queued: sorted.filter((file) => !waiting.test(file)), most: isInBrowser ? browsers : processes },
    { queued: sorted.filter((file) => waiting.test(file)), most: 1 },
  ]
  const worker = new URL('support/worker.ts', import.meta.url).href
  const registration = new URL('support/registration.ts', import.meta.url).href
  const shared = new URL('support/shared.ts', import.meta.url).href
  const programs: string[] = []
  for (const [number, { queued, most }] of queues.entries()) {
    // It gives each file to one process.
    const sequence = `test_files_${number}`
    await database.query(`drop sequence if exists ${sequence}; create sequence ${sequence}`)
    const text = `import ${JSON.stringify(registration)}\nconst { runFiles } = await import(${JSON.stringify(worker)})\nawait runFiles(${JSON.stringify(queued)}, ${JSON.stringify(sequence)})\n`
    for (let n = 0; n < Math.min(most, queued.length); n++) {
      const program = join(folder, `${number}-${n}.mjs`)
      await writeFile(program, text)
      programs.push(program)
    }
  }
  await database.close()
  const [isUnbuilt] = await built
  if (!isUnbuilt) code = await run(programs)
  if (code !== 0 && files.length > mostAgain) code = await runAgain(await failedFiles(), code)

  /** The files that failed; empty if a process ended before its files did. */
  async function failedFiles(): Promise<string[]> {
    const names = (await readFile(failures, 'utf8').catch(() => '')).split('\n').filter((name) => name !== '')
    return names.every((name) => files.includes(name)) ? names : []
  }

  /** Runs a few files that failed once more, alone: what passes then depends on the load of the machine, and is named. */
  async function runAgain(failed: readonly string[], code: number | null): Promise<number | null> {
    if (failed.length === 0 || failed.length > mostAgain) return code
    console.log(`\nOnce more, alone: ${failed.join(', ')}\n`)
    const program = join(folder, 'again.mjs')
    const tests = failed.map((file) => {
      const [name, address] = [file, pathToFileURL(file)].map((text) => JSON.stringify(text))
      return `await test(${name}, async () => { await import(${address}) })`
    })
    const imports = [`import { test } from 'node:test'`, `import { stopShared } from ${JSON.stringify(shared)}`]
    await writeFile(program, [...imports, ...tests, 'await stopShared()'].join('\n'))
    const again = await run([program])
    if (again === 0) console.log(`\nFLAKY, to be mended: failed under load, passed alone: ${failed.join(', ')}`)
    return again
  }

  /** Runs programs, each in a process; resolves to the exit code. */
  function run(programs: readonly string[]): Promise<number | null> {
    const runner = spawn(
      process.execPath,
      ['--test', `--test-concurrency=${programs.length}`, ...reporters, ...programs],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          CASHWRAP_TEST_DATABASE: JSON.stringify(connection),
          CASHWRAP_TEST_FOLDER: prepared,
          CASHWRAP_TEST_FAILURES: failures,
          TMPDIR: base,
          // The processes load the same files; like the command line they find them compiled.
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? fileURLToPath(compiled),
        },
      },
    )
    const stop = (signal: NodeJS.Signals) => runner.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    return new Promise((resolve) => runner.once('exit', resolve))
  }
} finally {
  await running?.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(code ?? 1)
