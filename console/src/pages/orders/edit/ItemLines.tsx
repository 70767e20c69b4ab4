// The items while an order is edited: quantity, unit price and discount of each.
import { ActionIcon, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { NumberText } from '../../../parts/NumberText.tsx'
import { text } from '../../../texts/orders.ts'
import { lineNameOf, textOf } from '../entries.ts'
import type { DraftLine } from './draft-order.ts'
import classes from './Items.module.css'

interface ItemLinesProps {
  readonly lines: readonly DraftLine[]
  readonly currency: string | undefined
  readonly messageOf: (line: DraftLine, member: string) => string | undefined
  readonly onChange: (lines: readonly DraftLine[]) => void
}

export function ItemLines({ lines, currency, messageOf, onChange }: ItemLinesProps) {
  return (
    <ul className={classes.lines} aria-label={text.items}>
      {lines.map((line) => {
        const { base, list } = line
        const name = lineNameOf(base) ?? textOf(base.sku) ?? (list === 'customSales' ? text.customSale : text.item)
        const change = (next: Partial<DraftLine>) =>
          onChange(lines.map((one) => (one.key === line.key ? { ...one, ...next } : one)))
        return (
          <li key={line.key}>
            <div className={classes.name}>
              <Text size="sm" fw={500} className="name">
                {name}
              </Text>
              <Text size="xs" c="dimmed" className="name">
                {textOf(base.sku)}
              </Text>
            </div>
            <NumberText
              label={text.quantity}
              className={classes.number}
              aria-label={text.quantityOf(name)}
              value={line.quantity}
              error={line.quantity === undefined ? text.quantityNeeded : messageOf(line, 'quantity')}
              onChange={(quantity) => change({ quantity })}
            />
            <NumberText
              isDecimal
              isFine
              currency={currency}
              label={text.each}
              className={classes.amount}
              aria-label={text.priceOf(name)}
              value={line.price}
              error={messageOf(line, 'price')}
              onChange={(price) => change({ price })}
            />
            {list === 'lineItems' && (
              <NumberText
                label={text.discountPercent}
                className={classes.number}
                aria-label={text.discountOf(name)}
                value={line.percentage}
                error={messageOf(line, 'discount/itemDiscount/percentage')}
                onChange={(percentage) => change({ percentage })}
              />
            )}
            <ActionIcon
              aria-label={text.removeItem(name)}
              className={classes.remove}
              onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}
