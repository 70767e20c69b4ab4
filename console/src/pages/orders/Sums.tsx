// The totals of an order or a refund, below the lines of a receipt.
import type { ReactNode } from 'react'
import { minus, sumOf } from '../../parts/decimal.ts'
import { namedRate, useFormat } from '../../parts/format.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import type { Entry } from './edit/draft-order.ts'
import { amountOf, entriesOf, textOf } from './entries.ts'
import classes from './Receipt.module.css'
import { shareOf, subTotalOf, totalOf } from './values.ts'

type Row = readonly [label: ReactNode, value: ReactNode, isMinor?: boolean]

/** `refunded`: the refunded amount, if it is known. */
export function Sums({ record, refunded }: { record: Entry; refunded?: string | undefined }) {
  const format = useFormat()
  const total = totalOf(record)
  const money = (amount: string | undefined) => format.money(amount, record.currency)
  const rows = sumRowsOf(record, money)
  // The balance is what the sale left open; what is due follows from payments and refunds since.
  const isOrder = record.orderId === undefined
  const open = amountOf(isOrder ? record.due : undefined) ?? record.balance
  if (rows.length === 0 && total === undefined && amountOf(open) === undefined) return null
  return (
    <dl className={classes.sums}>
      {rows.map(([label, value, isMinor], n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sums have no name but their place.
        <div key={n} data-minor={isMinor || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {total !== undefined && (
        <div data-total>
          <dt>{text.sum}</dt>
          <dd>{money(total)}</dd>
        </div>
      )}
      {amountOf(refunded) !== undefined && (
        <>
          <div>
            <dt>{text.refundedSum}</dt>
            <dd>{money(minus(refunded))}</dd>
          </div>
          <div>
            <dt>{text.net}</dt>
            <dd>{money(sumOf([total, minus(refunded)]))}</dd>
          </div>
        </>
      )}
      {amountOf(open) !== undefined && (
        <div>
          <dt>{isOrder ? text.balance : text.remaining}</dt>
          <dd>{money(open)}</dd>
        </div>
      )}
    </dl>
  )
}

const known = new Set([
  'total',
  'subTotal',
  'totalTaxes',
  'discountTotal',
  'shippingTotal',
  'isTaxInclusive',
  'taxes',
  'tip',
  'cashRounding',
])

/** The rows above the total. Without `hasRates` each tax has its place elsewhere. */
export const sumRowsOf = (record: Entry, money: (amount: string | undefined) => string, hasRates = true): Row[] => [
  ...rowsOf(record, money, hasRates),
  ...otherRowsOf(record.summary ?? {}),
]

/** What makes up the total, in the order of a receipt. */
function rowsOf(record: Entry, money: (amount: string | undefined) => string, hasRates: boolean): Row[] {
  const { cartDiscount } = record
  const summary = record.summary ?? {}
  const row = (label: string, amount: unknown): Row[] => {
    const found = amountOf(amount)
    return found === undefined ? [] : [[label, money(found)]]
  }
  const discount = amountOf(summary.discountTotal)
  const ofCart = shareOf(cartDiscount, money)
  return [
    ...row(text.subTotal, totalOf(record) === undefined ? subTotalOf(record) : summary.subTotal),
    ...(discount === undefined
      ? []
      : [[text.discounts, money(discount.startsWith('-') ? discount : minus(discount))] as const]),
    // Included in the discounts if their sum is present.
    ...(ofCart === undefined
      ? []
      : [[textOf(cartDiscount?.label) ?? text.cartDiscount, ofCart, discount !== undefined] as const]),
    ...(Array.isArray(record.cartFees) ? record.cartFees : []).map(
      (fee: any): Row => [
        <bdi key="name">{textOf(fee?.name) ?? textOf(fee?.label) ?? text.fee}</bdi>,
        shareOf(fee, money) ?? textOf(fee?.total) ?? JSON.stringify(fee),
      ],
    ),
    ...row(text.shipping, summary.shippingTotal),
    ...row(summary.isTaxInclusive === true ? text.taxesIncluded : text.taxes, summary.totalTaxes),
    ...entriesOf(hasRates ? summary.taxes : undefined).map(
      (tax): Row => [
        <bdi key="name">{namedRate(textOf(tax.name) ?? textOf(tax.taxTableName), tax.percentage)}</bdi>,
        money(tax.amount),
        true,
      ],
    ),
    ...(shareOf(summary.tip, money) === undefined ? [] : [[text.tip, shareOf(summary.tip, money)] as const]),
    ...row(text.cashRounding, summary.cashRounding),
  ]
}

/** Members of the summary that only the till knows. */
const otherRowsOf = (summary: Readonly<Record<string, unknown>>): Row[] =>
  Object.keys(summary)
    .filter((name) => !known.has(name) && textOf(summary[name]) !== undefined)
    .map((name) => [labelOf(name), String(summary[name])])
