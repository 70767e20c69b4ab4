// Parts of a session's report (X) or closing (Z), as the page of the session and the printed report show them.
import type { ReactNode } from 'react'
import type { ClosingBalance, ClosingFigures } from '../../api/schemas.ts'
import { ColumnTitles } from '../../parts/ColumnTitles.tsx'
import { isZero } from '../../parts/decimal.ts'
import { useFormat } from '../../parts/format.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/sessions.ts'
import classes from './SessionReport.module.css'
import { seldomFigures } from './seldom-figures.ts'

interface BlockProps {
  readonly title: string
  /** Titles of the columns after the first. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly cells: readonly ReactNode[] }[]
}

/** A small table; nothing without rows. */
export function Block({ title, columns, rows }: BlockProps) {
  if (rows.length === 0) return null
  return (
    <div className={classes.room}>
      <table className={classes.block}>
        <ColumnTitles titles={[title, ...columns]} />
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
    </div>
  )
}

/** Names payment methods: with the currency, if the balances have several. */
export function balanceNames(balances: readonly ClosingBalance[]) {
  const isMixed = new Set(balances.map(({ currency }) => currency)).size > 1
  return ({ currency, paymentMethod }: Pick<ClosingBalance, 'currency' | 'paymentMethod'>): string =>
    isMixed ? `${wordOf(paymentMethod)} (${currency})` : wordOf(paymentMethod)
}

/** What should be there of each payment method, and in a closing what was counted. */
export function Balances({ balances }: { balances: readonly ClosingBalance[] }) {
  const format = useFormat()
  const isCounted = balances.some(({ counted }) => counted !== undefined)
  const nameOf = balanceNames(balances)
  return (
    <Block
      title={text.drawer}
      columns={[text.expected, ...(isCounted ? [text.counted, text.difference] : [])]}
      rows={balances.map(({ currency, paymentMethod, expected, counted, difference }) => ({
        key: `${currency} ${paymentMethod}`,
        name: nameOf({ currency, paymentMethod }),
        cells: [
          format.money(expected, currency),
          ...(isCounted
            ? [
                counted === undefined ? '–' : format.money(counted, currency),
                <span key="difference" className={difference && !isZero(difference) ? classes.bad : undefined}>
                  {format.signed(difference, currency)}
                </span>,
              ]
            : []),
        ],
      }))}
    />
  )
}

interface FiguresProps {
  readonly figures: ClosingFigures
}

/** What was sold, refunded and voided. */
export function Totals({ figures }: FiguresProps) {
  const { number, money: inCurrency } = useFormat()
  const money = (amount: string) => inCurrency(amount, figures.currency)
  const seldom = seldomFigures
    .map((key) => ({ key, amount: figures[key] ?? '0' }))
    .filter(({ amount }) => Number(amount) !== 0)
  return (
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
        ...seldom.map(({ key, amount }) => ({ key, name: text[key], cells: ['', money(amount)] })),
      ]}
    />
  )
}

/** The payments by payment method. */
export function Payments({ figures: { currency, payments } }: FiguresProps) {
  const format = useFormat()
  return (
    <Block
      title={text.payments}
      columns={[text.sales, text.refunds]}
      rows={payments.map(({ paymentMethod, sales, refunds }) => ({
        key: paymentMethod,
        name: wordOf(paymentMethod),
        cells: [format.money(sales, currency), format.money(refunds, currency)],
      }))}
    />
  )
}
