// A notice with a button that undoes a change. Ctrl+Z presses it from anywhere on the page, since a user with Tab would reach it too late.
import { Button, Group, Kbd, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { text } from '../texts/shell.ts'
import { keyNames } from './key-names.ts'
import { isUndoKey } from './typing.ts'

interface UndoNotice {
  readonly id: string
  readonly message: string
  /** Milliseconds until it closes by itself; by default as for all notices. If false, its owner closes it. */
  readonly autoClose?: number | false
  readonly undo: () => void
}

/** The undo functions of the open notices, the latest at the end. */
const offers = new Map<string, () => void>()

window.addEventListener('keydown', (event) => {
  const last = [...offers.values()].at(-1)
  if (last === undefined || !isUndoKey(event)) return
  event.preventDefault()
  last()
})

/** Shows the notice; it replaces one with the same id. */
export function offerUndo({ id, message, autoClose, undo }: UndoNotice): void {
  notifications.hide(id)
  const takeBack = () => {
    notifications.hide(id)
    undo()
  }
  offers.set(id, takeBack)
  notifications.show({
    id,
    ...(autoClose !== undefined && { autoClose }),
    withCloseButton: autoClose !== false,
    onClose: () => offers.delete(id),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" className="name">
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="light"
          flex="none"
          aria-keyshortcuts="Control+Z Meta+Z"
          rightSection={
            <Kbd size="xs" visibleFrom="md">
              {keyNames.undo}
            </Kbd>
          }
          onClick={takeBack}
        >
          {text.undo}
        </Button>
      </Group>
    ),
  })
}
