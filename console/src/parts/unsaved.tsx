// Keeps what was typed from being lost by leaving: asks first.
import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isGivenUp } from '../api/sign-in.ts'
import { text } from '../texts/shell.ts'

/** `message` says what would be lost, where it is not what was typed. */
export function LeaveGuard({ isDirty, message = text.leave }: { isDirty: boolean; message?: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    // What the person before has typed is not for whoever signed in since.
    enableBeforeUnload: () => isDirty && !isGivenUp(),
    withResolver: true,
  })
  // What was being saved meanwhile is saved: there is nothing to ask any more. Nobody has said to leave, and what is shown once
  // it is saved, a secret perhaps, is shown only here.
  useEffect(() => {
    if (status === 'blocked' && !isDirty) reset?.()
  }, [status, isDirty, reset])
  return (
    <LeaveQuestion opened={status === 'blocked'} message={message} stay={() => reset?.()} leave={() => proceed?.()} />
  )
}

/** The question itself, also for what is closed without leaving the page. */
export function LeaveQuestion({
  opened,
  message = text.leave,
  stay,
  leave,
}: {
  opened: boolean
  message?: string
  stay: () => void
  leave: () => void
}) {
  return (
    <Modal opened={opened} onClose={stay} title={text.leaveTitle} zIndex={400}>
      <Text size="sm">{message}</Text>
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
