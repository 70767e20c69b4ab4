// A server that starts with a hundred thousand events waiting for a trigger: it sends them all, with bounded memory.
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/database/connect.ts'
import { type Environment, patienceMs, serve } from '../test/support/program.ts'
import { type Company, makeCompanies } from './company.ts'
import type { Ending } from './ending.ts'
import type { Findings } from './findings.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { ask } from './request.ts'
import { common } from './servers.ts'

const events = 100_000

interface Waiting {
  readonly database: Database
  readonly ending: Ending
  readonly environment: Environment
  readonly seed: number
}

/** Creates them, starts a server, and waits until a receiver has them all; returns a line of figures. */
export async function tellWaiting(
  findings: Findings,
  { database, ending, environment, seed }: Waiting,
): Promise<string> {
  const receivers = await startReceivers(ending, { manners: ['good'], seed, failsAgain: false })
  const [company] = (await makeCompanies(database, 1)) as [Company]
  const start = () => serve(ending, { ...common, ...environment })
  const before = await start()
  await makeTrigger(before.url, company, receivers)
  await before.stop()
  await database.query(
    `insert into events (company_id, id, type, created_at, resource, record_id, data)
     select $1, lpad(to_hex(extract(epoch from now())::bigint), 8, '0') || lpad(n::text, 16, '0'), 'custom.waiting', now(), 'custom', '',
       json_build_object('n', n, 'note', repeat('x', 600))
     from generate_series(1, $2::int) as n`,
    [company.id, events],
  )
  const begun = performance.now()
  const server = await start()
  const readyMs = performance.now() - begun
  const pid = server.process.pid as number
  const atStart = await memoryOf(pid)
  const agent = new Agent({ keepAlive: true })
  const writes: number[] = []
  let count = 0
  let since = Date.now()
  while (count < events && Date.now() - since < patienceMs) {
    await delay(100)
    const [now] = (await receivers.counts()) as [number]
    if (now > count) since = Date.now()
    count = now
    writes.push(await writeOne(agent, server.url, company))
  }
  const seconds = (performance.now() - begun) / 1000
  const most = await memoryOf(pid)
  agent.destroy()
  const ended = await server.stop()
  if (ended.code !== 0)
    findings.wrong.push(`a server ended with ${ended.code ?? ended.signal}: ${ended.stderr.slice(-1_000)}`)
  if (count < events) findings.lost.push(`of ${events} events that waited ${events - count} never came`)
  const [receipts = []] = await receivers.receipts()
  await database.query('delete from automation_triggers where company_id = $1', [company.id])
  const again = receipts.length - new Set(receipts.map(([id]) => id)).size
  if (again > 0) findings.twice.push(`of ${events} events that waited ${again} came again, though no server was killed`)
  writes.sort((a, b) => a - b)
  return [
    `${events} events that waited came in ${seconds.toFixed(1)} s (ready after ${Math.round(readyMs)} ms)`,
    `memory ${atStart.now} MB when ready, ${most.peak} MB at most`,
    `meanwhile a write took ${writes[writes.length >> 1]?.toFixed(1)} ms (median), ${writes.at(-1)?.toFixed(1)} at most`,
  ].join(', ')
}

async function makeTrigger(url: string, { apiKey }: Company, { urls }: Receivers): Promise<void> {
  const agent = new Agent()
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({
    triggerType: 'custom.waiting',
    triggerUrl: urls[0],
    maxParallel: 10,
    apiKey: 'a secret',
  })
  const reply = await ask(agent, `${url}/v1/automation-trigger`, { method: 'POST', headers, body })
  agent.destroy()
  if (reply.status !== 201) throw new Error(`The trigger is answered ${reply.status}: ${reply.text}`)
}

/** Milliseconds of a write of the same company that matches no trigger. */
async function writeOne(agent: Agent, url: string, { apiKey }: Company): Promise<number> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const sent = performance.now()
  await ask(agent, `${url}/v1/customer`, { method: 'POST', headers, body: '{"firstName":"Ada"}' })
  return performance.now() - sent
}

/** Resident memory of a process in MB, now and at its maximum. */
async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { now: of('VmRSS'), peak: of('VmHWM') }
}
