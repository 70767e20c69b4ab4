// What the types promise, checked by `npm run check`: nothing here is called. A line that should be an error and is none fails the check.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cashwrap, Event, WebhookCall } from '../src/index.ts'

declare module '../src/generated/columns.ts' {
  interface CustomerColumns {
    loyalty?: { tier?: string | undefined; points?: number | undefined } | undefined
  }
  interface CustomerUpdateColumns {
    loyalty?: { tier?: string | null | undefined; points?: number | null | undefined } | undefined
  }
}

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const isTrue = <T extends true>(): T | undefined => undefined

/** Never called. */
export async function types(client: Cashwrap, event: Event, call: WebhookCall) {
  const customer = await client.customers.get('1')
  isTrue<Same<typeof customer.totalSpent, string | undefined>>()
  isTrue<Same<typeof customer.id, string>>()
  isTrue<Same<NonNullable<typeof customer.loyalty>['points'], number | undefined>>()
  await client.customers.update('1', { loyalty: { tier: null } })
  // @ts-expect-error: an amount is a decimal string.
  await client.customers.create({ totalSpent: 10 })
  // @ts-expect-error: no such member.
  await client.customers.create({ emial: 'ann@example.com' })
  // @ts-expect-error: `name` is required.
  await client.outlets.create({})
  // @ts-expect-error: no column of the table.
  await client.customers.update('1', { loyalty: { colour: 'red' } })
  // @ts-expect-error: each item needs an id.
  await client.customers.updateMany([{ firstName: 'Ann' }])
  await client.variants.createMany([{ externalId: '119', price: 12.5 }], { mode: 'upsert' })
  // @ts-expect-error: a new product needs a name, and one that exists its `source` and `externalId`.
  await client.products.createMany([{ externalId: '118', sku: 'ESP-1' }], { mode: 'upsert' })
  // @ts-expect-error: not a member to sort by.
  client.customers.list({ sortBy: 'colour' })
  // @ts-expect-error: reads take no idempotency key.
  await client.customers.get('1', { idempotencyKey: '1' })
  // @ts-expect-error: a create is bound to no version.
  await client.customers.create({ firstName: 'Ann' }, { ifMatch: '"1"' })
  // @ts-expect-error: closings never change.
  client.closings.update
  for await (const product of client.products.list({ visibleAt: '1', updatedAt: { gt: new Date() } }))
    isTrue<Same<typeof product.name, string>>()
  // What may be missing in the caller's data may be undefined, with `exactOptionalPropertyTypes` too.
  const unknown = undefined as string | undefined
  await client.products.create({ name: 'Tea', sku: unknown })
  await client.orders.create({ externalId: unknown, billing: { city: unknown }, lineItems: [{ sku: unknown }] })
  await client.customers.update('1', { loyalty: { tier: unknown } })
  client.products.list({ source: unknown, createdAt: { gte: unknown } })
  // @ts-expect-error: but not what is required.
  await client.products.create({ name: unknown })
  // @ts-expect-error: nor the id of an item.
  await client.products.updateMany([{ id: unknown }])
  // Lists of values may be arrays.
  client.products.list({ tags: ['a', 'b'], categories: ['1'], outlets: ['1'] })
  client.customers.list({ tags: ['a', 'b'] })
  client.taxTables.list({ outletIds: ['1'], productTypes: ['food'] })
  client.events.list({ after: event.sequence, type: ['order.*', 'refund.created'], recordId: ['1', '2'] })
  client.events.follow(event.sequence, { type: ['order.*'], recordId: ['1', '2'] })
  await client.reports.sales({ groupBy: ['day', 'outletId'] })
  const { results } = await client.inventory.adjust([{ variantId: 'v', outletId: 'o', delta: 1, kind: 'RECEIVED' }])
  for (const result of results)
    if (result.status === 'success') isTrue<Same<typeof result.data.previousStock, number>>()
    else isTrue<Same<typeof result.error.message, string>>()
  const csv = await client.reports.taxes({ format: 'csv' })
  isTrue<Same<typeof csv, string>>()
  if (event.type === 'order.completed') isTrue<Same<typeof event.data.id, string>>()
  if (event.type === 'custom.shift.ended') isTrue<Same<typeof event.data, { [name: string]: unknown }>>()
  // @ts-expect-error: no such type of event.
  if (event.type === 'customer.renamed') return
  if (call.eventType === 'automation-trigger.created') isTrue<Same<typeof call.automationTrigger.triggerUrl, string>>()
  // @ts-expect-error: the record of an order is not under `customer`.
  if (call.eventType === 'order.created') call.customer
}

test('the types are checked by the compiler, not here', () => assert.equal(typeof types, 'function'))
