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
