// What test files of one process share, since starting it costs more than a test: a service.
import { AsyncLocalStorage } from 'node:async_hooks'

const stops: (() => Promise<unknown>)[] = []

/** Calls something in no test: what it starts outlives the test that needs it first. */
export const outsideOfTests = AsyncLocalStorage.snapshot()

/** Stops something after the last file of this process. */
export const afterAllFiles = (stop: () => Promise<unknown>): number => stops.push(stop)

/** Stops what files have shared, what began last first; after the last file. */
export async function stopShared(): Promise<void> {
  for (const stop of stops.splice(0).toReversed()) await stop()
}
