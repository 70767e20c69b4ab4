// The result of a whole run: its last lines, and its exit code.
import { countOf } from './findings.ts'
import type { Played } from './table.ts'

interface Verdict {
  readonly lines: readonly string[]
  /** 0 only if faults were run, none found anything, and no possible fault was skipped. */
  readonly code: 0 | 1
}

/** In CI a fault may be skipped only if the machine cannot run it at all. */
export function verdictOf(played: readonly Played[], { isCi }: { isCi: boolean }): Verdict {
  const lines: string[] = []
  let count = 0
  let done = 0
  let isAllowed = true
  for (const { fault, outcome } of played) {
    if (!('skipped' in outcome)) {
      count += countOf(outcome.findings)
      done++
      continue
    }
    const mayBe = outcome.isMachine || !isCi
    isAllowed &&= mayBe
    const remark = mayBe ? 'nothing is shown of it' : 'in CI it must be played'
    lines.push(`SKIPPED: ${fault}: ${outcome.skipped}; ${remark}.`)
  }
  if (count > 0) lines.push(`${count} findings.`)
  else if (done > 0) lines.push(`Nothing was lost, and nothing was done twice, in ${done} of ${played.length} faults.`)
  else lines.push('No fault was played.')
  return { lines, code: count === 0 && done > 0 && isAllowed ? 0 : 1 }
}
