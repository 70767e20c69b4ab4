// How a refund is paid back, and its sums.
import { Text } from '@mantine/core'
import { text } from '../../texts/orders.ts'
import { PaymentRows } from './PaymentRows.tsx'
import type { Payback } from './payback.ts'
import { RefundSums } from './RefundSums.tsx'

interface RefundPaymentsProps {
  readonly payback: Payback
  readonly currency: string | undefined
  readonly errorAt: (pointer: string) => string | undefined
}

export const RefundPayments = (props: RefundPaymentsProps) => (
  <>
    <RefundSums payback={props.payback} currency={props.currency} />
    <Payments {...props} />
  </>
)

function Payments({ payback, currency, errorAt }: RefundPaymentsProps) {
  const { isKnown, isNeeded, payments } = payback
  if (!isKnown) return null
  if (payments.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.nothingBack}
      </Text>
    )
  return (
    <PaymentRows
      {...payback}
      {...{ currency, errorAt }}
      legend={text.payBack}
      hint={isNeeded ? text.paybackNeeded : undefined}
    />
  )
}
