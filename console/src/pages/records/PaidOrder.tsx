// The order of a payment or a refund on a card, unless the title already has the receipt number of the order.
import { useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { type RecordData, recordQuery } from '../../api/records.ts'
import { RecordName } from '../../parts/RecordName.tsx'

export function PaidOrder({ record: { orderId = '', receiptId } }: { readonly record: RecordData }) {
  const isOurs = /^[0-9a-f]{24}$/.test(orderId)
  const { data, isLoading } = useQuery({
    ...recordQuery(useScope(), 'order', 'orders', orderId),
    // As `RecordName` reads it.
    enabled: isOurs && receiptId !== undefined,
    staleTime: 60_000,
    retry: false,
  })
  const isSame = receiptId !== undefined && (isLoading || data?.record.receiptId === receiptId)
  return orderId === '' || isSame ? null : <RecordName many="orders" id={orderId} isPlain />
}
