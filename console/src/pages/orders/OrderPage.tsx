// An order as its receipt: the items, the totals, the payments, the customer, and the timeline.
import { Button, Menu, Stack } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconBraces, IconEdit, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { type RecordData, someQuery, type Versioned } from '../../api/records.ts'
import { useResource } from '../../api/resources.ts'
import { Card } from '../../parts/Card.tsx'
import { sumOf } from '../../parts/decimal.ts'
import { titleOf } from '../../parts/record-title.ts'
import { text } from '../../texts/orders.ts'
import { NewRecord, OneRecord } from '../records/OneRecord.tsx'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { Related } from '../records/Related.tsx'
import { Became } from './Became.tsx'
import { Lines } from './Lines.tsx'
import classes from './OrderPage.module.css'
import { OrderSide } from './OrderSide.tsx'
import { Payments } from './Payments.tsx'
import { RawDrawer } from './RawDrawer.tsx'
import { RefundDialog } from './RefundDialog.tsx'
import { Sums } from './Sums.tsx'
import { Timeline } from './Timeline.tsx'
import { VoidDialog } from './VoidDialog.tsx'
import { amountOf, entriesOf } from './values.ts'

export function OrderPage() {
  const id = useParam('id')
  const resource = useResource('orders')
  const canWrite = useCanWrite()
  const [isEditing, setEditing] = useState(false)
  const [isRaw, setRaw] = useState(false)
  const [asking, setAsking] = useState<'refund' | 'void'>()
  if (id === 'new') return <NewRecord resource={resource} />
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      size="middle"
      actions={({ record }) =>
        canWrite && (
          <>
            {isRefundable(record) && (
              <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => setAsking('refund')}>
                {text.refund}
              </Button>
            )}
            <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => setEditing(true)}>
              {text.edit}
            </Button>
          </>
        )
      }
      menu={({ record }) => (
        <>
          {canWrite && isVoidable(record) && (
            <Menu.Item leftSection={<IconBan size={15} />} onClick={() => setAsking('void')}>
              {text.void}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconBraces size={15} />} onClick={() => setRaw(true)}>
            {text.json}
          </Menu.Item>
          <Menu.Item leftSection={<IconPrinter size={15} />} onClick={() => window.print()}>
            {text.print}
          </Menu.Item>
        </>
      )}
      body={(versioned) => (
        <>
          <Receipt {...versioned} />
          <RecordDrawer
            resource={resource}
            id={isEditing ? id : undefined}
            title={text.editOrder(titleOf('orders', versioned.record))}
            close={() => setEditing(false)}
          />
          {canWrite && (
            <>
              <RefundDialog order={versioned.record} opened={asking === 'refund'} close={() => setAsking(undefined)} />
              <VoidDialog order={versioned.record} opened={asking === 'void'} close={() => setAsking(undefined)} />
            </>
          )}
          <RawDrawer record={isRaw ? versioned.record : undefined} close={() => setRaw(false)} />
        </>
      )}
    />
  )
}

/** Whether something of it may be left to refund. */
const isRefundable = ({ status, fulfilmentStatus }: RecordData): boolean =>
  status === 'completed' || status === 'partial-refund' || (status === undefined && fulfilmentStatus !== 'returned')

/** A sale without refunds; later ones are refunded instead. */
const isVoidable = ({ status, returned }: RecordData): boolean =>
  status === 'completed' && amountOf(returned) === undefined

function Receipt({ record }: Versioned) {
  const isPaid = entriesOf(record.paymentMethods).length > 0
  const filters = { orderId: record.id }
  // The same query as in the card below, so it is sent once. With more refunds than it returns, the sum is unknown.
  const { data } = useQuery(
    someQuery(useWhose(), 'refunds', { ...filters, sortBy: 'createdAt', sortOrder: 'desc', limit: 6 }),
  )
  const refunded =
    data && data.meta.count <= data.data.length ? sumOf(data.data.map(({ summary }) => summary?.total)) : undefined
  return (
    <>
      <Became order={record} />
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <Card title={text.receipt} isFlush>
            <Lines record={record} />
            <Sums record={record} refunded={refunded} />
            {isPaid && <Payments payments={record.paymentMethods} currency={record.currency} />}
          </Card>
          <Related
            many="transactions"
            title={text.transactions}
            filters={filters}
            members={['type', 'paymentMethod', 'amount']}
            empty={text.noTransactions}
          />
          <Related
            many="refunds"
            title={text.refunds}
            filters={filters}
            members={['reason', 'total']}
            empty={text.noRefunds}
          />
          <Timeline order={record} />
        </Stack>
        <OrderSide record={record} />
      </div>
    </>
  )
}
