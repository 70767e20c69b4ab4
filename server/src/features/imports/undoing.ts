// Undoes an import under its lease, step by step: each is one transaction that undoes records and stores the results.

import type { RowKey } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { store } from '../../engine/store.ts'
import { holdOrders } from '../../resources/order-state.ts'
import { type ChangeKind, changeKinds, noUndoTally, type UndoTally } from './import.ts'
import { endUndo, type LeasedImport, noteUndone } from './leases.ts'
import { writtenResources } from './recording.ts'
import { type StepParts, type UndoEntry, type UndoResult, undoRecords } from './undo-steps.ts'

/** Changes that an undo reverts in one transaction, and characters of previous members. */
const IMPORT_UNDO_STEP = 500
const IMPORT_UNDO_CHARACTERS = 2 * 1024 * 1024

/** What an undo needs. */
interface UndoParts {
  readonly database: Database
  readonly scope: Scope
  /** Called with the company after each step that was written. */
  readonly wrote: (companyId: string) => void
}

/**
 * Deletes what the import created and sets back what it changed: orders, each with its payments and refunds, then other payments and
 * refunds, customers, variants with their stock, products, categories from the innermost outwards, and the outlet. Records touched since are
 * left. `signal` stops it between two steps.
 */
export async function undoLeased(
  { database, scope, wrote }: UndoParts,
  job: LeasedImport,
  signal: AbortSignal,
  progress: (share: number) => void,
): Promise<void> {
  const all = await count(database, job)
  let tally: UndoTally = { ...noUndoTally(), ...job.undone }
  let size = IMPORT_UNDO_STEP
  for (const kind of changeKinds)
    for (;;) {
      signal.throwIfAborted()
      const done = await step(database, { scope, job, kind, tally, size })
      if (done === 'too large') {
        size = Math.ceil(size / 2)
        continue
      }
      if (done === undefined) break
      tally = done
      wrote(job.companyId)
      progress(all === 0 ? 1 : doneOf(tally) / all)
    }
  await endUndo(database, job, tally)
}

const doneOf = (tally: UndoTally): number =>
  changeKinds.reduce((sum, kind) => sum + tally[kind].deleted + tally[kind].restored + tally[kind].left, 0)

async function count(database: Queryable, { companyId, id }: RowKey): Promise<number> {
  const [row] = await database.query(
    'select count(*)::int from import_changes where company_id = $1 and import_id = $2',
    [companyId, id],
  )
  return row?.[0] ?? 0
}

interface StepOf {
  readonly scope: Scope
  readonly job: LeasedImport
  readonly kind: ChangeKind
  readonly tally: UndoTally
  readonly size: number
}

/** The next records of a kind; returns the tally after them, undefined if none are left. */
async function step(
  database: Database,
  { scope, job, kind, tally, size }: StepOf,
): Promise<UndoTally | 'too large' | undefined> {
  try {
    return await retriedTransaction(database, async (transaction) => {
      const entries = await nextEntries(transaction, job, kind, size)
      if (entries.length === 0) return undefined
      const parts: StepParts = { database, transaction, scope, importId: job.id }
      let after = tally
      const take = async (of: ChangeKind, some: readonly UndoEntry[]) => {
        const results = await undoRecords(parts, of, some)
        await noteResults(transaction, job, of, results)
        after = added(after, of, results)
      }
      if (kind === 'orders') {
        const own = await holdOrdersWhole(
          parts,
          entries.map(({ id }) => id),
        )
        for (const part of partsOfOrders)
          for (let at = 0; at < own[part].length; at += IMPORT_UNDO_STEP)
            await take(part, own[part].slice(at, at + IMPORT_UNDO_STEP))
      }
      await take(kind, entries)
      await noteUndone(transaction, job, after)
      return after
    })
  } catch (error) {
    // Records that grew so long since the import that fewer fit into one transaction.
    if (error instanceof Problem && error.code === 'payload_too_large' && size > 1) return 'too large'
    throw error
  }
}

async function noteResults(
  transaction: Queryable,
  { companyId, id }: RowKey,
  kind: ChangeKind,
  results: readonly UndoResult[],
): Promise<void> {
  await transaction.query(
    {
      name: 'import_changes_done',
      text: `
      -- The name that it has now: a record that stays may be renamed or deleted before somebody reads the list.
      update import_changes as stored set result = item.result, name = item.name, reason = item.reason
      from unnest($4::text[], $5::text[], $6::text[], $7::text[]) as item(id, result, name, reason)
      where stored.company_id = $1 and stored.import_id = $2 and stored.kind = $3 and stored.record_id = item.id`,
    },
    [
      ...[companyId, id, kind],
      results.map((result) => result.id),
      results.map(({ became }) => became),
      results.map(({ name }) => name?.slice(0, 500)),
      results.map(({ reason }) => reason?.slice(0, 1000)),
    ],
  )
}

function added(tally: UndoTally, kind: ChangeKind, results: readonly UndoResult[]): UndoTally {
  const counts = { ...tally[kind] }
  const stock = { ...tally.stock }
  for (const { became, stock: level } of results) {
    counts[became]++
    if (level) stock[level]++
  }
  return { ...tally, [kind]: counts, stock }
}

const columns = `record_id, before ->> 'productId'`
const entryOf = ([id, productBefore]: Row): UndoEntry => ({ id, productBefore: productBefore ?? undefined })

/** The next records of a kind, last written first; as many as one transaction carries easily. */
async function nextEntries(
  transaction: Queryable,
  { companyId, id }: RowKey,
  kind: ChangeKind,
  size: number,
): Promise<UndoEntry[]> {
  const rows = await transaction.query(
    {
      name: 'import_changes_next',
      text: `
      select ${columns}
      from (
        select *, sum(length(before::text)) over (order by number desc) as characters, row_number() over (order by number desc) as place
        from (
          select * from import_changes
          where company_id = $1 and import_id = $2 and kind = $3 and result is null
          order by number desc limit $4
        ) as waiting
      ) as counted
      where place = 1 or coalesce(characters, 0) <= ${IMPORT_UNDO_CHARACTERS}
      order by number desc`,
    },
    [companyId, id, kind, size],
  )
  return rows.map(entryOf)
}

/** What belongs to an order, in the order of an undo. */
const partsOfOrders = ['transactions', 'refunds'] as const
type PartOfOrder = (typeof partsOfOrders)[number]

/**
 * Locks orders with all their payments and refunds, and returns those of them that the import wrote. Until the transaction ends,
 * no other writer can change whether an order stays.
 */
async function holdOrdersWhole(
  { transaction, scope, importId }: StepParts,
  orderIds: readonly string[],
): Promise<Readonly<Record<PartOfOrder, readonly UndoEntry[]>>> {
  await holdOrders(
    transaction,
    orderIds.map((id) => ({ scope, id })),
  )
  const entries: Record<PartOfOrder, readonly UndoEntry[]> = { transactions: [], refunds: [] }
  for (const part of partsOfOrders) {
    const stored = await transaction.query(`select id from ${part} where company_id = $1 and order_id = any ($2)`, [
      scope.companyId,
      orderIds,
    ])
    const ids = stored.map(([id]) => id as string)
    await store(writtenResources[part]).lock(
      transaction,
      ids.map((id) => ({ scope, id })),
    )
    const rows = await transaction.query(
      `select ${columns} from import_changes
       where company_id = $1 and import_id = $2 and kind = '${part}' and result is null and record_id = any ($3)
       order by number desc`,
      [scope.companyId, importId, ids],
    )
    entries[part] = rows.map(entryOf)
  }
  return entries
}
