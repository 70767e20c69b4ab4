// Fault: the leader of a PostgreSQL cluster is lost in each way that machines are lost, while tills write; another one takes over.
import { connect } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { until } from '../../test/support/program.ts'
import { startServers } from '../servers.ts'
import { type Fault, play } from '../stage.ts'
import { type Cluster, startCluster } from './cluster.ts'
import type { Member } from './member.ts'
import { findPrograms } from './programs.ts'
import { startWitness } from './witness.ts'

/** Seconds within which the service must answer writes again. */
const servedWithin = 30

/** A way to lose a member. */
interface Loss {
  readonly name: string
  /** Whether another member must lead before service is expected. */
  readonly movesLead: boolean
  strike(cluster: Cluster, leader: Member): Promise<void>
  /** Brings back what was lost, once the service answers again. */
  mend(cluster: Cluster, leader: Member): Promise<void>
}

const nothing = async () => {}
const thawAll = async ({ members }: Cluster) => {
  for (const member of members) member.thaw()
}

const losses: readonly Loss[] = [
  { name: 'leader killed', movesLead: true, strike: (_, leader) => leader.kill(), mend: (_, leader) => leader.start() },
  {
    name: 'switchover',
    movesLead: true,
    strike: async (cluster, leader) => cluster.switchOver(leader, await cluster.synchronous()),
    mend: nothing,
  },
  { name: 'leader frozen', movesLead: true, strike: (_, leader) => leader.freeze(), mend: thawAll },
  { name: 'PostgreSQL killed', movesLead: false, strike: (_, leader) => leader.killPostgres(), mend: nothing },
  {
    name: 'Patroni killed',
    movesLead: true,
    strike: (_, leader) => leader.killPatroni(),
    mend: (_, leader) => leader.start(),
  },
  {
    name: 'standby frozen',
    movesLead: false,
    strike: async (cluster) => (await cluster.synchronous()).freeze(),
    mend: thawAll,
  },
]

/** The losses of a short run, and of a long one: each once, and those that move the lead once more. */
const short = losses.slice(0, 3)
const long = [...losses, ...losses.filter(({ movesLead }) => movesLead)]
/** Writes that tills may begin in each of these periods of milliseconds. */
const writesAtOnce = 6
const paceMs = 100

export const failover: Fault = {
  name: 'failover',
  async run(stage) {
    const programs = await findPrograms()
    if (typeof programs === 'string') return { skipped: programs, isMachine: true }
    const { folder, ending, isLong, seed } = stage
    const cluster = await startCluster(ending, programs, folder)
    const connection = { connectionString: cluster.url }
    await (await openDatabase(connection)).close()
    const database = connect(connection, { size: 4 })
    ending.after(() => database.close())
    const environment = { DATABASE_URL: cluster.url, CASHWRAP_WEBHOOK_ALLOW: '127.0.0.0/8', CASHWRAP_RATE_LIMIT: '0' }
    const servers = await startServers(ending, environment)
    const witness = await startWitness({ database, servers, ending, seed })
    const outages: string[] = []
    const late: string[] = []

    async function lose({ name, movesLead, strike, mend }: Loss): Promise<void> {
      await witness.beginImport()
      const leader = await cluster.leader()
      const since = performance.now()
      await strike(cluster, leader)
      if (movesLead) await until('another member leads', async () => (await cluster.leader()) !== leader)
      await witness.served()
      const seconds = witness.outageSince(since)
      outages.push(`${name} ${seconds.toFixed(1)} s`)
      process.stderr.write(`  ${outages.at(-1)} without an answered write\n`)
      if (seconds > servedWithin) late.push(`${name}: no write was answered for ${seconds.toFixed(1)} s`)
      await mend(cluster, leader)
      await cluster.settled()
    }

    const plan = isLong ? long : short
    const outcome = await play(
      { ...stage, connection, database },
      {
        name: 'failover',
        servers,
        mustSee: 'unavailable',
        strike: async (tills) => {
          // A steady pace, so that writes are under way whenever something is lost, and not too many to check in between.
          const pace = setInterval(() => tills.allow(tills.works.length + writesAtOnce), paceMs)
          ending.after(() => clearInterval(pace))
          for (const loss of plan) await lose(loss)
          clearInterval(pace)
          return plan.length
        },
        also: (findings) => {
          findings.wrong.push(...late)
          return witness.check(findings)
        },
      },
    )
    return { ...outcome, remark: `without an answered write: ${outages.join(', ')}; ${outcome.remark}` }
  },
}
