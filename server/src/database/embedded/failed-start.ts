// Says why PostgreSQL ended before it was ready, in its own words: the operator has to do something about it.

import { readFile, statfs } from 'node:fs/promises'
import { errorLine } from './account.ts'
import type { Cluster } from './cluster.ts'
import { logFile, type Server } from './server.ts'

/**
 * PostgreSQL allocates its write-ahead log in segments of this size. With less room, the file of its messages may be
 * cut off before the reason.
 */
const LEAST_ROOM_BYTES = 16 * 1024 * 1024

/** Why a server of ours ended before it was ready; its log begins at `logStart`. */
export async function whyItFailed(server: Server, cluster: Cluster, logStart: number): Promise<string> {
  const how = await server.gone
  const written = await readFile(logFile(cluster)).catch(() => Buffer.alloc(0))
  // If there is a complaint, it did not reach its log, which then describes an earlier run.
  const reason = reasonIn(server.complaint || String(written.subarray(logStart)), server.pid) || how
  return reasonOfDisk(cluster.directory, reason)
}

/** The reason of a failure in a folder: that its disk is full, if it is. */
export async function reasonOfDisk(folder: string, reason: string): Promise<string> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < LEAST_ROOM_BYTES ? `there is no space left on its disk (${reason})` : reason
}

/** The reason in the log of one start; empty if it has none. */
function reasonIn(log: string, pid: number | undefined): string {
  // Each of our own probes during the start leaves a line that explains nothing. `LOG` says only what it did, unless a
  // process of its own was killed, as when memory ran out.
  const lines = log.replaceAll(/^.*(FATAL: +the database system is| LOG: ).*\n/gm, '').split('\n')
  // Its own messages come first: last messages of an earlier server's processes may be in between.
  const complaint = errorLine(lines.find((line) => line.includes(`[${pid}] FATAL:`)) ?? lines.join('\n'))
  return complaint || (/ LOG: +(.* was terminated by signal .*)/.exec(log)?.[1] ?? '')
}
