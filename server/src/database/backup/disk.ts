// Errors of disks: too little room, and files that cannot be read or written. Each message names the file, so that it
// shows which side of a copy failed.

import { statfs } from 'node:fs/promises'
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

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full',
  EROFS: 'it is on a read-only file system',
  EEXIST: 'a file is in its place',
  ENOTDIR: 'a file is in its place',
  EIO: 'its disk reports an error',
}

/** Names a file that cannot be read. A missing file is left to the caller, which may handle it in another way. */
export const unreadable =
  (path: string) =>
  (error: unknown): never => {
    throw failure(path, 'read', error)
  }

/** Names a file or folder that cannot be written. */
export const unwritable =
  (path: string) =>
  (error: unknown): never => {
    throw failure(path, 'write', error)
  }

/** Makes a folder of the operator's choice, with its parents; returns the first that is new, if one is. Names it if it cannot be made. */
export const makePlace = (path: string, mode?: number): Promise<string | undefined> =>
  makeFolder(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new OperatorError(`${path} cannot be written: no folder can be made there.`)
    return unwritable(path)(error)
  })

/** The sentence about a failure of a disk; any other error stays as it is. */
function failure(path: string, verb: 'read' | 'write', error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException).code)
  const isClosed = code === 'EACCES' || code === 'EPERM'
  const reason = isClosed ? `this user may not ${verb} it` : reasons[code]
  if (reason === undefined) return error
  return new OperatorError(`${path} cannot be ${verb === 'read' ? 'read' : 'written'}: ${reason}.`)
}
