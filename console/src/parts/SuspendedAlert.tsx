// Says that a company is suspended, why, and what that means for the user.
import { Alert, Text } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { text } from '../texts/shell.ts'

/** `reason` is empty if none was given. */
export function SuspendedAlert({ reason, hint }: { readonly reason: string; readonly hint: string }) {
  return (
    <Alert color="red" role="status" icon={<IconPlayerPause size={18} />} title={text.suspended}>
      {reason !== '' && (
        <Text size="sm" className="name" fw={500}>
          <bdi>{reason}</bdi>
        </Text>
      )}
      <Text size="sm">{hint}</Text>
    </Alert>
  )
}
