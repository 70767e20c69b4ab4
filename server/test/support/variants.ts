// How much a run tries: `npm test` tries each case with one of its variants, in turn, and `npm run test:long` with all of them (docs/decisions/0024).

/** Whether each case is tried with all of its variants. */
export const isThorough = process.env.CASHWRAP_TEST_VARIANTS === 'all'

/** Makes the function that returns the variants for the next case: one, in turn, or all of them. */
export function nextOf<T>(variants: readonly T[]): () => readonly T[] {
  let next = 0
  return () => (isThorough ? variants : [variants[next++ % variants.length] as T])
}

/** How often random input is tried: four times as often in a thorough run. */
export const runs = (often: number): number => (isThorough ? 4 * often : often)
