// Exports a company to a new file on disk, which gets its name only once it is complete.
import { writeNewFile } from '../../core/new-file.ts'
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
  const earlier = since === undefined ? undefined : await readManifest(since)
  const {
    manifest: { secrets: _, ...manifest },
    ...about
  } = await writeNewFile(file, (write) =>
    withConnection(database, (client) =>
      writeCompany(
        queryable(client),
        { companyId, isSharded: database.isSharded, keyring, earlier, objects },
        { write, progress },
      ),
    ),
  )
  return { ...manifest, file, ...about }
}
