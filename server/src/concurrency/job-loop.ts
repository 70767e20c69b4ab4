// Works on leased jobs, several at once: a job that ends makes room for the next one that is due.
import { backgroundLoop, firstLookMs } from './background-loop.ts'

interface JobParts<T> {
  /** Maximum number of jobs that run at once. */
  readonly atOnce: number
  /** Milliseconds between two looks for jobs that are due. */
  readonly lookMs: number
  /** Leases up to `most` jobs that are due; none of `but`, which are running. */
  readonly lease: (most: number, but: readonly string[]) => Promise<readonly T[]>
  /** Identifies a job among those that are running. */
  readonly keyOf: (job: T) => string
  /** Works on a job, and stores how it ended. */
  readonly attempt: (job: T) => Promise<void>
  /** Called with errors of `lease`, and with those of `attempt` and the job's key. */
  readonly failed: (error: unknown, key?: string) => void
}

interface JobLoop {
  /** Looks now for jobs that are due. */
  lookSoon(): void
  /** Takes no further jobs; resolves when no look is in progress. */
  stopLooking(): Promise<void>
  /** Resolves when the running jobs have ended. */
  ended(): Promise<unknown>
}

/** Looks for jobs from now on, and works on each, until it is stopped. */
export function jobLoop<T>({ atOnce, lookMs, lease, keyOf, attempt, failed }: JobParts<T>): JobLoop {
  const underWay = new Map<string, Promise<void>>()

  async function look(): Promise<number> {
    const most = atOnce - underWay.size
    if (most === 0) return lookMs
    for (const job of await lease(most, [...underWay.keys()])) {
      const key = keyOf(job)
      const work = attempt(job)
        .catch((error) => failed(error, key))
        .finally(() => {
          underWay.delete(key)
          lookSoon()
        })
      underWay.set(key, work)
    }
    return lookMs
  }

  const looking = backgroundLoop(look, failed, lookMs)
  const lookSoon = () => looking.schedule(0)
  looking.schedule(firstLookMs())
  return { lookSoon, stopLooking: looking.stop, ended: () => Promise.all(underWay.values()) }
}
