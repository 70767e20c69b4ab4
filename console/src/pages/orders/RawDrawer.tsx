// A record as the API returns it, to copy.
import { Drawer } from '@mantine/core'
import type { RecordData } from '../../api/records.ts'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { text } from '../../texts/orders.ts'

export function RawDrawer({ record, close }: { record: RecordData | undefined; close: () => void }) {
  return (
    <Drawer opened={record !== undefined} onClose={close} title={text.json} size="lg">
      {record && <CopyValue value={JSON.stringify(record, null, 2)} label={text.json} block />}
    </Drawer>
  )
}
