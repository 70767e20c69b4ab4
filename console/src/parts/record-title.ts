// The title of a record, for places that show only its name.
import { useCallback } from 'react'
import { useCompany } from '../api/company.ts'
import type { RecordData } from '../api/records.ts'
import { text } from '../texts/records.ts'
import { dateTime, money, number } from './format.ts'

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** A record's title; its id if it has none. Times are in the company's time zone, if it is given. */
export function titleOf(many: string, record: RecordData, timeZone?: string): string {
  const { id, name, email, phone, code, externalId } = record
  if (many === 'customers') return joined(record.firstName, record.lastName) || email || phone || externalId || id
  if (many === 'orders') return record.receiptId || externalId || text.orderOf(dateTime(record.createdAt, timeZone))
  if (many === 'variants') return variantTitle(record) || record.sku || record.barcode || externalId || id
  if (many === 'sessions') return record.sessionNumber || dateTime(record.openTime ?? record.createdAt, timeZone)
  if (many === 'inventories') return text.inStock(number(record.stock))
  if (many === 'transactions') return record.receiptId || amountOf(record, record.paymentMethod) || externalId || id
  if (many === 'cash-movements') return amountOf(record, record.type) || externalId || id
  if (many === 'refunds') return record.receiptId || refundTitle(record) || externalId || id
  if (many === 'automation-triggers') return record.customTriggerName || record.triggerType || id
  return name || email || code || id
}

/** Titles with times in the time zone of the open company. */
export function useTitleOf(): (many: string, record: RecordData) => string {
  const { timezone } = useCompany()
  return useCallback((many, record) => titleOf(many, record, timezone), [timezone])
}

/** An amount and what it is: “€12.00 cash”. Empty without an amount. */
const amountOf = ({ amount, currency }: RecordData, what: string | undefined): string =>
  amount === undefined ? '' : joined(money(amount, currency), what)

const refundTitle = ({ summary, currency }: RecordData): string =>
  summary?.total === undefined ? '' : text.refundOf(money(summary.total, currency))

/** A variant by its attributes: “M / Blue”. */
export const variantTitle = ({ attributes }: Readonly<Record<string, any>>): string =>
  ((attributes ?? []) as { value?: string }[]).flatMap(({ value }) => value ?? []).join(' / ')
