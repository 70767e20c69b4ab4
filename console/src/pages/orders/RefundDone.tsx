// What a refund came to: the amount, how it is paid back, and what went back on the shelf.

import type { SaleRefunded } from '../../api/schemas.ts'
import { useFormat } from '../../parts/format.ts'
import { wordInSentence } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { amountOf } from './entries.ts'
import { MoneyDone } from './MoneyDone.tsx'

export function RefundDone({ done: { refund, transactions, order, stock }, close }: DoneProps) {
  const format = useFormat()
  const money = (amount: string | undefined) => format.money(amount, refund.currency)
  const rounding = amountOf(refund.summary?.cashRounding)
  return (
    <MoneyDone {...{ order, stock, close }} nothing={transactions.length === 0 ? text.nothingBack : undefined}>
      <div data-total>
        <dt>{text.returnedSum}</dt>
        <dd>{money(refund.summary?.total)}</dd>
      </div>
      {rounding !== undefined && (
        <div>
          <dt>{text.cashRounding}</dt>
          <dd>{money(rounding)}</dd>
        </div>
      )}
      {transactions.map(({ id, paymentMethod, amount }) => (
        <div key={id}>
          <dt>{text.backBy(wordInSentence(paymentMethod ?? ''))}</dt>
          <dd>{money(amount)}</dd>
        </div>
      ))}
    </MoneyDone>
  )
}

interface DoneProps {
  readonly done: SaleRefunded
  readonly close: () => void
}
