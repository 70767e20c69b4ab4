// Servers of any checkout, started as for users on a given database; and the processor time of processes.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load } from './load.ts'
import { numbered, sampleBody } from './sample.ts'

const secretKey = 'a secret that only measurements know and that is long enough'
/** Ticks of the kernel's processor times in a second. */
const TICKS = 100
const BULK = 1_000

/** The root folder of this checkout. */
export const thisCheckout = fileURLToPath(new URL('..', import.meta.url))

/** A running server. */
export interface Served {
  readonly process: ChildProcess
  readonly url: string
  readonly said: { companyKey?: string }
}

/** Starts a server of a checkout, with more environment and arguments. */
export async function startServer(
  databaseUrl: string,
  { checkout = thisCheckout, env = {}, flags = [] }: { checkout?: string; env?: object; flags?: string[] } = {},
): Promise<Served> {
  const child = spawn(process.execPath, [join(checkout, 'server/bin/cashwrap.js'), 'serve', '--json', ...flags], {
    env: {
      // It ends with this process, however that ends.
      CASHWRAP_FOLLOWS_PARENT: '1',
      ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', PORT: '0', LOG_LEVEL: 'error' },
      ...{ DATABASE_URL: databaseUrl, CASHWRAP_SECRET_KEY: secretKey, CASHWRAP_RATE_LIMIT: '0' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(child.stdout, 'data')
  const said = JSON.parse(String(text))
  return { process: child, url: said.url, said }
}

/** Ends a server and waits until it has. */
export async function stopServer({ process: child }: Served): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}

/** A process and its descendants. */
export function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name))
      return stat ? [[Number(name), Number(stat[1])] as const] : []
    })
  const tree = [root]
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  return tree
}

/** The fields of /proc/PID/stat after the name: the state, the parent and so on. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/** Processor time of some processes so far, in microseconds. */
const cpuMicros = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const stat = statOf(pid)
    return sum + (stat ? ((Number(stat[11]) + Number(stat[12])) * 1e6) / TICKS : 0)
  }, 0)

/** Creates customers in bulk. Returns their ids. */
export async function fill(url: string, apiKey: string, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const items = Array.from({ length: BULK }, (_, n) =>
      JSON.parse(numbered(JSON.stringify(sampleBody), ids.length + n)),
    )
    const response = await fetch(`${url}/v1/customers`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    })
    const { results } = (await response.json()) as { results: { data: { id: string } }[] }
    ids.push(...results.map(({ data }) => data.id))
  }
  return ids
}

/** What a load gave on a server in one round. */
export interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly serviceMicros: number
  readonly postgresMicros: number
}

/** Runs a load on a server, and counts the processor time of each of its requests there and in PostgreSQL. */
export async function measure(
  server: Served,
  load: Load,
  postgres: number,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Round> {
  const [service, database] = [treeOf(server.process.pid as number), treeOf(postgres)]
  const before = [cpuMicros(service), cpuMicros(database)] as const
  const { requests, refused, perSecond, p50Ms, p99Ms } = await load(connections, seconds)
  const all = requests + refused
  return {
    ...{ perSecond, p50Ms, p99Ms },
    serviceMicros: (cpuMicros(service) - before[0]) / all,
    // Backends that were started meanwhile are counted from their beginning.
    postgresMicros: (cpuMicros([...new Set([...database, ...treeOf(postgres)])]) - before[1]) / all,
  }
}
