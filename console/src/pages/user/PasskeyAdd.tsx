// Adds a passkey: its name and the password here, then the browser's own dialog.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { Passkey, PasskeyOptions } from '../../api/schemas.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { notify } from '../../parts/notices.ts'
import { makePasskey } from '../../parts/passkeys.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/passkeys.ts'
import { text as user } from '../../texts/user.ts'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import { browserOf } from './browser.ts'

const path = '/v1/console/passkeys'
const refused = (message: string) => new ApiProblem(400, { message })

export function PasskeyAdd({
  opened,
  close,
  added,
}: {
  opened: boolean
  close: () => void
  added: () => Promise<void>
}) {
  return (
    <Modal opened={opened} onClose={close} title={text.addTitle}>
      {opened && <Form close={close} added={added} />}
    </Modal>
  )
}

function Form({ close, added }: { close: () => void; added: () => Promise<void> }) {
  const [name, setName] = useState(() => browserOf(navigator.userAgent).words)
  const [currentPassword, setCurrentPassword] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/name', '/currentPassword')

  async function add() {
    const begun = await get<PasskeyOptions>('person', `${path}/options`, { method: 'POST', body: { currentPassword } })
    const response = await makePasskey(begun).catch(() => {
      throw refused(text.failed)
    })
    if (response === undefined) throw refused(text.notMade)
    const body = { token: begun.token, response, name: name.trim() }
    await get<Passkey>('person', path, { method: 'POST', body })
    notify(text.added(name.trim()))
    close()
    await added()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(add)
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <FormMessage>{messages.rest}</FormMessage>
        <TextInput
          label={text.name}
          description={text.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={messages.at('/name')}
        />
        <PasswordField
          label={user.currentPassword}
          description={text.passwordFor}
          value={currentPassword}
          onChange={setCurrentPassword}
          error={messages.at('/currentPassword')}
          data-autofocus
        />
        <Text size="xs" c="dimmed">
          {text.addHint}
        </Text>
        <Group justify="flex-end">
          <Button type="submit" loading={isBusy} disabled={currentPassword === '' || name.trim() === ''}>
            {text.next}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
