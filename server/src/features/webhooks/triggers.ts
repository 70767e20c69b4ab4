// Automation triggers in the service: the declared resource, with secrets sealed and changes reported to the
// dispatcher.

import type { Seal } from '../../core/idempotency-claim.ts'
import { isId } from '../../core/ids.ts'
import type { Database, Queryable } from '../../database/connect.ts'
import { type OperationSemaphores, type Operations, operations } from '../../engine/operations.ts'
import type { ItemWithId } from '../../engine/record.ts'
import type { Resource } from '../../engine/resource.ts'
import { automationTrigger } from '../../resources/automation-trigger.ts'
import { apiKeyProjection } from '../../resources/trigger-key.ts'
import { isTriggerSecret, keepSecrets } from './trigger-secret.ts'
import { triggerSideEffects } from './trigger-side-effects.ts'

/** The resource whose secrets `seal` seals. */
const sealedTrigger = (seal: Seal): Resource => ({
  ...automationTrigger,
  projection: { ...apiKeyProjection, store: keepSecrets(seal) },
  sideEffects: triggerSideEffects,
})

/** The operations of triggers. An update that sends the secret a trigger already has does not change it. */
export function triggerOperations(database: Database, lanes: OperationSemaphores, seal: Seal): Operations {
  const own = operations(sealedTrigger(seal), database, lanes)
  return {
    ...own,
    update: async (item) => {
      const [known] = await withoutKnown(database, seal, [item])
      return own.update(known as ItemWithId)
    },
    updateMany: async (items, connection) =>
      own.updateMany(await withoutKnown(connection ?? database, seal, items), connection),
  }
}

/** The items without unchanged secrets: two secrets may look the same when masked, so nothing else can compare them. */
async function withoutKnown(connection: Queryable, seal: Seal, items: readonly ItemWithId[]): Promise<ItemWithId[]> {
  const asked = items.filter(({ id, value }) => isId(id) && secretIn(value) !== undefined)
  if (asked.length === 0) return [...items]
  const rows = await connection.query(
    `select company_id, id, secret from unnest($1::text[], $2::text[]) as item(company_id, id)
     join automation_triggers using (company_id, id) where secret is not null`,
    [asked.map(({ scope }) => scope.companyId), asked.map(({ id }) => id)],
  )
  const held = new Map(rows.map(([companyId, id, secret]) => [`${companyId} ${id}`, secret as string]))
  return items.map((item) => {
    const { scope, id, value } = item
    const [sent, sealed] = [secretIn(value), held.get(`${scope.companyId} ${id}`)]
    if (sent === undefined || sealed === undefined) return item
    if (!isTriggerSecret(seal, scope.companyId, id, sealed, sent)) return item
    const { apiKey, ...others } = value as { apiKey: string }
    return { ...item, value: others }
  })
}

/** The secret in an unchecked body, if any. */
function secretIn(value: unknown): string | undefined {
  const sent = (value as { readonly apiKey?: unknown } | null | undefined)?.apiKey
  return typeof sent === 'string' ? sent : undefined
}
