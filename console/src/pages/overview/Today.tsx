// The sales of today, each figure beside that of the same weekday a week ago, up to the same time of day.

import { Skeleton, Text } from '@mantine/core'
import type { SalesGroup, SalesGroups } from '../../api/sales-report.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/overview.ts'
import { onDay } from './DaysPlot.tsx'
import { ownGroups } from './days.ts'
import { fitted } from './fitted.ts'
import classes from './overview.module.css'

type Sums = Partial<SalesGroup> | undefined

/** `report`: today by day, beside the period before. */
export function Today({ report }: { report: SalesGroups | undefined }) {
  const format = useFormat()
  const today = report && ownGroups(report).find(({ day }) => day === report.to)
  const before = report?.previous && onDay(report.previous.to, { weekday: 'long' })
  const amount = (value: string | undefined) => format.money(value ?? '0', report?.currency)
  const figures: readonly { name: string; shownOf: (sums: Sums) => string }[] = [
    { name: text.netAfterRefunds, shownOf: (sums) => amount(sums?.netAfterRefunds) },
    { name: text.count, shownOf: (sums) => format.number(sums?.count ?? 0) },
    { name: text.refunded, shownOf: (sums) => amount(sums?.refunded) },
    { name: text.average, shownOf: (sums) => (sums?.average === undefined ? text.none : amount(sums.average)) },
  ]
  return (
    <section
      className={classes.today}
      aria-label={text.today}
      style={fitted(figures.map(({ shownOf }) => shownOf(today)))}
    >
      {figures.map(({ name, shownOf }) => (
        <div key={name} className={classes.figure}>
          <Text component="h2" size="sm" c="dimmed" fw={500}>
            {name} <span className={classes.when}>{text.ofToday}</span>
          </Text>
          {before === undefined ? (
            <>
              <Skeleton h={26} w={120} my={6} />
              <Skeleton h={14} w={90} my={3} />
            </>
          ) : (
            <>
              <div className={classes.number}>{shownOf(today)}</div>
              <Text size="sm" c="dimmed">
                {text.before(shownOf(today?.previous), before)}
              </Text>
            </>
          )}
        </div>
      ))}
    </section>
  )
}
