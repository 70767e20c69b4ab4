// A customer's purchases, above the form.
import { Stack } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useScope } from '../../api/company.ts'
import { ApiProblem } from '../../api/problem.ts'
import { someQuery, type Versioned } from '../../api/records.ts'
import { get } from '../../api/request.ts'
import type { CustomerSpending } from '../../api/schemas.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { Related } from './Related.tsx'

/** What the service has computed of a customer's orders and refunds. */
const spendingQuery = ({ companyId }: { readonly companyId: string }, customerId: string) =>
  queryOptions({
    queryKey: [companyId, 'spending', customerId],
    queryFn: ({ signal }) => get<CustomerSpending>({ companyId }, `/v1/reports/customers/${customerId}`, { signal }),
  })

/** The sums in each currency, beside one another: currencies are never added together. */
const spentIn = ({ spending, currency }: CustomerSpending, money: (amount: string, currency?: string) => string) =>
  spending.length === 0
    ? money('0', currency)
    : spending.map((one) => money(one.spent, one.currency ?? currency)).join(' · ')

export function CustomerView({ record }: Versioned) {
  const format = useFormat()
  const filters = { customerId: record.id }
  const scope = useScope()
  // The same query as in the card below, so it is sent once.
  const latest = useQuery(someQuery(scope, 'orders', { ...filters, sortBy: 'occurredAt', sortOrder: 'desc', limit: 6 }))
  const { data, error } = useQuery(spendingQuery(scope, record.id))
  const unknown = error instanceof ApiProblem && error.code === 'conflict' ? text.tooManyToSum : '–'
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.spent, data === undefined ? unknown : spentIn(data, format.money)],
          [labelOf('totalSpent'), record.totalSpent && format.money(record.totalSpent)],
          [text.orders, latest.data === undefined ? '–' : format.number(latest.data.meta.count)],
          [text.lastOrder, data?.lastOrderAt && format.date(data.lastOrderAt)],
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
