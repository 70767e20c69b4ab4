// Watches the archive while the service runs: reports when it fails, and gives it up before the waiting segments fill
// the disk.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { type BackgroundLoop, backgroundLoop } from '../../concurrency/background-loop.ts'
import { warn } from '../../core/failure-log.ts'
import type { Database } from '../connect.ts'
import {
  archiveHistories,
  archiveOf,
  archiveState,
  forgetArchive,
  isOnSameDisk,
  isUnresumed,
  makeArchive,
  pauseArchiving,
  startArchiving,
  stopArchiving,
} from './archive.ts'

/** Bytes of segments that may wait for the archive. */
const WAITING_BYTES = 8 * 1024 ** 3
/** Milliseconds between two looks, and between two lines about the same failure. */
const LOOK_MS = 10_000
const AGAIN_MS = 600_000
/** Milliseconds between two looks whether a restored database was resumed. */
const RESUMED_MS = 1_000

interface Watched {
  /** CASHWRAP_ARCHIVE. */
  readonly archive: string | undefined
  /** The folder of PostgreSQL's files. */
  readonly cluster: string
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Another bound, for tests. */
  readonly waitingBytes?: number
  readonly lookMs?: number
}

/** Archives to the configured folder, or no longer; resolves once PostgreSQL has its settings. */
export async function watchArchive(database: Database, watched: Watched): Promise<{ stop(): Promise<void> }> {
  const watch = new ArchiveWatch(database, watched)
  await watch.begin()
  return watch
}

/** Looks at an archive, and remembers what was reported about it. */
class ArchiveWatch {
  readonly #database: Database
  readonly #watched: Watched
  readonly #looking: BackgroundLoop
  #failingSince: number | undefined
  #saidAt = Number.NEGATIVE_INFINITY
  #isOnSameDisk = false
  /** Whether the archive was on another disk than the database since the service started. */
  #hadOwnDisk = false
  #isPaused = false

  constructor(database: Database, watched: Watched) {
    this.#database = database
    this.#watched = watched
    const { log, lookMs = LOOK_MS } = watched
    const failed = warn(log, 'looking at the archive failed; retrying')
    this.#looking = backgroundLoop(() => this.#look(), failed, lookMs)
  }

  async begin(): Promise<void> {
    const { archive, log } = this.#watched
    const state = await archiveState(this.#database)
    if (archive === undefined) {
      if (state === 'off') await forgetArchive(this.#database)
      else
        log.warn('the log is archived until PostgreSQL is restarted: another server started it with CASHWRAP_ARCHIVE')
      return
    }
    if (state === 'off') {
      log.warn(
        'the log is not archived until PostgreSQL is restarted: another server started it without CASHWRAP_ARCHIVE',
      )
      return
    }
    const { systemId } = await this.#read()
    // Makes the folder before PostgreSQL copies to it, which would otherwise fail and be reported. If it cannot be
    // made, the first look reports why.
    await this.#prepareFolder(systemId)
    this.#isPaused = await isUnresumed(this.#database)
    if (this.#isPaused) {
      await pauseArchiving(this.#database)
      log.warn(
        { archive },
        'archiving is paused until `cashwrap resume`, since the database was restored or loaded; its log is kept until then',
      )
    } else await this.#start(archive)
    this.#looking.schedule(0)
  }

  async #start(archive: string): Promise<void> {
    await archiveHistories(this.#watched.cluster)
    await startArchiving(this.#database, archive)
  }

  stop(): Promise<void> {
    return this.#looking.stop()
  }

  async #look(): Promise<number> {
    const { archive = '', log, waitingBytes = WAITING_BYTES, lookMs = LOOK_MS } = this.#watched
    const { systemId, waiting, bytes, isFailing, failed } = await this.#read()
    if ((await archiveState(this.#database)) === 'stopped') return lookMs
    if (this.#isPaused && !(await isUnresumed(this.#database))) {
      await this.#start(archive)
      this.#isPaused = false
      log.info({ archive }, 'archiving is resumed')
      return lookMs
    }
    const problem = await this.#prepareFolder(systemId)
    if (bytes >= waitingBytes) {
      await stopArchiving(this.#database, `${waiting} segments waited`)
      log.error(
        { archive, waiting },
        `archiving stopped: too much of the log waited for ${this.#isPaused ? '`cashwrap resume`; run that' : 'the folder; fix that'}, then run \`cashwrap backup\`, which starts it again`,
      )
    } else if (this.#isPaused) return Math.min(lookMs, RESUMED_MS)
    else if (isFailing || problem !== undefined)
      this.#sayFailing({ archive, waiting, reason: problem }, await isTaken(join(archiveOf(archive, systemId), failed)))
    else if (this.#failingSince !== undefined) {
      this.#failingSince = undefined
      this.#saidAt = Number.NEGATIVE_INFINITY
      log.info({ archive }, 'archiving works again')
    }
    return lookMs
  }

  /**
   * Makes the folder at each look, since its disk may have been missing before. After an unmount, PostgreSQL would
   * archive below the mount point, where the next mount hides the segments, so no folder is made. Returns what is wrong.
   */
  async #prepareFolder(systemId: string): Promise<string | undefined> {
    const { archive = '', cluster } = this.#watched
    if (this.#hadOwnDisk && (await isOnSameDisk(archive, cluster).catch(() => true)))
      return `${archive} is missing or on the disk of the database: mount the disk of the archive`
    try {
      await makeArchive(archive, systemId, cluster)
      await this.#lookAtDisk()
    } catch (error) {
      return (error as Error).message
    }
    return undefined
  }

  /** Warns once if the archive is on the disk of the database. */
  async #lookAtDisk(): Promise<void> {
    const { archive = '', cluster, log } = this.#watched
    const before = this.#isOnSameDisk
    this.#isOnSameDisk = await isOnSameDisk(archive, cluster)
    this.#hadOwnDisk ||= !this.#isOnSameDisk
    if (this.#isOnSameDisk && !before)
      log.warn(
        { archive },
        'the archive is on the disk of the database, and would be lost with it: mount another disk there, or set CASHWRAP_ARCHIVE to a folder on one',
      )
  }

  #sayFailing(about: { archive: string; waiting: number; reason: string | undefined }, isMixed: boolean): void {
    const now = performance.now()
    this.#failingSince ??= now
    if (now - this.#saidAt < AGAIN_MS) return
    this.#saidAt = now
    this.#watched.log.warn(
      about,
      isMixed
        ? 'archiving failed; retrying: the folder has the log of another copy of this database; set CASHWRAP_ARCHIVE to a new folder, restart, and run `cashwrap backup`'
        : 'archiving failed; retrying: the folder is full, missing or not writable; the log is kept until it can be archived',
    )
  }

  /** What the archiver says, and what waits for it. */
  async #read() {
    const [row] = await this.#database.query(
      `select (select system_identifier::text from pg_control_system()),
         (select count(*)::int from pg_ls_archive_statusdir() where name like '%.ready'),
         pg_size_bytes(current_setting('wal_segment_size')),
         coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false), coalesce(last_failed_wal, '')
       from pg_stat_archiver`,
    )
    const [systemId, waiting, segmentBytes, isFailing, failed] = row as [string, number, number, boolean, string]
    return { systemId, waiting, bytes: waiting * Number(segmentBytes), isFailing, failed }
  }
}

/** Whether a file of the archive exists, which PostgreSQL never replaces by another one. */
const isTaken = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
