// A company beside the tills that shows what a failover costs: for how long no write is answered, and whether webhooks and imports go on.
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../src/database/connect.ts'
import { patienceMs, until } from '../../test/support/program.ts'
import { type Company, makeCompanies } from '../company.ts'
import type { Ending } from '../ending.ts'
import type { Findings } from '../findings.ts'
import { type Receivers, startReceivers } from '../receivers.ts'
import { ask, type Reply } from '../request.ts'
import type { Servers } from '../servers.ts'

/** Writers that ask all the time, so that one that waits for a deadline hides no answer. */
const lanes = 4
/** Milliseconds between two writes of one. */
const pauseMs = 100
/** Rows of each import: some seconds of work, so that a failover interrupts it. */
const importRows = 3_000

/** An answered write: when it was sent and answered, and its record. */
interface Answered {
  readonly sentAt: number
  readonly at: number
  readonly id: string
}

/** The time between two instants, in milliseconds of `performance.now()`. */
type Instant = number

interface Witness {
  /** Begins an import; resolves once rows of it are written. */
  beginImport(): Promise<void>
  /** Resolves when a write that is sent from now on is answered. */
  served(): Promise<void>
  /** The longest time since an instant in which no write was answered, in seconds. */
  outageSince(since: Instant): number
  /** Ends the writes, waits for webhooks and imports, and checks them; returns a remark. */
  check(findings: Findings): Promise<string>
}

interface WitnessParts {
  readonly database: Database
  readonly servers: Servers
  readonly ending: Ending
  readonly seed: number
}

/** Creates the company, with a webhook to a receiver, and begins to write. */
export async function startWitness({ database, servers, ending, seed }: WitnessParts): Promise<Witness> {
  const receivers = await startReceivers(ending, { manners: ['good'], seed, failsAgain: false })
  const [company] = (await makeCompanies(database, 1)) as [Company]
  const client = clientOf(servers, company)
  const trigger = { triggerType: 'category.created', triggerUrl: receivers.urls[0], maxParallel: 5, apiKey: 'a secret' }
  await client.untilDone('/v1/automation-trigger', JSON.stringify(trigger), 'trigger')
  const answered: Answered[] = []
  const unnamed: string[] = []
  const imports: string[] = []
  let isEnding = false

  async function write(lane: number): Promise<void> {
    for (let number = 0; !isEnding; number++, await delay(pauseMs)) {
      const sentAt = performance.now()
      const reply = await client
        .post('/v1/category', JSON.stringify({ name: `${lane} ${number}` }))
        .catch(() => undefined)
      if (reply?.status === 201) answered.push({ sentAt, at: performance.now(), id: JSON.parse(reply.text).id })
      else if (reply && !isRefusal(reply)) unnamed.push(`a write was answered ${reply.status}: ${reply.text}`)
    }
  }
  const writing = Promise.all(Array.from({ length: lanes }, (_, lane) => write(lane)))

  return {
    async beginImport() {
      const rows = Array.from(
        { length: importRows },
        (_, n) => `${imports.length}-${n},${imports.length}-${n}@example.com,Ada,Lovelace`,
      )
      const file = `ID,Email,First name,Last name\n${rows.join('\n')}\n`
      const path = '/v1/imports?run=true&fileName=customers.csv'
      const { id } = JSON.parse((await client.untilDone(path, file, `import ${imports.length}`, 'text/csv')).text)
      imports.push(id)
      await until('the import writes', () => importIs(database, company, id, ['running', 'done', 'failed']))
    },
    async served() {
      const since = performance.now()
      await until('a write is answered', () => answered.some(({ sentAt }) => sentAt > since))
    },
    outageSince(since) {
      const instants = [since, ...answered.map(({ at }) => at).filter((at) => at > since), performance.now()]
      return Math.max(...instants.map((at, n) => at - (instants[n - 1] ?? at))) / 1000
    },
    async check(findings) {
      isEnding = true
      await writing
      findings.wrong.push(...unnamed)
      const again = await checkWebhooks(findings, { database, company, answered, receivers })
      await checkImports(findings, { database, company, imports })
      client.close()
      await receivers.close()
      return `${answered.length} writes beside the tills, their webhooks, ${again} of them again, and ${imports.length} imports of ${importRows} rows`
    },
  }
}

/** Whether a reply says that nothing is wrong with the request, and when to send it again. */
const isRefusal = ({ status, headers }: Reply): boolean => status === 503 && headers['retry-after'] !== undefined

/** Requests of a company, to either server in turn. */
function clientOf(servers: Servers, { apiKey }: Company) {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Reply> {
    const urls = servers.urls()
    const url = urls[turn++ % urls.length] as string
    const own = { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers }
    return ask(agent, url + path, { method: 'POST', headers: own, body })
  }
  return {
    post,
    /** Sends it under one key until it is done. */
    async untilDone(path: string, body: string, key: string, contentType = 'application/json'): Promise<Reply> {
      let reply: Reply | undefined
      await until(`${key} is answered`, async () => {
        reply = await post(path, body, { 'idempotency-key': key, 'content-type': contentType }).catch(() => undefined)
        return reply?.status === 201
      })
      return reply as Reply
    },
    close: () => agent.destroy(),
  }
}

async function importIs(database: Database, { id: companyId }: Company, id: string, states: readonly string[]) {
  const text = 'select state from imports where company_id = $1 and id = $2'
  const rows = await database.query(text, [companyId, id]).catch(() => [])
  return states.includes(rows[0]?.[0])
}

interface Written {
  readonly database: Database
  readonly company: Company
}

/** Each answered write is a record, and its event reached the receiver; returns how many calls came again. */
async function checkWebhooks(
  findings: Findings,
  { database, company, answered, receivers }: Written & { answered: readonly Answered[]; receivers: Receivers },
): Promise<number> {
  const stored = await database.query('select id from categories where company_id = $1', [company.id])
  const ids = new Set(stored.map(([id]) => id))
  for (const { id } of answered) if (!ids.has(id)) findings.lost.push(`category ${id} was answered 201 and is gone`)
  const text = `select id from events where company_id = $1 and type = 'category.created'`
  const events = (await database.query(text, [company.id])).map(([id]) => String(id))
  if (events.length !== ids.size) findings.wrong.push(`${ids.size} categories have ${events.length} events`)
  const patience = Date.now() + patienceMs
  let [receipts = []] = await receivers.receipts()
  const missing = () => {
    const received = new Set(receipts.map(([id]) => id))
    return events.filter((id) => !received.has(id))
  }
  for (; missing().length > 0 && Date.now() < patience; [receipts = []] = await receivers.receipts()) await delay(200)
  for (const id of missing()) findings.lost.push(`the webhook of event ${id} never came`)
  return receipts.length - new Set(receipts.map(([id]) => id)).size
}

/** Each import has ended well, and has created each of its rows once. */
async function checkImports(
  findings: Findings,
  { database, company, imports }: Written & { imports: readonly string[] },
) {
  for (const id of imports) await until(`import ${id} ends`, () => importIs(database, company, id, ['done', 'failed']))
  for (const id of imports)
    if (!(await importIs(database, company, id, ['done']))) findings.wrong.push(`import ${id} has failed`)
  const [row] = await database.query(
    'select count(*)::int, count(distinct external_id)::int from customers where company_id = $1',
    [company.id],
  )
  const [count, distinct] = row as [number, number]
  if (distinct < imports.length * importRows)
    findings.lost.push(`of ${imports.length * importRows} imported customers ${distinct} are there`)
  if (count > distinct) findings.twice.push(`${count - distinct} customers were imported twice`)
}
