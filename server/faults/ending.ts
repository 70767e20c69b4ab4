// What was started and must be ended, whatever happens: processes, mounts, folders.

/** A list of closings; each that is begun removes itself at the end of its use. */
export interface Ending {
  /** Has this done at the end, the latest first. */
  after(close: () => unknown): void
  /** Does it, once each; what fails is told and keeps nothing else from being done. */
  end(): Promise<void>
}

export function ending(): Ending {
  const closings: (() => unknown)[] = []
  let running: Promise<void> | undefined

  async function end(): Promise<void> {
    for (let close = closings.pop(); close !== undefined; close = closings.pop()) {
      try {
        await close()
      } catch (error) {
        process.stderr.write(`Could not be ended: ${(error as Error).message}\n`)
        process.exitCode = 1
      }
    }
  }

  return {
    after: (close) => void closings.push(close),
    end: () => {
      running = (running ?? Promise.resolve()).then(end)
      return running
    },
  }
}
