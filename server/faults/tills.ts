// Sixteen tills that write concurrently, and retry as tills do: the same key and body, at any server, until the response is definite.
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { patienceMs } from '../test/support/program.ts'
import type { Company } from './company.ts'
import { sale } from './kinds.ts'
import { type Random, randomOf } from './random.ts'
import { ask, type Reply } from './request.ts'
import { answered, type Work, worksOf } from './works.ts'

interface TillsOptions {
  /** Names the run in marks and keys. */
  readonly run: string
  readonly seed: number
  readonly companies: readonly Company[]
  /** The current addresses of the servers; one that is down may be missing. */
  readonly urls: () => readonly string[]
  readonly count?: number
  /** Tills send no Idempotency-Key: a run that must find works done twice. */
  readonly withoutKeys: boolean
}

/** Tills that are writing. */
export interface Tills {
  /** All works that have begun, in that order. */
  readonly works: readonly Work[]
  /** Lets that many works begin in total; at first none. */
  allow(count: number): void
  /** Resolves when that many works have finished. */
  reached(count: number): Promise<void>
  /** Resolves when that many attempts from now on have failed by 5xx or a broken connection. */
  failing(count: number): Promise<void>
  /** Begins no further work, and resolves when all works in progress have finished. */
  finish(): Promise<void>
  readonly seen: Seen
  /** How many works have begun, have finished, and may begin. */
  state(): { begun: number; ended: number; allowed: number }
}

/** The responses of the tills, other than definite ones. */
export interface Seen {
  broken: number
  unavailable: number
  inProgress: number
  limited: number
  /** 500 responses: the service met something unexpected. */
  faults: string[]
  replayed: number
  /** Longest time until a request was answered, or its connection broke. */
  longestMs: number
  /** The times of the definite responses: how fast the machine is. */
  readonly answeredMs: number[]
}

export const noneSeen = (): Seen => ({
  broken: 0,
  unavailable: 0,
  inProgress: 0,
  limited: 0,
  faults: [],
  replayed: 0,
  longestMs: 0,
  answeredMs: [],
})

export const isDefinite = ({ status, text }: Reply): boolean =>
  status < 500 && status !== 429 && !(status === 409 && text.includes('"idempotency_in_progress"'))
export const isSuccess = ({ status }: Reply): boolean => status >= 200 && status < 300

/** The headers of a work's request. */
export const headersOf = ({ company, key, body }: Work, withoutKeys: boolean): Record<string, string> => ({
  'x-api-key': company.apiKey,
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  ...(!withoutKeys && { 'idempotency-key': key }),
})

/** Sends a work's request once and notes what came of it; returns a definite reply only. */
async function once(
  agent: Agent,
  work: Work,
  url: string,
  {
    seen,
    failures,
    withoutKeys,
  }: Pick<TillsOptions, 'withoutKeys'> & { seen: Seen; failures: ReturnType<typeof counter> },
): Promise<Reply | undefined> {
  const begun = performance.now()
  try {
    const headers = headersOf(work, withoutKeys)
    const reply = await ask(agent, url + work.path, { method: work.method, headers, body: work.body })
    if (reply.headers['idempotent-replayed'] === 'true') seen.replayed++
    if (isDefinite(reply)) {
      seen.answeredMs.push(performance.now() - begun)
      return reply
    }
    if (reply.status === 503 && reply.headers['retry-after'] === undefined)
      seen.faults.push(`${work.method} ${work.path}: 503 without Retry-After: ${reply.text}`)
    if (reply.status === 429) seen.limited++
    else if (reply.status === 409) seen.inProgress++
    else {
      if (reply.status === 503) seen.unavailable++
      else seen.faults.push(`${work.method} ${work.path}: ${reply.status} ${reply.text}`)
      failures.add()
    }
  } catch {
    seen.broken++
    failures.add()
  } finally {
    seen.longestMs = Math.max(seen.longestMs, performance.now() - begun)
  }
}

export function startTills({ run, seed, companies, urls, count = 16, withoutKeys }: TillsOptions): Tills {
  const works: Work[] = []
  const next = worksOf(run, companies)
  const seen = noneSeen()
  const done = counter()
  const failures = counter()
  const permits = counter()
  let isEnding = false

  async function carryOut(agent: Agent, work: Work, random: Random): Promise<void> {
    const deadline = Date.now() + patienceMs
    let at = random.below(100)
    while (Date.now() < deadline) {
      const known = urls()
      const isTwofold = work.habit === 'hasty' && work.tries === 0 && known.length > 1
      work.tries++
      const replies = await Promise.all(
        (isTwofold ? known : known.length > 0 ? [known[at % known.length] as string] : []).map((url) =>
          once(agent, work, url, { seen, failures, withoutKeys }),
        ),
      )
      const definite = replies.filter((reply) => reply !== undefined)
      if (definite.length > 0) {
        // Of two responses, a success is the one to compare with the other: see check.ts.
        work.answer = definite.find(isSuccess) ?? (definite[0] as Reply)
        const other = definite.find((reply) => reply !== work.answer)
        if (other) work.otherAnswer = other
        return
      }
      if (work.habit === 'forgetful') return
      at++
      await delay(Math.min(20 * 2 ** work.tries, 500) * (0.5 + random.number() / 2))
    }
  }

  async function till(number: number): Promise<void> {
    const random = randomOf(seed, `${run} ${number}`)
    const agent = new Agent({ keepAlive: true })
    while (!isEnding) {
      await permits.reached(works.length + 1)
      if (isEnding) break
      const work = next(random)
      works.push(work)
      await carryOut(agent, work, random)
      if (work.isCreate && work.answer && isSuccess(work.answer))
        for (const record of answered(work, work.answer)) {
          if (record === undefined) continue
          work.company.known(work.kind).push(String(record.id))
          if (work.kind === sale) work.company.sold.push(String(record.id))
        }
      done.add()
    }
    agent.destroy()
  }

  const all = Promise.all(Array.from({ length: count }, (_, n) => till(n)))
  return {
    works,
    seen,
    state: () => ({ begun: works.length, ended: done.value(), allowed: permits.value() }),
    allow: (limit) => permits.atLeast(limit),
    reached: done.reached,
    failing: (more) => failures.reached(failures.value() + more),
    async finish() {
      isEnding = true
      permits.atLeast(Number.POSITIVE_INFINITY)
      await all
    },
  }
}

/** A number that grows, and that can be waited for. */
function counter() {
  let value = 0
  let waiting: { limit: number; resolve: () => void }[] = []
  function atLeast(next: number): void {
    if (next <= value) return
    value = next
    const ready = waiting.filter(({ limit }) => limit <= value)
    const others = waiting.filter(({ limit }) => limit > value)
    waiting = others
    for (const { resolve } of ready) resolve()
  }
  return {
    value: () => value,
    add: () => atLeast(value + 1),
    atLeast,
    reached: (limit: number) =>
      limit <= value ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ limit, resolve })),
  }
}
