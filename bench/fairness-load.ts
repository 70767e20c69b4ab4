// The two sides of bench/fairness.ts, each in a separate process: a loud company that sends requests without pause, and a quiet one that is timed.
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { serveParent } from './child.ts'

/** The loads of the loud company: the repeated request of each of that many clients. */
export const loads = {
  'short searches': { clients: 8, path: '/v1/customers?searchByLastName=qz' },
  'deep skip': { clients: 8, path: '/v1/customers?limit=100&skip=' },
  'long polls': { clients: 5_000, path: '/v1/events?wait=30&after=' },
  creates: { clients: 200, path: '/v1/customer', body: JSON.stringify({ firstName: 'Ann', lastName: 'Archer' }) },
} as const

export type LoadName = keyof typeof loads

/** Commands of the runner. */
export type FairnessMessage =
  | { ask: 'load'; url: string; key: string; load: LoadName; tail: string }
  | { ask: 'rest' }
  | { ask: 'times'; url: string; key: string; id: string; seconds: number }

/** Milliseconds of each response of the quiet company, by request. */
export type Times = Record<'read' | 'create' | 'list', number[]>

/** Clients of the current load. */
let sockets: Socket[] = []
let answered = 0

/** One client: sends a request, reads the whole response, and repeats at once. */
function client(url: URL, bytes: string): void {
  const socket = connect(Number(url.port), url.hostname)
  sockets.push(socket)
  let left = 0
  let head = ''
  socket.on('connect', () => socket.write(bytes))
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    if (left > 0) left -= chunk.length
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      left = length - (head.length - end - 4)
      head = ''
    }
    if (left > 0) return
    answered++
    socket.write(bytes)
  })
}

function startLoad({ url, key, load, tail }: Extract<FairnessMessage, { ask: 'load' }>): void {
  const wanted = loads[load]
  const body = 'body' in wanted ? wanted.body : undefined
  const lines = [
    `${body ? 'POST' : 'GET'} ${wanted.path}${body ? '' : tail} HTTP/1.1`,
    'host: bench',
    `x-api-key: ${key}`,
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`] : []),
  ]
  answered = 0
  for (let n = 0; n < wanted.clients; n++) client(new URL(url), `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds from a request to the end of its response. */
function timed(url: string, key: string, path: string, body?: string): Promise<number> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
    const asked = request(url + path, { agent, method: body ? 'POST' : 'GET', headers }, (reply) => {
      reply.resume()
      reply.on('error', reject)
      reply.on('end', () => resolve(performance.now() - begun))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

async function takeTimes({ url, key, id, seconds }: Extract<FairnessMessage, { ask: 'times' }>): Promise<Times> {
  const times: Times = { read: [], create: [], list: [] }
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    times.read.push(await timed(url, key, `/v1/customer/${id}`))
    times.create.push(await timed(url, key, '/v1/customer', '{"firstName":"Ada"}'))
    times.list.push(await timed(url, key, '/v1/customers?limit=20'))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return times
}

const rest = () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  return { answered }
}

if (process.send !== undefined)
  serveParent(
    async (message: FairnessMessage) => {
      if (message.ask === 'load') return startLoad(message)
      return message.ask === 'rest' ? rest() : takeTimes(message)
    },
    async () => void rest(),
  )
