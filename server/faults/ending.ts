// What was started and must be ended, whatever happens: processes, mounts, folders.

/** A list of closings. */
export interface Ending {
  /** Has this done at the end, the latest first. */
  after(close: () => unknown): void
  /** Does it, once each; what fails is told and keeps nothing else from being done. */
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
      // What is begun after the end is ended at once.
      if (isEnding) end()
    },
    end,
  }
}
