// The manifest of a backup: what it holds, from which service, and the digest of each file, so that damage and foreign folders are recognized.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileError } from '../../core/file-errors.ts'
import { OperatorError } from '../../core/operator-error.ts'

/*
 * A folder of backups:
 *
 *   20261123T064142123Z/       a complete backup, named after the time of its end
 *     manifest.json            written last
 *     base/                    the copy of PostgreSQL's files, with `backup_label`
 *     wal/                     the segments of the write-ahead log from its start to its stop, and later ones
 *   .new-*                     a backup that is being made, or whose program was killed; the next backup removes it
 *   .old-*                     a backup that is being removed
 *   .verify-*                  a copy that `backup verify` started; removed as well
 */

/** The version of the format; a reader refuses a newer one. */
export const FORMAT = 1
export const manifestName = 'manifest.json'

/** A file of a backup, its path relative to the backup's folder. */
export interface BackupFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A place in the write-ahead log. */
interface LogPlace {
  /** The database's time, in UTC. */
  readonly at: string
  /** The log sequence number. */
  readonly lsn: string
}

export interface BackupManifest {
  readonly format: number
  /** The version of the program. */
  readonly cashwrap: string
  /** The version of PostgreSQL. */
  readonly postgres: string
  /** The number of the newest migration. */
  readonly migration: number
  /** PostgreSQL's files are only good for the processor's architecture. */
  readonly architecture: string
  /** PostgreSQL's identifier of the cluster, which its log carries too. */
  readonly systemId: string
  readonly timeline: number
  /** The size of a segment of the log. */
  readonly segmentBytes: number
  readonly start: LogPlace
  readonly stop: LogPlace
  /** Everything that was committed up to this time is in the backup. */
  readonly until: string
  /** A mark of the secret key, which is not in the backup. Null if the database has none yet. */
  readonly secretKey: string | null
  /** All folders, so that empty ones are made too. */
  readonly folders: readonly string[]
  readonly files: readonly BackupFile[]
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A manifest as text. Its last member is the digest of all bytes before it. */
export function writeManifest(manifest: BackupManifest): string {
  const head = JSON.stringify(manifest, null, 1).slice(0, -2)
  return `${head}${tailOf(digest(head))}`
}

const tailOf = (sha256: string): string => `,\n "sha256": "${sha256}"\n}\n`

/** Reads the manifest of a backup. Throws OperatorError if it was changed, is of a newer version, or is none. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new OperatorError(`${folder} is not a backup: it has no ${manifestName}.`)
      : fileError(`The backup ${folder}`, 'read', error)
  })
  const end = text.lastIndexOf(',\n "sha256": "')
  const head = text.slice(0, Math.max(0, end))
  const content = parsed(text)
  if (end === -1 || content === undefined || text.slice(end) !== tailOf(digest(head)))
    throw new OperatorError(`The backup ${folder} is damaged: its ${manifestName} does not match its checksum.`)
  if (content.format !== FORMAT)
    throw new OperatorError(
      `The backup ${folder} has format ${content.format}, and this version of Cashwrap reads format ${FORMAT}: use the version that made it (${content.cashwrap}).`,
    )
  // A digest proves no origin: a path of a foreign manifest must not lead out of the folder.
  const paths = [...content.files.map(({ path }) => path), ...content.folders]
  const stray = paths.find((path) => !/^(base|wal)(\/|$)/.test(path) || path.split('/').includes('..'))
  if (stray !== undefined)
    throw new OperatorError(
      `The backup ${folder} was not made by Cashwrap: its manifest names the path ${JSON.stringify(stray)}.`,
    )
  return content
}

function parsed(text: string): BackupManifest | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
