// Writes through a proxy that loses a tenth of the answers, and what the service has afterwards.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { TestService } from '../../server/test/support/service.ts'
import { clientOf, faultProxy } from './support.ts'

const WRITERS = 16

/** Figures of a run. */
interface Run {
  readonly writes: number
  readonly requests: number
  readonly answersLost: number
  readonly refused: number
}

/**
 * Makes writes of five kinds: a tenth of them loses its answer, and a fiftieth never arrives. Asserts by the service's own
 * records, events and stock that each was done once.
 */
export async function lossyWrites(t: TestContext, service: TestService, writes: number): Promise<Run> {
  const company = await service.company()
  const proxy = await faultProxy(t, service.url, (request) => {
    const tenth = request % 10 === 3
    const fiftieth = request % 50 === 7
    return tenth ? 'answer lost' : fiftieth ? 'refused' : 'passed'
  })
  // One in eight attempts fails: with the default of six retries, one write in two million would be given up.
  const client = clientOf(service, company, { baseUrl: proxy.url, maxRetries: 9 })
  const direct = clientOf(service, company)
  const product = await direct.products.create({ name: 'Tea' })
  const variant = await direct.variants.create({ productId: product.id, manageStock: true })
  const outlet = await direct.outlets.create({ name: 'Shop' })
  const done = { created: 0, updated: 0, deleted: 0, adjusted: 0, custom: 0 }

  /** The five writes of one customer's story. */
  async function story(n: number): Promise<void> {
    const { id } = await client.customers.create({ externalId: `w-${n}` })
    done.created++
    const changed = await client.customers.update(id, { lastName: `L-${n}` })
    assert.equal(changed.externalId, `w-${n}`)
    done.updated++
    const move = { variantId: variant.id, outletId: outlet.id, delta: 1, kind: 'RECEIVED' as const }
    const moved = await client.inventory.adjust([move], { reason: `w-${n}` })
    assert.equal(moved.failed.length, 0)
    done.adjusted++
    await client.events.send({ name: 'story', data: { n } })
    done.custom++
    const { id: categoryId } = await client.categories.create({ name: `C-${n}` })
    await client.categories.delete(categoryId)
    done.deleted++
  }
  let next = 0
  const stories = Math.ceil(writes / 6)
  const writer = async () => {
    while (next < stories) await story(next++)
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))

  const customers = await direct.customers.list({ limit: 1000 }).toArray()
  const expected = Array.from({ length: stories }, (_, n) => [`w-${n}`, `L-${n}`].join()).sort()
  assert.deepEqual(customers.map(({ externalId, lastName }) => [externalId, lastName].join()).sort(), expected)
  assert.deepEqual(await direct.categories.list().toArray(), [])
  const [level] = await direct.inventory.list().toArray()
  assert.equal(level?.stock, stories, 'Each unit arrived once.')
  const counts: Record<string, number> = {}
  for await (const { type } of direct.events.list({ limit: 1000 })) counts[type] = (counts[type] ?? 0) + 1
  const each = ['customer.created', 'customer.updated', 'custom.story', 'category.created', 'category.deleted']
  assert.deepEqual(
    each.map((type) => counts[type]),
    each.map(() => stories),
  )
  const of = (fate: string) => proxy.seen.filter((request) => request.fate === fate).length
  assert.ok(of('answer lost') >= writes / 11, 'Answers were lost.')
  return {
    writes: stories * 6,
    requests: proxy.seen.length,
    answersLost: of('answer lost'),
    refused: of('refused'),
  }
}
