// An order as its receipt: the items, the totals, the payments, the customer, and the timeline.
import { Button, Menu, Stack } from '@mantine/core'
import { IconArrowBackUp, IconBan, IconCash, IconEdit, IconListDetails } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useCanWrite, useParam, useScope } from '../../api/company.ts'
import { type RecordData, someQuery, type Versioned } from '../../api/records.ts'
import { type Member, type Resource, useResource } from '../../api/resources.ts'
import { Card } from '../../parts/Card.tsx'
import { sumOf } from '../../parts/decimal.ts'
import { sectionsOf } from '../../parts/sections.ts'
import { isSold } from '../../parts/settled.ts'
import { useLater } from '../../parts/use-later.ts'
import { text } from '../../texts/orders.ts'
import { PrintedRecord } from '../receipts/PrintedRecord.tsx'
import { ReceiptPaper } from '../receipts/ReceiptPaper.tsx'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { Related } from '../records/Related.tsx'
import { Became } from './Became.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { amountOf, entriesOf, hasOpenItems, isDue, isOpenStatus, isOwed } from './entries.ts'
import { Lines } from './Lines.tsx'
import { NewOrder } from './NewOrder.tsx'
import classes from './OrderPage.module.css'
import { OrderSide } from './OrderSide.tsx'
import { useOrderName } from './order-name.ts'
import { PayDialog } from './PayDialog.tsx'
import { Payments } from './Payments.tsx'
import { RefundDialog } from './RefundDialog.tsx'
import { Sums } from './Sums.tsx'
import { Timeline } from './Timeline.tsx'
import { VoidDialog } from './VoidDialog.tsx'
import { totalOf } from './values.ts'

/** What is open over the page. */
type Open = 'items' | 'details' | 'pay' | 'refund' | 'void' | 'cancel'

export function OrderPage() {
  const id = useParam('id')
  const resource = useResource('orders')
  const canWrite = useCanWrite()
  const [open, setOpen] = useState<Open>()
  if (id === 'new') return <NewOrder resource={resource} />
  return (
    <PrintedRecord
      resource={resource}
      id={id}
      actions={(record) => canWrite && <Actions record={record} open={setOpen} />}
      menu={(record) => canWrite && <Ending record={record} open={setOpen} />}
      body={(versioned) => (
        <>
          <Receipt {...versioned} />
          {/* What is typed stays while its dialog is open, whatever becomes of the role. */}
          {(canWrite || open !== undefined) && (
            <Dialogs {...{ resource, versioned, open }} close={() => setOpen(undefined)} />
          )}
        </>
      )}
      Printed={ReceiptPaper}
    />
  )
}

function Actions({ record, open }: { record: RecordData; open: (what: Open) => void }) {
  return (
    <>
      {isRefundable(record) && (
        <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => open('refund')}>
          {text.refund}
        </Button>
      )}
      {hasOpenItems(record) && (
        <Button variant="default" leftSection={<IconListDetails size={16} />} onClick={() => open('items')}>
          {text.editItems}
        </Button>
      )}
      <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => open('details')}>
        {text.edit}
      </Button>
      {(hasOpenItems(record) || isDue(record)) && (
        <Button leftSection={<IconCash size={16} />} onClick={() => open('pay')}>
          {isOwed(record) ? text.payOut : text.takePayment}
        </Button>
      )}
    </>
  )
}

/** How a sale is undone, and an open order given up, in the menu. */
function Ending({ record, open }: { record: RecordData; open: (what: Open) => void }) {
  if (!isVoidable(record) && !hasOpenItems(record)) return null
  const [what, label] = isVoidable(record) ? (['void', text.void] as const) : (['cancel', text.cancelOrder] as const)
  return (
    <Menu.Item leftSection={<IconBan size={15} />} onClick={() => open(what)}>
      {label}
    </Menu.Item>
  )
}

interface DialogsProps {
  readonly resource: Resource
  readonly versioned: Versioned
  readonly open: Open | undefined
  readonly close: () => void
}

const loadItems = () => import('./edit/ItemsDrawer.tsx')

function Dialogs({ resource, versioned, open, close }: DialogsProps) {
  const { record } = versioned
  const name = useOrderName(record)
  const [items, want] = useLater(loadItems)
  useEffect(() => {
    if (open === 'items') want()
  }, [open, want])
  return (
    <>
      <RecordDrawer
        resource={resource}
        id={open === 'details' ? record.id : undefined}
        title={text.editOrder(name)}
        sections={detailsOf(resource, record)}
        close={close}
      />
      {items && (
        <items.ItemsDrawer
          versioned={versioned}
          title={text.editItemsOf(name)}
          isOpen={open === 'items'}
          close={close}
        />
      )}
      <PayDialog key={`pay ${record.id}`} versioned={versioned} opened={open === 'pay'} close={close} />
      <RefundDialog key={record.id} order={record} opened={open === 'refund'} close={close} />
      <VoidDialog order={record} opened={open === 'void'} close={close} />
      <CancelDialog versioned={versioned} opened={open === 'cancel'} close={close} />
    </>
  )
}

/** What can be changed of any order: amounts follow from its items, its payments and its refunds. */
const detailsOf = (resource: Resource, order: RecordData) =>
  sectionsOf(resource)
    .map(({ title, members }) => ({
      title,
      members: members
        .filter(({ name }) => !amounts.has(name))
        .flatMap((member) => (member.name === 'status' ? statusOf(member, order) : [member])),
    }))
    .filter(({ members }) => members.length > 0)

/**
 * A status is chosen only before the sale, since the others are written by what is done: a sale moves money and stock, and so does what
 * undoes it. A word of another system can be any other one.
 */
function statusOf(member: Member, order: RecordData): Member[] {
  const { status } = order
  if (isSold(order)) return []
  if (!isOpenStatus(status) && status !== 'cancelled') return [member]
  const choices = ['pending', 'parked', ...(status === 'cancelled' ? [status] : [])]
  return [{ ...member, isRequired: true, schema: { ...member.schema, enum: choices } }]
}

const amounts: ReadonlySet<string> = new Set([
  ...['lineItems', 'customSales', 'summary', 'cartDiscount', 'cartFees', 'balance', 'paymentMethods'],
  ...['currency', 'signature', 'occurredAt'],
])

/** Whether something of it may be left to refund. */
const isRefundable = ({ status, fulfilmentStatus, voidedAt }: RecordData): boolean =>
  voidedAt === undefined &&
  (status === 'completed' || status === 'partial-refund' || (status === undefined && fulfilmentStatus !== 'returned'))

/** A sale without refunds; later ones are refunded instead. */
const isVoidable = ({ status, returned, voidedAt }: RecordData): boolean =>
  voidedAt === undefined && status === 'completed' && amountOf(returned) === undefined

function Receipt({ record }: Versioned) {
  const isPaid = entriesOf(record.paymentMethods).length > 0
  const filters = { orderId: record.id }
  // The same query as in the card below, so it is sent once. With more refunds than it returns, the sum is unknown.
  const { data } = useQuery(
    someQuery(useScope(), 'refunds', { ...filters, sortBy: 'createdAt', sortOrder: 'desc', limit: 6 }),
  )
  const refunded = data && data.meta.count <= data.data.length ? sumOf(data.data.map(totalOf)) : undefined
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
            members={['type', 'amount']}
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
