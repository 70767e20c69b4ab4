// Undoes an import under its lease, step by step: each is one transaction that undoes records and stores the results.

import type { RowKey } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable, Row } from '../../database/connect.ts'
import { planSettings } from '../../database/statement.ts'
import { retriedTransaction } from '../../engine/bisect-on-error.ts'
import { type Operations, operations } from '../../engine/operations.ts'
import type { JsonObject } from '../../engine/record.ts'
import { store } from '../../engine/store.ts'
import { inventory } from '../../resources/inventory.ts'
import { holdOrders } from '../../resources/order-state.ts'
import { outlet } from '../../resources/outlet.ts'
import { reasonOf } from '../file-import/records.ts'
import { operationsOf } from '../file-import/writers.ts'
import { type ChangeKind, changeKinds, noUndoTally, type UndoCounts, type UndoTally } from './import.ts'
import { endUndo, type LeasedImport, noteUndone } from './leases.ts'
import { holdOwners, writtenResources } from './recording.ts'
import { type Decision, decideUndo } from './undo-decisions.ts'

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
  const all = await countChanges(database, job)
  let tally: UndoTally = { ...noUndoTally(), ...job.undone }
  let size = IMPORT_UNDO_STEP
  for (const kind of changeKinds)
    for (;;) {
      signal.throwIfAborted()
      const done = await undoNext({ database, scope, job, kind }, tally, size)
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

async function countChanges(database: Queryable, { companyId, id }: RowKey): Promise<number> {
  const [row] = await database.query(
    'select count(*)::int from import_changes where company_id = $1 and import_id = $2',
    [companyId, id],
  )
  return row?.[0] ?? 0
}

/** What a step undoes: records of one kind. */
interface Step {
  readonly database: Database
  readonly scope: Scope
  readonly job: LeasedImport
  readonly kind: ChangeKind
}

/** Undoes the next records of a kind; returns the tally after them, undefined if none are left. */
async function undoNext(step: Step, tally: UndoTally, size: number): Promise<UndoTally | 'too large' | undefined> {
  const { database, job, kind } = step
  try {
    return await retriedTransaction(database, async (transaction) => {
      // As in a preview (`readUndo`).
      await transaction.query(planSettings(transaction))
      const entries = await nextEntries(transaction, job, kind, size)
      if (entries.length === 0) return undefined
      let after = tally
      for (const [of, some] of kind === 'orders' ? await partsOf(transaction, step, entries) : [])
        after = added(after, of, await undoRecords(transaction, { ...step, kind: of }, some))
      after = added(after, kind, await undoRecords(transaction, step, entries))
      await noteUndone(transaction, job, after)
      return after
    })
  } catch (error) {
    // Records that grew so long since the import that fewer fit into one transaction.
    if (error instanceof Problem && error.code === 'payload_too_large' && size > 1) return 'too large'
    throw error
  }
}

function added(tally: UndoTally, kind: ChangeKind, results: readonly UndoResult[]): UndoTally {
  const counts = { ...tally[kind] }
  const stock = { ...tally.stock }
  for (const { became, restored, levels } of results) {
    counts[became]++
    stock.restored += restored
    stock.left += levels - restored
  }
  return { ...tally, [kind]: counts, stock }
}

/** A record that the step undoes. */
interface UndoEntry {
  readonly id: string
  /** The product of a variant before the import. */
  readonly productBefore: string | undefined
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

/**
 * Locks orders with all their payments and refunds, and returns those of them that the import wrote, in the order of an undo.
 * Until the transaction ends, no other writer can change whether an order stays.
 */
async function partsOf(
  transaction: Queryable,
  { scope, job }: Step,
  orders: readonly UndoEntry[],
): Promise<[ChangeKind, UndoEntry[]][]> {
  const orderIds = orders.map(({ id }) => id)
  await holdOrders(
    transaction,
    orderIds.map((id) => ({ scope, id })),
  )
  const found: [ChangeKind, UndoEntry[]][] = []
  for (const part of ['transactions', 'refunds'] as const) {
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
      [scope.companyId, job.id, ids],
    )
    for (let at = 0; at < rows.length; at += IMPORT_UNDO_STEP)
      found.push([part, rows.slice(at, at + IMPORT_UNDO_STEP).map(entryOf)])
  }
  return found
}

/** The result for a record; for one that stays, its name and the reason. */
interface UndoResult {
  readonly id: string
  readonly became: keyof UndoCounts
  readonly name?: string | undefined
  readonly reason?: string | undefined
  /** How many of its levels are restored, and how many the import set. */
  readonly restored: number
  readonly levels: number
}

/** Undoes records by the operations of their resource, last written first; stores and returns a result for each. */
async function undoRecords(
  transaction: Queryable,
  { database, scope, job, kind }: Step,
  entries: readonly UndoEntry[],
): Promise<UndoResult[]> {
  const ids = entries.map(({ id }) => id)
  const former = entries.flatMap(({ productBefore }) => productBefore ?? [])
  const owners = await holdOwners(transaction, scope.companyId, kind, ids, former)
  await store(writtenResources[kind]).lock(
    transaction,
    ids.map((id) => ({ scope, id })),
  )
  const decisions = await decideUndo(transaction, job, kind, ids)
  const levels = decisions.flatMap(({ taken, wasCreated }) =>
    taken.map(({ id, before }) => ({ id, value: wasCreated || before === null ? undefined : { stock: before } })),
  )
  const levelProblems = await write(transaction, scope, operations(inventory, database), levels)
  const problemOf = ({ taken }: Decision) =>
    taken.map(({ id }) => levelProblems.get(id)).find((one) => one !== undefined)
  const records = decisions
    .filter((decision) => decision.revertsRecord && problemOf(decision) === undefined)
    .map(({ id, wasCreated, before }) => ({ id, value: wasCreated ? undefined : before }))
  const own = kind === 'outlets' ? operations(outlet, database) : operationsOf(kind, database)
  const problems = await write(transaction, scope, own, records)
  await owners?.keepUnchanged(job.id)
  const results = decisions.map((decision): UndoResult => {
    const { id, wasCreated, name, taken, levels } = decision
    const reason = problems.get(id) ?? problemOf(decision) ?? decision.reason
    const restored = taken.filter((level) => !levelProblems.has(level.id)).length
    if (reason !== undefined) return { id, became: 'left', name, reason, restored, levels }
    return { id, became: wasCreated ? 'deleted' : 'restored', restored, levels }
  })
  await storeResults(transaction, job, kind, results)
  return results
}

/** Restores records, or deletes those without a value; returns the reasons, by id, why some could not be undone. */
async function write(
  transaction: Queryable,
  scope: Scope,
  own: Operations,
  records: readonly { readonly id: string; readonly value: JsonObject | undefined }[],
): Promise<Map<string | undefined, string>> {
  const updates = records.flatMap(({ id, value }) => (value ? [{ scope, id, value }] : []))
  const removes = records.flatMap(({ id, value }) => (value ? [] : [{ scope, id, value: {} }]))
  const updated = updates.length > 0 ? await own.updateMany(updates, transaction) : []
  const removed = removes.length > 0 ? await own.removeMany(removes, transaction) : []
  const results = [...updated, ...removed]
  return new Map(
    [...updates, ...removes].flatMap(({ id }, n) => {
      const result = results[n]
      return result instanceof Problem ? [[id, reasonOf(result)]] : []
    }),
  )
}

async function storeResults(
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
