// What is paid back in all; before it what is refunded and what that is rounded by, where these differ, such as in coins.
import { Skeleton } from '@mantine/core'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/orders.ts'
import { amountOf } from './entries.ts'
import type { Payback } from './payback.ts'
import classes from './RefundLines.module.css'

export function RefundSums({ payback, currency }: { payback: Payback; currency: string | undefined }) {
  const { money } = useFormat()
  const { differing, isKnown, isStale, payments, total } = payback
  if (!isKnown) return isStale ? <Skeleton h={20} /> : null
  const rounding = amountOf(differing?.cashRounding)
  return (
    <dl className={classes.sums} data-stale={isStale || undefined}>
      {differing !== undefined && (
        <div>
          <dt>{text.refundedSum}</dt>
          <dd>{money(differing.total, currency)}</dd>
        </div>
      )}
      {rounding !== undefined && (
        <div>
          <dt>{text.cashRounding}</dt>
          <dd>{money(rounding, currency)}</dd>
        </div>
      )}
      {payments.length > 0 && (
        <div data-total>
          <dt>{text.paybackSum}</dt>
          <dd>{money(total, currency)}</dd>
        </div>
      )}
    </dl>
  )
}
