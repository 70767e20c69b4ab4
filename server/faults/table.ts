// The table at the end: one line per fault.
import type { Outcome, Skipped } from './stage.ts'
import { isSuccess } from './tills.ts'

/** A fault with its result, or why it was skipped. */
export interface Played {
  readonly fault: string
  readonly seconds: number
  readonly outcome: Outcome | Skipped
}

const heads = [
  'fault',
  'times',
  'writes',
  'first try',
  'retried',
  'given up',
  'broken',
  '503',
  'in progress',
  'replayed',
  'lost',
  'twice',
  'half bulks',
  'other wrong',
  'seconds',
]

function cells({ fault, seconds, outcome }: Played): string[] {
  if ('skipped' in outcome) return [fault, 'skipped', ...heads.slice(2).map(() => '')]
  const { times, works, seen, findings } = outcome
  const answered = works.filter(({ answer }) => answer && isSuccess(answer))
  const figures = [
    times,
    works.length,
    answered.filter(({ tries }) => tries === 1).length,
    answered.filter(({ tries }) => tries > 1).length,
    works.filter(({ answer }) => answer === undefined).length,
    seen.broken,
    seen.unavailable,
    seen.inProgress,
    seen.replayed,
    findings.lost.length,
    findings.twice.length,
    findings.half.length,
    findings.wrong.length,
    Math.round(seconds),
  ]
  return [fault, ...figures.map((figure) => figure.toLocaleString('en-US'))]
}

/** The table as Markdown that is also readable in a terminal. */
export function tableOf(played: readonly Played[]): string {
  const rows = [heads, ...played.map(cells)]
  const widths = heads.map((_, at) => Math.max(...rows.map((row) => (row[at] as string).length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number))).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  const [head, ...others] = rows.map(line)
  return [head, rule, ...others].join('\n')
}
