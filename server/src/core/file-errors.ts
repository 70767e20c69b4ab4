// Errors of files that the operator names, as sentences that say which file it is and what is wrong with it.
import { OperatorError } from './operator-error.ts'

const full = 'its disk is full'

/** What the codes of the file system mean, after "FILE cannot be read: " or "FILE cannot be written: ". */
const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file is where a folder should be',
  EEXIST: 'a file is in its place',
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: 'its file system, or a limit of this user, allows no file of this size',
  EROFS: 'it is on a read-only file system',
  EIO: 'its disk reports an error',
  ENAMETOOLONG: 'its name is too long',
  EPIPE: 'the program that reads it has ended',
}

/** The error about a file that cannot be read or written; any other error stays as it is. */
export function fileError(path: string, verb: 'read' | 'write', error: unknown): unknown {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (syscall === undefined) return error
  const reason =
    code === 'EACCES' || code === 'EPERM'
      ? `this user may not ${verb} it`
      : code === 'ENOENT'
        ? `there is no such ${verb === 'read' ? 'file' : 'folder'}`
        : (reasons[code] ?? message)
  return new OperatorError(`${path} cannot be ${verb === 'read' ? 'read' : 'written'}: ${reason}.`)
}

/** Names a file that cannot be read. */
export const unreadable =
  (path: string) =>
  (error: unknown): never => {
    throw fileError(path, 'read', error)
  }

/** Names a file or folder that cannot be written. */
export const unwritable =
  (path: string) =>
  (error: unknown): never => {
    throw fileError(path, 'write', error)
  }
