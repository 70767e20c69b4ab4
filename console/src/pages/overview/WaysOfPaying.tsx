// The payments of a period by payment method, each as a part of all payments.
import type { SalesGroups } from '../../api/sales-report.ts'
import { Card } from '../../parts/Card.tsx'
import { sumOf } from '../../parts/decimal.ts'
import { percent, useFormat } from '../../parts/format.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/overview.ts'
import { ownGroups } from './days.ts'
import { Shares } from './Shares.tsx'

interface WaysOfPayingProps {
  readonly report: SalesGroups | undefined
  /** True while a new period is being read: the figures are those of the previous one. */
  readonly isOutdated: boolean
}

export function WaysOfPaying({ report, isOutdated }: WaysOfPayingProps) {
  const format = useFormat()
  const ways = report && ownGroups(report).filter(({ count }) => count > 0)
  const all = Number(sumOf(ways?.map(({ paid }) => paid) ?? []))
  const shares = ways?.slice(0, 8).map(({ paymentMethod = null, paid, count }) => ({
    key: paymentMethod ?? '',
    name: (
      <bdi className="cut" title={text.payments(count)}>
        {paymentMethod === null ? text.unnamedWay : wordOf(paymentMethod)}
      </bdi>
    ),
    size: Number(paid),
    value: format.money(paid, report?.currency),
    note: all > 0 ? percent(Number(paid) / all) : '',
  }))
  return (
    <Card title={text.ways} isOutdated={isOutdated}>
      <Shares shares={shares} whole={all} none={text.noWays} />
    </Card>
  )
}
