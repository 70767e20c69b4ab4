// Writes exports: one at a time on a server, beginning with the one that has waited longest. If a server dies, the
// export begins again.

import { backgroundLoop, type Failed, firstLookMs } from '../../concurrency/background-loop.ts'
import { Problem } from '../../core/problem.ts'
import { queryable, withConnection } from '../../database/alone.ts'
import type { Database } from '../../database/connect.ts'
import { keptLease, LeaseLost, unlessLost } from '../../database/job-lease.ts'
import { type Sink, writeCompany } from '../company-file/export.ts'
import type { ObjectStore } from '../files/object-store.ts'
import { clearExports, deleteChunks, storeChunk } from './chunks.ts'
import {
  EXPORT_LEASE_MS,
  endExport,
  failExport,
  type LeasedExport,
  leaseExport,
  noteProgress,
  releaseLease,
} from './export.ts'

/** Bytes of one stored chunk, written and read at once: a statement of some ms. */
const EXPORT_CHUNK_BYTES = 1024 * 1024
/** Milliseconds between two saves of the progress. Each save renews the lease. */
const EXPORT_NOTE_MS = 1_000
/** Milliseconds between two looks for waiting exports, and between two removals of old ones. */
const EXPORT_LOOK_MS = 2_000
const EXPORT_CLEARING_MS = 60_000
/** Milliseconds after which an export that failed is begun again, four times as long after each time; and how often. */
const EXPORT_PAUSE_MS = 2_000
const EXPORT_TRIES = 5
/** Connections to PostgreSQL for the chunks of exports; the snapshot has one more. */
export const EXPORT_CONNECTIONS = 1

/** Intervals in milliseconds, instead of the limits. */
export interface ExportTimes {
  readonly clearingMs?: number
}

interface Exporting {
  /** Looks at once for waiting exports. */
  wake(): void
  /** Stops at once and releases the lease; resolves when nothing needs the database any more. */
  stop(): Promise<void>
}

/** Where exports are, and what they are made of. */
interface ExportPlaces {
  readonly database: Database
  readonly objects: ObjectStore | undefined
}

/** Called with errors of an export, and of looking for exports and of removing old ones: all of them are retried. */
interface ExportFailures {
  readonly failed: Failed
  readonly lookFailed: Failed
}

/** Writes exports until it is stopped. */
export function keepExporting(
  places: ExportPlaces,
  { failed, lookFailed }: ExportFailures,
  { clearingMs = EXPORT_CLEARING_MS }: ExportTimes = {},
): Exporting {
  const { database } = places
  const stopping = new AbortController()

  async function look(): Promise<number> {
    const job = await leaseExport(database, EXPORT_LEASE_MS)
    if (job === undefined) return EXPORT_LOOK_MS
    await execute(places, job, failed, stopping.signal)
    return 0
  }

  async function clear(): Promise<number> {
    await clearExports(database, () => stopping.signal.aborted)
    return clearingMs
  }

  const loops = [
    backgroundLoop(look, lookFailed, EXPORT_LOOK_MS),
    backgroundLoop(clear, lookFailed, clearingMs),
  ] as const
  for (const loop of loops) loop.schedule(firstLookMs())
  return {
    wake: () => loops[0].schedule(0),
    async stop() {
      stopping.abort(new Error('The server is ending.'))
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Writes an export under its lease, and stores how it ended. */
async function execute(places: ExportPlaces, job: LeasedExport, failed: Failed, signal: AbortSignal): Promise<void> {
  const { database } = places
  if (job.tries > EXPORT_TRIES)
    return giveUp(database, job, `The export was begun ${EXPORT_TRIES} times and never ended.`)
  try {
    await write(places, job, signal)
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (error instanceof Problem && error.reason === 'database_full')
      return giveUp(database, job, 'The database has no room for the file. Ask for another export later.')
    if (!signal.aborted) failed(error)
    const pauseMs = signal.aborted ? 0 : EXPORT_PAUSE_MS * 4 ** job.tries
    await releaseLease(database, job, { pauseMs, isBlameless: signal.aborted }).catch(unlessLost)
  }
}

/** Stores a final failure, and deletes what there is of the file. */
async function giveUp(database: Database, job: LeasedExport, problem: string): Promise<void> {
  await failExport(database, job, problem).then(() => deleteChunks(database, job), unlessLost)
}

/** Writes the file from its beginning: the snapshot of an earlier lease is gone. */
async function write({ database, objects }: ExportPlaces, job: LeasedExport, signal: AbortSignal): Promise<void> {
  let share = 0
  const kept = keptLease(() => noteProgress(database, job, share), EXPORT_NOTE_MS)
  const either = AbortSignal.any([signal, kept.lost])
  try {
    await deleteChunks(database, job)
    let number = 0
    const sink: Sink = {
      progress: (done, total) => {
        share = done / total
      },
      write: async (bytes) => {
        for (let at = 0; at < bytes.length; at += EXPORT_CHUNK_BYTES) {
          either.throwIfAborted()
          await storeChunk(database, job, number++, bytes.subarray(at, at + EXPORT_CHUNK_BYTES))
        }
      },
    }
    const { companyId } = job
    const written = await withConnection(
      database,
      (client) => writeCompany(queryable(client), { companyId, objects }, sink),
      either,
    )
    await kept.stop()
    await endExport(database, job, written)
  } finally {
    await kept.stop()
  }
}
