// The format of an order file, and how all of them are loaded: finds what orders refer to in the company, and writes them
// with their payments and refunds.

import { Problem } from '../../../core/problem.ts'
import type { JsonObject } from '../../../engine/record.ts'
import { emailsOf, findCustomers } from '../customers/load.ts'
import { type Format, type Loading, loadEntries } from '../load.ts'
import { type ImportDraft, objectionTo, reasonOf } from '../records.ts'
import { companies, findOldest, type LookupScope, merged, type Stored } from '../stored.ts'
import { type OrderReader, readOrders } from './collect.ts'
import { type FileOrder, orderMembers, orderOf, paymentsOf, refundOf } from './order.ts'

/** The format of a kind of file of orders. */
export const orderFormat = <Member extends string>(reader: OrderReader<Member>): Format => ({
  ...reader.layout,
  load: (loading) => loadOrders(reader, loading),
})

/** Loads the orders of a file into a company. Stock does not move. */
async function loadOrders<Member extends string>(reader: OrderReader<Member>, loading: Loading): Promise<void> {
  const { database, scope, source } = loading.place
  const [company] = await database.query('select timezone from companies where id = $1', [scope.companyId])
  await loadEntries(loading, readOrders(loading.load.file, reader, company?.[0] ?? null), {
    objection: (file) => objectionOf(file, source),
    refuse: (file, first) => refuseAll(loading, file, first),
    write: (batch, metadataKeys) => writeOrders(loading, metadataKeys, batch),
  })
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
interface OrderDraft extends ImportDraft {
  readonly file: FileOrder
}

async function writeOrders(
  loading: Loading,
  metadataKeys: ReadonlySet<string>,
  batch: readonly FileOrder[],
): Promise<void> {
  const { place, records } = loading
  const known = await knownOf(place, batch)
  const stored = await findOldest(
    place,
    { table: 'orders', column: 'external_id' },
    batch.map(({ externalId }) => externalId),
  )
  const left = await partsLeft(place, batch, stored)
  for (const [file, name] of left)
    refuseAll(loading, file, {
      line: file.line,
      reason: `the order has "${name}" from an earlier import, and this file does not; delete it first`,
    })
  const accepted = batch.filter((file) => !left.has(file))
  const drafts = accepted.map((file): OrderDraft => {
    const order: JsonObject = { ...orderOf(file, place.source), ...known(file), ...outletOf(loading) }
    order.lineItems = (order.lineItems as JsonObject[]).map((line) => ({ ...line, ...known.product(line) }))
    const old = stored.get(file.externalId)
    const members = [...orderMembers, ...['customerId', 'outletId'].filter((member) => order[member] !== undefined)]
    return { file, stored: old, record: merged(old?.record, order, members, metadataKeys) }
  })
  const parts: WrittenOrder[] = []
  for (const [{ file, record }, outcome] of await records.put('orders', drafts)) {
    if (outcome instanceof Problem) refuseAll(loading, file, { line: file.line, reason: reasonOf(outcome) })
    else parts.push({ file, order: record, orderId: outcome })
  }
  const refundIds = await writeRefunds(loading, parts)
  await writePayments(loading, parts, refundIds)
}

const outletOf = ({ load: { outletId } }: Loading) => (outletId === '' ? {} : { outletId })

/** An order that is written, and whose payments follow. */
interface WrittenOrder {
  readonly file: FileOrder
  readonly order: JsonObject
  readonly orderId: string
}

/** Writes the refunds; returns their ids by order. */
async function writeRefunds(loading: Loading, parts: readonly WrittenOrder[]): Promise<Map<WrittenOrder, string>> {
  const wanted = parts.flatMap((part) => {
    const back = refundOf(part.file, part.order)
    return back ? [{ part, record: { ...back.refund, orderId: part.orderId } }] : []
  })
  const written = await putParts(loading, 'refunds', wanted)
  return new Map(written.map(([part, id]) => [part, id]))
}

async function writePayments(
  loading: Loading,
  parts: readonly WrittenOrder[],
  refundIds: Map<WrittenOrder, string>,
): Promise<void> {
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
  wanted: readonly { readonly part: WrittenOrder; readonly record: JsonObject }[],
): Promise<[WrittenOrder, string][]> {
  const stored = await findOldest(
    loading.place,
    { table: kind, column: 'external_id' },
    wanted.map(({ record }) => String(record.externalId)),
  )
  const drafts = wanted.map(({ part, record }) => {
    const old = stored.get(String(record.externalId))
    return { part, stored: old, record: old ? { ...old.record, ...record } : record }
  })
  return (await loading.records.put(kind, drafts)).flatMap(([{ part }, outcome]): [WrittenOrder, string][] => {
    if (!(outcome instanceof Problem)) return [[part, outcome]]
    loading.refuse({ line: part.file.line, reason: reasonOf(outcome) })
    return []
  })
}

/** What the company has of what orders refer to: the customer of an order, and the product of a line. */
async function knownOf(place: LookupScope, batch: readonly FileOrder[]) {
  const byId = await findCustomers(
    place,
    'external_id',
    batch.flatMap(({ customerKey }) => customerKey ?? []),
  )
  const byEmail = await findCustomers(
    place,
    'email',
    batch.flatMap(({ email }) => emailsOf(email)),
  )
  const skus = batch.flatMap(({ items }) => items.flatMap(({ sku }) => sku ?? []))
  const variants = await findOldest(place, { table: 'variants', column: 'sku' }, [...new Set(skus)])
  const customerOf = ({ customerKey, email }: FileOrder) => {
    const found = customerKey === undefined ? undefined : byId.get(customerKey)
    const customerId = (found ?? emailsOf(email).flatMap((own) => byEmail.get(own) ?? [])[0])?.id
    return customerId === undefined ? {} : { customerId }
  }
  const productOf = ({ sku }: JsonObject) => {
    const variant = variants.get(String(sku))
    return variant ? { productId: variant.record.productId, variantId: variant.id } : {}
  }
  return Object.assign(customerOf, { product: productOf })
}

/**
 * Orders that have a payment or a refund of an earlier import that the file no longer has, and the `externalId` of that: with it, the order
 * would look as if it was paid twice. Voided payments do not count.
 */
async function partsLeft(
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
