// A report (X) or a closing (Z) of a session, on the screen and in print: what was sold, and what the drawer should hold.
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCompany, useScope } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import type { Closing, ClosingFigures, SessionReport as Report } from '../../api/schemas.ts'
import { EmployeeName } from '../../parts/EmployeeName.tsx'
import { namedRate, useFormat } from '../../parts/format.ts'
import type { PaperKind } from '../../parts/paper/print.tsx'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import { Balances, Block, Payments, Totals } from './ReportBlocks.tsx'
import classes from './SessionReport.module.css'

interface SessionReportProps {
  readonly report: Report | Closing
  readonly title: string
  /** The paper that it is printed on; without it, it is on the screen. */
  readonly paper?: PaperKind
}

export function SessionReport({ report, title, paper }: SessionReportProps) {
  const { name } = useCompany()
  const format = useFormat()
  const { stationId, sessionId, openTime, closeTime, openedBy, closedBy, closingNote, figures, balances } = report
  const at = 'asOf' in report ? report.asOf : undefined
  const outletId = useOutletId(report)
  const facts: [string, ReactNode][] = [
    [labelOf('outletId'), outletId && <RecordName key="outlet" many="outlets" id={outletId} />],
    [text.station, <RecordName key="station" many="stations" id={stationId} />],
    [text.session, <RecordName key="session" many="sessions" id={sessionId} />],
    [
      openTime === undefined ? labelOf('openedBy') : text.opened,
      (openTime ?? openedBy) && <Moment time={openTime} by={openedBy} />,
    ],
    [text.closed, (closeTime ?? closedBy) && <Moment time={closeTime} by={closedBy} />],
    [text.asOf, closeTime === undefined && format.dateTime(at)],
    [text.openingAmount, format.money(report.openingAmount)],
    [text.note, closingNote],
  ]
  return (
    <article className={classes.report} data-paper={paper}>
      <header className={classes.head}>
        <Text fw={600} size="lg" className="name">
          {name}
        </Text>
        <Text>{title}</Text>
      </header>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Balances balances={balances} />
      {figures.map((one) => (
        <Figures key={`${one.currency} ${one.late}`} figures={one} isOnly={figures.length === 1} />
      ))}
      {report.lateCount > 0 && (
        <Text size="sm" c="dimmed">
          {text.late(report.lateCount)}
        </Text>
      )}
    </article>
  )
}

/** Where the till is: a closing has its outlet. */
function useOutletId(report: Report | Closing): string | undefined {
  const scope = useScope()
  const isClosing = 'outletId' in report
  const station = useQuery({
    ...recordQuery(scope, 'station', 'stations', report.stationId),
    enabled: !isClosing,
    staleTime: 60_000,
    retry: false,
  })
  return isClosing ? report.outletId : station.data?.record.outletId
}

/** When the till was opened or closed, and by whom. */
function Moment({ time, by }: { readonly time: string | undefined; readonly by: string | undefined }) {
  const { dateTime } = useFormat()
  return (
    <>
      {dateTime(time)}
      {time !== undefined && by !== undefined && ', '}
      {by !== undefined && <EmployeeName id={by} />}
    </>
  )
}

function Figures({ figures, isOnly }: { figures: ClosingFigures; isOnly: boolean }) {
  const format = useFormat()
  const { currency, late, taxes, employees, categories, movements } = figures
  const money = (amount: string) => format.money(amount, currency)
  const { number } = format
  return (
    <section className={classes.figures} aria-label={text.figuresOf(currency, late)}>
      {(!isOnly || late) && <h2>{text.figuresOf(currency, late)}</h2>}
      <Totals figures={figures} />
      <Payments figures={figures} />
      <Block
        title={text.taxes}
        columns={[text.net, text.tax]}
        rows={taxes.map(({ name, percentage, net, tax }) => ({
          key: `${name} ${percentage}`,
          name: namedRate(name, percentage) || text.other,
          cells: [money(net), money(tax)],
        }))}
      />
      <Block
        title={text.movements}
        columns={[text.count, text.amount]}
        rows={movements.map(({ type, count, amount }) => ({
          key: type,
          name: labelOf(type),
          cells: [number(count), money(amount)],
        }))}
      />
      <Block
        title={text.categories}
        columns={[text.sales, text.refunds]}
        rows={categories.map(({ categoryId, name, sales, refunds }) => ({
          key: categoryId ?? '',
          name: name ?? categoryId ?? text.noCategory,
          cells: [money(sales), money(refunds)],
        }))}
      />
      <Block
        title={text.employees}
        columns={[text.sales, text.refunds]}
        rows={employees.map(({ employee, sales, refunds }) => ({
          key: employee ?? '',
          name: employee === undefined ? text.noEmployee : <RecordName many="accounts" id={employee} isPlain />,
          cells: [money(sales), money(refunds)],
        }))}
      />
    </section>
  )
}
