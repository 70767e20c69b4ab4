// The lines of an order that can still be refunded, with the units that earlier refunds left of each.
import type { RecordData } from '../../api/records.ts'
import type { Refund } from '../../api/schemas.ts'
import { minus, sumOf } from '../../parts/decimal.ts'
import { entriesOf, lineNameOf, textOf } from './entries.ts'

/** A line with units left, named as a refund names it. */
export interface LineLeft {
  readonly kind: 'lineItem' | 'customSale'
  /** Place in the order's `lineItems` or `customSales`. */
  readonly position: number
  /** Empty if the line has none. */
  readonly name: string
  readonly sku: string | undefined
  readonly sold: number
  readonly left: number
  /** Whether the line names a variant, which may have stock. */
  readonly hasVariant: boolean
}

type Entry = Readonly<Record<string, any>>

/** A returned line belongs to the line at its position, or else to the one with its ids while units are left. */
function isOf({ kind, position, left }: LineLeft, line: Entry, returned: Entry): boolean {
  if ((returned.productId === 'custom-sale') !== (kind === 'customSale')) return false
  if (returned.position !== undefined) return returned.position === position
  if (returned.internalId !== undefined) return returned.internalId === line.internalId
  return returned.productId === line.productId && returned.variantId === line.variantId && left > 0
}

/** Lines with units left, in the order of the receipt. */
export function linesLeft(order: RecordData, refunds: readonly Refund[]): LineLeft[] {
  const lineOf =
    (kind: LineLeft['kind']) =>
    (line: Entry, position: number): { line: Entry; found: LineLeft } => {
      const sold = typeof line.quantity === 'number' ? line.quantity : 1
      const name = lineNameOf(line) ?? ''
      const sku = textOf(line.sku)
      return {
        line,
        found: { kind, position, name, sku, sold, left: sold, hasVariant: textOf(line.variantId) !== undefined },
      }
    }
  const lines = [
    ...entriesOf(order.lineItems).map(lineOf('lineItem')),
    ...entriesOf(order.customSales).map(lineOf('customSale')),
  ]
  for (const returned of refunds.flatMap(({ lineItems }) => entriesOf(lineItems))) {
    const at = lines.findIndex(({ line, found }) => isOf(found, line, returned))
    const one = lines[at]
    if (one === undefined) continue
    const left = Number(sumOf([one.found.left, minus(String(returned.quantity ?? 1))]))
    lines[at] = { ...one, found: { ...one.found, left } }
  }
  return lines.map(({ found }) => found).filter(({ left }) => left > 0)
}
