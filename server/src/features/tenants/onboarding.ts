// Onboarding (pos-api.md "Organization endpoint", decisions §10): a company with everything it needs, in one
// transaction.

import type { Claim } from '../../core/idempotency-claim.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { transacted } from '../../engine/idempotency.ts'
import type { Answer } from '../../http/route.ts'
import { wake } from '../payment-processor/registering.ts'
import { companyMaker } from './new-company.ts'
import { onboardedText, type Wanted } from './onboarding-body.ts'

/** Onboards a company of an organization. */
type Onboard = (organizationId: string, wanted: Wanted, claim: Claim | undefined) => Promise<Answer>

/** The e-mail address of the organization's first owner; undefined if it has none. */
export async function ownerOf(database: Queryable, organizationId: string): Promise<string | undefined> {
  const [owner] = await database.query(
    'select email from organization_owners where organization_id = $1 order by created_at, id limit 1',
    [organizationId],
  )
  return owner?.[0]
}

/** Makes the function that onboards. With a claim, the answer is stored in the transaction of the work. */
export function onboarder(database: Database): Onboard {
  const make = companyMaker(database)

  return async (organizationId, { outletName, ...members }, claim) => {
    const answer = await transacted(database, claim, async (transaction) => {
      const owner = await ownerOf(transaction, organizationId)
      if (owner === undefined)
        throw new Problem(
          'validation_failed',
          'The organization has no owner; it cannot onboard companies until it has one.',
        )
      const { company } = await make(transaction, {
        organizationId,
        members: { email: owner, ...members },
        outletName: outletName ?? members.name,
        isStaffed: true,
      })
      return { status: 200, body: onboardedText(company) }
    })
    // Committed; the payment processor is not awaited.
    wake()
    return answer
  }
}
