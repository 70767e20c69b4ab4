// Shows a new secret once; it closes only when the user confirms having copied it.
import { Button, Modal, Stack, Text } from '@mantine/core'
import { CopyValue } from '../../parts/CopyValue.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/automation.ts'

interface SecretShownProps {
  readonly secret: string | undefined
  readonly close: () => void
  /** Whether it replaces an older secret. */
  readonly isAnother?: boolean
}

export function SecretShown({ secret, close, isAnother = false }: SecretShownProps) {
  return (
    <Modal
      opened={secret !== undefined}
      onClose={close}
      title={text.secret.title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">
          {text.secret.once} {isAnother && text.secret.old}
        </Text>
        <CopyValue value={secret ?? ''} label={text.secret.label} />
        <DialogButtons>
          <Button onClick={close} data-autofocus>
            {text.secret.kept}
          </Button>
        </DialogButtons>
      </Stack>
      <LeaveGuard isDirty={secret !== undefined} message={text.secret.once} />
    </Modal>
  )
}
