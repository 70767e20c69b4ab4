// The lines of a refund: for each line with units left, how many come back, and whether they go back on the shelf.
import { Checkbox, Text } from '@mantine/core'
import { useFormat } from '../../parts/format.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { text } from '../../texts/orders.ts'
import classes from './RefundLines.module.css'
import type { LineLeft } from './units-left.ts'

/** What was chosen, by `kind/position` of the line. */
export type Returns = Readonly<Record<string, { readonly quantity?: unknown; readonly restock?: boolean }>>

interface RefundLinesProps {
  readonly lines: readonly LineLeft[]
  readonly returns: Returns
  readonly messageOf: (line: LineLeft) => string | undefined
  readonly onChange: (returns: Returns) => void
}

export function RefundLines({ lines, returns, messageOf, onChange }: RefundLinesProps) {
  const format = useFormat()
  return (
    <ul className={classes.lines} aria-label={text.refundLines}>
      {lines.map((line) => {
        const key = `${line.kind}/${line.position}`
        const { quantity, restock = true } = returns[key] ?? {}
        const name = line.name || text.item
        const change = (next: Returns[string]) => onChange({ ...returns, [key]: { ...returns[key], ...next } })
        return (
          <li key={key}>
            <div className={classes.name}>
              <Text size="sm" fw={500} className="name">
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {[line.sku, text.unitsLeft(format.number(line.left), format.number(line.sold))]
                  .filter(Boolean)
                  .join(' · ')}
              </Text>
            </div>
            {line.hasVariant && (
              <Checkbox
                className={classes.restock}
                label={text.restock}
                aria-label={text.restockOf(name)}
                checked={restock}
                onChange={(event) => change({ restock: event.currentTarget.checked })}
              />
            )}
            <NumberText
              className={classes.quantity}
              aria-label={text.quantityOf(name)}
              placeholder="0"
              value={quantity}
              error={messageOf(line)}
              onChange={(value) => change({ quantity: value })}
            />
          </li>
        )
      })}
    </ul>
  )
}
