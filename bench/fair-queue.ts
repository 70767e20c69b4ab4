// Shows what a fair queue costs that never runs empty: processor time and garbage collection while items come and go.
import { PerformanceObserver } from 'node:perf_hooks'
import { fairQueue } from '../server/src/concurrency/fair-queue.ts'

/** Items that wait all the time, and items that pass. */
const waiting = 200
const passing = 6_000_000
/** Items between two turns of the event loop. */
const turn = 100_000

const collections: number[] = []
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collections.push(duration)
}).observe({ entryTypes: ['gc'] })

const queue = fairQueue<object>(2 * waiting, { value: 0 })
for (let n = 0; n < waiting; n++) queue.push('company', { n })
const before = process.cpuUsage()
for (let n = 0; n < passing; n++) {
  queue.take()
  queue.push('company', { n, values: [n] })
  if (n % turn === 0) await new Promise(setImmediate)
}
const { user, system } = process.cpuUsage(before)
const sum = collections.reduce((all, one) => all + one, 0)
console.log(
  `${passing} items: ${((user + system) / 1_000).toFixed(0)} ms of processor time, ${sum.toFixed(0)} ms of garbage collection, the longest ${Math.max(...collections).toFixed(0)} ms`,
)
