// `npm run test:faults`: runs faults on real processes while tills write, and counts what is lost or done twice.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '../src/database/connect.ts'
import { openEmbedded } from '../src/database/embedded/embedded.ts'
import { openDatabase } from '../src/database/open.ts'
import { answerCut, databaseCut } from './connection-cut.ts'
import { diskFull } from './disk-full.ts'
import { ending } from './ending.ts'
import { failover } from './failover/failover.ts'
import { examplesOf } from './findings.ts'
import { onboardingKilled } from './onboarding.ts'
import { ownerKilled } from './owner-killed.ts'
import { postgresFrozen } from './postgres-frozen.ts'
import { postgresKilled } from './postgres-killed.ts'
import { serverKilled } from './server-killed.ts'
import { withMounts } from './small-disk.ts'
import type { Fault } from './stage.ts'
import { type Played, tableOf } from './table.ts'
import { verdictOf } from './verdict.ts'
import { webhooksKilled } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    long: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string', default: '' },
    'without-keys': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node server/faults/run.ts [options]'

  --long           more of each fault: about half an hour in place of five minutes
  --seed N         the random choices of an earlier run, which printed it
  --only TEXT      only faults whose name begins with TEXT, such as "server"
  --without-keys   tills send no Idempotency-Key: shows that the checks find what is done twice`

const faults: readonly Fault[] = [
  serverKilled,
  ownerKilled,
  postgresKilled,
  postgresFrozen,
  databaseCut,
  answerCut,
  onboardingKilled,
  webhooksKilled,
  diskFull,
  failover,
]

async function main(): Promise<number> {
  const chosen = faults.filter(({ name }) => name.startsWith(options.only))
  if (chosen.length === 0) throw new Error(`No fault begins with ${JSON.stringify(options.only)}.`)
  const seed = Number(options.seed ?? Math.floor(Math.random() * 2 ** 31))
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.')
  const all = ending()
  let isStopped = false
  /** Stops everything that was started, at once, and this program with it. */
  function stop(code: number, why: string): void {
    if (isStopped) return
    isStopped = true
    process.stderr.write(`${why}\nStopping, and removing what was made.\n`)
    all.end().finally(() => process.exit(code))
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop(130, ''))
  // For example a server that does not start again. After a signal, work in progress fails, which is expected.
  process.on('unhandledRejection', (error) => stop(1, (error as Error).stack ?? String(error)))
  const begun = performance.now()
  const since = () => (performance.now() - begun) / 1000
  const say = (text: string) => process.stderr.write(`${Math.round(since())} s: ${text}\n`)
  say(`seed ${seed}`)
  try {
    const folder = await mkdtemp(join(tmpdir(), 'cashwrap-faults-'))
    all.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
    // PostgreSQL refuses root and runs as another user, which must be able to reach the folder.
    await chmod(folder, 0o755)
    const embedded = await openEmbedded({ dataDirectory: join(folder, 'data'), log: say })
    all.after(() => embedded.stop())
    const { connection, directory } = embedded
    await (await openDatabase(connection)).close()
    const database = connect(connection, { size: 2 })
    all.after(() => database.close())

    const played: Played[] = []
    for (const fault of chosen) {
      say(fault.name)
      const before = since()
      const own = ending()
      all.after(own.end)
      const stage = { folder, connection, directory, database, ending: own, seed }
      const outcome = await fault.run({ ...stage, isLong: options.long, withoutKeys: options['without-keys'] })
      await own.end()
      played.push({ fault: fault.name, seconds: since() - before, outcome })
      if ('skipped' in outcome) say(`skipped: ${outcome.skipped}`)
      else
        for (const line of [...(outcome.remark ? [`  ${outcome.remark}`] : []), ...examplesOf(outcome.findings)])
          say(line)
    }
    console.log(`\n${tableOf(played)}\n\nseed ${seed}, ${Math.round(since())} s in all`)
    const { lines, code } = verdictOf(played, { isCi: process.env.CI === 'true' })
    for (const line of lines) console.log(line)
    await all.end()
    return code
  } catch (error) {
    stop(1, (error as Error).stack ?? String(error))
    return 1
  }
}

if (options.help) console.log(help)
else process.exitCode = (await withMounts()) ?? (await main())
