// Errors of disks during backups: too little room, and files that cannot be read or written. Each message names the file,
// so that it shows which side of a copy failed.

import { statfs } from 'node:fs/promises'
import { fileError, unwritable } from '../../core/file-errors.ts'
import { makeFolder } from '../../core/make-folder.ts'
import { OperatorError } from '../../core/operator-error.ts'

/** Throws OperatorError if a folder's disk has less room than a backup needs. */
export async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= bytes) return
  throw new OperatorError(
    `The disk of ${folder} has ${megabytes(bavail * bsize)} MB left, and the backup needs ${megabytes(bytes)} MB.`,
  )
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6)

/** Names a file that cannot be read. A missing file is left to the caller, which may handle it in another way. */
export const unreadableIfThere =
  (path: string) =>
  (error: unknown): never => {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? error : fileError(path, 'read', error)
  }

/** Makes a folder of the operator's choice, with its parents; returns the first that is new, if one is. Names it if it cannot be made. */
export const makePlace = (path: string, mode?: number): Promise<string | undefined> =>
  makeFolder(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`${path} cannot be written: no folder can be made there.`)
    return unwritable(path)(error)
  })
