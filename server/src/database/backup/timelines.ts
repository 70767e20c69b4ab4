// Which of PostgreSQL's timelines a recovery follows, and how far the archive goes on it: each restore begins a new timeline.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest } from './manifest.ts'
import { isHistoryName, lsnOf, segmentAt, segmentBefore, segmentName } from './wal.ts'

/** The part of the archive that follows a backup. */
export interface ArchivedLog {
  readonly timeline: number
  /** The last segment that can be reached, the backup's own at least. */
  readonly lastSegment: bigint
  /** The first segment that is missing although later ones exist. */
  readonly missing: string | undefined
  /** Where earlier restores to a point in time left the timelines. */
  readonly branches: readonly Branch[]
}

/** A timeline and where it was left. */
interface Branch {
  readonly timeline: number
  readonly leftAt: string
  /** When the first transaction was committed that the restore undid, in canonical form; undefined if it undid none. */
  readonly undoneFrom: string | undefined
}

/** Finds the newest timeline that continues a backup, and the segments that exist without a gap. */
export async function archivedAfter(archive: string, manifest: BackupManifest): Promise<ArchivedLog> {
  const names = new Set(await readdir(archive))
  const { timeline, branches } = await newestTimeline(archive, names, manifest)
  const { segmentBytes, stop } = manifest
  const nameOf = (segment: bigint): string => {
    const branch = branches.find(({ leftAt }) => segment < segmentAt(leftAt, segmentBytes))
    return segmentName(branch?.timeline ?? timeline, segment, segmentBytes)
  }
  let lastSegment = segmentBefore(stop.lsn, segmentBytes)
  while (names.has(nameOf(lastSegment + 1n))) lastSegment++
  const first = nameOf(lastSegment + 1n)
  // Later segments of the same timeline: what lies between is missing.
  const isGap = [...names].some((name) => name.length === 24 && name.slice(0, 8) === first.slice(0, 8) && name > first)
  return { timeline, lastSegment, missing: isGap ? first : undefined, branches }
}

async function newestTimeline(
  archive: string,
  names: ReadonlySet<string>,
  { timeline, stop }: BackupManifest,
): Promise<{ timeline: number; branches: readonly Branch[] }> {
  for (const name of [...names].filter(isHistoryName).toSorted().reverse()) {
    const branches = branchesIn(await readFile(join(archive, name), 'utf8'))
    const own = branches.find((branch) => branch.timeline === timeline)
    // A timeline that was left before the backup's end leads to another database.
    if (own !== undefined && lsnOf(own.leftAt) >= lsnOf(stop.lsn))
      return { timeline: Number.parseInt(name.slice(0, 8), 16), branches }
  }
  return { timeline, branches: [] }
}

/** The lines of a history file: timeline, the place where it was left, and the reason, `before` a time where one was asked for. */
function branchesIn(text: string): Branch[] {
  const lines = text.matchAll(/^(\d+)\t([0-9A-F]+\/[0-9A-F]+)\t(?:before (\S+) (\S+)\+00)?/gim)
  return [...lines].map(([, timeline, leftAt = '', day, time]) => ({
    timeline: Number(timeline),
    leftAt,
    undoneFrom: day && new Date(`${day}T${time}Z`).toISOString(),
  }))
}
