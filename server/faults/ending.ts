// Processes, mounts and folders that must be cleaned up, whatever happens.

/** A list of cleanups. */
export interface Ending {
  /** Adds one to be run at the end, the latest first. */
  after(close: () => unknown): void
  /** Runs each once; a failure is reported and prevents no other. */
  end(): Promise<void>
}

export function ending(): Ending {
  const closings: (() => unknown)[] = []
  let isEnding = false
  let running: Promise<void> | undefined

  async function endAll(): Promise<void> {
    for (let close = closings.pop(); close !== undefined; close = closings.pop()) {
      try {
        await close()
      } catch (error) {
        process.stderr.write(`Could not be ended: ${(error as Error).message}\n`)
        process.exitCode = 1
      }
    }
  }

  function end(): Promise<void> {
    isEnding = true
    running = (running ?? Promise.resolve()).then(endAll)
    return running
  }

  return {
    after(close) {
      closings.push(close)
      // What starts after the end is stopped at once.
      if (isEnding) end()
    },
    end,
  }
}
