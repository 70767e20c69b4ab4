// Fault: servers are killed with SIGKILL while an organization onboards companies; each must exist once, complete, with one customer.
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../src/database/connect.ts'
import { PROCESSOR_LEASE_MS } from '../src/features/payment-processor/registering.ts'
import { createOrganization } from '../src/features/tenants/tenants.ts'
import { type Environment, patienceMs, urlOf } from '../test/support/program.ts'
import { type StripeDouble, stripeDouble, stripeError, type Trouble } from '../test/support/stripe-double.ts'
import { type Findings, noFindings } from './findings.ts'
import { checkOnboarded } from './onboarding-check.ts'
import { randomOf } from './random.ts'
import { checkReported } from './reported.ts'
import { ask, type Reply } from './request.ts'
import { type Servers, startServers } from './servers.ts'
import type { Fault, Outcome } from './stage.ts'
import { isDefinite, isSuccess, noneSeen, type Seen } from './tills.ts'

/** One company to be onboarded, which its client sends until it has a response, and the result. */
interface Onboarding {
  readonly name: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  tries: number
  answer?: Reply
}

/** How many are onboarded, by how many concurrent clients, and how often a server is killed meanwhile. */
interface Size {
  readonly companies: number
  readonly clients: number
  readonly kills: number
  /**
   * Whether to wait two minutes for the leases of killed servers to expire before other servers call the payment
   * processor; otherwise the leases are ended in the database.
   */
  readonly waitsForLeases: boolean
  /** Milliseconds after which a response is too late; by default what operators are promised. */
  readonly withinMs?: number
}

interface Scene extends Size {
  readonly database: Database
  readonly servers: Servers
  /** The address of the payment processor for the servers. */
  readonly processor: StripeDouble
  readonly seed: number
  readonly withoutKeys: boolean
}

/** Onboards companies while servers are killed, and checks the result. Sends each answered request once more. */
export async function onboardThroughKills(scene: Scene): Promise<Outcome> {
  const { database, servers, processor, companies, clients, kills, waitsForLeases, withinMs, seed, withoutKeys } = scene
  processor.trouble = troubleOf
  const { organizationId, apiKey } = await createOrganization(database, { name: 'Platform', ownerEmail: 'p@a.example' })
  const findings = noFindings()
  const seen = noneSeen()
  const random = randomOf(seed, 'onboarding')
  const works = Array.from({ length: companies }, (_, n) =>
    onboardingOf({ n, seed, apiKey, organizationId, withoutKeys }),
  )
  let begun = 0
  let ended = 0
  let allowed = 0

  async function client(number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true })
    while (begun < companies) {
      if (begun >= allowed) {
        await delay(2)
        continue
      }
      await carryOut(agent, works[begun++] as Onboarding, { servers, seen, at: number })
      ended++
    }
    agent.destroy()
  }

  const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  const restarts = servers.urls().map(() => Promise.resolve())
  const portion = companies / (kills + 1)
  for (let number = 0; number < kills; number++) {
    // More are allowed than are waited for, so that each kill interrupts some.
    allowed = Math.ceil((number + 2) * portion)
    const victim = number % restarts.length
    await restarts[victim]
    const due = Math.floor((number + 0.5 + random.number() / 2) * portion)
    while (ended < due) await delay(1)
    await delay(random.below(5))
    await servers.kill(victim)
    restarts[victim] = servers.restart(victim)
  }
  allowed = companies
  await Promise.all([all, ...restarts])
  const resent = withoutKeys ? undefined : await resend(findings, servers.urls()[0] as string, works)
  checkReported(findings, { seen, times: kills, mustSee: 'broken', resent, withinMs })
  if (!waitsForLeases) await endLeases(database)
  await allCustomers(database)
  const { customers } = processor
  await checkOnboarded(findings, { database, organizationId, works, customers })
  await servers.stop(findings)
  const creates = processor.creates().length
  const [inAll] = await database.query('select count(*) from companies')
  const remark = `payment processor: asked ${creates} times, ${customers.length} customers, for ${inAll?.[0]} companies`
  return { times: kills, works, seen, findings, remark }
}

/** Some calls fail, and some responses are lost. */
function troubleOf(create: number): Trouble | undefined {
  if (create % 20 === 7) return { made: true, silence: 'cut' }
  return create % 20 === 14 ? { status: 503, body: stripeError('api_error', 'Try again.') } : undefined
}

/** Ends the leases that would outlast the next attempts: those of killed servers. */
const endLeases = (database: Database) =>
  database.query(
    `update payment_customers set next_try_at = now() where state = 'pending' and next_try_at > now() + interval '30 seconds'`,
  )

/** Waits until each company has its customer; the check reports those without one. */
async function allCustomers(database: Database): Promise<void> {
  for (const deadline = Date.now() + PROCESSOR_LEASE_MS + patienceMs; Date.now() < deadline; await delay(100)) {
    const [row] = await database.query(`select from payment_customers where state = 'pending' limit 1`)
    if (row === undefined) return
  }
}

function onboardingOf({
  n,
  seed,
  apiKey,
  organizationId,
  withoutKeys,
}: {
  n: number
  seed: number
  apiKey: string
  organizationId: string
  withoutKeys: boolean
}): Onboarding {
  const name = `Shop ${seed} ${n}`
  const prefix = n % 2 === 0 ? '/v1' : '/v1/api'
  const path = `${prefix}/organization-api/company/company-workflow/onboard${n % 3 === 0 ? `/${organizationId}` : ''}`
  // Half of them could be created twice; a second one of the others would be refused, and found by its response.
  const body = JSON.stringify({ name, currency: 'EUR', ...(n % 4 < 2 && !withoutKeys && { externalId: name }) })
  const headers = {
    'x-org-api-key': apiKey,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...(!withoutKeys && { 'idempotency-key': `onboard ${name}` }),
  }
  return { name, path, headers, body, tries: 0 }
}

/** Sends it, at one server and another, until the response is definite. */
async function carryOut(
  agent: Agent,
  work: Onboarding,
  { servers, seen, at }: { servers: Servers; seen: Seen; at: number },
): Promise<void> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    const urls = servers.urls()
    const url = urls[(at + work.tries++) % Math.max(1, urls.length)]
    const sent = performance.now()
    try {
      if (url === undefined) throw new Error('No server is up.')
      const reply = await ask(agent, url + work.path, { method: 'POST', headers: { ...work.headers }, body: work.body })
      if (reply.headers['idempotent-replayed'] === 'true') seen.replayed++
      if (isDefinite(reply)) {
        seen.answeredMs.push(performance.now() - sent)
        work.answer = reply
        return
      }
      if (reply.status === 409) seen.inProgress++
      else if (reply.status === 503) seen.unavailable++
      else seen.faults.push(`POST ${work.path}: ${reply.status} ${reply.text}`)
    } catch {
      if (url !== undefined) seen.broken++
    } finally {
      seen.longestMs = Math.max(seen.longestMs, performance.now() - sent)
    }
    await delay(Math.min(10 * 2 ** work.tries, 300))
  }
}

/** Sends each answered one once more: the same key must return the same bytes. */
async function resend(findings: Findings, url: string, works: readonly Onboarding[]): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  for (const { path, headers, body, name, answer } of works) {
    if (answer === undefined || !isSuccess(answer)) continue
    const reply = await ask(agent, url + path, { method: 'POST', headers: { ...headers }, body })
    if (reply.text !== answer.text || reply.headers['idempotent-replayed'] !== 'true')
      findings.wrong.push(`${name} sent again is answered ${reply.status} ${reply.text}`)
    count++
  }
  agent.destroy()
  return count
}

/** The settings of servers that use the double of Stripe. */
export const settingsFor = ({ url }: StripeDouble): Environment => ({
  CASHWRAP_STRIPE_SECRET_KEY: 'sk_test_of_the_fault_suite',
  CASHWRAP_STRIPE_API_BASE: url,
})

export const onboardingKilled: Fault = {
  name: 'onboarding killed',
  async run({ connection, database, ending, seed, isLong, withoutKeys }) {
    const processor = await stripeDouble(ending)
    const servers = await startServers(ending, { DATABASE_URL: urlOf(connection), ...settingsFor(processor) })
    const size = isLong ? { companies: 1_000, clients: 16, kills: 10 } : { companies: 60, clients: 8, kills: 3 }
    return onboardThroughKills({
      database,
      servers,
      processor,
      seed,
      withoutKeys,
      ...size,
      waitsForLeases: isLong,
    })
  },
}
