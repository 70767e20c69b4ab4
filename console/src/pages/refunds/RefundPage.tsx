// A refund as its receipt: the items that came back, what they came to, how it was paid back, and its order.
import { Button, Menu } from '@mantine/core'
import { IconBraces, IconEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { useCanWrite, useParam, useWhose } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import { type Resource, useResource } from '../../api/resources.ts'
import { PrintButton, usePrint } from '../../parts/paper/print.tsx'
import { text } from '../../texts/orders.ts'
import { text as paper } from '../../texts/paper.ts'
import { text as records } from '../../texts/records.ts'
import { RawDrawer } from '../orders/RawDrawer.tsx'
import { ReceiptPaper, useReceipt } from '../receipts/ReceiptPaper.tsx'
import { NewRecord, OneRecord } from '../records/OneRecord.tsx'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { RefundView } from './RefundView.tsx'

export function RefundPage() {
  const id = useParam('id')
  const resource = useResource('refunds')
  const canWrite = useCanWrite()
  const [isEditing, setEditing] = useState(false)
  const [isRaw, setRaw] = useState(false)
  const printing = usePrint()
  const receipt = useReceipt()
  if (id === 'new') return <NewRecord resource={resource} />
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      size="middle"
      actions={() => (
        <>
          <PrintButton print={printing.print} label={paper.printReceipt} isReady={receipt !== undefined} />
          {canWrite && (
            <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => setEditing(true)}>
              {text.edit}
            </Button>
          )}
        </>
      )}
      menu={() => (
        <Menu.Item leftSection={<IconBraces size={15} />} onClick={() => setRaw(true)}>
          {text.json}
        </Menu.Item>
      )}
      body={({ record }) => (
        <>
          <RefundView record={record} />
          <RefundPaper record={record} paper={printing.paper} receipt={receipt} />
          <RecordDrawer
            resource={resource}
            id={isEditing ? id : undefined}
            title={text.editRefund}
            sections={[{ title: records.details, members: editable(resource) }]}
            close={() => setEditing(false)}
          />
          <RawDrawer record={isRaw ? record : undefined} close={() => setRaw(false)} />
        </>
      )}
    />
  )
}

/** What came back and what was paid stays: only what is said about it can be changed. */
const editable = ({ members }: Resource) =>
  ['reason', 'refundedBy', 'notes', 'metadata'].flatMap((name) => members.find((one) => one.name === name) ?? [])

type RefundPaperProps = Pick<ComponentProps<typeof ReceiptPaper>, 'record' | 'paper' | 'receipt'>

function RefundPaper({ record, ...printed }: RefundPaperProps) {
  const isOurs = /^[0-9a-f]{24}$/.test(String(record.orderId))
  const query = recordQuery(useWhose(), 'order', 'orders', String(record.orderId))
  const { data } = useQuery({ ...query, enabled: isOurs, retry: false })
  return <ReceiptPaper record={record} order={data?.record} {...printed} isRefund />
}
