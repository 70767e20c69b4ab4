// Fault: the server that runs the embedded PostgreSQL of two servers is killed; PostgreSQL ends with it, and the other server restarts it.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../src/database/connect.ts'
import { connectionTo } from '../src/database/embedded/socket.ts'
import { until } from '../test/support/program.ts'
import { postmaster } from './postgres-processes.ts'
import { startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'

export const ownerKilled: Fault = {
  name: 'server and PostgreSQL killed',
  async run(stage) {
    const { folder, ending, isLong } = stage
    const dataDirectory = join(folder, 'shared')
    const servers = await startServers(ending, { CASHWRAP_DATA: dataDirectory })
    const directory = join(dataDirectory, 'postgres')
    const connection = connectionTo(directory)
    const database = connect(connection, { size: 2 })
    ending.after(() => database.close())
    const times = isLong ? 20 : 3
    return play(
      { ...stage, connection, directory, database },
      {
        name: 'owner-killed',
        servers,
        mustSee: 'broken',
        strike: (tills, random) =>
          spread(tills, { times, writes: 250 * times, random }, async () => {
            const main = await postmaster(directory)
            const victim = servers.numberOf(await parentOf(main))
            await servers.kill(victim)
            await tills.failing(1)
            await until('the other server has brought PostgreSQL back', async () => {
              const isOther = (await postmaster(directory).catch(() => main)) !== main
              return (
                isOther &&
                (await database.query('select 1').then(
                  () => true,
                  () => false,
                ))
              )
            })
            await servers.restart(victim)
          }),
      },
    )
  },
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1])
}
