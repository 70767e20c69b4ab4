// The file of an import in the database: stored in chunks as it arrives, and read by the server that works on it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { IMPORT_READ_BYTES, IMPORT_ROWS } from '../../core/limits.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Source } from '../catalog-import/text-file.ts'
import { shorten } from '../catalog-import/values.ts'
import type { ImportKey } from './import.ts'

/** Characters of a file's name in messages. */
const TOLD_CHARACTERS = 100

/** A file as its readers see it, wherever it is stored. */
export const sourceOf = (fileName: string, size: number, read: Source['read']): Source => ({
  name: shorten(fileName, TOLD_CHARACTERS),
  size,
  read,
  mostRows: IMPORT_ROWS,
  adviceFor: (shop) => `Send it with shop=${shop}, or leave shop out.`,
})

/** Stores a chunk while its file is still wanted; false if it is not. Each renews the lease on the import. */
export async function storePiece(
  database: Queryable,
  { companyId, id }: ImportKey,
  { number, bytes, leaseMs }: { number: number; bytes: Buffer; leaseMs: number },
): Promise<boolean> {
  const rows = await database.query(
    {
      name: 'import_piece_store',
      text: `
      with sent as (
        update imports set leased_until = now() + make_interval(secs => $5)
        where company_id = $1 and id = $2 and state = 'sending' returning company_id, id
      )
      insert into import_pieces (company_id, import_id, number, bytes)
      select company_id, id, $3, $4 from sent returning 1`,
    },
    [companyId, id, number, bytes, leaseMs / 1000],
  )
  return rows.length > 0
}

/** Thrown if a file is deleted while it is read, with its import. */
export class FileGone extends Error {}

/** The file of an import as a source, until `signal` aborts with its reason. Yields to other work between chunks. */
export function storedFile(
  database: Queryable,
  { companyId, id, fileName, bytes }: ImportKey & { readonly fileName: string; readonly bytes: number },
  signal?: AbortSignal,
): Source {
  async function* read(): AsyncGenerator<Buffer> {
    for (let number = 0, given = 0; given < bytes; number++) {
      signal?.throwIfAborted()
      const [row] = await database.query(
        {
          name: 'import_piece_read',
          text: 'select bytes from import_pieces where company_id = $1 and import_id = $2 and number = $3',
        },
        [companyId, id, number],
      )
      if (row === undefined) throw new FileGone(`Chunk ${number} of the import ${id} is missing.`)
      const piece = Buffer.from(row[0].slice(2), 'hex')
      for (let at = 0; at < piece.length; at += IMPORT_READ_BYTES) {
        yield piece.subarray(at, at + IMPORT_READ_BYTES)
        await nextTurn()
      }
      given += piece.length
    }
  }
  return sourceOf(fileName, bytes, read)
}
