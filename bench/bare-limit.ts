// The limit "bare driver" of a measurement: the engine's own statement, repeated by a driver on its best number of connections.
import type { BareRun } from './bare-driver.ts'
import type { Measurement, Parts } from './measurement.ts'
import type { Caught } from './statements.ts'

/** Connections of the bare driver that are tried; the best is used. */
const poolSizes = [2, 4, 8, 16, 32]
/** Bulk statements that each connection runs for that. */
const bulkTrials = 3

/** The limit of a measurement with that many connections. */
export function bareLimit(
  { driver, isQuick }: Pick<Parts, 'driver' | 'isQuick'>,
  connections: number,
  caught: Caught,
  { times, ...rest }: Partial<BareRun> = {},
): Required<Pick<Measurement, 'limitName' | 'limit' | 'prepareLimit'>> {
  const run = async (clients: number, seconds: number, count = times) => {
    const length = count === undefined ? { seconds } : { times: count }
    return (await driver.ask<{ perSecond: number }>({ ...caught, ...rest, clients, ...length })).perSecond
  }
  let clients = 1
  return {
    limitName: 'bare driver',
    limit: (seconds) => run(clients, seconds),
    prepareLimit: async (seconds) => {
      if (connections === 1) return
      const speeds = new Map<number, number>()
      const most = times === undefined ? connections : 8
      for (const size of isQuick ? [8, 16] : poolSizes.filter((size) => size <= most))
        speeds.set(await run(size, seconds, times && size * bulkTrials), size)
      clients = speeds.get(Math.max(...speeds.keys())) as number
    },
  }
}
