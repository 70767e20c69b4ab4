// A report (X) or a closing (Z) of a session, on the screen and in print: what was sold, and what the drawer should hold.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCompany } from '../../api/company.ts'
import type { Closing, ClosingBalance, ClosingFigures, SessionReport as Report } from '../../api/schemas.ts'
import { isZero } from '../../parts/decimal.ts'
import { percent, useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import type { Paper } from './print.tsx'
import classes from './SessionReport.module.css'

interface SessionReportProps {
  readonly report: Report | Closing
  readonly title: string
  /** The paper that it is printed on. */
  readonly paper: Paper
}

export function SessionReport({ report, title, paper }: SessionReportProps) {
  const { name } = useCompany()
  const format = useFormat()
  const { stationId, sessionId, openTime, closeTime, openedBy, closedBy, closingNote, figures, balances } = report
  const at = 'asOf' in report ? report.asOf : undefined
  const facts: [string, ReactNode][] = [
    [text.station, <RecordName key="station" many="stations" id={stationId} />],
    [text.session, <RecordName key="session" many="sessions" id={sessionId} />],
    [text.opened, [format.dateTime(openTime), openedBy].filter(Boolean).join(', ')],
    [text.closed, [format.dateTime(closeTime), closedBy].filter(Boolean).join(', ')],
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

interface BlockProps {
  readonly title: string
  /** Titles of the columns after the first. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly cells: readonly ReactNode[] }[]
}

/** A small table; nothing without rows. */
function Block({ title, columns, rows }: BlockProps) {
  if (rows.length === 0) return null
  return (
    <table className={classes.block}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, cells }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            {cells.map((cell, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always the same.
              <td key={n}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Balances({ balances }: { balances: readonly ClosingBalance[] }) {
  const format = useFormat()
  const isCounted = balances.some(({ counted }) => counted !== undefined)
  const isMixed = new Set(balances.map(({ currency }) => currency)).size > 1
  return (
    <Block
      title={text.drawer}
      columns={[text.expected, ...(isCounted ? [text.counted, text.difference] : [])]}
      rows={balances.map(({ currency, paymentMethod, expected, counted, difference }) => ({
        key: `${currency} ${paymentMethod}`,
        name: isMixed ? `${labelOf(paymentMethod)} (${currency})` : labelOf(paymentMethod),
        cells: [
          format.money(expected, currency),
          ...(isCounted
            ? [
                counted === undefined ? '–' : format.money(counted, currency),
                <span key="difference" className={difference && !isZero(difference) ? classes.bad : undefined}>
                  {format.money(difference, currency)}
                </span>,
              ]
            : []),
        ],
      }))}
    />
  )
}

function Figures({ figures, isOnly }: { figures: ClosingFigures; isOnly: boolean }) {
  const format = useFormat()
  const { currency, late, payments, taxes, employees, categories, movements } = figures
  const money = (amount: string) => format.money(amount, currency)
  const { number } = format
  return (
    <section className={classes.figures} aria-label={text.figuresOf(currency, late)}>
      {(!isOnly || late) && <h2>{text.figuresOf(currency, late)}</h2>}
      <Block
        title={text.totals}
        columns={[text.count, text.amount]}
        rows={[
          { key: 'sales', name: text.sales, cells: [number(figures.salesCount), money(figures.sales)] },
          { key: 'refunds', name: text.refunds, cells: [number(figures.refundsCount), money(figures.refunds)] },
          { key: 'voids', name: text.voids, cells: [number(figures.voidsCount), money(figures.voids)] },
          { key: 'discounts', name: text.discounts, cells: ['', money(figures.discounts)] },
          { key: 'tax', name: text.tax, cells: ['', money(figures.tax)] },
          { key: 'tips', name: text.tips, cells: ['', money(figures.tips)] },
        ]}
      />
      <Block
        title={text.payments}
        columns={[text.sales, text.refunds]}
        rows={payments.map(({ paymentMethod, sales, refunds }) => ({
          key: paymentMethod,
          name: labelOf(paymentMethod),
          cells: [money(sales), money(refunds)],
        }))}
      />
      <Block
        title={text.taxes}
        columns={[text.net, text.tax]}
        rows={taxes.map(({ name, percentage, net, tax }) => ({
          key: `${name} ${percentage}`,
          name: [name, percentage !== undefined && percent(percentage / 100)].filter(Boolean).join(' ') || text.other,
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
          name: employee === undefined ? text.other : <RecordName many="accounts" id={employee} isPlain />,
          cells: [money(sales), money(refunds)],
        }))}
      />
    </section>
  )
}
