// The load of HTTP requests: wrk for short ones, since it needs the least processor time; requests of a megabyte come from here.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { quantile } from './quantile.ts'

/** A request that is repeated; path and body may contain marks. */
export interface Request {
  readonly url: string
  readonly method: string
  readonly path: string
  /** Sent as `x-api-key`. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Sent as `idempotency-key`; may contain marks. */
  readonly idempotencyKey?: string
}

/** The result of a load; refusals (any status but 2xx) are in no other figure, unless they are measured. */
export interface Outcome {
  readonly requests: number
  readonly refused: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Sends a request on that many connections for that many seconds. */
export type Load = (connections: number, seconds: number) => Promise<Outcome>

const script = new URL('load.lua', import.meta.url).pathname
const run = promisify(execFile)
let files = 0
let number = 0

/** Whether wrk is available; if not, the message. */
export async function wrkIsMissing(): Promise<string | undefined> {
  const found = await run('wrk', ['-v']).catch((error) => error)
  return found.code === 'ENOENT'
    ? 'The load comes from wrk, which is not on the PATH. Debian and Ubuntu have it: apt-get install wrk.'
    : undefined
}

/**
 * Creates a load with wrk; its files are in `folder`. Ids are taken in turn, each time from where the last run ended. With
 * `countsRefusals` refusals are measured, and all other responses are left out.
 */
export async function wrkLoad(
  folder: string,
  request: Request,
  ids: readonly string[] = [],
  countsRefusals = false,
): Promise<Load> {
  const path = join(folder, `request-${++files}`)
  const { host } = new URL(request.url)
  const { body = '' } = request
  const lines = [`${request.method} ${request.path} HTTP/1.1`, `host: ${host}`]
  if (request.apiKey) lines.push(`x-api-key: ${request.apiKey}`)
  for (const [name, value] of Object.entries(request.headers ?? {})) lines.push(`${name}: ${value}`)
  if (request.idempotencyKey) lines.push(`idempotency-key: ${request.idempotencyKey}`)
  if (body) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  await writeFile(path, `${lines.join('\r\n')}\r\n\r\n${body}`)
  const idsPath = ids.length > 0 ? `${path}-ids` : '-'
  if (ids.length > 0) await writeFile(idsPath, `${ids.join('\n')}\n`)

  return async (connections, seconds) => {
    const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, request.url]
    const { stdout } = await run('wrk', [...flags, '--', path, idsPath, String(number)])
    const {
      requests,
      seconds: took,
      refused,
      lost,
      p50,
      p99,
    } = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string)
    number += requests + connections
    const answered = countsRefusals ? refused : requests - refused
    if (requests + lost === 0)
      throw new Error(
        `${request.method} ${request.path}: no answer within ${seconds} s. Measure and warm up for longer.`,
      )
    if (lost > 0 || answered === 0)
      throw new Error(
        `${request.method} ${request.path}: of ${requests} answers ${refused} were refusals, ${lost} were lost.`,
      )
    const left = requests - answered
    return { requests: answered, refused: left, perSecond: answered / took, p50Ms: p50, p99Ms: p99 }
  }
}

/** Sends each of `bodies` once, `connections` at a time. */
export async function sendEach(request: Request, bodies: readonly string[], connections: number): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let refused = 0
  const waiting = [...bodies]
  const start = performance.now()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
        const began = performance.now()
        if (await isTaken(request, body, agent)) times.push(performance.now() - began)
        else refused++
      }
    }),
  )
  const elapsedMs = performance.now() - start
  agent.destroy()
  return outcomeOf(times, refused, elapsedMs)
}

/** The outcome of requests that took `times` (ms) and were sent within `elapsedMs`. */
export const outcomeOf = (times: readonly number[], refused: number, elapsedMs: number): Outcome => ({
  requests: times.length,
  refused,
  perSecond: (times.length * 1000) / elapsedMs,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
})

/** Sends a bulk request. True if all of its items were carried out; false if it got 503. */
function isTaken({ url, path, method, apiKey = '' }: Request, body: string, agent: Agent): Promise<boolean> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + path, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isWhole = response.statusCode === 200 && /"failed":0[,}]/.test(text)
        if (isWhole || response.statusCode === 503) resolve(isWhole)
        else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${text.slice(0, 300)}`))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
