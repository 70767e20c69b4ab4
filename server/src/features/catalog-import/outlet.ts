// Finds the outlet that holds the stock of a file.

import { Problem } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { operations } from '../../engine/operations.ts'
import { outlet } from '../../resources/outlet.ts'
import { foreseenCreates, limited } from '../plan-limits/limited.ts'
import { planLimits } from '../plan-limits/plan-limits.ts'

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
  const outlets = limited(operations(outlet, database), database, planLimits(database))
  if (id !== undefined) {
    await outlets.read(scope, id)
    return id
  }
  const { texts } = await outlets.list(scope, { parameters: { limit: 1 }, wantsCount: false })
  if (texts[0] !== undefined) return JSON.parse(texts[0]).id
  if (dryRun) {
    const [outcome] = await foreseenCreates(outlet, database, scope.companyId)([{ scope, value: {} }])
    if (outcome instanceof Problem) throw outcome
    return ''
  }
  const [company] = await database.query('select name from companies where id = $1', [scope.companyId])
  return make(async (connection) => {
    const [outcome] = await outlets.createMany([{ scope, value: { name: company?.[0] } }], connection)
    if (outcome instanceof Problem) throw outcome
    return outcome?.id ?? ''
  })
}
