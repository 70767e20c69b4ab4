// How an undo handles records of a kind, by the operations of their resource, in the transaction of one step.

import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type Operations, operations } from '../../engine/operations.ts'
import type { JsonObject } from '../../engine/record.ts'
import { store } from '../../engine/store.ts'
import { inventory } from '../../resources/inventory.ts'
import { outlet } from '../../resources/outlet.ts'
import { reasonOf } from '../file-import/records.ts'
import { operationsOf } from '../file-import/writers.ts'
import type { ChangeKind, UndoCounts } from './import.ts'
import { writtenResources } from './recording.ts'
import { decideUndo } from './undo-decisions.ts'
import { holdOwners } from './versions.ts'

/** A record whose turn it is. */
export interface UndoEntry {
  readonly id: string
  /** The product of a variant before the import. */
  readonly productBefore: string | undefined
}

/** The result for a record; for one that stays, its name and the reason. */
export interface UndoResult {
  readonly id: string
  readonly became: keyof UndoCounts
  readonly name?: string | undefined
  readonly reason?: string | undefined
  readonly stock?: 'restored' | 'left' | undefined
}

/** One step of an undo. */
export interface StepParts {
  readonly database: Database
  readonly transaction: Queryable
  readonly scope: Scope
  readonly importId: string
}

/** Undoes records, last written first, and returns a result for each. */
export async function undoRecords(
  parts: StepParts,
  kind: ChangeKind,
  entries: readonly UndoEntry[],
): Promise<UndoResult[]> {
  const { database, transaction, scope, importId } = parts
  const { companyId } = scope
  const ids = entries.map(({ id }) => id)
  const former = entries.flatMap(({ productBefore }) => productBefore ?? [])
  const owners = await holdOwners(transaction, companyId, kind, ids, former)
  await store(writtenResources[kind]).lock(
    transaction,
    ids.map((id) => ({ scope, id })),
  )
  const decisions = await decideUndo(transaction, { companyId, id: importId }, kind, ids)
  const levels = decisions.flatMap(({ level, wasCreated }) =>
    level?.isTaken ? [{ id: level.id, value: wasCreated ? undefined : stockOf(level.stockBefore) }] : [],
  )
  const levelProblems = await write(parts, operations(inventory, database), levels)
  const records = decisions.flatMap(({ id, takesRecord, level, wasCreated, before }) =>
    takesRecord && !levelProblems.has(level?.id) ? [{ id, value: wasCreated ? undefined : before }] : [],
  )
  const own = kind === 'outlets' ? operations(outlet, database) : operationsOf(kind, database)
  const problems = await write(parts, own, records)
  await owners?.settle(importId)
  return decisions.map(({ id, wasCreated, level, name, reason: decided }) => {
    const levelProblem = levelProblems.get(level?.id)
    const reason = problems.get(id) ?? levelProblem ?? decided
    const stock = level && (level.isTaken && levelProblem === undefined ? 'restored' : 'left')
    if (reason !== undefined) return { id, became: 'left', name, reason, stock }
    return { id, became: wasCreated ? 'deleted' : 'restored', stock }
  })
}

const stockOf = (stock: number | undefined) => (stock === undefined ? undefined : { stock })

/** Sets records back, or deletes those without a value; returns, by their ids, why some could not be. */
async function write(
  { transaction, scope }: StepParts,
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
