// What was paid of a sale, the change, and what left the shelf.
import type { Sale, SalePaid } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { wordInSentence } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { amountOf } from './entries.ts'
import { MoneyDone } from './MoneyDone.tsx'

/** The response to a sale, or to payments of one. */
export type Done = SalePaid & Partial<Pick<Sale, 'stock'>>

interface PayDoneProps {
  readonly done: Done
  readonly close: () => void
}

export function PayDone({ done: { order, transactions, stock = [] }, close }: PayDoneProps) {
  const { money } = useFormat()
  const changes = new Map(order.paymentMethods?.map(({ transactionId, change }) => [transactionId, change]))
  const due = amountOf(order.due)
  return (
    <MoneyDone {...{ order, stock, close }} nothing={transactions.length === 0 ? text.nothingPaid : undefined}>
      <div data-total>
        <dt>{text.sum}</dt>
        <dd>{money(order.summary?.total, order.currency)}</dd>
      </div>
      {transactions.map(({ id, type, paymentMethod, amount }) => (
        <div key={id}>
          <dt>{(type === 'refund' ? text.backBy : text.paidBy)(wordInSentence(paymentMethod ?? ''))}</dt>
          <dd>{money(amount, order.currency)}</dd>
        </div>
      ))}
      {transactions.map(
        ({ id }) =>
          amountOf(changes.get(id)) !== undefined && (
            <div key={id} data-total>
              <dt>{text.changeGiven}</dt>
              <dd>{money(changes.get(id), order.currency)}</dd>
            </div>
          ),
      )}
      {due !== undefined && (
        <div>
          <dt>{text.due}</dt>
          <dd>{money(due, order.currency)}</dd>
        </div>
      )}
    </MoneyDone>
  )
}
