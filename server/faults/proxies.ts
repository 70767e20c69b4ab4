// Proxies that break connections at the worst moment: the work is done, and the response is on its way.
import { rm } from 'node:fs/promises'
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Ending } from './ending.ts'
import { frames, type Message } from './frames.ts'

/** Decides for each write that passes whether to cut its connection, and when; notified of the cut. */
export interface Cutter {
  choose(): 'before the answer' | 'in place of the answer' | undefined
  done(): void
}

/** Passes bytes both ways until `handle`, which gets the pair, does something else with them. */
async function proxy(
  ending: Ending,
  target: NetConnectOpts,
  listen: (server: Server, ready: () => void) => void,
  handle: (near: Socket, far: Socket) => void,
): Promise<Server> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    handle(near, far)
  })
  ending.after(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    listen(server, resolve)
  })
  return server
}

/** SQL that changes data. The service's own notes about keys are not a caller's work. */
const writing = /^\s*commit\b|\b(insert\s+into|update\s+\w+\s+as|delete\s+from)\b/i
const housekeeping = /\bapi_keys\b/

/**
 * A PostgreSQL behind a socket in `folder`. A write is cut when PostgreSQL reports its commit (the response is
 * discarded), or when PostgreSQL has just received it.
 */
export async function postgresProxy(
  ending: Ending,
  { host, folder, cutter }: { host: string; folder: string; cutter: Cutter },
) {
  const name = '.s.PGSQL.5432'
  ending.after(() => rm(join(folder, name), { force: true }))
  await proxy(
    ending,
    { path: join(host, name) },
    (server, ready) => server.listen(join(folder, name), ready),
    (near, far) => {
      const named = new Map<string, string>()
      const asked = frames(true)
      const answered = frames(false)
      let isWrite = false
      let planned: ReturnType<Cutter['choose']>
      let held: Buffer[] = []
      const cutNow = () => {
        if (!near.destroyed) cutter.done()
        near.destroy()
      }
      near.on('data', (bytes) => {
        const before = isWrite
        for (const message of asked(bytes)) isWrite ||= writes(message, named)
        if (isWrite && !before) planned = cutter.choose()
        far.write(bytes, () => {
          // PostgreSQL has received it, and continues though no client waits.
          if (planned === 'before the answer') cutNow()
        })
      })
      far.on('data', (bytes) => {
        const last = answered(bytes).at(-1)
        held.push(bytes)
        const isReady = last?.letter === 'Z'
        // Within a transaction nothing is written yet: its commit is a separate write.
        const isIdle = isReady && last.content.toString() === 'I'
        if (planned !== undefined && !isReady) return
        if (planned === 'in place of the answer' && isIdle) return cutNow()
        for (const part of held) near.write(part)
        held = []
        if (isReady) {
          isWrite = false
          planned = undefined
        }
      })
    },
  )
}

/** Whether a message requests a write. Named statements are sent once and then called by name. */
function writes({ letter, content }: Message, named: Map<string, string>): boolean {
  if (letter !== 'P' && letter !== 'B' && letter !== 'Q') return false
  const [first = '', second = ''] = content.toString('latin1').split('\0', 2)
  const text = letter === 'Q' ? first : letter === 'P' ? second : named.get(second)
  if (letter === 'P') named.set(first, second)
  return text !== undefined && writing.test(text) && !housekeeping.test(text)
}

/** An HTTP server behind another port, whose responses can be discarded with their connection. */
export async function httpProxy(ending: Ending, url: string, cut: () => boolean): Promise<string> {
  const { hostname, port } = new URL(url)
  const server = await proxy(
    ending,
    { host: hostname, port: Number(port) },
    (listening, ready) => listening.listen(0, '127.0.0.1', ready),
    (near, far) => {
      let isWaiting = false
      near.on('data', (bytes) => {
        isWaiting = true
        far.write(bytes)
      })
      far.on('data', (bytes) => {
        if (isWaiting && cut()) return near.destroy()
        isWaiting = false
        near.write(bytes)
      })
    },
  )
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
