// The lines of an order or a refund as on a receipt: item, quantity, price, discounts and fees.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useScope } from '../../api/company.ts'
import type { RecordData } from '../../api/records.ts'
import { ColumnTitles } from '../../parts/ColumnTitles.tsx'
import { useFormat } from '../../parts/format.ts'
import { Picture } from '../../parts/Picture.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { entriesOf, textOf } from './entries.ts'
import { LineTitle } from './LineTitle.tsx'
import classes from './Receipt.module.css'
import { lineTotal, shareOf } from './values.ts'

/** `isInset`: below a table of the same card. */
export function Lines({ record, isInset = false }: { record: RecordData; isInset?: boolean }) {
  const { currency } = record
  const lines = entriesOf(record.lineItems)
  const sales = entriesOf(record.customSales)
  if (lines.length + sales.length === 0)
    return (
      <Text size="sm" c="dimmed" className={classes.none}>
        {text.noLines}
      </Text>
    )
  return (
    <div className={classes.frame}>
      <table className={classes.lines} data-inset={isInset || undefined}>
        <ColumnTitles titles={[text.item, text.quantity, text.each, text.total]} />
        <tbody>
          {lines.map((line, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
            <Line key={n} line={line} currency={currency} picture={textOf(line.image)}>
              <LineName line={line} />
            </Line>
          ))}
          {sales.map((sale, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
            <Line key={n} line={sale} currency={currency} kind={text.customSale}>
              <bdi>{textOf(sale.name) ?? text.customSale}</bdi>
            </Line>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Entry = Readonly<Record<string, any>>

function LineName({ line }: { line: Entry }) {
  const { companyId } = useScope()
  const name = <LineTitle line={line} fallback="–" />
  if (!/^[0-9a-f]{24}$/.test(String(line.productId))) return name
  return (
    <Anchor component={Link} to={`/c/${companyId}/products/${line.productId}`} className={classes.name}>
      {name}
    </Anchor>
  )
}

interface LineProps {
  readonly line: Entry
  readonly currency: string | undefined
  readonly picture?: string | undefined
  readonly kind?: string
  readonly children: ReactNode
}

function Line({ line, currency, picture, kind, children }: LineProps) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, currency)
  const less = [line.discount?.itemDiscount, line.discount?.cartDiscount]
    .map((share) => shareOf(share, money))
    .filter(Boolean)
  const details = [
    kind,
    textOf(line.sku),
    textOf(line.description),
    textOf(line.action) && labelOf(String(line.action)),
  ].filter(Boolean)
  const fee = shareOf(line.fee, money)
  return (
    <tr>
      <td>
        <div className={classes.item}>
          {picture !== undefined && <Picture url={picture} size={36} />}
          <div>
            {children}
            {details.length > 0 && (
              <div className={classes.detail}>
                <bdi>{details.join(' · ')}</bdi>
              </div>
            )}
            {less.length > 0 && (
              <div className={classes.detail}>
                {text.lineDiscount}: {less.join(', ')}
              </div>
            )}
            {fee && (
              <div className={classes.detail}>
                {text.lineFee}: {fee}
              </div>
            )}
            {textOf(line.note) && (
              <div className={classes.detail}>
                <bdi>“{textOf(line.note)}”</bdi>
              </div>
            )}
          </div>
        </div>
      </td>
      <td>{typeof line.quantity === 'number' ? format.number(line.quantity) : ''}</td>
      <td>{format.price(line.price, currency)}</td>
      <td>{money(lineTotal(line, currency))}</td>
    </tr>
  )
}
