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
  return <LeaveQuestion opened={status === 'blocked'} stay={() => reset?.()} leave={() => proceed?.()} />
}

/** The question itself, also for what is closed without leaving the page. */
export function LeaveQuestion({ opened, stay, leave }: { opened: boolean; stay: () => void; leave: () => void }) {
  return (
    <Modal opened={opened} onClose={stay} title={text.leaveTitle} zIndex={400}>
      <Text size="sm">{text.leave}</Text>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          {text.leaveNo}
        </Button>
        <Button color="red" onClick={leave}>
          {text.leaveYes}
        </Button>
      </Group>
    </Modal>
  )
}
