// How long the servers of one database take to learn of a change: a key that one of them deletes is used at all the others until each refuses it.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openEmbedded } from '../server/src/database/embedded/embedded.ts'
import { quantile } from './quantile.ts'
import { type Served, startServer, stopServer, thisCheckout } from './served.ts'
import { temporaryFolder } from './temporary-folder.ts'

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '30' },
    folder: { type: 'string', default: join(thisCheckout, 'data') },
    help: { type: 'boolean', default: false },
  },
})
const help = `npm exec -c 'node bench/servers.ts [options]'

  --servers N          servers of the database (10)
  --rounds N           keys that are deleted, alone and beside writes at each server (30)
  --folder DIR         where the database is created and removed again (data/)`

/** Milliseconds between two uses of a key at a server. */
const useMs = 10
/** Milliseconds between two creates of a writer. */
const writeMs = 50

/** Who calls the first server for the organization and its company. */
interface Caller {
  readonly companyId: string
  readonly companyKey: string
  readonly organizationKey: string
}

async function call(url: string, method: string, headers: Record<string, string>, body?: object): Promise<any> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${text.slice(0, 300)}`)
  return text === '' ? undefined : JSON.parse(text)
}

/**
 * Uses a key at a server until it is refused; the milliseconds from the deletion's response to the start of the last
 * request that was still accepted, 0 if none was.
 */
async function untilRefused({ url }: Served, key: string, deletedAt: () => number): Promise<number> {
  let lastAccepted = 0
  for (; ; await delay(useMs)) {
    const begun = performance.now()
    const { status } = await fetch(`${url}/v1/outlets?limit=1`, { headers: { 'x-api-key': key } })
    if (status === 401) return Math.max(0, lastAccepted - deletedAt())
    if (status !== 200) throw new Error(`A read was answered ${status}.`)
    lastAccepted = begun
  }
}

/** A key that was deleted: how long that took, and how late each of the other servers was. */
interface Deleted {
  readonly took: number
  readonly late: readonly number[]
}

/** Deletes a key at the first server while all others use it. */
async function deleteOne(servers: readonly Served[], { companyId, organizationKey }: Caller): Promise<Deleted> {
  const [first, ...others] = servers as [Served, ...Served[]]
  const keys = `${first.url}/v1/organization-api/companies/${companyId}/keys`
  const headers = { 'x-org-api-key': organizationKey }
  const { id, apiKey } = await call(keys, 'POST', headers, { name: 'Kiosk', permissions: ['read'] })
  for (const { url } of others) await call(`${url}/v1/outlets?limit=1`, 'GET', { 'x-api-key': apiKey })
  let deletedAt = Number.POSITIVE_INFINITY
  const refused = others.map((server) => untilRefused(server, apiKey, () => deletedAt))
  await delay(20)
  const begun = performance.now()
  await call(`${keys}/${id}`, 'DELETE', headers)
  deletedAt = performance.now()
  return { took: deletedAt - begun, late: await Promise.all(refused) }
}

/** Has each server create customers until it is stopped. */
function startWriters(servers: readonly Served[], { companyKey }: Caller): () => Promise<unknown> {
  let isOver = false
  const writing = servers.map(async ({ url }) => {
    for (; !isOver; await delay(writeMs))
      await call(`${url}/v1/customer`, 'POST', { 'x-api-key': companyKey }, { firstName: 'Ada' })
  })
  return () => {
    isOver = true
    return Promise.all(writing)
  }
}

function rowOf(deleted: readonly Deleted[]): object {
  const late = deleted.flatMap((one) => one.late)
  const took = deleted.map((one) => one.took)
  const shown = (ms: number) => Number(ms.toFixed(1))
  return {
    'refused at once': `${late.filter((ms) => ms === 0).length} of ${late.length}`,
    'latest, ms': shown(Math.max(...late)),
    'deletion p50, ms': shown(quantile(took, 0.5)),
    'deletion p99, ms': shown(quantile(took, 0.99)),
  }
}

async function main(): Promise<void> {
  const folder = await temporaryFolder('servers', options.folder)
  const embedded = await openEmbedded({ dataDirectory: folder, log: () => {}, settings: { max_connections: '400' } })
  const servers: Served[] = []
  try {
    const { host, user, database } = embedded.connection
    const databaseUrl = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}`
    while (servers.length < Number(options.servers)) servers.push(await startServer(databaseUrl))
    const caller = servers[0]?.said as unknown as Caller
    const { id: companyId } = await call(`${servers[0]?.url}/v1/company`, 'GET', { 'x-api-key': caller.companyKey })
    const measured = async () => {
      const deleted: Deleted[] = []
      for (let round = 0; round < Number(options.rounds); round++)
        deleted.push(await deleteOne(servers, { ...caller, companyId }))
      return rowOf(deleted)
    }
    const alone = await measured()
    const stop = startWriters(servers, caller)
    const busy = await measured()
    await stop()
    console.log(`${servers.length} servers of one database; a key is deleted at the first one while the others use it.`)
    console.table({ alone, 'beside writes': busy })
  } finally {
    await Promise.all(servers.map(stopServer))
    await embedded.stop()
  }
}

if (options.help) console.log(help)
else await main()
