// The refunded items, the order, and the refunded payment.
import { Stack } from '@mantine/core'
import type { Versioned } from '../../api/records.ts'
import { Card } from '../../parts/Card.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/orders.ts'
import { Lines } from '../orders/Lines.tsx'
import { Payments } from '../orders/Payments.tsx'
import { Sums } from '../orders/Sums.tsx'
import { Related } from './Related.tsx'
import { ItsOrder } from './TransactionView.tsx'

export function RefundView({ record }: Versioned) {
  const format = useFormat()
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.amount, format.money(record.summary?.total, record.currency)],
          [text.reason, record.reason],
          [text.session, record.sessionId && <RecordName many="sessions" id={record.sessionId} />],
          [text.employee, record.refundedBy && <RecordName many="accounts" id={record.refundedBy} />],
        ]}
      />
      <Card title={text.receipt} isFlush>
        <Lines record={record} />
        <Sums record={record} />
        {Array.isArray(record.payment) && record.payment.length > 0 && (
          <Payments payments={record.payment} currency={record.currency} />
        )}
      </Card>
      {record.orderId && <ItsOrder id={record.orderId} />}
      <Related
        many="transactions"
        title={text.transactions}
        filters={{ refundId: record.id }}
        members={['type', 'paymentMethod', 'amount']}
        empty={text.noTransactions}
      />
    </Stack>
  )
}
