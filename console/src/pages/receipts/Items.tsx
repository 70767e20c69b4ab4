// The items of a receipt: what was sold or returned, with its options, its discounts and its fee.
import type { RecordData } from '../../api/records.ts'
import { ColumnTitles } from '../../parts/ColumnTitles.tsx'
import { useFormat } from '../../parts/format.ts'
import { text as orders } from '../../texts/orders.ts'
import { text } from '../../texts/paper.ts'
import { entriesOf, textOf } from '../orders/entries.ts'
import { LineTitle } from '../orders/LineTitle.tsx'
import { lineSum, shareOf } from '../orders/values.ts'
import classes from './Receipt.module.css'

type Entry = Readonly<Record<string, any>>

export function Items({ record }: { record: RecordData }) {
  const lines = [...entriesOf(record.lineItems), ...entriesOf(record.customSales)]
  if (lines.length === 0) return <p className={classes.none}>{text.noItems}</p>
  return (
    <table className={classes.items}>
      <ColumnTitles titles={[text.item, text.quantity, text.each, text.amount]} />
      <tbody>
        {lines.map((line, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
          <Item key={n} line={line} record={record} />
        ))}
      </tbody>
    </table>
  )
}

/** The amount is before discounts, as the subtotal is: what is taken off is listed below it. */
function Item({ line, record }: { line: Entry; record: RecordData }) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, record.currency)
  const quantity = typeof line.quantity === 'number' ? format.number(line.quantity) : ''
  const details = [textOf(line.description), textOf(line.sku), textOf(line.note)].filter(Boolean)
  const less = [
    [orders.lineDiscount, shareOf(line.discount?.itemDiscount, money)],
    [textOf(record.cartDiscount?.label) ?? orders.cartDiscount, shareOf(line.discount?.cartDiscount, money)],
  ] as const
  const fee = shareOf(line.fee, money)
  const price = format.price(line.price, record.currency)
  return (
    <tr>
      <td>
        <span className={classes.name}>
          <LineTitle line={line} fallback={orders.customSale} />
        </span>
        {details.map((detail) => (
          <div key={detail} className={classes.detail}>
            <bdi>{detail}</bdi>
          </div>
        ))}
        <div className={classes.times}>
          {quantity} × {price}
        </div>
        {less.map(
          ([label, share], n) =>
            share && (
              // biome-ignore lint/suspicious/noArrayIndexKey: there are always the same two.
              <div key={n} className={classes.detail}>
                {label} −{share}
              </div>
            ),
        )}
        {fee && (
          <div className={classes.detail}>
            {orders.lineFee} {fee}
          </div>
        )}
      </td>
      <td>{quantity}</td>
      <td>{price}</td>
      <td>{money(lineSum(line, record.currency))}</td>
    </tr>
  )
}
