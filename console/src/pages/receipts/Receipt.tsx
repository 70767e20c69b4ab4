// The receipt of an order or a refund, as it is printed on a roll or on A4.
import type { ReactNode } from 'react'
import { happenedAt, type RecordData } from '../../api/records.ts'
import { ColumnTitles } from '../../parts/ColumnTitles.tsx'
import { isZero, sumOf } from '../../parts/decimal.ts'
import { namedRate, useFormat } from '../../parts/format.ts'
import type { PaperKind } from '../../parts/paper/print.tsx'
import { QrCode } from '../../parts/QrCode.tsx'
import { titleOf } from '../../parts/record-title.ts'
import { wordOf } from '../../texts/members.ts'
import { text } from '../../texts/paper.ts'
import { amountOf, entriesOf, isOpenStatus, textOf } from '../orders/entries.ts'
import { sumRowsOf } from '../orders/Sums.tsx'
import { totalOf } from '../orders/values.ts'
import { Items } from './Items.tsx'
import classes from './Receipt.module.css'
import type { Referred } from './referred.ts'
import { Shop } from './Shop.tsx'
import { taxRowsOf } from './taxes.ts'

interface ReceiptProps {
  readonly record: RecordData
  /** The order of a refund, if it is known. */
  readonly order?: RecordData | undefined
  readonly isRefund?: boolean
  readonly paper: PaperKind
  readonly referred: Referred
}

export function Receipt({ record, order, isRefund = false, paper, referred }: ReceiptProps) {
  const number = record.receiptId ?? record.externalId ?? record.id
  return (
    <article className={classes.receipt} data-paper={paper}>
      <header className={classes.head}>
        <Shop outlet={referred.outlet} />
        <div className={classes.title}>
          <strong>{titleFor(record, isRefund)}</strong>
          <Facts {...{ record, order, isRefund, number, referred }} />
        </div>
      </header>
      <Items record={record} />
      <Totals record={record} isRefund={isRefund} />
      <Taxes record={record} />
      <footer className={classes.foot}>
        <QrCode value={record.id} label={text.qrOf(number)} size={paper === 'roll' ? 104 : 88} />
        <div className={classes.code}>{record.id}</div>
      </footer>
    </article>
  )
}

/** A sale that is not paid has no receipt yet, and a voided one has none that counts. */
function titleFor({ status }: RecordData, isRefund: boolean): string {
  if (isRefund) return text.refund
  if (status === 'cancelled') return `${text.receipt} – ${text.voided}`
  return isOpenStatus(status) ? `${text.order} – ${text.unpaid}` : text.receipt
}

function Facts({ record, order, isRefund, number, referred }: Omit<ReceiptProps, 'paper'> & { number: string }) {
  const format = useFormat()
  const facts = [
    [text.number, isRefund && !record.receiptId ? undefined : number],
    [text.date, format.dateTime(happenedAt(record))],
    [text.station, referred.station],
    [text.servedBy, referred.employee],
    [text.customer, referred.customer],
    [text.reason, isRefund && textOf(record.reason)],
  ] as const
  return (
    <>
      {isRefund && order && <div>{text.forReceipt(titleOf('orders', order))}</div>}
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </>
  )
}

/** What the items come to, how it was paid, and what is still due. */
function Totals({ record, isRefund }: { record: RecordData; isRefund: boolean | undefined }) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, record.currency)
  const payments = entriesOf(isRefund ? record.payment : record.paymentMethods)
  const total = totalOf(record)
  const due = record.status === 'cancelled' ? undefined : amountOf(record.due)
  return (
    <dl className={classes.sums}>
      {sumRowsOf(record, money, false).map(([label, value, isMinor], n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sums have no name but their place.
        <Sum key={n} label={label} value={value} isMinor={isMinor} />
      ))}
      {total !== undefined && (
        <div data-total>
          <dt>{isRefund ? text.totalBack : text.total}</dt>
          <dd>{money(total)}</dd>
        </div>
      )}
      {payments.map((payment, n) => {
        const isChange = amountOf(payment.change) !== undefined
        const way = wordOf(textOf(payment.paymentType) ?? '')
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: payments have no name but their place.
          <div key={n} data-payment>
            <Sum label={way} value={money(isChange ? sumOf([payment.amount, payment.change]) : payment.amount)} />
            {isChange && <Sum label={text.change} value={money(payment.change)} />}
          </div>
        )
      })}
      {!isRefund && due !== undefined && <Sum label={text.due} value={money(due)} />}
    </dl>
  )
}

interface SumProps {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly isMinor?: boolean | undefined
}

const Sum = ({ label, value, isMinor }: SumProps) => (
  <div data-minor={isMinor || undefined}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

function Taxes({ record }: { record: RecordData }) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, record.currency)
  const rows = taxRowsOf(record).filter(({ tax, net }) => !isZero(tax) || net !== undefined)
  if (rows.length === 0) return null
  return (
    <table className={classes.taxes}>
      <ColumnTitles titles={[text.taxRate, text.net, text.tax, text.gross]} />
      <tbody>
        {rows.map(({ key, name, percentage, net, tax, gross }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{namedRate(name, percentage) || text.otherTax}</bdi>
            </th>
            <td>{money(net)}</td>
            <td>{money(tax)}</td>
            <td>{money(gross)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
