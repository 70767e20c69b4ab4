// Asks before a sale is voided, and says what happens then.
import { Checkbox, List } from '@mantine/core'
import { useState } from 'react'
import type { RecordData } from '../../api/records.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { useFocusAfter } from '../../shell/kept-focus.ts'
import { text } from '../../texts/orders.ts'
import { useOrderName } from './order-name.ts'
import { useReturns } from './returns.ts'

interface VoidDialogProps {
  readonly order: RecordData
  readonly opened: boolean
  readonly close: () => void
}

export function VoidDialog({ order, opened, close }: VoidDialogProps) {
  const [restock, setRestock] = useState(true)
  const returns = useReturns(order.id)
  useFocusAfter(opened)
  const name = useOrderName(order)
  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.voidTitle(shortName(name))}
      action={text.void}
      run={async (key) => {
        await returns.void(restock, key)
        notify(text.voidDone(name))
      }}
    >
      <List size="sm" spacing={4}>
        {text.voidHints.map((hint) => (
          <List.Item key={hint}>{hint}</List.Item>
        ))}
      </List>
      <Checkbox
        mt="md"
        label={text.voidRestock}
        checked={restock}
        onChange={(event) => setRestock(event.currentTarget.checked)}
      />
    </Confirm>
  )
}
