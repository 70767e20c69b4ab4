// How an import writes records of each kind: by the operations that the API uses, within the company's plan; a dry run only counts.

import type { Scope } from '../../core/scope.ts'
import type { Database } from '../../database/connect.ts'
import { type Operations, operations } from '../../engine/operations.ts'
import { productOperations } from '../../resources/priced-products.ts'
import { customerParts } from '../custom-tables/customers.ts'
import { SchemaCache } from '../custom-tables/schema-cache.ts'
import { foreseenCreates, limitedOperations } from '../plan-limits/limited.ts'
import { planLimits } from '../plan-limits/plan-limits.ts'
import { type RecordKind, recordKinds, resources, type Writer } from './records.ts'

/** The operations of the records that imports write. */
export function operationsOf(kind: RecordKind, database: Database): Operations {
  switch (kind) {
    case 'products':
      return productOperations(database)
    // The tables of a company may add columns to its customers.
    case 'customers':
      return customerParts(database, undefined, new SchemaCache(database)).operations
    default:
      return operations(resources[kind], database)
  }
}

/** Accepts every change and writes nothing. */
const dryUpdates: Writer['updateMany'] = async (items) => items.map(({ id }) => ({ id, text: '' }))

/** What writers need; a dry run counts within the company's plan. */
interface WriterParts {
  readonly database: Database
  readonly scope: Scope
  readonly dryRun: boolean
}

/** The writers of a run; those of a dry run write nothing. */
export function writersOf({ database, scope, dryRun }: WriterParts): Readonly<Record<RecordKind, Writer>> {
  const plans = planLimits(database)
  const writerOf = (kind: RecordKind): Writer => {
    const own = operationsOf(kind, database)
    return dryRun
      ? { createMany: foreseenCreates(own.resource, database, scope.companyId), updateMany: dryUpdates }
      : limitedOperations(own, database, plans)
  }
  return Object.fromEntries(recordKinds.map((kind) => [kind, writerOf(kind)])) as Record<RecordKind, Writer>
}
