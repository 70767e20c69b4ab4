// Faults: the connection to PostgreSQL, or to the client, breaks between the commit and the response.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { urlOf } from '../test/support/program.ts'
import { type Cutter, httpProxy, postgresProxy } from './proxies.ts'
import { randomOf } from './random.ts'
import { startServers } from './servers.ts'
import { type Fault, play, type Stage } from './stage.ts'
import type { Tills } from './tills.ts'

const timesOf = ({ isLong }: Stage) => (isLong ? 1_000 : 100)
const writesOf = ({ isLong }: Stage) => (isLong ? 10_000 : 1_500)

export const databaseCut: Fault = {
  name: 'database connection cut',
  async run(stage) {
    const folder = join(stage.folder, 'proxy')
    await mkdir(folder)
    const random = randomOf(stage.seed, 'cuts')
    let isOn = false
    let cuts = 0
    const cutter: Cutter = {
      choose() {
        if (!isOn || !random.chance(0.15)) return undefined
        return random.chance(0.75) ? 'in place of the answer' : 'before the answer'
      },
      done: () => void cuts++,
    }
    await postgresProxy(stage.ending, { host: stage.connection.host as string, folder, cutter })
    const servers = await startServers(stage.ending, { DATABASE_URL: urlOf({ ...stage.connection, host: folder }) })
    return play(stage, {
      name: 'database-cut',
      servers,
      mustSee: 'unavailable',
      strike: async (tills) => {
        isOn = true
        await writeUntil(tills, writesOf(stage), () => cuts >= timesOf(stage))
        isOn = false
        return cuts
      },
    })
  },
}

export const answerCut: Fault = {
  name: 'answer cut',
  async run(stage) {
    const random = randomOf(stage.seed, 'answers')
    const servers = await startServers(stage.ending, { DATABASE_URL: urlOf(stage.connection) })
    let cuts = 0
    const cut = () => {
      const isCut = random.chance(0.1)
      if (isCut) cuts++
      return isCut
    }
    const urls = await Promise.all(servers.urls().map((url) => httpProxy(stage.ending, url, cut)))
    return play(stage, {
      name: 'answer-cut',
      servers,
      mustSee: 'broken',
      urls: () => urls,
      strike: async (tills) => {
        await writeUntil(tills, writesOf(stage), () => cuts >= timesOf(stage))
        return cuts
      },
    })
  },
}

/** Lets that many works be done, and more until there were enough cuts. */
async function writeUntil(tills: Tills, writes: number, isEnough: () => boolean): Promise<void> {
  for (let count = writes; ; count += 100) {
    tills.allow(count)
    await tills.reached(count)
    if (isEnough()) return
  }
}
