// Turns two-step authentication off, with the password and a code.
import { Button, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { send } from '../../api/request.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/second-factor.ts'
import { text as signIn } from '../../texts/sign-in.ts'
import { CurrentPassword } from './CurrentPassword.tsx'

interface SecondFactorOffProps {
  readonly opened: boolean
  readonly close: () => void
  readonly turnedOff: () => Promise<void>
}

export function SecondFactorOff({ opened, close, turnedOff }: SecondFactorOffProps) {
  const { hasPassword } = useSignIn().user
  const [currentPassword, setCurrentPassword] = useState('')
  const [code, setCode] = useState('')
  const { isBusy, problem, forget, run } = useSubmission()
  const messages = messagesFor(problem, '/currentPassword', '/code')

  function end() {
    setCurrentPassword('')
    setCode('')
    forget()
    close()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      refuseMissing({
        '/code': code.trim() === '' && signIn.missingCode,
        '/currentPassword': hasPassword && currentPassword === '' && signIn.missingPassword,
      })
      const body = { ...(hasPassword && { currentPassword }), code }
      await send('person', '/v1/console/second-factor/turn-off', { method: 'POST', body })
      end()
      await turnedOff()
    })
  }

  return (
    <Modal opened={opened} onClose={end} title={text.turnOffTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm">{text.turnOffHint}</Text>
          <FormMessage>{messages.rest}</FormMessage>
          <CodeInput value={code} onChange={setCode} error={messages.at('/code')} />
          <CurrentPassword
            value={currentPassword}
            onChange={setCurrentPassword}
            error={messages.at('/currentPassword')}
          />
          <DialogButtons cancel={end}>
            <Button type="submit" color="red" loading={isBusy}>
              {text.turnOff}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}
