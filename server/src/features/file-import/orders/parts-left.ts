// Finds what an earlier import wrote of an order and its file no longer has. Nothing is deleted by an import, so such an order is refused.

import { companies, type LookupScope, type Stored } from '../stored.ts'
import { type FileOrder, paymentsOf, refundOf } from './order.ts'

/**
 * Orders that have a payment or a refund of an earlier import that the file no longer has, and the `externalId` of that: with it, the order
 * would look as if it was paid twice. Voided payments do not count.
 */
export async function partsLeft(
  { database, scope }: LookupScope,
  batch: readonly FileOrder[],
  stored: ReadonlyMap<string, Stored>,
): Promise<Map<FileOrder, string>> {
  const known = batch.flatMap((file) => {
    const id = stored.get(file.externalId)?.id
    return id === undefined ? [] : [{ id, file }]
  })
  if (known.length === 0) return new Map()
  const partOf = (table: string) => `select stored.order_id, stored.external_id
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     join ${table} as stored on stored.company_id = item.company_id and stored.order_id = item.id`
  const ids = known.map(({ id }) => id)
  const rows = await database.query(
    `${partOf('transactions')} where stored.type <> 'void' union all ${partOf('refunds')}`,
    [companies({ scope }, ids), ids],
  )
  const parts = Map.groupBy(rows, ([orderId]) => orderId as string)
  return new Map(
    known.flatMap(({ id, file }): [FileOrder, string][] => {
      const has = namesOfParts(file)
      const ours = (parts.get(id) ?? []).map(([, name]) => name as string).filter(isPartOf(file.externalId))
      const name = ours.find((one) => !has.has(one))
      return name === undefined ? [] : [[file, name]]
    }),
  )
}

/** The external ids of the payments and the refund of an order. */
function namesOfParts(file: FileOrder): Set<unknown> {
  const back = refundOf(file, { lineItems: [] })
  const parts = [...paymentsOf(file, {}), ...(back ? [back.refund, back.payment] : [])]
  return new Set(parts.map(({ externalId }) => externalId))
}

/** Whether an external id is one that an import gives to a part of an order. */
const isPartOf = (externalId: string) => (name: string) =>
  name.startsWith(externalId) && /^-(payment(-\d+)?|refund(-payment)?)$/.test(name.slice(externalId.length))
