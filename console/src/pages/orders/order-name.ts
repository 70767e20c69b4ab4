// What dialogs call an order: a number alone does not say what it is.
import type { RecordData } from '../../api/records.ts'
import { useTitleOf } from '../../parts/record-title.ts'
import { text } from '../../texts/orders.ts'

/** “Order R-1”; without a number, “Order of 27 Nov 2026, 10:30”. */
export function useOrderName(order: RecordData): string {
  const title = useTitleOf()('orders', order)
  return order.receiptId || order.externalId ? text.numbered(title) : title
}
