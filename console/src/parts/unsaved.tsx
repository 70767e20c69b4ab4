// Keeps what was typed from being lost by leaving: asks first.
import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { text } from '../texts/shell.ts'

export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={text.leaveTitle}>
      <Text size="sm">{text.leave}</Text>
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
