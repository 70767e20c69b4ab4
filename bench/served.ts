// Servers of any checkout, started as for users on a given database, and what a load on one of them gives.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Load } from './load.ts'
import { cpuMicros, treeOf } from './processor-time.ts'

const secretKey = 'a secret that only measurements know and that is long enough'

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
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: '0',
      LOG_LEVEL: 'error',
      DATABASE_URL: databaseUrl,
      CASHWRAP_SECRET_KEY: secretKey,
      CASHWRAP_RATE_LIMIT: '0',
      // bench/modes.ts measures what it costs.
      CASHWRAP_ROW_SECURITY: 'off',
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

/** What a load gave on a server in one round. */
export interface Round {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly serviceMicros: number
  readonly postgresMicros: number
}

/** Runs a load on the server of a process, and counts the processor time of each of its requests there and in PostgreSQL. */
export async function measure(
  pid: number,
  load: Load,
  postgres: number,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Round> {
  const service = treeOf(pid)
  const database = treeOf(postgres)
  const before = [cpuMicros(service), cpuMicros(database)] as const
  const { requests, refused, perSecond, p50Ms, p99Ms } = await load(connections, seconds)
  const all = requests + refused
  return {
    perSecond,
    p50Ms,
    p99Ms,
    serviceMicros: (cpuMicros(service) - before[0]) / all,
    // Backends that were started meanwhile are counted from their beginning.
    postgresMicros: (cpuMicros([...new Set([...database, ...treeOf(postgres)])]) - before[1]) / all,
  }
}
