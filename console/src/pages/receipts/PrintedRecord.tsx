// The page of a record that prints as a receipt, an order or a refund: with its paper, and its JSON to copy.
import { Drawer, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import type { RecordData, Versioned } from '../../api/records.ts'
import type { Resource } from '../../api/resources.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { PrintButton, usePrint } from '../../parts/paper/print.tsx'
import { text } from '../../texts/orders.ts'
import { text as paper } from '../../texts/paper.ts'
import { OneRecord } from '../records/OneRecord.tsx'
import { type ReceiptPaper, useReceipt } from './ReceiptPaper.tsx'

/** What is printed of a record. */
export type PrintedProps = Pick<ComponentProps<typeof ReceiptPaper>, 'record' | 'paper' | 'receipt'>

interface PrintedRecordProps {
  readonly resource: Resource
  readonly id: string
  /** Shown in the head, after the button that prints. */
  readonly actions: (record: RecordData) => ReactNode
  /** Shown in the menu, before the JSON. */
  readonly menu?: (record: RecordData) => ReactNode
  readonly body: (versioned: Versioned) => ReactNode
  readonly Printed: ComponentType<PrintedProps>
}

export function PrintedRecord({ resource, id, actions, menu, body, Printed }: PrintedRecordProps) {
  const [isRaw, setRaw] = useState(false)
  const printing = usePrint()
  const receipt = useReceipt()
  return (
    <OneRecord
      key={id}
      resource={resource}
      id={id}
      size="middle"
      actions={({ record }) => (
        <>
          <PrintButton print={printing.print} label={paper.printReceipt} isReady={receipt !== undefined} />
          {actions(record)}
        </>
      )}
      menu={({ record }) => (
        <>
          {menu?.(record)}
          <Menu.Item leftSection={<IconBraces size={15} />} onClick={() => setRaw(true)}>
            {text.json}
          </Menu.Item>
        </>
      )}
      body={(versioned) => (
        <>
          {body(versioned)}
          <Printed record={versioned.record} paper={printing.paper} receipt={receipt} />
          <Drawer opened={isRaw} onClose={() => setRaw(false)} title={text.json} size="lg">
            {isRaw && <CopyValue value={JSON.stringify(versioned.record, null, 2)} label={text.json} block />}
          </Drawer>
        </>
      )}
    />
  )
}
