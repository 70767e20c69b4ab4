// Which plan a company may be put on: the single rule for onboarding and for later changes.

import { isId } from '../../core/ids.ts'
import { bodyError, invalid, notFound, type Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'

/** A 400 for the plan in a request. */
const wrongPlan = (code: string, message: string): Problem => invalid([bodyError('/planId', code, message)])

/**
 * Ensures that a company may be put on a plan until the transaction ends: deactivating the plan waits for that, or is
 * waited for. Throws `not_found` for an unknown plan, 400 for another organization's or an inactive one.
 */
export async function requirePlan(transaction: Queryable, organizationId: string, planId: string): Promise<void> {
  const [plan] = isId(planId)
    ? await transaction.query('select organization_id, status from plans where id = $1 for share', [planId])
    : []
  if (plan === undefined) throw notFound('plan', planId)
  const [owner, status] = plan
  if (owner !== null && owner !== organizationId)
    throw wrongPlan('plan', 'belongs to another organization; use a plan of your own')
  if (status !== 'active') throw wrongPlan('plan', 'is an inactive plan; use an active one')
}

/** The default plan, locked until the transaction ends. Throws 400 if the organization has none. */
export async function defaultPlan(transaction: Queryable, organizationId: string): Promise<string> {
  const search = 'select id from plans where organization_id = $1 and is_default'
  for (;;) {
    const [held] = await transaction.query(`${search} for share`, [organizationId])
    if (held !== undefined) return held[0]
    // A statement that waited while another plan became the default finds neither the old one nor the new one.
    const [plan] = await transaction.query(search, [organizationId])
    if (plan === undefined) throw wrongPlan('required', 'is required: the organization has no default plan')
  }
}
