// Finds a worker that hangs: it keeps its part of the new connections, and would answer none of them for ever.

/** Milliseconds between two questions to a worker. */
const ASK_MS = 5_000
/**
 * Questions in turn without an answer after which a worker hangs: half a minute. Its longest work without a pause takes
 * seconds. Questions are counted, not time: a machine that sleeps, or a primary that gets no turn, asks none meanwhile.
 */
const UNANSWERED = 6

/** What a watchdog calls. */
interface WatchedWorker {
  readonly ask: () => void
  /** Called once. */
  readonly hangs: () => unknown
}

/** Watches one worker, from `begin` to `stop`. */
export class Watchdog {
  readonly #watched: WatchedWorker
  #asking: NodeJS.Timeout | undefined
  #unanswered = 0
  /** Whether the worker was found hanging. */
  isHanging = false

  constructor(watched: WatchedWorker) {
    this.#watched = watched
  }

  begin(): void {
    this.#asking = setInterval(() => this.#look(), ASK_MS)
    this.#asking.unref()
  }

  answered(): void {
    this.#unanswered = 0
  }

  stop(): void {
    clearInterval(this.#asking)
  }

  #look(): void {
    if (this.#unanswered++ < UNANSWERED) {
      this.#watched.ask()
      return
    }
    this.stop()
    this.isHanging = true
    this.#watched.hangs()
  }
}
