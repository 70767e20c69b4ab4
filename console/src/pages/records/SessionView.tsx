// A till's session: its times, its figures, and its payments and orders.

import { Anchor, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useScope } from '../../api/company.ts'
import type { Versioned } from '../../api/records.ts'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { text } from '../../texts/orders.ts'
import { text as records } from '../../texts/records.ts'
import { text as sessions } from '../../texts/sessions.ts'
import { countedCash } from '../sessions/counted.ts'
import { closingsQuery } from '../sessions/queries.ts'
import { SessionFigures } from '../sessions/SessionFigures.tsx'
import { Related } from './Related.tsx'

export function SessionView({ record }: Versioned) {
  const format = useFormat()
  const scope = useScope()
  const { data: closings } = useQuery(closingsQuery(scope, record.id))
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          [text.station, record.stationId && <RecordName many="stations" id={record.stationId} />],
          [text.opened, format.dateTime(record.openTime ?? record.createdAt)],
          [text.closed, record.closeTime ? format.dateTime(record.closeTime) : records.stillOpen],
          [text.openingAmount, format.money(record.openingAmount)],
          [text.closingAmount, format.money(countedCash(record))],
          ...(closings?.data ?? []).map(
            ({ id, number }) =>
              [
                sessions.zTitle(number),
                <Anchor key={id} component={Link} to={`/c/${scope.companyId}/closings/${id}`}>
                  {sessions.open}
                </Anchor>,
              ] as const,
          ),
        ]}
      />
      <SessionFigures session={record} />
      <Related
        many="transactions"
        title={text.transactions}
        filters={{ sessionId: record.id }}
        members={['type', 'paymentMethod', 'amount']}
        empty={text.noTransactions}
      />
      <Related
        many="cash-movements"
        title={sessions.movements}
        filters={{ sessionId: record.id }}
        members={['reason', 'amount']}
        empty={sessions.noMovements}
      />
      <Related
        many="orders"
        title={text.orders}
        filters={{ sessionId: record.id }}
        members={['status', 'customerId', 'total']}
        empty={text.noOrders}
      />
    </Stack>
  )
}
