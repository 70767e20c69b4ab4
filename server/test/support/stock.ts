// Moves of stock for tests: variants whose stock is managed, levels, their history, and whether its chains are unbroken.
import assert from 'node:assert/strict'
import { beforeHistory } from '../../src/resources/inventory-history.ts'
import type { Caller, sharedService } from './service.ts'

/** The id of a new variant, whose stock is managed. */
export const newVariant = async (call: Caller, more: object = {}): Promise<string> =>
  (await call('POST', '/v1/variant', { productId: 'p', manageStock: true, ...more })).body.id

/** Sets levels. */
export const setLevels = (call: Caller, items: unknown, more: object = {}) =>
  call('POST', '/v1/inventories/set-levels', { items, ...more })

/** Adds to levels. */
export const adjust = (call: Caller, items: unknown, more: object = {}) =>
  call('POST', '/v1/inventories/adjust', { items, ...more })

/** The live levels of a company. */
export const live = async (call: Caller) => (await call('GET', '/v1/inventories')).body.data

/** The history of a company's stock. */
export const history = async (call: Caller, query = '') =>
  (await call('GET', `/v1/inventory-history${query}`)).body.data

interface Entry {
  readonly variantId: string
  readonly outletId: string
  readonly previousStock: number
  readonly newStock: number
  readonly delta: number
  readonly reason?: string
}

/** Companies that are called through two servers, and their stock at one moment. */
export function stockOn(service: ReturnType<typeof sharedService>) {
  /** A new company, called through both servers. */
  async function onBoth() {
    const company = await service.company()
    const calls = [company.call, service.caller({ 'x-api-key': company.key }, (await service.second()).url)] as [
      Caller,
      Caller,
    ]
    return { id: company.id, call: company.call, calls }
  }

  /** At one moment: the live levels of managed variants, and the entries of the history in their order. */
  async function stockOf(companyId: string) {
    const [row] = await service.database.query(
      `select
         (select coalesce(json_agg(json_build_object('productId', level.product_id, 'variantId', level.variant_id, 'outletId', level.outlet_id, 'stock', level.stock)), '[]')
          from inventories as level where company_id = $1 and not is_deleted),
         (select coalesce(json_agg(body order by created_at, id), '[]') from inventory_history where company_id = $1),
         (select coalesce(json_agg(id), '[]') from variants where company_id = $1 and body ->> 'manageStock' = 'true'),
         (select coalesce(json_agg(json_build_object('id', id, 'productId', product_id, 'shown', shown)), '[]') from variants where company_id = $1)`,
      [companyId],
    )
    const [levels, entries, managed, variants] = (row ?? []).map((text) => JSON.parse(text))
    return { levels, entries, managed: new Set(managed), variants } as {
      levels: { productId: string; variantId: string; outletId: string; stock: number }[]
      entries: Entry[]
      managed: Set<string>
      variants: { id: string; productId: string; shown: { inventory: { outletId: string; stock: number }[] } }[]
    }
  }

  /**
   * Fails unless each chain of a managed variant is unbroken and ends at its stock, and each variant shows its live levels,
   * which have its product; returns the number of entries.
   */
  async function assertChains(companyId: string): Promise<number> {
    const { levels, entries, managed, variants } = await stockOf(companyId)
    for (const { id, productId, shown } of variants) {
      const own = levels.filter(({ variantId }) => variantId === id)
      for (const level of own) assert.equal(level.productId, productId, `a level of ${id} has another product`)
      const live = own.map(({ outletId, stock }) => ({ outletId, stock }))
      const ordered = live.sort((a, b) => (a.outletId < b.outletId ? -1 : 1))
      assert.deepEqual(shown.inventory, ordered, `the variant ${id} does not show its stock`)
    }
    const stock = new Map(levels.map((level) => [`${level.variantId} ${level.outletId}`, level.stock]))
    assert.equal(stock.size, levels.length, 'a variant has two live records at one outlet')
    const chains = Map.groupBy(entries, ({ variantId, outletId }) => `${variantId} ${outletId}`)
    for (const key of new Set([...stock.keys(), ...chains.keys()])) {
      if (!managed.has(key.split(' ')[0] ?? '')) continue
      let last = 0
      for (const { previousStock, newStock, delta, reason } of chains.get(key) ?? []) {
        assert.notEqual(reason, beforeHistory, `a change of ${key} was not reported`)
        assert.equal(previousStock, last, `the chain of ${key} is broken`)
        assert.equal(Number((newStock - previousStock).toFixed(6)), delta)
        last = newStock
      }
      assert.equal(last, stock.get(key) ?? 0, `the chain of ${key} does not end at its stock`)
    }
    return entries.length
  }

  return { onBoth, stockOf, assertChains }
}
