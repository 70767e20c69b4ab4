// Writes the records of an import, and finds its outlet, by the operations of the API and within the company's plan. A dry run
// only counts.

import { orThrow } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type Operations, operations } from '../../engine/operations.ts'
import { outlet } from '../../resources/outlet.ts'
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

/** Creates an outlet by `write`, in a transaction or without one; returns its id. */
export type MakeOutlet = (write: (connection?: Queryable) => Promise<string>) => Promise<string>

/**
 * The named outlet, else the first one. `make` creates it if there is none; a dry run, whose outlet is '', checks
 * whether that would be allowed. Throws `not_found` if the named one does not exist, and `plan_limit`.
 */
export async function outletOf(
  database: Database,
  scope: Scope,
  id: string | undefined,
  dryRun: boolean,
  make: MakeOutlet = (write) => write(),
): Promise<string> {
  const outlets = limitedOperations(operations(outlet, database), database, planLimits(database))
  if (id !== undefined) {
    await outlets.read(scope, id)
    return id
  }
  const { texts } = await outlets.list(scope, { parameters: { limit: 1 }, wantsCount: false })
  if (texts[0] !== undefined) return JSON.parse(texts[0]).id
  if (dryRun) {
    const [outcome] = await foreseenCreates(outlet, database, scope.companyId)([{ scope, value: {} }])
    orThrow(outcome)
    return ''
  }
  const [company] = await database.query('select name from companies where id = $1', [scope.companyId])
  return make(async (connection) => {
    const [outcome] = await outlets.createMany([{ scope, value: { name: company?.[0] } }], connection)
    return orThrow(outcome)?.id ?? ''
  })
}
