// Seals again what a column holds, when the service gets another secret key.

import type { Database } from '../database/connect.ts'
import { retryOnConflict } from './bisect-on-error.ts'

/** Seals a text with the first key again; undefined if that key has sealed it, or none can open it. */
export type Reseal = (sealed: string, context: string) => string | undefined

/** Rows that one statement reseals: some 100 ms. */
const ROWS = 500

/** Reseals a column of a table, row by row of its `key`, except what is replaced meanwhile. Returns how many. */
export async function resealColumn(
  database: Database,
  {
    table,
    key,
    column,
    contextOf,
  }: Readonly<Record<'table' | 'key' | 'column', string>> & {
    readonly contextOf: (key: string) => string
  },
  reseal: Reseal,
): Promise<number> {
  let resealed = 0
  for (let last: string | undefined = ''; last !== undefined; ) {
    const rows = (await database.query(
      `select ${key}, ${column} from ${table} where ${key} > $1 and ${column} is not null order by ${key} limit ${ROWS}`,
      [last],
    )) as [string, string][]
    const writes = rows.flatMap(([id, held]) => {
      const sealed = reseal(held, contextOf(id))
      return sealed === undefined ? [] : [{ id, held, sealed }]
    })
    const written = await retryOnConflict(() =>
      database.query(
        `update ${table} as stored set ${column} = item.sealed
         from unnest($1::text[], $2::text[], $3::text[]) as item(id, held, sealed)
         where stored.${key} = item.id and stored.${column} = item.held returning 1`,
        [writes.map(({ id }) => id), writes.map(({ held }) => held), writes.map(({ sealed }) => sealed)],
      ),
    )
    resealed += written.length
    last = rows.at(-1)?.[0]
  }
  return resealed
}
