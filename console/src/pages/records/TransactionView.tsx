// A payment, with the order that it belongs to.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { happenedAt, recordQuery, type Versioned } from '../../api/records.ts'
import { Card } from '../../parts/Card.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { signedAmount } from '../../parts/record-title.ts'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { StatusBadge } from '../../parts/StatusBadge.tsx'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { Lines } from '../orders/Lines.tsx'
import { Rows } from './Related.tsx'

export function TransactionView({ record }: Versioned) {
  const format = useFormat()
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.amount, format.money(signedAmount(record), record.currency)],
          [text.kind, record.type && <StatusBadge value={record.type} />],
          [labelOf('occurredAt'), format.dateTime(happenedAt(record))],
          [text.way, record.paymentMethod && wordOf(record.paymentMethod)],
          [text.session, record.sessionId && <RecordName many="sessions" id={record.sessionId} />],
          [labelOf('refundId'), record.refundId && <RecordName many="refunds" id={record.refundId} />],
        ]}
      />
      {record.orderId && <ItsOrder id={record.orderId} />}
    </Stack>
  )
}

/** The order that a payment or a refund belongs to. */
export function ItsOrder({ id }: { id: string }) {
  const isOurs = /^[0-9a-f]{24}$/.test(id)
  const { data, isError } = useQuery({
    ...recordQuery(useScope(), 'order', 'orders', id),
    enabled: isOurs,
    retry: false,
  })
  const isKnown = data !== undefined
  return (
    <Card title={text.itsOrder} isFlush={isKnown}>
      {isKnown && (
        <>
          <Rows many="orders" members={['status', 'customerId', 'total']} records={[data.record]} />
          <Lines record={data.record} isInset />
        </>
      )}
      {!isKnown && (isError || !isOurs) && (
        <Text size="sm" c="dimmed">
          {text.noOrderThere} <bdi>{id}</bdi>
        </Text>
      )}
      {!isKnown && !isError && isOurs && <RowsSkeleton rows={3} />}
    </Card>
  )
}
