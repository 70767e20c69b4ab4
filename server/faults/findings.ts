// What a run found wrong, by its meaning for a shop.

/** Each with a sentence that shows it. */
export interface Findings {
  /** Answered with success, and missing. */
  readonly lost: string[]
  /** One key, and its work done more than once. */
  readonly twice: string[]
  /** A bulk request that was written only partly, or in more than one transaction. */
  readonly half: string[]
  /** Anything else that differs from the response or the request. */
  readonly wrong: string[]
}

export const noFindings = (): Findings => ({ lost: [], twice: [], half: [], wrong: [] })

export const countOf = ({ lost, twice, half, wrong }: Findings): number =>
  lost.length + twice.length + half.length + wrong.length

/** Examples of each sort that are shown. */
const EXAMPLES = 5

/** The first of each sort, for investigation. */
export function examplesOf(findings: Findings): string[] {
  return Object.entries(findings).flatMap(([sort, all]: [string, string[]]) => [
    ...all.slice(0, EXAMPLES).map((one) => `  ${sort}: ${one}`),
    ...(all.length > EXAMPLES ? [`  ${sort}: … and ${all.length - EXAMPLES} more`] : []),
  ])
}
