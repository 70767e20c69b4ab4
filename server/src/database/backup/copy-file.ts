// Copies files of a backup as streams, with their digests, so that no size matters and every byte is checked on the way.

import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { unwritable } from '../../core/file-errors.ts'
import { unreadableIfThere } from './disk.ts'

/** Bytes read at once. */
const CHUNK_BYTES = 1024 * 1024

interface Copied {
  readonly bytes: number
  readonly sha256: string
}

interface CopyOptions {
  /** Called with the bytes of each chunk. */
  readonly progress?: (bytes: number) => void
  /** Whether the copy is flushed to the disk. */
  readonly durable?: boolean
  /** The owner of the copy, if this process is root. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * Copies what a file has when it is opened; what is appended meanwhile is in the log. Throws ENOENT if there is no such
 * file, and OperatorError that names the file that cannot be read or written.
 */
export async function copyFile(from: string, to: string, options: CopyOptions = {}): Promise<Copied> {
  const source = await open(from, 'r').catch(unreadableIfThere(from))
  try {
    return await copyOpened({ path: from, file: source }, to, options)
  } finally {
    await source.close()
  }
}

/** A file that is read. */
interface SourceFile {
  readonly path: string
  readonly file: FileHandle
}

async function copyOpened(source: SourceFile, to: string, options: CopyOptions): Promise<Copied> {
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      if (options.owner) await target.chown(options.owner.uid, options.owner.gid)
      const copied = await copyChunks(source, target, options)
      if (options.durable) await target.sync()
      return copied
    } finally {
      await target.close()
    }
  } catch (error) {
    // Failures of the source have its name already.
    return unwritable(to)(error)
  }
}

async function copyChunks({ path, file }: SourceFile, target: FileHandle, { progress }: CopyOptions): Promise<Copied> {
  const { size } = await file.stat().catch(unreadableIfThere(path))
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, size)))
  let bytes = 0
  while (bytes < size) {
    const { bytesRead } = await file
      .read(chunk, 0, Math.min(chunk.length, size - bytes), bytes)
      .catch(unreadableIfThere(path))
    // The table was truncated meanwhile: the log says so too.
    if (bytesRead === 0) break
    const part = chunk.subarray(0, bytesRead)
    hash.update(part)
    await writeAll(target, part)
    bytes += bytesRead
    progress?.(bytesRead)
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function writeAll(target: FileHandle, part: Buffer): Promise<void> {
  for (let at = 0; at < part.length; ) at += (await target.write(part, at)).bytesWritten
}

/** Adds up the bytes of many files, and reports them with their total, which grows if files did. */
export function byteCounter(total: number, progress: (done: number, total: number) => void): (bytes: number) => void {
  let done = 0
  return (bytes) => {
    done += bytes
    progress(done, Math.max(done, total))
  }
}

/** Writes a new file and flushes it. */
export async function writeDurably(path: string, text: string): Promise<Copied> {
  const file = await open(path, 'wx', 0o600).catch(unwritable(path))
  try {
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    unwritable(path)(error)
  } finally {
    await file.close()
  }
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
}

/** Files that are copied at once: while one is flushed, others are read. */
const COPIES = 4

/** Runs work for each file, a few at a time. After a failure it begins no more, and throws once all have ended. */
export async function forEach<T>(files: readonly T[], work: (file: T) => Promise<void>): Promise<void> {
  const rest = files.values()
  let failure: { error: unknown } | undefined
  const run = async () => {
    for (const file of rest) {
      if (failure) return
      await work(file).catch((error) => {
        failure ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: COPIES }, run))
  if (failure) throw failure.error
}
