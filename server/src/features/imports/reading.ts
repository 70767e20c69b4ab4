// Reads one import of a company: its record, its preview, its refused lines.

import { isId } from '../../core/ids.ts'
import { notFound, Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Queryable } from '../../database/connect.ts'
import { refusedHeader } from '../catalog-import/refused-rows.ts'

/** The record's text. Throws `not_found`. */
export async function readImport(database: Queryable, { companyId }: Scope, id: string): Promise<string> {
  const [row] = isId(id)
    ? await database.query(
        {
          name: 'import_read',
          text: 'select stored.body from import_records as stored where stored.company_id = $1 and stored.id = $2',
        },
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  return row[0]
}

/** The results of the check or the run. Throws `not_found`; `conflict` before the first check has ended. */
async function made(database: Queryable, { companyId }: Scope, id: string, what: 'preview' | 'refused') {
  const [row] = isId(id)
    ? await database.query(
        `select ${what}, state, problem from imports where company_id = $1 and id = $2 and state <> 'sending'`,
        [companyId, id],
      )
    : []
  if (row === undefined) throw notFound('import', id)
  const [text, state, problem] = row
  if (text === null && state === 'checking')
    throw new Problem('conflict', 'The import is still being checked. Ask again when its state is ready.')
  return { text, problem } as { text: string | null; problem: string | null }
}

/** Its preview as JSON. Throws `conflict` if the check failed or was cancelled. */
export async function readPreview(database: Queryable, scope: Scope, id: string): Promise<string> {
  const { text, problem } = await made(database, scope, id, 'preview')
  if (text !== null) return text
  throw new Problem('conflict', problem ?? 'The import was cancelled before it was checked, so there is no preview.')
}

/** Its refused lines as CSV: only the header if there are none. */
export const readRefused = async (database: Queryable, scope: Scope, id: string): Promise<string> =>
  (await made(database, scope, id, 'refused')).text ?? refusedHeader
