// What has changed in a company since an earlier file of it: by the versions of rows that PostgreSQL keeps, so that no table and no deletion is missed.

import { OperatorError } from '../../core/operator-error.ts'
import type { Queryable } from '../../database/connect.ts'
import { distributedTables } from '../../database/migrations/distribution.ts'
import type { FileManifest, NodeTransaction } from './format.ts'
import {
  type CompanySince,
  conditionOf,
  fetchRows,
  type RowSelection,
  readColumns,
  rowTexts,
  textInFile,
} from './rows.ts'
import { type FileTable, fileTables } from './tables.ts'

/** Keys of one line: some 25 KB. */
const KEYS = 1_000
/** Number of transactions after which PostgreSQL can no longer compare their numbers. */
const COMPARABLE = 2 ** 31 - 1

/**
 * SQL: what identifies a row of a table within its company. Uses immutable functions, which Citus requires in a delete.
 */
export const keyOf = ({ name, order }: FileTable): string =>
  name === 'events' ? 'id' : `(${order.replaceAll(/\w+/g, '$&::text').replaceAll(', ', ` || ' ' || `)})`

/** An earlier file as the beginning of changes. */
interface Base {
  readonly cursor: number
  /** Rows of this transaction and later ones may not be in the file. */
  readonly transaction: string
  /** The same of the node that has the company, where tables are distributed by company. */
  readonly ofNode: string | undefined
}

/** SQL: one row, made by the node that has the company $1. */
const atNode = 'from (select count(*) from outlet_counts where company_id = $1) as own'

/** In a snapshot: the node that has a company, and the first of its transactions whose rows may not be visible. */
export async function readNode(snapshot: Queryable, companyId: string): Promise<NodeTransaction> {
  const [row] = await snapshot.query(
    `select (pg_control_system()).system_identifier::text, pg_snapshot_xmin(pg_current_snapshot())::text ${atNode}`,
    [companyId],
  )
  const [id, transaction] = row as [string, string]
  return { id, transaction }
}

/** The base that a file's manifest describes. Throws OperatorError if it cannot be one for this company and server. */
export async function baseOf(
  snapshot: Queryable,
  { companyId, isSharded }: { readonly companyId: string; readonly isSharded: boolean },
  manifest: FileManifest,
): Promise<Base> {
  const { company, transaction = '', node, cursor } = manifest
  if (company.id !== companyId) throw new OperatorError(`The earlier file belongs to the company ${company.id}.`)
  if (!/^\d+$/.test(transaction) || !/^\d*$/.test(node?.transaction ?? '') || !Number.isSafeInteger(cursor))
    throw new OperatorError(
      'The earlier file comes from a version that could not export changes yet. Export a whole file.',
    )
  const own = isSharded ? await readNode(snapshot, companyId) : undefined
  const isHere = (since: string, from: string) => `
    select pg_snapshot_xmax(pg_current_snapshot())::text::numeric - ${since}::numeric between 0 and ${COMPARABLE} ${from}`
  const found = await snapshot.query(isHere('$1', ''), [transaction])
  if (node) found.push(...(await snapshot.query(isHere('$2', atNode), [companyId, node.transaction])))
  // Numbers of transactions from before a load are those of another server, and after a restore they are used again.
  found.push(
    ...(await snapshot.query(
      'select not exists (select from restores where greatest(restored_at, moment) > $1::timestamptz)',
      [manifest.exportedAt],
    )),
  )
  if (own?.id !== node?.id || !found.every(([isHere]) => isHere))
    throw new OperatorError(
      'The earlier file comes from another database or is too many transactions old, or the company is on another node now. Export a whole file.',
    )
  return { cursor, transaction, ofNode: node?.transaction }
}

/**
 * The number of rows of each table, and a digest of them that does not depend on their order. For rows that an import
 * changes, and for rows that never change, the digest covers only the keys.
 */
export async function readDigests(transaction: Queryable, wanted: CompanySince) {
  const columns = await readColumns(transaction)
  const counts: Record<string, number> = {}
  const digests: Record<string, string> = {}
  for (const table of fileTables) {
    const condition = conditionOf(table)
    const texts =
      table.changes || table.isFixed
        ? `select ${keyOf(table)} as text from ${table.name} where ${condition}`
        : rowTexts(columns, table, condition)
    const [row] = await transaction.query(
      `select count(*)::int, coalesce(sum(hashtextextended(text, 0)), 0)::text from (${texts}) as line`,
      [wanted.companyId, wanted.since],
    )
    const [count, sum] = row as [number, string]
    counts[table.name] = count
    digests[table.name] = `${count} ${sum}`
  }
  return { counts, digests }
}

/** Called with the rows and the keys of each table: keys first, and at least once. */
interface Take {
  readonly rows: (table: string, rows: readonly string[]) => void | Promise<void>
  readonly kept: (table: string, keys: readonly string[]) => void | Promise<void>
}

/** Reads the rows of each table that changed after the base, and the keys of those that did not. */
export async function readChanges(
  snapshot: Queryable,
  { base, ...reading }: RowSelection & { readonly base: Base },
  take: Take,
): Promise<void> {
  const columns = await readColumns(snapshot)
  const { companyId, since } = reading
  const wanted = { companyId, since }
  const inFile = await textInFile(snapshot, reading)
  // A later transaction has a smaller age. Frozen rows still have the number of their transaction.
  const ageOf = async (transaction: string, from = '') => {
    const text = `select age($2::text::xid8::xid), $1::text ${from}`
    const [row] = await snapshot.query(text, [companyId, transaction])
    return row?.[0] as number
  }
  const age = await ageOf(base.transaction)
  const ageAtNode = base.ofNode === undefined ? age : await ageOf(base.ofNode, atNode)
  const [last] = await snapshot.query(
    'select id from events where company_id = $1 and sequence <= $2 and created_at >= $3 order by sequence desc limit 1',
    [companyId, base.cursor, since],
  )
  for (const table of fileTables) {
    const isAtNode = table.name in distributedTables
    const { kept, changed } = conditions(table, isAtNode ? ageAtNode : age, base.cursor)
    if (kept === undefined) await take.kept(table.name, last && table.changes === 'added' ? [last[0]] : [])
    else await readKept(snapshot, { table, condition: kept, ...wanted }, (keys) => take.kept(table.name, keys))
    const text = rowTexts(columns, table, `${conditionOf(table)} and ${changed}`, `order by ${table.order}`)
    await fetchRows(snapshot, { ...wanted, text }, async (rows) =>
      take.rows(table.name, await inFile(table.name, rows)),
    )
  }
}

/** SQL: which rows of a table changed, and which did not, if their keys go into the file. */
function conditions({ changes, partOf }: FileTable, age: number, cursor: number): { kept?: string; changed: string } {
  if (changes === 'all') return { changed: 'true' }
  if (changes === 'added') return { changed: `sequence > ${cursor}` }
  if (partOf === undefined) return { kept: `age(xmin) > ${age}`, changed: `age(xmin) <= ${age}` }
  // The earlier file may lack a row that was not yet part of the other one.
  const isOld = `age(xmin) > ${age} and exists (select from ${partOf} and age(whole.xmin) > ${age})`
  return { kept: isOld, changed: `not (${isOld})` }
}

async function readKept(
  snapshot: Queryable,
  { table, condition, ...wanted }: CompanySince & { readonly table: FileTable; readonly condition: string },
  take: (keys: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const text = `select ${keyOf(table)} from ${table.name} where ${conditionOf(table)} and ${condition}`
  await take([])
  await fetchRows(snapshot, { ...wanted, text, fetched: KEYS }, take)
}
