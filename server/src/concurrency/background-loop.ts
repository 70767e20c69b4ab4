// Work that is done again and again: after a while, or sooner when there is reason to, and never twice at once.
/** Told of what went wrong on our side, and is tried again. */
export type Failed = (error: unknown) => void

interface BackgroundLoop {
  /** At the latest in so many milliseconds. */
  schedule(ms: number): void
  /** Resolves when it neither runs nor will any more. */
  stop(): Promise<void>
}

/**
 * Runs work again and again, never twice at once: after as many milliseconds as it says, or sooner when asked to; after
 * `afterFailureMs`, and no sooner, when it failed. It begins when it is asked to the first time.
 */
export function backgroundLoop(work: () => Promise<number>, failed: Failed, afterFailureMs: number): BackgroundLoop {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined
  let isStopped = false

  function within(ms: number): void {
    const at = performance.now() + ms
    if (isStopped || at >= dueAt) return
    dueAt = at
    if (running !== undefined) return
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  function run(): void {
    dueAt = Number.POSITIVE_INFINITY
    running = work()
      .then(
        (ms) => Math.max(0, Math.min(ms, dueAt - performance.now())),
        (error) => {
          if (!isStopped) failed(error)
          return afterFailureMs
        },
      )
      .then((ms) => {
        running = undefined
        dueAt = Number.POSITIVE_INFINITY
        within(ms)
      })
  }

  return {
    schedule: within,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
