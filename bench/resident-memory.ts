// The memory of a process that is in RAM, as Linux counts it.
import { readFileSync } from 'node:fs'

/** Megabytes of a process. */
export const megabytesOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
