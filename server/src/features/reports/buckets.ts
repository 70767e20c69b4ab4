// Buckets of time: quarters of an hour, and blocks of 4, 16, … of them, of which a period is put together.

/** How many blocks of one size make one of the next. */
export const FAN_OUT = 4
/** The sizes of blocks in quarters, up to six weeks; stored sums have the same. */
export const BLOCK_SIZES = [4, 16, 64, 256, 1024, 4096] as const

/** A quarter (size 1) or block: it begins at quarter `number * size`. */
export interface Bucket {
  readonly size: number
  readonly number: number
}

/** The fewest buckets that fill the quarters from `first` to before `end`; only quarters may be unusable. */
export function cover(first: number, end: number, isUsable: (bucket: Bucket) => boolean): Bucket[] {
  const buckets: Bucket[] = []
  for (let at = first; at < end; ) {
    const blockOf = (size: number) => ({ size, number: at / size })
    const size = BLOCK_SIZES.findLast((size) => at % size === 0 && at + size <= end && isUsable(blockOf(size))) ?? 1
    buckets.push(blockOf(size))
    at += size
  }
  return buckets
}
