// Adds a passkey: its name, the password and a code here, then the browser's own dialog.
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { Passkey, PasskeyOptions } from '../../api/schemas.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { notify } from '../../parts/notices.ts'
import { makePasskey } from '../../parts/passkeys.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/passkeys.ts'
import { text as signIn } from '../../texts/sign-in.ts'
import { browserOf } from './browser.ts'
import { CurrentPassword } from './CurrentPassword.tsx'
import { secondFactorQuery } from './SecondFactor.tsx'

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
  const [code, setCode] = useState('')
  const { hasPassword } = useSignIn().user
  const isOn = useQuery(secondFactorQuery).data?.isOn === true
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/name', '/currentPassword', ...(isOn ? ['/code'] : []))

  async function add() {
    refuseMissing({
      '/name': name.trim() === '' && text.missingName,
      '/code': isOn && code.trim() === '' && signIn.missingCode,
      '/currentPassword': hasPassword && currentPassword === '' && signIn.missingPassword,
    })
    const proof = { ...(hasPassword && { currentPassword }), ...(isOn && { code }) }
    const begun = await get<PasskeyOptions>('person', `${path}/options`, { method: 'POST', body: proof })
    // A code is accepted once.
    setCode('')
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
        {isOn && <CodeInput value={code} onChange={setCode} error={messages.at('/code')} />}
        <CurrentPassword
          description={text.passwordFor}
          value={currentPassword}
          onChange={setCurrentPassword}
          error={messages.at('/currentPassword')}
        />
        <Text size="xs" c="dimmed">
          {text.addHint}
        </Text>
        <DialogButtons>
          <Button type="submit" loading={isBusy}>
            {text.next}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}
