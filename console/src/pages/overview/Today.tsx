// Today's totals, each compared with yesterday's.
import { Skeleton, Text } from '@mantine/core'
import type { SalesReport, SalesTotals } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/overview.ts'
import classes from './overview.module.css'

const average = ({ sales, salesCount }: SalesTotals): string | undefined =>
  salesCount === 0 ? undefined : (Number(sales) / salesCount).toFixed(2)

export function Today({ report }: { report: SalesReport | undefined }) {
  const format = useFormat()
  const [yesterday, today] = report?.days.slice(-2) ?? []
  const amount = (value: string | undefined) =>
    value === undefined ? text.none : format.money(value, report?.currency)
  const figures: readonly { name: string; shownOf: (sums: SalesTotals) => string; isMain?: boolean }[] = [
    { name: text.sales, shownOf: ({ sales }) => amount(sales), isMain: true },
    { name: text.orders, shownOf: ({ orders }) => format.number(orders) },
    { name: text.refunds, shownOf: ({ refunds }) => amount(refunds) },
    { name: text.average, shownOf: (sums) => amount(average(sums)) },
  ]
  return (
    <section className={classes.today} aria-label={text.today}>
      {figures.map(({ name, shownOf }) => (
        <div key={name} className={classes.figure}>
          <Text component="h2" size="sm" c="dimmed" fw={500}>
            {name} <span className={classes.when}>{text.today.toLowerCase()}</span>
          </Text>
          {today === undefined || yesterday === undefined ? (
            <>
              <Skeleton h={26} w={120} my={6} />
              <Skeleton h={14} w={90} my={3} />
            </>
          ) : (
            <>
              <div className={classes.number}>{shownOf(today)}</div>
              <Text size="sm" c="dimmed" className="numbers">
                {text.yesterday(shownOf(yesterday))}
              </Text>
            </>
          )}
        </div>
      ))}
    </section>
  )
}
