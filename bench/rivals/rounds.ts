// The rounds of the comparison: each job on each service in turn, so that a change of the machine's load meets all of them.
import type { Load, Outcome } from '../load.ts'
import { idMark } from '../sample.ts'
import { type Job, loadOf } from './jobs.ts'
import type { Participant } from './participant.ts'
import { type Row, titleOf } from './report.ts'

interface Plan {
  readonly folder: string
  readonly jobs: readonly Job[]
  readonly rounds: number
  readonly seconds: number
  say(text: string): void
}

/** One cell of the tables. */
interface Cell {
  readonly row: Row
  readonly participant: Participant
  readonly load: Load
  /** By round; undefined where the load failed. */
  readonly outcomes: (Outcome | undefined)[]
}

const widths = [1, 32]
/** A load that takes longer than this, since each of its requests does, runs in the first round only. */
const longMs = 20_000

/** Warms all services up, and measures each job on each of them, round after round. */
export async function measure(participants: readonly Participant[], plan: Plan): Promise<Row[]> {
  const { rounds, seconds, say } = plan
  const { rows, cells } = await prepare(participants, plan)
  say('warming up')
  for (const { row, load, participant } of cells)
    if (row.connections > 1 && row.job.name !== 'bulk') {
      // A load that fails is reported by the rounds.
      await load(row.connections, 1).catch(() => {})
      await rest(participant)
    }
  const long = new Set<Cell>()
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`)
    for (const row of rows) {
      const some = cells.filter((cell) => cell.row === row && !long.has(cell))
      for (const cell of round % 2 === 1 ? some : some.toReversed()) {
        const start = performance.now()
        cell.outcomes.push(await outcomeOf(cell, seconds))
        await rest(cell.participant)
        if (performance.now() - start > longMs) long.add(cell)
      }
    }
  }
  return rows
}

/** The rows with their cells, in the order of the tables. */
async function prepare(
  participants: readonly Participant[],
  { jobs, folder }: Plan,
): Promise<{ rows: Row[]; cells: Cell[] }> {
  const rows: Row[] = []
  const cells: Cell[] = []
  for (const job of jobs) {
    const loads = await Promise.all(participants.map((participant) => loadOf(job, participant, folder)))
    for (const connections of widths) {
      const row: Row = { job, connections, outcomes: new Map(), failures: [] }
      rows.push(row)
      participants.forEach((participant, n) => {
        const load = loads[n]
        const outcomes: Outcome[] = []
        if (load === undefined) return
        row.outcomes.set(participant.rival, outcomes)
        cells.push({ row, participant, load, outcomes })
      })
    }
  }
  return { rows, cells }
}

async function outcomeOf({ row, participant, load }: Cell, seconds: number): Promise<Outcome | undefined> {
  try {
    return await load(row.connections, seconds)
  } catch (error) {
    const { message, signal } = error as Error & { signal?: string }
    const how = signal ? ` (ended by ${signal})` : ''
    row.failures.push(`${participant.rival.label} failed: ${titleOf(row)}: ${message.trim()}${how}`)
    return undefined
  }
}

/** Waits until a service has done what the load left behind: wrk ends without waiting for the last answers. */
async function rest({ server, requests: { headers, read }, ids }: Participant): Promise<void> {
  const url = server.url + read.replace(idMark, ids[0] as string)
  // If the service is gone, the next load says so.
  const answer = await fetch(url, headers ? { headers } : {}).catch(() => undefined)
  await answer?.arrayBuffer()
  await new Promise((resolve) => setTimeout(resolve, 50))
}
