// Stock as a variant shows it: `inventory`, a view of the live inventory records of the variant (decisions §6).
import { distinct, list, object, quantity, reference, required } from '../engine/field.ts'
import { newId } from '../engine/ids.ts'
import type { View, ViewWrite } from '../engine/resource.ts'
import { type EventRow, store } from '../engine/store.ts'
import { inventory } from './inventory.ts'

/** Stock of a variant at an outlet. */
interface Level {
  readonly outletId: string
  readonly stock: number
}

const level = object({ outletId: required(reference()), stock: required(quantity()) })
/** The member: one entry for each outlet that has a live record. Those sent are set; outlets not named stay. */
export const levels = () =>
  // Unlike other nested objects a level is no text that is kept: a further member would be lost, so it is refused.
  distinct(list({ ...level, schema: { ...level.schema, additionalProperties: false } }), 'outletId')

const { insert, replace } = store(inventory)

/** A level that was not there a moment ago is there now: told as a serialization failure, so that all is begun again. */
const madeMeanwhile = () =>
  Object.assign(new Error('The level was made by another at the same moment.'), { code: '40001' })

/** How a variant reads and writes its stock. */
export const inventoryView: View = {
  member: 'inventory',
  text: `left(stored.body::text, -1) || ',"inventory":[' || coalesce((
    select string_agg(
      '{"outletId":' || to_json(level.outlet_id)::text || ',"stock":' || (level.body ->> 'stock') || '}', ',' order by level.outlet_id)
    from inventories as level
    where level.company_id = stored.company_id and level.variant_id = stored.id and not level.is_deleted), '') || ']}'`,
  merge: (before = [], sent = []) => {
    const merged = new Map((before as Level[]).map((level) => [level.outletId, level]))
    for (const { outletId, stock } of sent as Level[]) merged.set(outletId, { outletId, stock })
    return [...merged.values()].sort((a, b) => (a.outletId < b.outletId ? -1 : 1))
  },
  write: async (transaction, written) => {
    // The later of two changes to one level holds; each level is one row.
    const wanted = new Map<string, { level: Level } & ViewWrite>()
    for (const write of written)
      for (const level of write.sent as Level[]) wanted.set(`${write.record.id} ${level.outletId}`, { ...write, level })
    if (wanted.size === 0) return
    // In one order for all, so that two writers never wait for each other's rows.
    const all = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
    const now = new Date().toISOString()
    const rows = await transaction.query(
      `select stored.variant_id, stored.outlet_id, stored.version, stored.body
       from unnest($1::text[], $2::text[], $3::text[]) as item(company_id, variant_id, outlet_id)
       join inventories as stored on stored.company_id = item.company_id and stored.variant_id = item.variant_id
         and stored.outlet_id = item.outlet_id and not stored.is_deleted
       order by stored.variant_id, stored.outlet_id for update of stored`,
      [
        all.map(({ scope }) => scope.companyId),
        all.map(({ record }) => record.id),
        all.map(({ level }) => level.outletId),
      ],
    )
    const live = new Map(
      rows.map(([variantId, outletId, version, body]) => [`${variantId} ${outletId}`, { version, body }]),
    )
    const event = (type: string, more: Partial<EventRow> = {}): EventRow => ({ id: newId(), type, ...more })
    const inserts = []
    const replaces = []
    for (const { scope, record, level } of all) {
      const row = live.get(`${record.id} ${level.outletId}`)
      if (row === undefined) {
        const id = newId()
        const { productId } = record
        const body = JSON.stringify({
          id,
          productId,
          variantId: record.id,
          outletId: level.outletId,
          stock: level.stock,
          isDeleted: false,
          createdAt: now,
          updatedAt: now,
          companyId: scope.companyId,
        })
        inserts.push({
          scope,
          id,
          body,
          events: [event('inventory.created'), event('inventory.stock_changed')],
          claims: [],
        })
        continue
      }
      const before = JSON.parse(row.body)
      if (before.stock === level.stock) continue
      const body = JSON.stringify({ ...before, stock: level.stock, updatedAt: now })
      const previous = JSON.stringify({ stock: before.stock })
      const events = [
        event('inventory.updated', { data: body, previous }),
        event('inventory.stock_changed', { data: body, previous }),
      ]
      replaces.push({ scope, id: before.id, version: row.version, body, events, claims: [] })
    }
    if (inserts.length > 0 && (await insert(transaction, inserts)).includes('refused')) throw madeMeanwhile()
    if (replaces.length > 0) await replace(transaction, replaces)
  },
}
