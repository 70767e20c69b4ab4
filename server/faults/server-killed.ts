// Fault: a server process is killed with SIGKILL while it writes; the other one may still be starting.
import { setTimeout as delay } from 'node:timers/promises'
import { urlOf } from '../test/support/program.ts'
import { startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'

export const serverKilled: Fault = {
  name: 'server killed',
  async run(stage) {
    const servers = await startServers(stage.ending, { DATABASE_URL: urlOf(stage.connection) })
    const restarts = servers.urls().map(() => Promise.resolve())
    return play(stage, {
      name: 'killed',
      servers,
      mustSee: 'broken',
      async strike(tills, random) {
        const times = await spread(
          tills,
          { times: stage.isLong ? 100 : 10, writes: stage.isLong ? 10_000 : 2_000, random },
          async (number) => {
            const victim = number % 2
            await restarts[victim]
            // Not always just after a response: at any moment of the work that follows.
            await delay(random.below(10))
            await servers.kill(victim)
            // Meanwhile the tills use the other one; if it is not up yet either, they wait.
            restarts[victim] = servers.restart(victim)
          },
        )
        await Promise.all(restarts)
        return times
      },
    })
  },
}
