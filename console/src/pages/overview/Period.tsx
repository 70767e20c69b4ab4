// The last days: their totals beside those of the period before, one of them as a chart, and a table for screen readers.
import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { SalesGroups } from '../../api/sales-report.ts'
import { isZero } from '../../parts/decimal.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/overview.ts'
import { DaysPlot, onDay } from './DaysPlot.tsx'
import { type Day, daysOf, othersOf, type Sums, totalsOf } from './days.ts'
import { fitted } from './fitted.ts'
import classes from './overview.module.css'

const measures = ['netAfterRefunds', 'grossSales', 'refunded', 'count'] as const
type Measure = (typeof measures)[number]

const dayOf = (date: string): string => onDay(date, { day: 'numeric', month: 'short' })

/** `report`: the period by day, beside the period before. */
export function Period({ report, days }: { report: SalesGroups | undefined; days: number }) {
  const format = useFormat()
  const [measure, setMeasure] = useState<Measure>('netAfterRefunds')
  const shownOf = (sums: Sums, of: Measure) =>
    of === 'count' ? format.number(sums.count) : format.money(sums[of], report?.currency)
  // May still be the report of the previous choice while the new one is loading.
  const here = report && daysOf(report)
  const shown = here?.length === days ? here : undefined
  const totals = report && totalsOf(report)
  const figures = measures.map((one) => (totals ? shownOf(totals.now, one) : ''))
  const others = report ? othersOf(report) : []

  return (
    <section className={classes.card} aria-label={text.lastDays(days)}>
      <fieldset className={classes.measures} style={fitted(figures)}>
        <legend className={classes.legend}>{text.measure}</legend>
        {measures.map((one, n) => (
          <UnstyledButton
            key={one}
            className={classes.measure}
            aria-pressed={one === measure}
            onClick={() => setMeasure(one)}
          >
            <Text component="span" size="sm" c="dimmed" fw={500}>
              {text[one]}
            </Text>
            {shown && totals ? (
              <>
                <span className={classes.sum}>{figures[n]}</span>
                <span className={classes.before}>{text.periodBefore(shownOf(totals.before, one))}</span>
              </>
            ) : (
              <Skeleton component="span" h={20} w={90} my={3} display="block" />
            )}
          </UnstyledButton>
        ))}
      </fieldset>
      <div className={classes.plot}>
        {shown ? (
          <DaysPlot
            days={shown.map((day) => ({ date: day.date, value: Number(day[measure]) }))}
            title={text.plot(text[measure], days)}
            {...(measure !== 'count' && { currency: report?.currency })}
          />
        ) : (
          <Skeleton h={260} />
        )}
      </div>
      {report?.previous && (
        <Text size="sm" c="dimmed" mt="sm">
          {text.comparedWith(dayOf(report.previous.from), dayOf(report.previous.to))}
        </Text>
      )}
      {others.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {text.otherCurrencies}{' '}
          {others
            .map(({ currency, grossSales, refunded }) =>
              [format.money(grossSales, currency), !isZero(refunded) && text.less(format.money(refunded, currency))]
                .filter(Boolean)
                .join(' '),
            )
            .join(', ')}
        </Text>
      )}
      {shown && <DaysTable days={shown} shownOf={shownOf} />}
    </section>
  )
}

interface DaysTableProps {
  readonly days: readonly Day[]
  readonly shownOf: (sums: Sums, of: Measure) => string
}

/** The numbers of the chart, for screen readers. */
function DaysTable({ days, shownOf }: DaysTableProps) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{text.lastDays(days.length)}</caption>
        <thead>
          <tr>
            <th scope="col">{text.day}</th>
            {measures.map((one) => (
              <th key={one} scope="col">
                {text[one]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.date}>
              <th scope="row">{dayOf(day.date)}</th>
              {measures.map((one) => (
                <td key={one}>{shownOf(day, one)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
