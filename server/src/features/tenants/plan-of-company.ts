// Which plan a company may be put on: the one rule for onboarding and for later changes.

import { isId } from '../../core/ids.ts'
import { bodyError, invalid, notFound, type Problem } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'

/** 400 for the plan that a request names. */
const wrongPlan = (code: string, message: string): Problem => invalid([bodyError('/planId', code, message)])

/**
 * Sees to it that a company may be put on a plan until the transaction ends: whoever switches the plan off waits for that,
 * or is waited for. Throws `not_found` where there is no such plan, 400 where it is another organization's or switched off.
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

/** The plan that a company gets when none is named, the default one until the transaction ends. Throws 400 where the organization has none. */
export async function defaultPlan(transaction: Queryable, organizationId: string): Promise<string> {
  const search = 'select id from plans where organization_id = $1 and is_default'
  for (;;) {
    const [held] = await transaction.query(`${search} for share`, [organizationId])
    if (held !== undefined) return held[0]
    // Who waited while another plan was made the default finds neither the old one nor, in that statement, the new one.
    const [plan] = await transaction.query(search, [organizationId])
    if (plan === undefined) throw wrongPlan('required', 'is required: the organization has no default plan')
  }
}
