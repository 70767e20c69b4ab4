// Protects unsaved input: asks before the page is left.
import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isGivenUp } from '../api/sign-in.ts'
import { text } from '../texts/shell.ts'

/** `message` says what would be lost, if it is not typed text. */
export function LeaveGuard({ isDirty, message = text.leave }: { isDirty: boolean; message?: string }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    // Another user has signed in since: what the previous user typed is not for them.
    enableBeforeUnload: () => isDirty && !isGivenUp(),
    withResolver: true,
  })
  // Saving has finished, so there is nothing left to ask. The user stays: they did not choose to leave, and what the page
  // shows after saving, perhaps a secret, is shown only here.
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
