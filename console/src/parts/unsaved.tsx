// Keeps what was typed from being lost by leaving: asks first.
import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { text } from '../texts/shell.ts'

/** `message` says what would be lost, where it is not what was typed. */
export function LeaveGuard({ isDirty, message = text.leave }: { isDirty: boolean; message?: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={text.leaveTitle}>
      <Text size="sm">{message}</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          {text.leaveNo}
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          {text.leaveYes}
        </Button>
      </Group>
    </Modal>
  )
}
