// Finds the outlet at which the stock of a file lies.
import type { Database } from '../../database/connect.ts'
import { operations } from '../../engine/operations.ts'
import { Problem } from '../../http/problem.ts'
import type { Scope } from '../../http/scope.ts'
import { outlet } from '../../resources/outlet.ts'
import { foreseenCreates } from '../plan-limits/foreseen.ts'
import { limited } from '../plan-limits/limited.ts'
import { planLimits } from '../plan-limits/plan-limits.ts'

/**
 * The outlet that was named, else the first one. It is made when there is none; a dry run, for which it is '', asks whether
 * it could be. Throws `not_found` for one that is named and not there, and `plan_limit`.
 */
export async function outletOf(
  database: Database,
  scope: Scope,
  id: string | undefined,
  dryRun: boolean,
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
  const outcome = await outlets.create({ scope, value: { name: company?.[0] } })
  if (outcome instanceof Problem) throw outcome
  return outcome.id
}
