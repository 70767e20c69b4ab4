// What a run found wrong, by what it means for a shop.

/** Each with a sentence that shows it. */
export interface Findings {
  /** Answered with success, and not there. */
  readonly lost: string[]
  /** One key, and its work done more than once. */
  readonly twice: string[]
  /** A bulk of which only a part was written, or in more than one transaction. */
  readonly half: string[]
  /** Anything else that differs from what was answered or asked for. */
  readonly wrong: string[]
}

export const noFindings = (): Findings => ({ lost: [], twice: [], half: [], wrong: [] })

export const countOf = ({ lost, twice, half, wrong }: Findings): number =>
  lost.length + twice.length + half.length + wrong.length

/** The first of each sort, to be looked into. */
export function examplesOf(findings: Findings, most = 5): string[] {
  return Object.entries(findings).flatMap(([sort, all]: [string, string[]]) => [
    ...all.slice(0, most).map((one) => `  ${sort}: ${one}`),
    ...(all.length > most ? [`  ${sort}: … and ${all.length - most} more`] : []),
  ])
}
