// Finds what the orders of a file refer to in the company, and writes them with their payments and refunds.

import { Problem } from '../../../core/problem.ts'
import type { Queryable } from '../../../database/connect.ts'
import type { JsonObject } from '../../../engine/record.ts'
import type { Place, Stored } from '../catalog/stored.ts'
import { noteKey, type RefusedEntry } from '../columns.ts'
import { emailsOf, findCustomers } from '../customers/write.ts'
import { inBatches, type Loading } from '../load.ts'
import { merged } from '../merge.ts'
import { type Draft, objectionTo, reasonOf } from '../records.ts'
import { refusalIn } from '../table.ts'
import { type FileOrder, orderMembers, orderOf, paymentsOf, refundOf } from './order.ts'

/** Loads the orders that `read` finds in a file into a company. Stock does not move. */
export async function loadOrders(
  read: (timezone: string | null) => AsyncIterable<FileOrder | RefusedEntry>,
  loading: Loading,
): Promise<void> {
  const { load, place, refuse, followed } = loading
  const [company] = await place.database.query('select timezone from companies where id = $1', [place.scope.companyId])
  const metadataKeys = new Set(load.file.headings.map(noteKey))
  async function* accepted() {
    for await (const entry of followed(read(company?.[0] ?? null), 1, 1)) {
      if ('kind' in entry) {
        refuse(entry)
        continue
      }
      const wrong = objectionOf(entry, place.source)
      if (wrong === undefined) yield entry
      else refuseAll(loading, entry, refusalIn(load, entry.line, wrong))
    }
  }
  await inBatches(accepted(), (batch) => writeOrders(loading, metadataKeys, batch))
}

/** Why the API would refuse the order, or one of the records that come with it. */
function objectionOf(file: FileOrder, source: string): Problem | undefined {
  const order = orderOf(file, source)
  const back = refundOf(file, order)
  const payments = [...paymentsOf(file, order), ...(back ? [back.payment] : [])]
  return (
    objectionTo('orders', order) ??
    payments.map((payment) => objectionTo('transactions', payment)).find((problem) => problem !== undefined) ??
    (back && objectionTo('refunds', { ...back.refund, orderId: file.externalId.slice(0, 64) }))
  )
}

/** Refuses an order: its first line with the reason, the others with a reference to that. */
function refuseAll(
  { refuse }: Loading,
  { line, lines, receiptId }: FileOrder,
  first: Parameters<Loading['refuse']>[0],
) {
  refuse(first)
  for (const other of lines)
    if (other !== line) refuse({ line: other, reason: `the order "${receiptId}" was refused in line ${line}` })
}

/** An order with its records; `id` is '' until it is written. */
interface OrderDraft extends Draft {
  readonly file: FileOrder
}

async function writeOrders(
  loading: Loading,
  metadataKeys: ReadonlySet<string>,
  batch: readonly FileOrder[],
): Promise<void> {
  const { place, records } = loading
  const known = await knownOf(place, batch)
  const stored = await findByExternalId(place, 'orders', batch.map(({ externalId }) => externalId)) // biome-ignore format: one thought
  const drafts = batch.map((file): OrderDraft => {
    const order: JsonObject = { ...orderOf(file, place.source), ...known(file), ...outletOf(loading) }
    order.lineItems = (order.lineItems as JsonObject[]).map((line) => ({ ...line, ...known.product(line) }))
    const old = stored.get(file.externalId)
    const members = [...orderMembers, ...['customerId', 'outletId'].filter((member) => order[member] !== undefined)]
    return { file, stored: old, record: merged(old?.record, order, members, metadataKeys) }
  })
  const parts: Part[] = []
  for (const [{ file, record }, outcome] of await records.put('orders', drafts)) {
    if (outcome instanceof Problem) refuseAll(loading, file, { line: file.line, reason: reasonOf(outcome) })
    else parts.push({ file, order: record, orderId: outcome })
  }
  const refundIds = await writeRefunds(loading, parts)
  await writePayments(loading, parts, refundIds)
}

const outletOf = ({ load: { outletId } }: Loading) => (outletId === '' ? {} : { outletId })

/** An order that is written, and whose payments follow. */
interface Part {
  readonly file: FileOrder
  readonly order: JsonObject
  readonly orderId: string
}

/** Writes the refunds; returns their ids by order. */
async function writeRefunds(loading: Loading, parts: readonly Part[]): Promise<Map<Part, string>> {
  const wanted = parts.flatMap((part) => {
    const back = refundOf(part.file, part.order)
    return back ? [{ part, record: { ...back.refund, orderId: part.orderId } }] : []
  })
  const written = await putParts(loading, 'refunds', wanted)
  return new Map(written.map(([part, id]) => [part, id]))
}

async function writePayments(loading: Loading, parts: readonly Part[], refundIds: Map<Part, string>): Promise<void> {
  const wanted = parts.flatMap((part) => {
    const back = refundOf(part.file, part.order)
    const refundId = refundIds.get(part)
    const payments = paymentsOf(part.file, part.order).map((record) => ({ part, record }))
    if (back && refundId !== undefined) payments.push({ part, record: { ...back.payment, refundId } })
    return payments.map(({ record, ...own }) => ({ ...own, record: { ...record, orderId: part.orderId } }))
  })
  await putParts(loading, 'transactions', wanted)
}

/** Writes records that come with orders; returns the ids of those that were accepted. */
async function putParts(
  loading: Loading,
  kind: 'refunds' | 'transactions',
  wanted: readonly { readonly part: Part; readonly record: JsonObject }[],
): Promise<[Part, string][]> {
  const stored = await findByExternalId(loading.place, kind, wanted.map(({ record }) => String(record.externalId))) // biome-ignore format: one thought
  const drafts = wanted.map(({ part, record }) => {
    const old = stored.get(String(record.externalId))
    return { part, stored: old, record: old ? { ...old.record, ...record } : record }
  })
  return (await loading.records.put(kind, drafts)).flatMap(([{ part }, outcome]): [Part, string][] => {
    if (!(outcome instanceof Problem)) return [[part, outcome]]
    loading.refuse({ line: part.file.line, reason: reasonOf(outcome) })
    return []
  })
}

/** What the company has of what orders refer to: the customer of an order, and the product of a line. */
async function knownOf(place: Place, batch: readonly FileOrder[]) {
  const { database, scope } = place
  const byId = await findCustomers(database, scope, 'external_id', batch.flatMap(({ customerKey }) => customerKey ?? [])) // biome-ignore format: one thought
  const byEmail = await findCustomers(
    database,
    scope,
    'email',
    batch.flatMap(({ email }) => emailsOf(email)),
  )
  const skus = batch.flatMap(({ items }) => items.flatMap(({ sku }) => sku ?? []))
  const variants = await findBySku(place, [...new Set(skus)])
  const customerOf = ({ customerKey, email }: FileOrder) => {
    const found = customerKey === undefined ? undefined : byId.get(customerKey)
    const customerId = (found ?? emailsOf(email).flatMap((own) => byEmail.get(own) ?? [])[0])?.id
    return customerId === undefined ? {} : { customerId }
  }
  return Object.assign(customerOf, { product: ({ sku }: JsonObject) => variants.get(String(sku)) ?? {} })
}

/** The oldest variant with each of these SKUs. */
async function findBySku(
  { database, scope }: Place,
  skus: readonly string[],
): Promise<Map<string, { productId: string; variantId: string }>> {
  if (skus.length === 0) return new Map()
  const rows = await database.query(
    `select item.sku, found.product_id, found.id
     from unnest($1::text[], $2::text[]) as item(company_id, sku)
     cross join lateral (
       select stored.product_id, stored.id from variants as stored
       where stored.company_id = item.company_id and stored.sku = item.sku
       order by stored.created_at, stored.id limit 1
     ) as found`,
    [skus.map(() => scope.companyId), skus],
  )
  return new Map(rows.map(([sku, productId, variantId]) => [sku, { productId, variantId }]))
}

/** The records with these external ids; of several the oldest. */
async function findByExternalId(
  { database, scope }: { readonly database: Queryable; readonly scope: Place['scope'] },
  table: 'orders' | 'transactions' | 'refunds',
  externalIds: readonly string[],
): Promise<Map<string, Stored>> {
  if (externalIds.length === 0) return new Map()
  const rows = await database.query(
    `select item.external_id, found.id, found.body
     from unnest($1::text[], $2::text[]) as item(company_id, external_id)
     cross join lateral (
       select stored.id, stored.body from ${table} as stored
       where stored.company_id = item.company_id and stored.external_id = item.external_id
       order by stored.created_at, stored.id limit 1
     ) as found`,
    [externalIds.map(() => scope.companyId), externalIds],
  )
  return new Map(rows.map(([externalId, id, body]) => [externalId, { id, record: JSON.parse(body) }]))
}
