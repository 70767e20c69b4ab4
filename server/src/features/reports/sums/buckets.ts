// Buckets of time: quarters of an hour, and blocks of 4, 16, … of them; a period is put together from both.

/** How many blocks of one size make one of the next. */
export const FAN_OUT = 4
/** The sizes of blocks in quarters, up to six weeks; stored sums have the same. */
export const BLOCK_SIZES = [4, 16, 64, 256, 1024, 4096] as const

/**
 * The format of stored sums, raised when what is summed, or how, changes. Servers of each format keep their own sums, and read no others.
 */
export const SUMS_FORMAT = 1

/** SQL: the rows of the company $1 in this format. */
export const ofFormat = `company_id = $1 and format = ${SUMS_FORMAT}`

/** A quarter (size 1) or block: it begins at quarter `number * size`. */
export interface TimeBucket {
  readonly size: number
  readonly number: number
}

/** The fewest buckets that fill the quarters from `first` to before `end`, without blocks whose sums cannot be used. */
export function cover(first: number, end: number, isUsable: (block: TimeBucket) => boolean): TimeBucket[] {
  const buckets: TimeBucket[] = []
  for (let at = first; at < end; ) {
    let bucket: TimeBucket = { size: 1, number: at }
    for (const size of BLOCK_SIZES) {
      if (at % size !== 0 || at + size > end) break
      const block = { size, number: at / size }
      if (isUsable(block)) bucket = block
    }
    buckets.push(bucket)
    at += bucket.size
  }
  return buckets
}
