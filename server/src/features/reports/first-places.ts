// Which groups a report shows, and in which order.
import { eachInSlices } from '../../concurrency/time-slices.ts'

/** Compares texts or numbers, the smaller one first. */
export const ascending = <T extends string | number | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** The first places below `size` that are shown, in order, in slices of time and without sorting all of them. */
export async function firstPlaces(
  { size, limit, line }: { readonly size: number; readonly limit: number; readonly line: string },
  isShown: (place: number) => boolean,
  compare: (a: number, b: number) => number,
): Promise<number[]> {
  const kept: number[] = []
  const insert = (place: number) => {
    const last = kept[limit - 1]
    if (!isShown(place) || (last !== undefined && compare(last, place) < 0)) return
    let [low, high] = [0, kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(kept[middle] as number, place) < 0) low = middle + 1
      else high = middle
    }
    kept.splice(low, 0, place)
    if (kept.length > limit) kept.pop()
  }
  const parts = Array.from({ length: Math.ceil(size / 1_000) }, (_, n) => n * 1_000)
  await eachInSlices(parts, line, (first) => {
    for (let place = first; place < Math.min(size, first + 1_000); place++) insert(place)
  })
  return kept
}
