// The value of a key, shown once: to copy, and to try.
import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { NewKey } from '../../api/schemas.ts'
import { CopyField } from '../../parts/CopyField.tsx'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { text } from '../../texts/keys.ts'
import { curlOf } from './key.ts'

interface KeyValueProps {
  readonly made: NewKey
  readonly isCompany: boolean
  /** What happens to the key that it replaces. */
  readonly note?: string | undefined
  readonly onCopied: () => void
  /** The user tries to close the dialog but may not have copied the value. */
  readonly isAsking: boolean
  readonly back: () => void
  readonly close: () => void
  readonly done: () => void
}

export function KeyValue({ made, isCompany, note, onCopied, isAsking, back, close, done }: KeyValueProps) {
  if (isAsking)
    return (
      <Stack gap="lg">
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} title={text.closeTitle} role="alert">
          {text.close}
        </Alert>
        <DialogButtons>
          <Button variant="default" onClick={close}>
            {text.closeYes}
          </Button>
          <Button onClick={back} autoFocus>
            {text.closeNo}
          </Button>
        </DialogButtons>
      </Stack>
    )
  return (
    <Stack gap="lg">
      <Text size="sm">
        {text.once} {note}
      </Text>
      <CopyField label={text.value} value={made.apiKey} action={text.copyKey} onCopied={onCopied} />
      <div>
        <Text size="sm" fw={500}>
          {text.tryIt}
        </Text>
        <Text size="xs" c="dimmed" mb={6}>
          {text.tryItHint}
        </Text>
        <CopyValue value={curlOf(made, isCompany)} label={text.tryIt} block />
      </div>
      <DialogButtons>
        <Button variant="default" onClick={done}>
          {text.done}
        </Button>
      </DialogButtons>
    </Stack>
  )
}
