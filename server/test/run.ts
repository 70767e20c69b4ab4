// `npm test`: starts one PostgreSQL for all tests, makes the migrated database that each test file copies, and runs the files in parallel.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, glob, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../src/database/connect.ts'
import { type EmbeddedDatabase, openEmbedded } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { templateDatabase } from './support/database.ts'
import { putCluster } from './support/program.ts'

// What the console's tests open; where it is fresh this takes no time.
const building = spawn(process.execPath, ['console/build.ts'], { stdio: 'inherit' })
const [isUnbuilt] = await once(building, 'exit')
if (isUnbuilt) process.exit(1)

const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./server/test/support/slowest.ts',
  '--test-reporter-destination=stdout',
]
const compiled = new URL('../../node_modules/.cache/cashwrap', import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'cashwrap-test-'))
// PostgreSQL refuses root and runs as another user, who has to get there.
await chmod(folder, 0o755)
// Durability has tests of its own, on a PostgreSQL of their own; all others need none.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
// Made and migrated once; what tests start of their own begins with a copy.
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
  // A browser takes a core by itself: beside the others its pages would wait for what they show.
  const inBrowser = files.filter((file) => /server\/test\/console\//.test(file))
  const codes = [
    await run(
      files.filter((file) => !inBrowser.includes(file)),
      // Twice as many as there are cores on a small machine: many wait for a process or a deadline.
      4,
    ),
    await run(inBrowser, 2),
  ]
  code = codes.find((one) => one !== 0) ?? 0

  /** Runs files, so many at once; the exit code. */
  async function run(some: readonly string[], atOnce: number): Promise<number | null> {
    if (some.length === 0) return 0
    const runner = spawn(
      process.execPath,
      ['--test', `--test-concurrency=${atOnce}`, ...reporters, ...some.toSorted()],
      {
        stdio: 'inherit',
        env: {
          ...process.env,
          CASHWRAP_TEST_DATABASE: JSON.stringify(connection),
          CASHWRAP_TEST_FOLDER: prepared,
          // Each file is a process of its own that loads the same; as the command line it finds it compiled.
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
