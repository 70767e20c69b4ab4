// The sales of a period by payment method.

import type { SalesReport } from '../../api/schemas.ts'
import { Card } from '../../parts/Card.tsx'
import { percent, useFormat } from '../../parts/format.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/overview.ts'
import { Shares } from './Shares.tsx'

/** Labels of the API's values; custom names stay as they are. */
const spoken = (method: string): string =>
  method === '' ? text.unnamedWay : /^[a-z]+([_-][a-z]+)*$/.test(method) ? labelOf(method) : method

export function WaysOfPaying({ report }: { report: SalesReport | undefined }) {
  const format = useFormat()
  const all = Number(report?.totals.sales ?? 0)
  const shares = report?.paymentMethods.slice(0, 8).map(({ paymentMethod, sales, salesCount }) => ({
    key: paymentMethod,
    name: (
      <bdi className="cut" title={text.payments(salesCount)}>
        {spoken(paymentMethod)}
      </bdi>
    ),
    size: Number(sales),
    value: format.money(sales, report.currency),
    note: all > 0 ? percent(Number(sales) / all) : '',
  }))
  return (
    <Card title={text.ways}>
      <Shares shares={shares} none={text.noWays} />
    </Card>
  )
}
