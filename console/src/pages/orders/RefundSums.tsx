// What is refunded, and what it is rounded by, where that is not what is paid back, such as in coins.
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/orders.ts'
import { amountOf } from './entries.ts'
import type { Payback } from './payback.ts'
import classes from './RefundLines.module.css'

export function RefundSums({ payback, currency }: { payback: Payback; currency: string | undefined }) {
  const { money } = useFormat()
  const { differing, isStale } = payback
  if (differing === undefined) return null
  const rounding = amountOf(differing.cashRounding)
  return (
    <dl className={classes.sums} data-stale={isStale || undefined}>
      <div>
        <dt>{text.refundedSum}</dt>
        <dd>{money(differing.total, currency)}</dd>
      </div>
      {rounding !== undefined && (
        <div>
          <dt>{text.cashRounding}</dt>
          <dd>{money(rounding, currency)}</dd>
        </div>
      )}
    </dl>
  )
}
