// Fault: servers are killed with SIGKILL while they send the tills' events to receivers, some of them bad ones; no event may be lost.
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/database/connect.ts'
import { patienceMs, urlOf } from '../test/support/program.ts'
import { tellWaiting } from './backlog.ts'
import { type Company, makeCompanies } from './company.ts'
import type { Findings } from './findings.ts'
import type { Manner, Receipt } from './receiver-process.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { slackMs } from './reported.ts'
import { ask } from './request.ts'
import { type Servers, startServers } from './servers.ts'
import { type Fault, play, spread } from './stage.ts'
import { checkWebhooks, type Logged, type Tally, type ToldEvent, type ToldTrigger } from './webhooks-check.ts'

interface Size {
  readonly serverCount: number
  readonly kills: number
  readonly writes: number
  /** Events of the company; custom events make up the number. */
  readonly events: number
  /**
   * Whether to wait for the leases of killed servers, and let failing receivers fail again; otherwise leases are ended in
   * the database, and only first calls of events fail, up to the last kill: one more, five seconds later, is enough.
   */
  readonly isPatient: boolean
}

const short: Size = { serverCount: 1, kills: 2, writes: 40, events: 450, isPatient: false }
const long: Size = { serverCount: 2, kills: 5, writes: 1_300, events: 10_000, isPatient: true }

/** The number of receivers of each behaviour, and of parallel calls to each. Together below a company's maximum. */
const crowd: readonly { manner: Manner; count: number; maxParallel: number }[] = [
  { manner: 'good', count: 9, maxParallel: 1 },
  { manner: 'slow', count: 3, maxParallel: 20 },
  { manner: 'failing', count: 4, maxParallel: 4 },
  { manner: 'dead', count: 2, maxParallel: 1 },
  { manner: 'hanging', count: 2, maxParallel: 5 },
]
const manners = crowd.flatMap(({ manner, count }) => Array<Manner>(count).fill(manner))
/** Events that are written after the last kill, to measure their delays beside the bad receivers. */
const calmEvents = 40

interface Trigger {
  readonly id: string
  readonly name: string
  readonly manner: Manner
}

/** The subject of the checks. */
interface Scene extends Size {
  readonly database: Database
  readonly servers: Servers
  readonly receivers: Receivers
  readonly company: Company
  readonly triggers: readonly Trigger[]
  /** The position of the feed when all triggers existed. */
  readonly begin: number
}

export const webhooksKilled: Fault = {
  name: 'webhooks',
  async run(stage) {
    const { database, ending, seed, isLong } = stage
    const size = isLong ? long : short
    const receivers = await startReceivers(ending, { manners, seed, failsAgain: size.isPatient })
    const environment = { DATABASE_URL: urlOf(stage.connection), CASHWRAP_WEBHOOK_ALLOW: '127.0.0.0/8' }
    const servers = await startServers(ending, environment, size.serverCount)
    const companies = await makeCompanies(database, 1)
    const [company] = companies as [Company]
    const triggers = await makeTriggers(servers, company, receivers)
    const [row] = await database.query('select max(sequence) from events where company_id = $1', [company.id])
    const scene: Scene = { ...size, database, servers, receivers, company, triggers, begin: row?.[0] }
    const outcome = await play(stage, {
      name: 'webhooks',
      servers,
      companies,
      mustSee: 'broken',
      strike: async (tills, random) => {
        const restarts = servers.urls().map(() => Promise.resolve())
        const times = await spread(tills, { times: size.kills, writes: size.writes, random }, async (number) => {
          const victim = number % restarts.length
          await delay(random.below(20))
          await servers.kill(victim)
          if (!size.isPatient) await endLeases(database, company)
          restarts[victim] = servers.restart(victim)
          await restarts[victim]
          // The next kill must interrupt calls again.
          await moreAtGood(receivers)
        })
        await Promise.all(restarts)
        if (!size.isPatient) receivers.mend()
        return times
      },
      also: (findings, seen) => tellAll(findings, scene, slackMs(seen)),
    })
    await database.query('delete from automation_triggers where company_id = $1', [company.id])
    if (!isLong) return outcome
    const waiting = await tellWaiting(outcome.findings, { database, ending, environment, seed })
    return { ...outcome, remark: `${outcome.remark}; ${waiting}` }
  },
}

async function makeTriggers(servers: Servers, { apiKey }: Company, { urls }: Receivers): Promise<Trigger[]> {
  const agent = new Agent({ keepAlive: true })
  const triggers: Trigger[] = []
  for (const [n, manner] of manners.entries()) {
    const maxParallel = crowd.find((one) => one.manner === manner)?.maxParallel
    const record = { triggerType: '*', triggerUrl: urls[n], maxParallel, apiKey: `a secret of receiver ${n}` }
    const { id } = await post(agent, servers, apiKey, '/v1/automation-trigger', record)
    triggers.push({ id, name: `receiver ${n} (${manner})`, manner })
  }
  agent.destroy()
  return triggers
}

async function post(
  agent: Agent,
  servers: Servers,
  apiKey: string,
  path: string,
  body: object,
): Promise<Record<string, any>> {
  const [url] = servers.urls() as [string]
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const reply = await ask(agent, url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (reply.status !== 201) throw new Error(`POST ${path} is answered ${reply.status}: ${reply.text}`)
  return JSON.parse(reply.text)
}

/** Ends the leases of the killed server, the only one. */
const endLeases = (database: Database, { id }: Company) =>
  database.query(
    `update automation_triggers set leased_until = now() - interval '1 second' where company_id = $1 and leased_by is not null`,
    [id],
  )

const isOf = (wanted: Manner) => (_: unknown, n: number) => manners[n] === wanted

/** Waits until each good receiver has accepted a further event. */
async function moreAtGood(receivers: Receivers): Promise<void> {
  const before = (await receivers.counts()).filter(isOf('good'))
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(20)) {
    const now = (await receivers.counts()).filter(isOf('good'))
    if (now.every((count, n) => count > (before[n] as number))) return
  }
}

/** Waits until all events are sent, then some more without kills, and checks; returns a line of figures. */
async function tellAll(findings: Findings, scene: Scene, slackMs: number): Promise<string> {
  const { database, company, begin, events: target } = scene
  const written = async () => (await readEvents(database, company, begin)).length
  const missing = target - calmEvents - (await written())
  await writeCustom(scene, Math.max(0, missing), 0)
  const all = await written()
  await untilDone(() => leftOf(scene, all, ['good']))
  const answers = await writeCustom(scene, calmEvents, 10)
  const events = (await readEvents(database, company, begin)).map((event): ToldEvent => {
    const answeredAt = answers.get(event.id)
    return answeredAt === undefined ? event : { ...event, answeredAt }
  })
  await untilDone(() => leftOf(scene, events.length, ['good', 'slow', 'dead', 'failing']))
  const triggers = await readTriggers(scene)
  // Otherwise servers would wait for hanging calls when they stop.
  await scene.receivers.close()
  const tally = checkWebhooks(findings, { events, triggers, mayWait: scene.isPatient, slackMs })
  return remarkOf(events.length, triggers, tally)
}

/** Writes custom events with a pause after each; returns when each was answered, by id. */
async function writeCustom({ servers, company }: Scene, count: number, pauseMs: number): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true })
  const answers = new Map<string, number>()
  for (let n = 0; n < count; n++) {
    const { id } = await post(agent, servers, company.apiKey, '/v1/events/custom', { name: 'more', data: { n } })
    answers.set(id, Date.now())
    if (pauseMs > 0) await delay(pauseMs)
  }
  agent.destroy()
  return answers
}

async function readEvents(database: Database, { id }: Company, begin: number): Promise<ToldEvent[]> {
  const rows = await database.query(
    'select id, sequence from events where company_id = $1 and sequence > $2 order by sequence',
    [id, begin],
  )
  return rows.map(([id, sequence]) => ({ id, sequence }))
}

/** Polls until nothing is left, or nothing has changed for too long: the check reports what is missing. */
async function untilDone(left: () => Promise<number>): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let since = Date.now(); Date.now() - since < patienceMs; ) {
    const begun = Date.now()
    const count = await left()
    if (count === 0) return
    if (count < least) since = Date.now()
    least = Math.min(least, count)
    // Counting many deliveries is also work for the PostgreSQL that they are written to.
    await delay(100 + 10 * (Date.now() - begun))
  }
}

/**
 * How many events at receivers of some behaviours are not sent yet, or not in the log yet: those of dead ones count when
 * they were tried, those of failing ones when they were accepted or (if it is patient) tried twice, all others when accepted.
 */
async function leftOf(
  { database, company, triggers, begin, isPatient }: Scene,
  events: number,
  wanted: readonly Manner[],
): Promise<number> {
  const those = triggers.filter(({ manner }) => wanted.includes(manner))
  const enough = { good: 0, slow: 0, hanging: 0, dead: 1, failing: isPatient ? 2 : 0 }
  const [row] = await database.query(
    `select count(distinct (trigger_id, event_id)) from webhook_deliveries
     join unnest($2::text[], $3::int[]) as item(id, enough) on item.id = trigger_id
     where company_id = $1 and sequence > $4
       and (state = 'succeeded' or (enough > 0 and json_array_length(body -> 'attempts') >= enough))`,
    [company.id, those.map(({ id }) => id), those.map(({ manner }) => enough[manner]), begin],
  )
  return events * those.length - Number(row?.[0])
}

async function readTriggers({ database, company, triggers, receivers, begin }: Scene): Promise<ToldTrigger[]> {
  // The first triggers also get the events of later triggers' creation.
  const before = await database.query('select id from events where company_id = $1 and sequence <= $2', [
    company.id,
    begin,
  ])
  const early = new Set(before.map(([id]) => id))
  const read: Omit<ToldTrigger, 'receipts'>[] = []
  for (const { id, name, manner } of triggers) {
    const own = [company.id, id]
    // In this order: everything before a cursor is in the log by then.
    const [row] = await database.query(
      'select position from automation_triggers where company_id = $1 and id = $2',
      own,
    )
    const log = await database.query(
      `select event_id, state, json_array_length(body -> 'attempts'), next_at is not null from webhook_deliveries
       where company_id = $1 and trigger_id = $2`,
      own,
    )
    read.push({
      name,
      manner,
      position: row?.[0],
      log: log.map(([eventId, state, attempts, isDue]): Logged => ({ eventId, state, attempts, isDue })),
    })
  }
  // Last, since some may be retried just now: what the log has as accepted, a receiver has.
  const receipts = await receivers.receipts()
  return read.map((trigger, n) => ({
    ...trigger,
    receipts: (receipts[n] as Receipt[]).filter(([eventId]) => !early.has(eventId)),
  }))
}

function remarkOf(events: number, triggers: readonly ToldTrigger[], tally: Tally): string {
  const { again, inversions, waiting, pending, hung, delays } = tally
  const at = (share: number) => delays[Math.min(delays.length - 1, Math.floor(delays.length * share))]
  const calls = triggers.reduce((sum, { receipts }) => sum + receipts.length, 0)
  return [
    `${events} events to ${triggers.length} receivers in ${calls} calls`,
    `at the good ones ${again.calls} came again (one ${Math.max(1, again.most)} times at most), ${inversions} out of order`,
    `in peace they came ${at(0.5)} ms after the answer (median), ${at(1)} at most`,
    `${waiting} wait at failing ones, ${pending} at dead ones; ${hung} calls hung`,
  ].join('; ')
}
