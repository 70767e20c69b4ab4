// Loaded before the service, reports how long its event loop was blocked: `--import bench/loop-probe.ts` with the path of a socket in LOOP_PROBE.
import { createServer } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** The report for the time since the last reading; milliseconds, and bytes of memory. */
export interface Held {
  /** The longest delay that `monitorEventLoopDelay` saw, and its 99th percentile. */
  readonly delayMaxMs: number
  readonly delayP99Ms: number
  /** The maximum processor time of the thread between two turns. Other processes are not in it. */
  readonly turnMaxMs: number
  readonly memory: NodeJS.MemoryUsage
  /** The maximum memory of the process, in bytes. */
  readonly peakRss: number
}

const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
let turnMaxMs = 0
let peakRss = 0
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let last = spent()
// The loop comes here once per turn, at least a millisecond apart.
setInterval(() => {
  const now = spent()
  turnMaxMs = Math.max(turnMaxMs, now - last)
  last = now
}, 1).unref()
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss())
}, 20).unref()

createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (asked) => {
    if (String(asked).includes('gc')) globalThis.gc?.()
    const held: Held = {
      delayMaxMs: delays.max / 1e6,
      delayP99Ms: delays.percentile(99) / 1e6,
      turnMaxMs,
      memory: process.memoryUsage(),
      peakRss: Math.max(peakRss, process.memoryUsage.rss()),
    }
    delays.reset()
    turnMaxMs = 0
    peakRss = 0
    last = spent()
    socket.end(JSON.stringify(held))
  })
})
  .listen(process.env.LOOP_PROBE)
  .unref()
