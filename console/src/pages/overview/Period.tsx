// The last days: their totals, and the chosen one as a chart, with a table of its numbers for screen readers.
import { Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { SalesReport, SalesTotals } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/overview.ts'
import { DaysPlot } from './DaysPlot.tsx'
import classes from './overview.module.css'

const measures = ['net', 'sales', 'refunds', 'orders'] as const
type Measure = (typeof measures)[number]

export function Period({ report, days }: { report: SalesReport | undefined; days: number }) {
  const format = useFormat()
  const [measure, setMeasure] = useState<Measure>('net')
  const shownOf = (sums: SalesTotals, of: Measure) =>
    of === 'orders' ? format.number(sums.orders) : format.money(sums[of], report?.currency)
  // May still be the report of the previous choice while the new one is loading.
  const isHere = report !== undefined && report.days.length === days

  return (
    <section className={classes.card} aria-label={text.lastDays(days)}>
      <fieldset className={classes.measures}>
        <legend className={classes.legend}>{text.measure}</legend>
        {measures.map((one) => (
          <UnstyledButton
            key={one}
            className={classes.measure}
            aria-pressed={one === measure}
            onClick={() => setMeasure(one)}
          >
            <Text component="span" size="sm" c="dimmed" fw={500}>
              {text[one]}
            </Text>
            {isHere ? (
              <span className={classes.sum}>{shownOf(report.totals, one)}</span>
            ) : (
              <Skeleton component="span" h={20} w={90} my={3} display="block" />
            )}
          </UnstyledButton>
        ))}
      </fieldset>
      <div className={classes.plot}>
        {isHere ? (
          <DaysPlot
            days={report.days.map((day) => ({ date: day.date, value: Number(day[measure]) }))}
            title={text.plot(text[measure], days)}
            {...(measure !== 'orders' && { currency: report.currency })}
          />
        ) : (
          <Skeleton h={260} />
        )}
      </div>
      {report && report.otherCurrencies.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {text.otherCurrencies}{' '}
          {report.otherCurrencies
            .map(({ currency, sales, refunds }) =>
              [format.money(sales, currency), Number(refunds) !== 0 && text.less(format.money(refunds, currency))]
                .filter(Boolean)
                .join(' '),
            )
            .join(', ')}
        </Text>
      )}
      {isHere && <DaysTable days={report.days} shownOf={shownOf} />}
    </section>
  )
}

interface DaysTableProps {
  readonly days: SalesReport['days']
  readonly shownOf: (sums: SalesTotals, of: Measure) => string
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
              <th scope="row">{day.date}</th>
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
