// Asks before an open order is given up, and says what happens then.
import { List } from '@mantine/core'
import type { Versioned } from '../../api/records.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notify } from '../../parts/notices.ts'
import { shortName } from '../../parts/short-name.ts'
import { useFocusAfter } from '../../shell/kept-focus.ts'
import { text } from '../../texts/orders.ts'
import { useOrderName } from './order-name.ts'
import { useReturns } from './returns.ts'

interface CancelDialogProps {
  readonly versioned: Versioned
  readonly opened: boolean
  readonly close: () => void
}

export function CancelDialog({ versioned: { record, etag }, opened, close }: CancelDialogProps) {
  const returns = useReturns(record.id)
  useFocusAfter(opened)
  const name = useOrderName(record)
  return (
    <Confirm
      opened={opened}
      close={close}
      title={text.cancelTitle(shortName(name))}
      action={text.cancelOrder}
      dismiss={text.keepOrder}
      run={async () => {
        await returns.cancel(etag)
        notify(text.cancelDone(name))
      }}
    >
      <List size="sm" spacing={4}>
        {text.cancelHints.map((hint) => (
          <List.Item key={hint}>{hint}</List.Item>
        ))}
      </List>
    </Confirm>
  )
}
