// The environment of a fault: a durable PostgreSQL, companies, tills; and what every fault does around its strikes.
import type { Connection, Database } from '../src/database/connect.ts'
import { patienceMs } from '../test/support/program.ts'
import { check } from './check.ts'
import { type Company, makeCompanies } from './company.ts'
import type { Ending } from './ending.ts'
import { type Findings, noFindings } from './findings.ts'
import { type Random, randomOf } from './random.ts'
import { checkReported, type Felt } from './reported.ts'
import { checkReports, readReports } from './reports.ts'
import { resend } from './resend.ts'
import type { Servers } from './servers.ts'
import { type Seen, startTills, type Tills } from './tills.ts'
import type { Work } from './works.ts'

/** The folder of the run, the PostgreSQL that most faults share, and the options. */
export interface Stage {
  readonly folder: string
  readonly connection: Connection
  readonly database: Database
  /** The folder of PostgreSQL's files. */
  readonly directory: string
  readonly ending: Ending
  readonly seed: number
  readonly isLong: boolean
  readonly withoutKeys: boolean
}

/** The result of one fault. */
export interface Outcome {
  readonly times: number
  readonly works: readonly Pick<Work, 'answer' | 'tries'>[]
  readonly seen: Seen
  readonly findings: Findings
  /** Further remarks for the table. */
  readonly remark?: string
}

/** Why a fault was skipped, and whether it is impossible on this machine. */
export interface Skipped {
  readonly skipped: string
  readonly isMachine: boolean
}

/** A fault. */
export interface Fault {
  readonly name: string
  run(stage: Stage): Promise<Outcome | Skipped>
}

/** What a fault does while tills write. */
interface Strikes {
  /** Names the run in keys and marks. */
  readonly name: string
  readonly servers: Servers
  /** Where tills reach the servers, if not at their own addresses. */
  readonly urls?: () => readonly string[]
  readonly tills?: number
  /** Companies that were prepared for it; otherwise three are created. */
  readonly companies?: readonly Company[]
  /** What the tills must have noticed. */
  readonly mustSee: Felt
  readonly strike: (tills: Tills, random: Random) => Promise<number>
  /** What else is checked before the servers stop; returns a remark. */
  readonly also?: (findings: Findings, seen: Seen) => Promise<string>
}

/** Lets tills write, strikes, waits until all are answered, and checks. `strike` returns the number of strikes. */
export async function play(
  stage: Stage,
  { name, servers, urls = servers.urls, tills: count, companies: ready, mustSee, strike, also }: Strikes,
): Promise<Outcome> {
  const { database, seed, withoutKeys } = stage
  const findings = noFindings()
  const companies = ready ?? (await makeCompanies(database, 3))
  const tills = startTills({ run: name, seed, companies, urls, withoutKeys, ...(count !== undefined && { count }) })
  const reading = readReports({ urls: servers.urls, companies, seen: tills.seen })
  const times = await moving(tills, strike(tills, randomOf(seed, name)))
  await tills.finish()
  await reading.stop()
  const { works, seen } = tills
  const [url] = servers.urls() as [string]
  const random = randomOf(seed, `${name} again`)
  const resent = withoutKeys ? undefined : await resend(findings, { url, works, random })
  checkReported(findings, { seen, times, mustSee, resent })
  await check(findings, { database, url, companies, works, withoutKeys })
  await checkReports(findings, { database, url, companies })
  const remark = await also?.(findings, seen)
  await servers.stop(findings)
  return { times, works, seen, findings, ...(remark !== undefined && { remark }) }
}

/** Milliseconds within which a work must finish: longer than a till waits for one. */
const stuckMs = patienceMs + 60_000

/** Rejects when no work finishes any more: a run that hangs must differ from one that takes long. */
async function moving(tills: Tills, striking: Promise<number>): Promise<number> {
  let before = -1
  let timer = undefined as NodeJS.Timeout | undefined
  const stuck = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const { begun, ended, allowed } = tills.state()
      if (ended === before)
        reject(new Error(`Nothing moves: ${begun} works were begun, ${ended} have ended, ${allowed} are allowed.`))
      before = ended
    }, stuckMs)
  })
  return Promise.race([striking, stuck]).finally(() => clearInterval(timer))
}

/** Strikes that many times, spread over that many writes, each at a random moment while tills write. */
export async function spread(
  tills: Tills,
  { times, writes, random }: { times: number; writes: number; random: Random },
  strike: (number: number) => Promise<void>,
): Promise<number> {
  const portion = writes / (times + 1)
  for (let number = 0; number < times; number++) {
    // No till writes beyond the next strike before it is over, so that each strike interrupts writes.
    tills.allow(Math.ceil((number + 2) * portion))
    await tills.reached(Math.floor((number + 0.5 + random.number()) * portion))
    await strike(number)
  }
  tills.allow(writes)
  await tills.reached(writes)
  return times
}
