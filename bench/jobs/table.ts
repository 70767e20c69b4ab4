// The table of the jobs, as Markdown that is also readable in a terminal.
import type { Counts } from './person.ts'

/** A job that was done. */
export interface Done extends Counts {
  readonly name: string
  readonly machineSeconds: number
}

const heads = ['job', 'clicks', 'characters', 'keys', 'scans', 'pages', 'machine s', 'person s (estimate)']

/** A line for each job. */
export function tableOf(jobs: readonly Done[]): string {
  const rows = jobs.map((job) => [
    job.name,
    ...[job.clicks, job.characters, job.keys, job.scans, job.pages].map(String),
    job.machineSeconds.toFixed(1),
    job.estimatedSeconds.toFixed(0),
  ])
  const widths = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(heads), rule, ...rows.map(line)].join('\n')
}
