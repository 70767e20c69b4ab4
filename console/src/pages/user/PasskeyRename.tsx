// Renames a passkey.
import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { get } from '../../api/request.ts'
import type { Passkey } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { useSubmission } from '../../parts/submission.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/passkeys.ts'

interface PasskeyRenameProps {
  readonly of: Passkey
  readonly close: () => void
  readonly renamed: () => Promise<void>
}

export function PasskeyRename({ of: passkey, close, renamed }: PasskeyRenameProps) {
  const [name, setName] = useState(passkey.name)
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/name')
  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      refuseMissing({ '/name': name.trim() === '' && text.missingName })
      await get<Passkey>('person', `/v1/console/passkeys/${passkey.id}`, {
        method: 'PATCH',
        body: { name: name.trim() },
      })
      close()
      await renamed()
    })
  }
  return (
    <Modal opened onClose={close} title={text.renameTitle(passkey.name)}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <FormMessage>{messages.rest}</FormMessage>
          <TextInput
            label={text.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={messages.at('/name')}
            {...firstInput()}
          />
          <DialogButtons>
            <Button type="submit" loading={isBusy}>
              {text.save}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
