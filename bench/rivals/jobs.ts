// The jobs of the comparison, as loads on one service.
import { Agent, request as httpRequest } from 'node:http'
import { type Load, type Outcome, outcomeOf, type Request, wrkLoad } from '../load.ts'
import type { Participant } from './participant.ts'
import { bulkRecords, newCustomers } from './records.ts'
import type { Requests } from './rival.ts'

/** One job; each of its requests does it for `records` records. */
export interface Job {
  readonly name: keyof Omit<Requests, 'headers'>
  readonly title: string
  readonly records: number
}

export const jobs: readonly Job[] = [
  { name: 'read', title: 'read one', records: 1 },
  { name: 'list', title: 'list of 100, filtered', records: 1 },
  { name: 'counted', title: 'list of 100, filtered, counted', records: 1 },
  { name: 'search', title: 'search, contains', records: 1 },
  { name: 'create', title: 'create one', records: 1 },
  { name: 'bulk', title: 'bulk create of 1,000', records: bulkRecords },
]

/** Bodies of bulk requests that take turns. */
const bulkBodies = 4

/** The load of a job on a service; undefined if the service has no such request. */
export async function loadOf(
  { name }: Job,
  { server: { url }, requests, ids }: Participant,
  folder: string,
): Promise<Load | undefined> {
  const common = { url, ...(requests.headers && { headers: requests.headers }) }
  if (name === 'bulk') {
    const { bulk } = requests
    if (!bulk) return undefined
    const bodies = Array.from({ length: bulkBodies }, (_, n) => JSON.stringify(bulk.body(newCustomers(n + 1))))
    return bulkLoad({ ...common, method: 'POST', path: bulk.path }, bodies)
  }
  if (name === 'create') {
    const { path, body } = requests.create
    return wrkLoad(folder, { ...common, method: 'POST', path, body: JSON.stringify(body) })
  }
  return wrkLoad(folder, { ...common, method: 'GET', path: requests[name] }, ids)
}

/** Sends the bodies in turn until the time is over, and waits for the answers: requests of a megabyte take longer than wrk waits. */
function bulkLoad(request: Request, bodies: readonly string[]): Load {
  return async (connections, seconds): Promise<Outcome> => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    const times: number[] = []
    let refused = 0
    let next = 0
    const start = performance.now()
    const client = async () => {
      do {
        const began = performance.now()
        if (await isDone(request, bodies[next++ % bodies.length] as string, agent))
          times.push(performance.now() - began)
        else refused++
      } while (performance.now() - start < seconds * 1000)
    }
    await Promise.all(Array.from({ length: connections }, client))
    const elapsedMs = performance.now() - start
    agent.destroy()
    if (times.length === 0) throw new Error(`POST ${request.path}: all ${refused} requests were refused.`)
    return outcomeOf(times, refused, elapsedMs)
  }
}

/** Sends a bulk request; false if it was refused or carried out in part. */
function isDone({ url, path, headers }: Request, body: string, agent: Agent): Promise<boolean> {
  const all = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + path, { method: 'POST', agent, headers: all }, (response) => {
      let summary = ''
      response.on('data', (chunk) => {
        if (summary.length < 200) summary += chunk.toString('latin1', 0, 200)
      })
      response.on('end', () => resolve((response.statusCode ?? 500) < 300 && !/"failed":[1-9]/.test(summary)))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
