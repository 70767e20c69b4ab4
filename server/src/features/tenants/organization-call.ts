// What calls with an organization's key have in common: whose they are, and that a write is one transaction, under its claim when it has one.
import type { Database, Queryable } from '../../database/connect.ts'
import { once } from '../../engine/idempotency.ts'
import { within } from '../../engine/settle.ts'
import type { Claim } from '../../http/claim.ts'
import type { Answer, Call } from '../../http/route.ts'

/** The organization whose key makes a call. */
export const organizationOf = ({ scope }: Pick<Call, 'scope'>): string => scope.organizationId as string

/** The work's answer, once it is committed; kept for those who ask again under the same claim. */
export const transacted = (
  database: Database,
  claim: Claim | undefined,
  work: (transaction: Queryable) => Promise<Answer>,
): Promise<Answer> => once(database, claim, (connection) => within(database, connection, work))
