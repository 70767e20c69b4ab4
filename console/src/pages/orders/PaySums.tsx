// What an order comes to, what was paid of it before, and the change.
import type { RecordData } from '../../api/records.ts'
import { minus, sumOf } from '../../parts/decimal.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/orders.ts'
import { amountOf } from './entries.ts'
import type { Paying } from './paying.ts'
import classes from './Receipt.module.css'

interface PaySumsProps {
  readonly order: RecordData
  readonly paying: Paying
  readonly currency: string | undefined
}

export function PaySums({ order, paying, currency }: PaySumsProps) {
  const { money } = useFormat()
  const { computed, change } = paying
  const summary = computed?.order.summary ?? order.summary
  const before = amountOf(sumOf([order.paid, minus(order.refunded)]))
  const rows: [string, string | undefined][] = [
    [text.sum, summary?.total],
    [text.cashRounding, amountOf(summary?.cashRounding)],
    [text.returnedSum, amountOf(order.returned) && minus(order.returned)],
    [text.paidSum, before && minus(before)],
    [text.changeGiven, amountOf(change)],
    [text.due, amountOf(computed?.order.due)],
  ]
  return (
    <dl className={classes.result} data-stale={paying.isStale || undefined}>
      {rows.map(
        ([label, amount], n) =>
          amount !== undefined && (
            <div key={label} data-total={n === 0 || undefined}>
              <dt>{label}</dt>
              <dd>{money(amount, currency)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
