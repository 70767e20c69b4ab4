// The processes of the services: their start, their memory, and their end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Command, Place } from './rival.ts'

/** A service that runs. */
export interface Server {
  readonly url: string
  /** Milliseconds from the start of its process to its first answer. */
  readonly startMs: number
  /** Resident megabytes of its process and of all that it started. */
  memory(): Promise<number>
  /** Waits for a line of its standard output that contains `text`. */
  printed(text: string): Promise<string>
  stop(): Promise<void>
}

const startDeadlineMs = 180_000
const stopDeadlineMs = 15_000

/** The processes that were started and not yet stopped. */
const running = new Set<ChildProcess>()

/** Stops all services that still run. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map(stop))
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a service for production, and waits until it answers `readyPath`. */
export async function startServer(
  { args, env }: Command,
  { folder, port }: Pick<Place, 'folder' | 'port'>,
  readyPath: string,
): Promise<Server> {
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const said = { out: '', error: '' }
  child.stdout.on('data', (text) => {
    said.out += text
  })
  child.stderr.on('data', (text) => {
    said.error = (said.error + text).slice(-4_000)
  })
  const url = `http://127.0.0.1:${port}`
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  while (!(await isReady(url + readyPath))) {
    const isLate = performance.now() - began > startDeadlineMs
    if (isLate) await stop(child)
    if (isLate || hasEnded())
      throw new Error(`it did not start: ${`${said.out}${said.error}`.trim().slice(-600) || 'without a word'}`)
    await delay(10)
  }
  return {
    url,
    startMs: performance.now() - began,
    memory: () => memoryOf(child.pid as number),
    printed: async (text) => {
      for (;;) {
        const line = said.out.split('\n').find((one) => one.includes(text))
        if (line !== undefined) return line
        await delay(50)
      }
    },
    stop: () => stop(child),
  }
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok === true
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs)
  await ended
  clearTimeout(timer)
}

/** Resident megabytes of a process and its descendants. */
async function memoryOf(root: number): Promise<number> {
  const statuses = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((name) => readFile(`/proc/${name}/status`, 'utf8').catch(() => '')),
  )
  const numberIn = (status: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1])
  const family = new Set([root])
  for (let size = 0; size < family.size; ) {
    size = family.size
    for (const status of statuses) if (family.has(numberIn(status, 'PPid'))) family.add(numberIn(status, 'Pid'))
  }
  const resident = statuses.filter((status) => family.has(numberIn(status, 'Pid')))
  return resident.reduce((sum, status) => sum + (numberIn(status, 'VmRSS') || 0), 0) / 1024
}
