// The secrets of triggers on disk: sealed in a column of their own, which no response, event or log ever shows.

import type { Seal } from '../../core/idempotency-claim.ts'
import type { Queryable } from '../../database/connect.ts'
import type { ProjectionWrite } from '../../engine/projection.ts'
import { maskOf, sentSecret } from '../../resources/trigger-key.ts'

/** A sealed secret opens only for the trigger that it was sealed for. */
export const contextOf = (companyId: string, id: string): string => `automation-trigger ${companyId} ${id}`

/** The column `secret` for a trigger's secret. */
export const sealTriggerSecret = (seal: Seal, companyId: string, id: string, secret: string): string =>
  seal.close(secret, contextOf(companyId, id))

/**
 * The secret of a trigger. Throws if it was sealed with a key that the service no longer has, or for another trigger.
 */
export const openTriggerSecret = (seal: Seal, companyId: string, id: string, sealed: string): string =>
  seal.open(sealed, contextOf(companyId, id))

/** Whether a trigger has this secret; one that cannot be opened counts as another. */
export function isTriggerSecret(seal: Seal, companyId: string, id: string, sealed: string, secret: string): boolean {
  try {
    return openTriggerSecret(seal, companyId, id, sealed) === secret
  } catch {
    return false
  }
}

/** The column `shown`. */
export const shownOf = (secret: string | null): string =>
  JSON.stringify(secret === null ? {} : { apiKey: maskOf(secret) })

/** Makes the function that stores the secrets that were sent for triggers whose rows are locked. */
export const keepSecrets =
  (seal: Seal) =>
  async (transaction: Queryable, written: readonly ProjectionWrite[]): Promise<void> => {
    const kept = new Map<string, { companyId: string; id: string; secret: string | null }>()
    for (const { scope, record, sent } of written) {
      const { companyId } = scope
      const secret = sentSecret(sent)
      // Of several changes of one trigger, the last one counts.
      if (secret !== undefined) kept.set(`${companyId} ${record.id}`, { companyId, id: record.id, secret })
    }
    if (kept.size === 0) return
    const rows = [...kept.values()]
    await transaction.query(
      {
        name: 'automation_triggers_keep_secrets',
        text: `
        update automation_triggers as stored set secret = item.secret, shown = item.shown::json
        from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as item(company_id, id, secret, shown)
        where stored.company_id = item.company_id and stored.id = item.id`,
      },
      [
        rows.map(({ companyId }) => companyId),
        rows.map(({ id }) => id),
        rows.map(({ companyId, id, secret }) => secret && sealTriggerSecret(seal, companyId, id, secret)),
        rows.map(({ secret }) => shownOf(secret)),
      ],
    )
  }
