// The title of a record, for places that show only its name.
import { useCallback } from 'react'
import { useCompany } from '../api/company.ts'
import { happenedAt, type RecordData } from '../api/records.ts'
import type { OwnCompany } from '../api/schemas.ts'
import { wordOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { dateTime, money, number } from './format.ts'

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** A record's title; its id if it has none. Times and amounts are in the company's time zone and currency, if it is given. */
export function titleOf(
  many: string,
  record: RecordData,
  { timezone: timeZone, currency }: Partial<Pick<OwnCompany, 'timezone' | 'currency'>> = {},
): string {
  const { id, name, email, phone, code, externalId } = record
  if (many === 'customers') return joined(record.firstName, record.lastName) || email || phone || externalId || id
  if (many === 'orders') return record.receiptId || externalId || text.orderOf(dateTime(happenedAt(record), timeZone))
  if (many === 'variants') return variantTitle(record) || record.sku || record.barcode || externalId || id
  if (many === 'sessions') return record.sessionNumber || dateTime(record.openTime ?? record.createdAt, timeZone)
  if (many === 'inventories') return text.inStock(number(record.stock))
  if (many === 'transactions')
    return record.receiptId || amountOf(record, record.paymentMethod, currency) || externalId || id
  if (many === 'cash-movements') return amountOf(record, record.type, currency) || externalId || id
  if (many === 'refunds') return record.receiptId || refundTitle(record, currency) || externalId || id
  if (many === 'automation-triggers') return record.customTriggerName || record.triggerType || id
  return name || email || code || id
}

/** The members that the title of a record consists of. */
export function membersInTitle(many: string, record: RecordData): readonly string[] {
  if (many === 'orders') return record.receiptId || record.externalId ? [] : ['occurredAt']
  if (many === 'sessions') return record.sessionNumber ? [] : ['openTime']
  if (many === 'transactions') return record.receiptId ? [] : ['amount', 'paymentMethod']
  if (many === 'refunds') return record.receiptId ? [] : ['total']
  return []
}

/** Titles with times and amounts in the time zone and the currency of the open company. */
export function useTitleOf(): (many: string, record: RecordData) => string {
  const { timezone, currency } = useCompany()
  return useCallback((many, record) => titleOf(many, record, { timezone, currency }), [timezone, currency])
}

/** An amount and what it is: “€12.00 · Cash”. Empty without an amount. `usual` is the currency of records without one. */
const amountOf = (record: RecordData, what: string | undefined, usual?: string): string =>
  record.amount === undefined
    ? ''
    : [money(signedAmount(record), record.currency ?? usual), what && wordOf(what)].filter(Boolean).join(' · ')

/** Types of payments and cash movements whose money leaves the shop or its drawer. */
const outgoing: ReadonlySet<unknown> = new Set(['refund', 'pay-out', 'drop'])

/** The amount of a payment or a cash movement: negative for money that goes out, which only the type says. */
export const signedAmount = ({ amount, type }: RecordData): string | undefined =>
  outgoing.has(type) && amount?.startsWith('-') === false ? `-${amount}` : amount

const refundTitle = ({ summary, currency }: RecordData, usual: string | undefined): string =>
  summary?.total === undefined ? '' : text.refundOf(money(summary.total, currency ?? usual))

/** A variant by its attributes: “M / Blue”. */
export const variantTitle = ({ attributes }: Readonly<Record<string, any>>): string =>
  ((attributes ?? []) as { value?: string }[]).flatMap(({ value }) => value ?? []).join(' / ')
