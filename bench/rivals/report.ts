// From the rounds to the tables: medians with their spread, and ratios of loads that ran beside each other.
import type { Outcome } from '../load.ts'
import type { Job } from './jobs.ts'
import type { Rival } from './rival.ts'

/** A job at a number of connections, with the outcomes of each service by round. */
export interface Row {
  readonly job: Job
  readonly connections: number
  /** By round; undefined where the load failed. */
  readonly outcomes: Map<Rival, readonly (Outcome | undefined)[]>
  readonly failures: string[]
}

/** What is known of a service beside its loads. */
export interface Facts {
  readonly rival: Rival
  readonly startMs: number
  readonly restMB: number
  readonly afterMB: number
  readonly sizeMB: number | undefined
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2
}

/** How many times as fast one service was as another: the median over the rounds in which both were measured. */
export function ratio({ outcomes }: Row, one: Rival, other: Rival): number | undefined {
  const ours = outcomes.get(one) ?? []
  const theirs = outcomes.get(other) ?? []
  const all = ours.flatMap((our, n) => {
    const their = theirs[n]
    return our && their ? [our.perSecond / their.perSecond] : []
  })
  return all.length === 0 ? undefined : median(all)
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const short = (value: number) => (value < 10 ? value.toFixed(1) : whole(value))
const factor = (value: number | undefined) =>
  value === undefined ? '–' : value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : whole(value)

/** A table as Markdown that is also readable in a terminal; the first `texts` columns are text. */
function markdown(heads: readonly string[], rows: readonly (readonly string[])[], texts: number): string {
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => (row[at] as string).length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at < texts ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number))).join(' | ')} |`
  const rule = widths.map((width, at) => (at < texts ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')
  return [line(heads), `| ${rule} |`, ...rows.map(line)].join('\n')
}

/** The outcomes of a service in a row, without failed ones. */
const outcomesOf = ({ outcomes }: Row, rival: Rival): Outcome[] =>
  outcomes.get(rival)?.filter((one) => one !== undefined) ?? []

/** One cell for each service in each row. */
const byRow = (rows: readonly Row[], rivals: readonly Rival[], cell: (row: Row, rival: Rival) => string): string =>
  markdown(
    ['', 'conns', ...rivals.map(({ label }) => label)],
    rows.map((row) => [row.job.title, String(row.connections), ...rivals.map((rival) => cell(row, rival))]),
    1,
  )

/** Operations per second: median, and least to most. */
export const speeds = (rows: readonly Row[], rivals: readonly Rival[]): string =>
  byRow(rows, rivals, (row, rival) => {
    const all = outcomesOf(row, rival).map(({ perSecond }) => perSecond * row.job.records)
    const spread = all.length > 1 ? ` (${whole(Math.min(...all))}–${whole(Math.max(...all))})` : ''
    return all.length === 0 ? '–' : whole(median(all)) + spread
  })

/** Milliseconds of an answer: p50 / p99, medians over the rounds. */
export const latencies = (rows: readonly Row[], rivals: readonly Rival[]): string =>
  byRow(rows, rivals, (row, rival) => {
    const all = outcomesOf(row, rival)
    return all.length === 0
      ? '–'
      : `${short(median(all.map(({ p50Ms }) => p50Ms)))} / ${short(median(all.map(({ p99Ms }) => p99Ms)))}`
  })

/** How many times as fast each service is as `other`. */
export const ratios = (rows: readonly Row[], rivals: readonly Rival[], other: Rival): string =>
  byRow(rows, rivals, (row, rival) => factor(ratio(row, rival, other)))

/** A row in words. */
export const titleOf = ({ job, connections }: Pick<Row, 'job' | 'connections'>) =>
  `${job.title}, ${connections} connection${connections === 1 ? '' : 's'}`

/** A sentence for each row in which a rival was faster. */
export function faster(rows: readonly Row[], rivals: readonly Rival[], than: Rival): string[] {
  return rows.flatMap((row) =>
    rivals
      .map((rival) => ({ rival, times: ratio(row, rival, than) ?? 0 }))
      .filter(({ times }) => times > 1)
      .map(
        ({ rival, times }) => `${rival.label} was ${factor(times)} times as fast as ${than.label}: ${titleOf(row)}.`,
      ),
  )
}

/** A sentence for each load that failed, and for each service that refused requests or carried out only a part of them. */
export const troubles = (rows: readonly Row[]): string[] =>
  rows.flatMap((row) => [
    ...row.failures,
    ...[...row.outcomes.keys()].flatMap((rival) => {
      const refused = outcomesOf(row, rival).reduce((sum, one) => sum + one.refused, 0)
      return refused === 0 ? [] : [`${rival.label} refused ${refused} requests: ${titleOf(row)}.`]
    }),
  ])

/** Start, memory and size of each service. */
export const footprints = (facts: readonly Facts[]): string =>
  markdown(
    ['', 'start ms', 'memory at rest MB', 'after MB', 'installed MB'],
    facts.map(({ rival, startMs, restMB, afterMB, sizeMB }) => [
      rival.label,
      whole(startMs),
      whole(restMB),
      whole(afterMB),
      sizeMB === undefined ? '–' : whole(sizeMB),
    ]),
    1,
  )
