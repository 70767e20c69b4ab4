// Processor time of processes and their descendants, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of the kernel's processor times in a second. */
const TICKS = 100

/** A process and its descendants. */
export function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(Number(name))
      return stat ? [[Number(name), Number(stat[1])] as const] : []
    })
  const tree = [root]
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child))
  return tree
}

/** The fields of /proc/PID/stat after the name: the state, the parent and so on. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}

/** Processor time of some processes so far, in microseconds. */
export const cpuMicros = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    const stat = statOf(pid)
    return sum + (stat ? ((Number(stat[11]) + Number(stat[12])) * 1e6) / TICKS : 0)
  }, 0)

/** Run time of the threads of a process so far, in microseconds, which the kernel counts in nanoseconds. */
function threadsMicros(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const nanos = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])) // biome-ignore format: one thought
    return nanos.reduce((sum, value) => sum + value, 0) / 1_000
  } catch {
    return 0
  }
}

/** Processor time of a process and its descendants so far, in microseconds; of children that have ended, such as parallel workers, in ticks. */
export function treeMicros(root: number): number {
  const ended = statOf(root)?.slice(13, 15) ?? []
  const ticks = ended.reduce((sum, value) => sum + Number(value), 0)
  return treeOf(root).reduce((sum, pid) => sum + threadsMicros(pid), (ticks * 1e6) / TICKS)
}
