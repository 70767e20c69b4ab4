// Random choices that are reproducible by their seed, so that a run that found something can be repeated.

export interface Random {
  /** From 0 to below 1. */
  number(): number
  /** A whole number from 0 to below `end`. */
  below(end: number): number
  /** True for this share of the calls. */
  chance(share: number): boolean
  pick<T>(from: readonly T[]): T
}

/** A separate source for each name, so that their draws do not affect each other. */
export function randomOf(seed: number, name: string): Random {
  let state = seed
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) as number), 0x01000193)
  // mulberry32: 32 bits of state are enough to choose moments.
  function number(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(number() * end)
  return {
    number,
    below,
    chance: (share) => number() < share,
    pick: <T>(from: readonly T[]) => from[below(from.length)] as T,
  }
}
