// Fault: PostgreSQL freezes for ten seconds with all its processes, as on a machine that is being moved, and then continues.
import { setTimeout as delay } from 'node:timers/promises'
import { urlOf } from '../test/support/program.ts'
import { children, postmaster, signal } from './postgres-processes.ts'
import { startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'

/** Longer than any request may take, so that some are answered during the freeze. */
const frozenMs = 10_000

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
      mustSee: 'unavailable',
      // More than the connections of both servers, so that some wait for a connection and some for PostgreSQL.
      tills: 48,
      strike: (tills, random) =>
        spread(tills, { times: isLong ? 5 : 1, writes: isLong ? 5_000 : 1_000, random }, async () => {
          const main = await postmaster(directory)
          freeze(main)
          // Only now, when no more can start.
          for (const pid of await children(main)) freeze(pid)
          await delay(frozenMs)
          thaw()
        }),
    })
    return { ...outcome, remark: `the longest answer took ${(outcome.seen.longestMs / 1000).toFixed(1)} s` }
  },
}
