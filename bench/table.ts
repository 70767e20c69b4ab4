// From the rounds to the table: medians, spread, and the ratio of each round to the limit measured beside it.
import type { Outcome } from './load.ts'
import type { Measurement } from './measurement.ts'
import { median } from './quantile.ts'

/** One round of a measurement; `limit` in operations per second. */
export interface Round {
  readonly ours: Outcome
  readonly limit: number | undefined
}

/** A line of the table in figures. */
export interface Line {
  readonly measurement: string
  readonly connections: number
  readonly unit: 'requests/s' | 'records/s'
  readonly median: number
  readonly least: number
  readonly most: number
  readonly limitName: string | undefined
  readonly limit: number | undefined
  /** Median of the ratios of the rounds. */
  readonly ratio: number | undefined
  readonly target: number | undefined
  readonly isMet: boolean | undefined
  readonly p50Ms: number
  readonly p99Ms: number
  /** Refused requests of all rounds; they are in no other figure. */
  readonly refused: number
}

/** The summary of a measurement's rounds. */
export function lineOf({ name, connections, records, target, limitName }: Measurement, rounds: readonly Round[]): Line {
  const speeds = rounds.map(({ ours }) => ours.perSecond * records)
  const compared = rounds.filter((round): round is Round & { limit: number } => round.limit !== undefined)
  const ratio = compared.length > 0 ? median(compared.map(({ ours, limit }) => ours.perSecond / limit)) : undefined
  return {
    measurement: name,
    connections,
    unit: records > 1 ? 'records/s' : 'requests/s',
    median: median(speeds),
    least: Math.min(...speeds),
    most: Math.max(...speeds),
    limitName,
    limit: compared.length > 0 ? median(compared.map(({ limit }) => limit * records)) : undefined,
    ratio,
    target,
    isMet: target === undefined || ratio === undefined ? undefined : ratio >= target,
    p50Ms: median(rounds.map(({ ours }) => ours.p50Ms)),
    p99Ms: median(rounds.map(({ ours }) => ours.p99Ms)),
    refused: rounds.reduce((sum, { ours }) => sum + ours.refused, 0),
  }
}

const whole = (value: number) => Math.round(value).toLocaleString('en-US')
const short = (value: number) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : whole(value))
const heads = [
  'measurement',
  'conns',
  'ours /s',
  'min–max',
  'limit',
  'limit /s',
  'ratio',
  'target',
  'met',
  'p50 ms',
  'p99 ms',
]

/** The table as Markdown that is also readable in a terminal. */
export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.measurement,
    String(line.connections),
    `${whole(line.median)}${line.unit === 'records/s' ? ' rec' : ''}`,
    `${whole(line.least)}–${whole(line.most)}`,
    line.limitName ?? '',
    line.limit === undefined ? '' : whole(line.limit),
    line.ratio?.toFixed(2) ?? '',
    line.target === undefined ? '' : `≥ ${line.target}`,
    line.isMet === undefined ? '' : line.isMet ? 'yes' : 'NO',
    short(line.p50Ms),
    short(line.p99Ms),
  ])
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => (row[at] as string).length)))
  const isText = (at: number) => at === 0 || at === 4
  const text = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (isText(at) ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (isText(at) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const refused = lines
    .filter((line) => line.refused > 0)
    .map((line) => `\n${line.measurement}, ${line.connections} connections: ${line.refused} requests were refused.`)
  return [text(heads), rule, ...rows.map(text), ...refused].join('\n')
}
