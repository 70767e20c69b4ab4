// Writes a new file on disk, which gets its name only once it is complete and on the disk.
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileError } from './file-errors.ts'
import { OperatorError } from './operator-error.ts'

/** Appends bytes to a file; resolves once they are written. */
export type WriteBytes = (bytes: Buffer) => Promise<void>

/** With which people and supervisors stop a command. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Lets `work` write a new file that only its owner can read. Throws OperatorError if the file exists or cannot be
 * written; if `work` fails, or the process is stopped, no file is left.
 */
export async function writeNewFile<T>(file: string, work: (write: WriteBytes) => Promise<T>): Promise<T> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`${file} exists already; name another file.`)
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  const stopped = (name: NodeJS.Signals) => {
    rmSync(partial, { force: true })
    process.kill(process.pid, name)
  }
  for (const name of signals) process.once(name, stopped)
  try {
    const result = await writeSynced(partial, work)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return result
  } catch (error) {
    throw ofFile(file, error)
  } finally {
    await rm(partial, { force: true }).catch(() => {})
    for (const name of signals) process.off(name, stopped)
  }
}

/** Writes a file, and makes sure that it is on the disk. */
async function writeSynced<T>(path: string, work: (write: WriteBytes) => Promise<T>): Promise<T> {
  // It holds personal data and the hashes of keys.
  const handle = await open(path, 'wx', 0o600)
  try {
    const result = await work((bytes) => handle.writeFile(bytes))
    await handle.sync()
    return result
  } finally {
    await handle.close()
  }
}

/** Makes sure that the names of a folder's files are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** An error of the file system, for the operator; those of the connection are `unavailable`. */
function ofFile(file: string, error: unknown): unknown {
  const { cause = error } = error as { cause?: unknown }
  const { syscall } = cause as NodeJS.ErrnoException
  if (syscall === undefined || /^(connect|read)$/.test(syscall)) return error
  return fileError(file, 'write', cause)
}
