// The numbers beside a plot: round ones, from below the least value to above the greatest, with zero among them.

/** 4 to 7 of them, evenly apart, ascending. `isWhole`: of things that are counted, so none lies between two of them. */
export function ticksOf(values: readonly number[], isWhole: boolean): readonly number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const about = (most - least || (isWhole ? 5 : 100)) / 5
  const power = 10 ** Math.floor(Math.log10(about))
  const round = [1, 2, 2.5, 5, 10].find((one) => one * power >= about) ?? 10
  const step = isWhole ? Math.max(1, Math.ceil(round * power)) : round * power
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil(most / step), most === least ? 4 : 0)]
  // Multiplied by each, not added up: else 0.1 + 0.2 is shown.
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
}
