// Locks what changes depend on before any record is read for writing, so that all transactions lock in one order.

import { Problem } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import type { ResourceContext } from './context.ts'
import { type ChangesOfRecord, groupByRecord, mergedRecord, type PendingChange } from './pending-change.ts'
import type { JsonObject, Key } from './record.ts'
import type { LocksFirst } from './resource.ts'
import { inParts, type StoredRow } from './store.ts'

/** Locks, for the rest of the transaction, the rows of the projection, then of the side effects, then the records. */
export async function lockForChange(
  { resource, store }: ResourceContext,
  transaction: Queryable,
  pending: readonly PendingChange[],
): Promise<void> {
  const { projection, sideEffects } = resource
  await projection?.lockFirst?.(transaction, pending)
  if (sideEffects?.locksFirst) await lockDependencies(store, sideEffects.locksFirst, transaction, pending)
  await store.lock(transaction, pending)
}

/**
 * Locks the rows that the side effects depend on. A change that makes no difference to the data read here counts too:
 * another transaction may write the record before it is locked.
 */
async function lockDependencies(
  store: ResourceContext['store'],
  locksFirst: LocksFirst,
  transaction: Queryable,
  pending: readonly PendingChange[],
): Promise<void> {
  const groups = groupByRecord(pending.filter(({ change }) => locksFirst.isNeeded(change)))
  const keys = new Map<string, Key>()
  const read = (some: readonly ChangesOfRecord[]) =>
    store.find(
      transaction,
      some.map(([, [first]]) => first as PendingChange),
    )
  await inParts(groups, read, (group, found) => {
    for (const key of dependenciesOf(locksFirst, group, found)) keys.set(`${key.scope.companyId} ${key.id}`, key)
  })
  if (keys.size > 0) await locksFirst.lock(transaction, [...keys.values()])
}

/** The rows that the changes of one record depend on, each before and after it. */
function dependenciesOf({ keysOf }: LocksFirst, [, changes]: ChangesOfRecord, found: StoredRow | undefined): Key[] {
  if (found === undefined || found.text instanceof Problem) return []
  const keys: Key[] = []
  let before: JsonObject = JSON.parse(found.text)
  for (const { scope, id, change } of changes) {
    const after = mergedRecord(before, change)
    keys.push(...keysOf({ scope, id, before, after }))
    before = after
  }
  return keys
}
