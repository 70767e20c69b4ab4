// Exports a company to a new file on disk, which gets its name only once it is complete.
import { randomBytes } from 'node:crypto'
import { access, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '../../core/operator-error.ts'
import { queryable, withConnection } from '../../database/alone.ts'
import type { Database } from '../../database/connect.ts'
import type { ObjectStore } from '../files/object-store.ts'
import { type WrittenFile, writeCompany } from './export.ts'
import { type FileManifest, readManifest } from './format.ts'
import type { Keyring } from './secrets.ts'

/** What was written, and where. */
interface Exported extends Omit<FileManifest, 'secrets'>, Pick<WrittenFile, 'rows' | 'bytes' | 'sha256'> {
  readonly file: string
}

interface FileExport {
  readonly companyId: string
  readonly file: string
  readonly progress?: (done: number, total: number) => void
  /** With it, the secrets of triggers are in the file, encrypted. */
  readonly keyring?: Keyring | undefined
  /** An earlier file of the company: only what changed since then is written. */
  readonly since?: string | undefined
  /** Where files of attachments are, unless they are in the database. */
  readonly objects?: ObjectStore | undefined
}

/** Exports a company to a new file. Throws `not_found`, and OperatorError if the file exists or cannot be written. */
export async function exportCompany(
  database: Database,
  { companyId, file, keyring, since, objects, progress = () => {} }: FileExport,
): Promise<Exported> {
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  if (exists) throw new OperatorError(`${file} exists already; name another file.`)
  const earlier = since === undefined ? undefined : await readManifest(since)
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  try {
    const {
      manifest: { secrets: _, ...manifest },
      ...about
    } = await withConnection(database, async (client) => {
      const written = await writeTo(partial, (write) =>
        writeCompany(
          queryable(client),
          { companyId, isSharded: database.isSharded, keyring, earlier, objects },
          { write, progress },
        ),
      )
      await rename(partial, file)
      return written
    })
    await syncFolder(dirname(file))
    return { ...manifest, file, ...about }
  } catch (error) {
    throw ofFile(file, error)
  } finally {
    await rm(partial, { force: true }).catch(() => {})
  }
}

/** Writes a new file, and makes sure that it is on the disk. */
async function writeTo<T>(path: string, work: (write: (bytes: Buffer) => Promise<void>) => Promise<T>): Promise<T> {
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

/** Makes sure that the file's name is on the disk. */
async function syncFolder(folder: string): Promise<void> {
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
  const { syscall, message } = cause as NodeJS.ErrnoException
  if (syscall === undefined || /^(connect|read)$/.test(syscall)) return error
  return new OperatorError(`${file} cannot be written: ${message}`)
}
