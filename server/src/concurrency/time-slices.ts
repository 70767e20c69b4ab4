// Long work in slices, with other work in between: one slice in each turn of the event loop, companies in turn.

/** Milliseconds after which long work yields to other work. */
const SLICE_MS = 5

/** Paces one piece of long work. */
interface Pace {
  /** Whether the slice is over; cheap enough to check for each item. */
  isOver(): boolean
  /** Waits for the next slice. */
  turn(): Promise<void>
}

interface WaitingWork {
  readonly order: number
  readonly resume: () => void
}

/** The waiting work, by line. The line that was served last is at the end. */
const lines = new Map<string, WaitingWork[]>()
let workers = 0
let isArmed = false

function serve(): void {
  const [next] = lines
  if (next === undefined) {
    isArmed = false
    return
  }
  const [line, waiting] = next
  // Work that began first is finished first: half-done work only fills the memory.
  const first = waiting.reduce((least, one) => (one.order < least.order ? one : least))
  waiting.splice(waiting.indexOf(first), 1)
  lines.delete(line)
  if (waiting.length > 0) lines.set(line, waiting)
  setImmediate(serve)
  first.resume()
}

/** Paces work in slices for a company; the first slice begins at once. */
function pace(line = ''): Pace {
  const order = ++workers
  let until = performance.now() + SLICE_MS
  return {
    isOver: () => performance.now() >= until,
    turn: () =>
      new Promise((resolve) => {
        const resume = () => {
          until = performance.now() + SLICE_MS
          resolve()
        }
        const waiting = lines.get(line)
        if (waiting) waiting.push({ order, resume })
        else lines.set(line, [{ order, resume }])
        if (isArmed) return
        isArmed = true
        setImmediate(serve)
      }),
  }
}

/** Carries out work that pauses at each `yield`; its start waits for a turn too. `check` may throw before each slice. */
export async function inSlices<T>(work: Generator<undefined, T>, line: string, check?: () => void): Promise<T> {
  const own = pace(line)
  for (;;) {
    await own.turn()
    check?.()
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (!own.isOver())
  }
}

/** Carries out the same in one go, where it is known to be short. */
export function atOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Calls `make` for each item, in slices if the items are many or long. */
export async function mapInSlices<T, R>(
  items: readonly T[],
  line: string,
  make: (item: T, index: number) => R,
): Promise<R[]> {
  const own = pace(line)
  const made: R[] = new Array(items.length)
  for (let n = 0; n < items.length; n++) {
    if (own.isOver()) await own.turn()
    made[n] = make(items[n] as T, n)
  }
  // A single long item may have used up the slice: further work on it belongs to the next slice.
  if (own.isOver()) await own.turn()
  return made
}

/**
 * Calls `work` for each item in turn, in slices; one item should take less than a slice. `check` may throw before each
 * later slice.
 */
export async function eachInSlices<T>(
  items: Iterable<T>,
  line: string,
  work: (item: T) => Promise<void> | void,
  check?: () => void,
): Promise<void> {
  const own = pace(line)
  for (const item of items) {
    if (own.isOver()) {
      await own.turn()
      check?.()
    }
    const done = work(item)
    if (done !== undefined) await done
  }
}
