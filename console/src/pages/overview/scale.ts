// The axis of a chart: round numbers from the minimum to above the maximum, including zero.

/** 4 to 7 evenly spaced numbers, ascending. `isWhole`: for counts, so all are whole numbers. */
export function ticksOf(values: readonly number[], isWhole: boolean): readonly number[] {
  const least = Math.min(0, ...values)
  const most = Math.max(0, ...values)
  const about = (most - least || (isWhole ? 5 : 100)) / 5
  const power = 10 ** Math.floor(Math.log10(about))
  const round = [1, 2, 2.5, 5, 10].find((one) => one * power >= about) ?? 10
  const step = isWhole ? Math.max(1, Math.ceil(round * power)) : round * power
  const first = Math.floor(least / step)
  const last = Math.max(Math.ceil(most / step), most === least ? 4 : 0)
  // Multiplied, not added up: else 0.1 + 0.2 would be shown inexactly.
  return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step)
}
