// The stock of each item before and after a sale or a refund.
import type { Order, SaleStockMove } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { text } from '../../texts/orders.ts'
import { lineNameOf } from './entries.ts'

interface StockMovesProps {
  readonly order: Order
  readonly stock: readonly SaleStockMove[]
}

export function StockMoves({ order, stock }: StockMovesProps) {
  const { number } = useFormat()
  const nameOf = (position: number) => lineNameOf(order.lineItems?.[position] ?? {}) ?? text.item
  return stock.map(({ lineItem, previousStock, stock: now }) => (
    <div key={lineItem}>
      <dt>
        {text.inStock} <bdi>{nameOf(lineItem)}</bdi>
      </dt>
      <dd>{text.fromTo(number(previousStock), number(now))}</dd>
    </div>
  ))
}
