// Fault: PostgreSQL stops dead for ten seconds with all its processes, as on a machine that is being moved, and then goes on.
import { setTimeout as delay } from 'node:timers/promises'
import { urlOf } from '../test/support/program.ts'
import { children, postmaster, signal } from './postgres-processes.ts'
import { startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'

const frozenMs = 10_000
/** What docs/operations.md promises: each request is answered within it, whatever the database does. */
const deadlineMs = 10_000

export const postgresFrozen: Fault = {
  name: 'PostgreSQL frozen',
  async run(stage) {
    const { connection, directory, ending, isLong } = stage
    const servers = await startServers(ending, { DATABASE_URL: urlOf(connection) })
    const frozen = new Set<number>()
    const freeze = (pid: number) => {
      frozen.add(pid)
      signal(pid, 'SIGSTOP')
    }
    const thaw = () => {
      for (const pid of frozen) signal(pid, 'SIGCONT')
      frozen.clear()
    }
    ending.after(thaw)
    const outcome = await play(stage, {
      name: 'frozen',
      servers,
      // More than the connections of both servers, so that some wait for a connection and some for PostgreSQL.
      tills: 48,
      strike: (tills, random) =>
        spread(tills, { times: isLong ? 5 : 1, writes: isLong ? 5_000 : 1_000, random }, async () => {
          const main = await postmaster(directory)
          freeze(main)
          // Only now, when no more can be started.
          for (const pid of await children(main)) freeze(pid)
          await delay(frozenMs)
          thaw()
        }),
    })
    const { findings, seen } = outcome
    if (seen.unavailable === 0) findings.wrong.push('nobody was answered 503: the freeze met no write')
    if (seen.longestMs > deadlineMs)
      findings.wrong.push(`a request was answered only after ${Math.round(seen.longestMs)} ms`)
    return { ...outcome, remark: `the longest answer took ${(seen.longestMs / 1000).toFixed(1)} s` }
  },
}
