// A customer's purchases, above the form.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useWhose } from '../../api/company.ts'
import { someQuery, type Versioned } from '../../api/records.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { Related } from './Related.tsx'

export function CustomerView({ record }: Versioned) {
  const format = useFormat()
  const filters = { customerId: record.id }
  // The same query as in the card below, so it is sent once.
  const { data } = useQuery(
    someQuery(useWhose(), 'orders', { ...filters, sortBy: 'createdAt', sortOrder: 'desc', limit: 6 }),
  )
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.spent, format.money(record.totalSpent)],
          [text.orders, data === undefined ? '–' : format.number(data.meta.count)],
          [text.lastOrder, data?.data[0] && format.date(data.data[0].createdAt)],
          [labelOf('lastAction'), record.lastAction && format.date(record.lastAction)],
          [text.since, format.date(record.createdAt)],
          [text.outlet, record.outletId && <RecordName many="outlets" id={record.outletId} />],
        ]}
      />
      <Related
        many="orders"
        title={text.orders}
        filters={filters}
        members={['status', 'outletId', 'total']}
        empty={text.noOrders}
      />
    </Stack>
  )
}
