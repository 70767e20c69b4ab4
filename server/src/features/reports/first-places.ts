// Which groups a report shows, and in which order.
import { eachInSlices } from '../../concurrency/time-slices.ts'

/** Compares texts or numbers, the smaller one first. */
export const ascending = <T extends string | number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Places that are sorted at a time: less than 1 ms. */
const PORTION = 1_000

/** The first places below `size` that are shown, in order, in slices of time. */
export async function firstPlaces(
  { size, limit, line }: { readonly size: number; readonly limit: number; readonly line: string },
  isShown: (place: number) => boolean,
  compare: (a: number, b: number) => number,
): Promise<number[]> {
  let kept: number[] = []
  const portions = Array.from({ length: Math.ceil(size / PORTION) }, (_, n) => n * PORTION)
  await eachInSlices(portions, line, (first) => {
    const places = Array.from({ length: Math.min(PORTION, size - first) }, (_, n) => first + n)
    kept = [...kept, ...places.filter(isShown)].sort(compare).slice(0, limit)
  })
  return kept
}
