// One small request after the other of a company with little load, from a separate thread, so that the runner's other requests do not delay it.
import { Agent, request } from 'node:http'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { quantile } from './quantile.ts'

/** The times of the small requests, in milliseconds. */
export interface SmallRequests {
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

interface Asked {
  readonly url: string
  readonly apiKey: string
  readonly ids: readonly string[]
}

/** Milliseconds between two requests. */
const pauseMs = 3

/** Starts sending, a create and three reads in turn; the returned function stops. */
export function askSmall(asked: Asked): () => Promise<SmallRequests> {
  const worker = new Worker(new URL(import.meta.url), { workerData: asked })
  return () =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.postMessage('end')
    })
}

async function ask({ url, apiKey, ids }: Asked): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
  })
  const send = (method: string, path: string, body?: string) =>
    new Promise<void>((resolve, reject) => {
      const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) }
      const sent = request(url + path, { method, agent, headers }, (response) => {
        response.resume()
        response.on('end', resolve)
      })
      sent.on('error', reject)
      sent.end(body)
    })
  for (let n = 0; !isOver; n++) {
    const begun = performance.now()
    if (n % 4 === 0) await send('POST', '/v1/customer', JSON.stringify({ firstName: `Ann ${n}` }))
    else await send('GET', `/v1/customer/${ids[n % ids.length]}`)
    times.push(performance.now() - begun)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  agent.destroy()
  const at = (part: number) => quantile(times, part)
  parentPort?.postMessage({ requests: times.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) })
}

if (!isMainThread) await ask(workerData)
