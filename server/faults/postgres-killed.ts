// Fault: PostgreSQL is killed with SIGKILL while it writes, alternating between one of its backends and the server itself.
import { setTimeout as delay } from 'node:timers/promises'
import { until, urlOf } from '../test/support/program.ts'
import { backends, postmaster, signal } from './postgres-processes.ts'
import { startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'

export const postgresKilled: Fault = {
  name: 'PostgreSQL killed',
  async run(stage) {
    const { connection, directory, database, isLong } = stage
    const servers = await startServers(stage.ending, { DATABASE_URL: urlOf(connection) })
    const times = isLong ? 20 : 5
    return play(stage, {
      name: 'postgres-killed',
      servers,
      mustSee: 'unavailable',
      strike: (tills, random) =>
        spread(tills, { times: 2 * times, writes: 400 * times, random }, async (number) => {
          await delay(random.below(10))
          const main = await postmaster(directory)
          // When a backend dies, PostgreSQL ends all others and recovers; when the server dies, our server starts another.
          const isBackend = number % 2 === 0
          signal(isBackend ? random.pick(await backends(main)) : main, 'SIGKILL')
          await tills.failing(1)
          await until('PostgreSQL answers again', () =>
            database.query('select 1').then(
              () => true,
              () => false,
            ),
          )
        }),
    })
  },
}
