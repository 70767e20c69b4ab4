// The title of a record, for places that show only its name.
import type { RecordData } from '../api/records.ts'

const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ')

/** A record's title; its id if it has none. */
export function titleOf(many: string, record: RecordData): string {
  const { id, name, email, phone, code, externalId } = record
  if (many === 'customers') return joined(record.firstName, record.lastName) || email || phone || externalId || id
  if (many === 'orders') return record.receiptId || externalId || id
  if (many === 'variants') return variantTitle(record) || record.sku || record.barcode || externalId || id
  if (many === 'sessions') return record.sessionNumber || id
  if (many === 'transactions' || many === 'refunds') return record.receiptId || externalId || id
  if (many === 'automation-triggers') return record.customTriggerName || record.triggerType || id
  return name || email || code || id
}

/** A variant by its attributes: “M / Blue”. */
export const variantTitle = ({ attributes }: Readonly<Record<string, any>>): string =>
  ((attributes ?? []) as { value?: string }[]).flatMap(({ value }) => value ?? []).join(' / ')
