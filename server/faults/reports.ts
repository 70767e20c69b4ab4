// Reads reports while tills write, so that faults interrupt their refreshes; in the end each report must equal what the records add up to.
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Database } from '../src/database/connect.ts'
import { patienceMs } from '../test/support/program.ts'
import { expectedProducts, expectedSales } from '../test/support/reports.ts'
import type { Company } from './company.ts'
import type { Findings } from './findings.ts'
import { ask, type Reply } from './request.ts'
import { oldestHours } from './sales.ts'
import type { Seen } from './tills.ts'

/** Milliseconds between two reads: often enough to refresh during each fault, and little work beside that of the tills. */
const pauseMs = 200
const hourMs = 3_600_000

/** A period with each sale of a run. */
function currentPeriod(): { from: string; to: string; query: string } {
  const dateAt = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString().slice(0, 10)
  const from = dateAt(-oldestHours - 24)
  const to = dateAt(24)
  return { from, to, query: `from=${from}&to=${to}` }
}

const read = (agent: Agent, url: string, { apiKey }: Company, path: string): Promise<Reply> =>
  ask(agent, url + path, { method: 'GET', headers: { 'x-api-key': apiKey } })

/** Reads the companies' reports at all servers in turn, until `stop` is called; `seen` gets what should not be. */
export function readReports({
  urls,
  companies,
  seen,
}: {
  urls: () => readonly string[]
  companies: readonly Company[]
  seen: Seen
}): { stop(): Promise<void> } {
  const agent = new Agent({ keepAlive: true })
  let isStopped = false

  async function readOne(turn: number): Promise<void> {
    const known = urls()
    const url = known[turn % known.length]
    if (url === undefined) return
    const begun = performance.now()
    const path = `/v1/reports/sales?${currentPeriod().query}`
    const reply = await read(agent, url, companies[turn % companies.length] as Company, path).catch(() => undefined)
    seen.longestMs = Math.max(seen.longestMs, performance.now() - begun)
    if (reply && reply.status !== 200 && reply.status !== 503)
      seen.faults.push(`GET ${path}: ${reply.status} ${reply.text}`)
  }
  async function readAll(): Promise<void> {
    for (let turn = 0; !isStopped; turn++, await delay(pauseMs)) await readOne(turn)
    agent.destroy()
  }
  const reading = readAll()
  return {
    stop() {
      isStopped = true
      return reading
    },
  }
}

/** Finds companies whose reports differ from their records, which `check` compares with the responses of the tills. */
export async function checkReports(
  findings: Findings,
  { database, url, companies }: { database: Database; url: string; companies: readonly Company[] },
): Promise<void> {
  const agent = new Agent()
  const { from, to, query } = currentPeriod()
  for (const company of companies) {
    const sales = await whole(agent, url, company, `/v1/reports/sales?${query}`)
    const products = await whole(agent, url, company, `/v1/reports/products?${query}&limit=100`)
    const groups = await whole(agent, url, company, `/v1/reports/sales?${query}&groupBy=outletId`)
    const counting = { currency: sales.currency, timezone: sales.timezone, from, to }
    const expected = await expectedSales({ database }, company.id, counting)
    const listed = products.data.map(({ productId, quantity, total }: any) => [productId, { quantity, total }])
    const summed = (name: string) =>
      groups.groups.reduce((sum: number, group: any) => sum + Math.round(Number(group[name]) * 100), 0) / 100
    const compared: readonly [string, unknown, unknown][] = [
      ['sales', sales, expected],
      ['products', new Map(listed), await expectedProducts({ database }, company.id, counting)],
      ['orders of all groups', summed('count'), expected.totals.orders],
      ['refunds of all groups', summed('refunded'), Number(expected.totals.refunds)],
    ]
    for (const [what, shown, right] of compared)
      if (!isDeepStrictEqual(shown, right))
        findings.wrong.push(`the report of company ${company.id} has ${what} ${text(shown)}, not ${text(right)}`)
  }
}

const text = (value: unknown) => JSON.stringify(value instanceof Map ? [...value] : value)

/** A report once it is complete. */
async function whole(agent: Agent, url: string, company: Company, path: string): Promise<any> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const { status, text } = await read(agent, url, company, path)
    const report = status === 200 ? JSON.parse(text) : { isComplete: false }
    if (report.isComplete) return report
    if (Date.now() > deadline) throw new Error(`${path} is never complete: ${status} ${text}`)
    await delay(pauseMs)
  }
}
