// A bulk of sales has the results that its items have one after the other, right and wrong ones in any mixture.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Body } from './support/contract-shape.ts'
import { succeeded } from './support/custom-tables.ts'
import { stockOf } from './support/sales.ts'
import { type Caller, sharedService } from './support/service.ts'

const service = sharedService()

/** A planned sale: the number under which it is sent, and what is right or wrong with it. */
interface Planned {
  readonly number: number
  readonly kind: keyof typeof kinds
}
interface Shop {
  readonly outletId: string
  readonly variantId: string
  readonly soldOutId: string
  /** A variant of which few units are left. */
  readonly scarceId: string
}

const line = (variantId: string, quantity = 1) => ({ variantId, quantity, price: '1.00' })
const kinds = {
  right: () => ({}),
  two: ({ variantId }: Shop) => ({ lineItems: [line(variantId, 2), line(variantId)] }),
  early: () => ({ occurredAt: '2026-01-01T10:00:00Z' }),
  late: () => ({ occurredAt: '2026-01-02T10:00:00Z' }),
  unpriced: () => ({ lineItems: [{ name: 'Coffee' }] }),
  soldOut: ({ soldOutId }: Shop) => ({ lineItems: [line(soldOutId)] }),
  partlySoldOut: ({ variantId, soldOutId }: Shop) => ({ lineItems: [line(variantId), line(soldOutId)] }),
  scarce: ({ scarceId }: Shop) => ({ lineItems: [line(scarceId)] }),
  parked: () => ({ status: 'parked' }),
  untyped: () => ({ lineItems: 'Coffee' }),
}

async function open(call: Caller): Promise<Shop> {
  const outletId = succeeded(await call('POST', '/v1/outlet', { name: 'Shop' }), 201).id
  const productId = succeeded(await call('POST', '/v1/product', { name: 'Coffee' }), 201).id
  const variant = async (stock: number) => {
    const body = { productId, manageStock: true, inventory: [{ outletId, stock }] }
    return succeeded(await call('POST', '/v1/variant', body), 201).id
  }
  return { outletId, variantId: await variant(1_000), soldOutId: await variant(0), scarceId: await variant(2) }
}

const errorText = ({ errors: [error] }: Body, itemAt = '') => `${error.pointer.slice(itemAt.length)} ${error.code}`

/** The result of each item, in bulks or one after the other, and what the shop has then. */
async function outcomeOf(bulks: readonly (readonly Planned[])[], query: string, isBulk: boolean) {
  const { call } = await service.company()
  const shop = await open(call)
  const results: string[] = []
  for (const bulk of bulks) {
    const items = bulk.map(({ number, kind }) => ({
      source: 'till',
      externalId: `R-${number}`,
      outletId: shop.outletId,
      lineItems: [line(shop.variantId)],
      ...kinds[kind](shop),
    }))
    if (isBulk) {
      const answer = succeeded(await call('POST', `/v1/sales${query}`, { items }))
      results.push(...answer.results.map(({ outcome = 'created', error }: Body, n: number) => (error ? errorText(error, `/items/${n}`) : outcome))) // biome-ignore format: one thought
    } else
      for (const item of items) {
        const { status, body } = await call('POST', `/v1/sale${query}`, item)
        results.push(status === 201 ? 'created' : status === 200 ? 'unchanged' : errorText(body))
      }
  }
  const stock = [shop.variantId, shop.scarceId].map((id) => stockOf(call, id))
  const { count } = succeeded(await call('GET', '/v1/orders')).meta
  return {
    results: results.map((result, n) => ({ ...bulks.flat()[n], result })),
    stock: await Promise.all(stock),
    count,
  }
}

const planned = fc.record({
  number: fc.constantFrom(1, 1, 2, 2, 3, 4),
  kind: fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])),
})
const bulks = fc.array(fc.array(planned, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })
/** The second sale of a number whose first one is refused gets the last units before the sales that follow it. */
const refusedAtFirst: readonly Planned[] = [
  { number: 1, kind: 'soldOut' },
  { number: 2, kind: 'scarce' },
  { number: 1, kind: 'scarce' },
  { number: 3, kind: 'scarce' },
  { number: 1, kind: 'scarce' },
]

for (const query of ['', '?mode=once'])
  test(`items of a bulk have the results of single requests in their order${query && ', also where each sale is made once'}`, async () => {
    await fc.assert(
      fc.asyncProperty(bulks, async (bulks) => {
        assert.deepEqual(await outcomeOf(bulks, query, true), await outcomeOf(bulks, query, false))
      }),
      { numRuns: 8, examples: [[[[...refusedAtFirst]]]] },
    )
  })
