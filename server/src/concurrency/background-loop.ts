// Work that repeats: after a delay, or sooner on request, and never twice at once.
/** Receives errors of the service itself; the work is retried. */
export type Failed = (error: unknown) => void

/** Mean milliseconds between the first looks of two loops: a look takes less, even with a new connection. */
const BETWEEN_FIRST_LOOKS_MS = 150

let lastFirstLook = 0

/**
 * Milliseconds until a loop's first look, for work that nobody waits for. The first looks of a starting server come one
 * after another and share a connection; the last of them is in two seconds. Servers that start together look at
 * different times.
 */
export function firstLookMs(): number {
  const now = performance.now()
  lastFirstLook = Math.max(now, lastFirstLook) + BETWEEN_FIRST_LOOKS_MS * (0.5 + Math.random())
  return lastFirstLook - now
}

export interface BackgroundLoop {
  /** Runs within this many milliseconds. */
  schedule(ms: number): void
  /** Resolves when it has ended and will not run again. */
  stop(): Promise<void>
}

/**
 * Runs work repeatedly, never twice at once. It runs again after the milliseconds that it returned, or sooner on
 * request. After a failure it runs again after `afterFailureMs`, and no sooner. The first request starts it. Work with
 * many steps checks `isStopping` before each step.
 */
export function backgroundLoop(
  work: (isStopping: () => boolean) => Promise<number>,
  failed: Failed,
  afterFailureMs: number,
): BackgroundLoop {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined
  let isStopped = false

  function schedule(ms: number): void {
    const at = performance.now() + ms
    if (isStopped || at >= dueAt) return
    dueAt = at
    if (running !== undefined) return
    clearTimeout(timer)
    timer = setTimeout(run, ms)
  }

  function run(): void {
    dueAt = Number.POSITIVE_INFINITY
    running = work(() => isStopped)
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
        schedule(ms)
      })
  }

  return {
    schedule,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
