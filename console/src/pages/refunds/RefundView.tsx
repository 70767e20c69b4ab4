// What a refund's page shows: its facts, its receipt, its order, and its payments.
import { Stack, Text } from '@mantine/core'
import type { RecordData } from '../../api/records.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { Facts } from '../../parts/Facts.tsx'
import { useFormat } from '../../parts/format.ts'
import { noteOf } from '../../parts/notes.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf, wordOf } from '../../texts/members.ts'
import { text } from '../../texts/orders.ts'
import { entriesOf, textOf } from '../orders/entries.ts'
import { Lines } from '../orders/Lines.tsx'
import classes from '../orders/OrderPage.module.css'
import { Payments } from '../orders/Payments.tsx'
import { Sums } from '../orders/Sums.tsx'
import { totalOf } from '../orders/values.ts'
import { Related } from '../records/Related.tsx'
import { ItsOrder } from '../records/TransactionView.tsx'

export function RefundView({ record }: { record: RecordData }) {
  const format = useFormat()
  const payments = entriesOf(record.payment)
  return (
    <>
      <Facts
        facts={[
          [text.amount, format.money(totalOf(record), record.currency)],
          [text.paidBack, payments.map(({ paymentType }) => wordOf(textOf(paymentType) ?? '')).join(', ')],
          [text.reason, textOf(record.reason) && <bdi>{record.reason}</bdi>],
        ]}
      />
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <Card title={text.receipt} isFlush>
            <Lines record={record} />
            <Sums record={record} />
            {payments.length > 0 && <Payments payments={payments} currency={record.currency} />}
          </Card>
          {record.orderId && <ItsOrder id={record.orderId} />}
          <Related
            many="transactions"
            title={text.transactions}
            filters={{ refundId: record.id }}
            members={['type', 'amount']}
            empty={text.noTransactions}
          />
        </Stack>
        <RefundSide record={record} />
      </div>
    </>
  )
}

function RefundSide({ record }: { record: RecordData }) {
  const format = useFormat()
  const named = (many: string, id: unknown) => textOf(id) && <RecordName many={many} id={String(id)} />
  const notes = entriesOf(record.notes)
  return (
    <aside className={classes.side} aria-label={text.facts}>
      <Card title={text.facts}>
        <Facts
          isList
          facts={[
            [text.employee, named('accounts', record.refundedBy)],
            [text.session, named('sessions', record.sessionId)],
            [text.refundedAt, record.occurredAt && format.dateTime(record.occurredAt)],
            [labelOf('createdAt'), format.dateTime(record.createdAt)],
            [labelOf('currency'), textOf(record.currency)],
            [labelOf('id'), <CopyValue key="id" value={record.id} label={labelOf('id')} />],
            [
              labelOf('externalId'),
              textOf(record.externalId) && <CopyValue value={record.externalId} label={labelOf('externalId')} />,
            ],
          ]}
        />
      </Card>
      {notes.length > 0 && (
        <Card title={labelOf('notes')}>
          {notes.map((note, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: notes have no name but their place.
            <Text key={n} size="sm" className="name">
              {noteOf(note)?.message ?? JSON.stringify(note)}
            </Text>
          ))}
        </Card>
      )}
    </aside>
  )
}
