// A refund as its receipt: the items that came back, what they came to, how it was paid back, and its order.
import { Button } from '@mantine/core'
import { IconEdit } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCanWrite, useParam, useScope } from '../../api/company.ts'
import { recordQuery } from '../../api/records.ts'
import { type Resource, useResource } from '../../api/resources.ts'
import { isSettled } from '../../parts/settled.ts'
import { NotFound } from '../../shell/NotFound.tsx'
import { text } from '../../texts/orders.ts'
import { text as records } from '../../texts/records.ts'
import { type PrintedProps, PrintedRecord } from '../receipts/PrintedRecord.tsx'
import { ReceiptPaper } from '../receipts/ReceiptPaper.tsx'
import { RecordDrawer } from '../records/RecordDrawer.tsx'
import { RefundView } from './RefundView.tsx'

export function RefundPage() {
  const id = useParam('id')
  const resource = useResource('refunds')
  const canWrite = useCanWrite()
  const [isEditing, setEditing] = useState(false)
  if (id === 'new') return <NotFound />
  return (
    <PrintedRecord
      resource={resource}
      id={id}
      actions={() =>
        canWrite && (
          <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => setEditing(true)}>
            {text.edit}
          </Button>
        )
      }
      body={({ record }) => (
        <>
          <RefundView record={record} />
          <RecordDrawer
            resource={resource}
            id={isEditing ? id : undefined}
            title={text.editRefund}
            sections={[{ title: records.details, members: editable(resource) }]}
            close={() => setEditing(false)}
          />
        </>
      )}
      Printed={RefundPaper}
    />
  )
}

/** What came back and what was paid stays: only what is said about it can be changed. */
const editable = ({ many, members }: Resource) => members.filter(({ name }) => !isSettled(many, name))

function RefundPaper({ record, ...printed }: PrintedProps) {
  const isOurs = /^[0-9a-f]{24}$/.test(String(record.orderId))
  const query = recordQuery(useScope(), 'order', 'orders', String(record.orderId))
  const { data } = useQuery({ ...query, enabled: isOurs, retry: false })
  return <ReceiptPaper record={record} order={data?.record} {...printed} isRefund />
}
