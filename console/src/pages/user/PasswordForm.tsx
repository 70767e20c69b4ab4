// Changes the password of a user who knows the current one.
import { Button, Group, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useSignIn } from '../../api/sign-in.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { notify } from '../../parts/notices.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text as signIn } from '../../texts/sign-in.ts'
import { text } from '../../texts/user.ts'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { useChangeUser } from './change.ts'
import { Section } from './Section.tsx'
import { signInsQuery } from './SignIns.tsx'

export function PasswordForm() {
  const { user } = useSignIn()
  const client = useQueryClient()
  const change = useChangeUser()
  const [currentPassword, setCurrentPassword] = useState('')
  const [password, setPassword] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/currentPassword', '/password')

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      refuseMissing({
        '/currentPassword': user.hasPassword && currentPassword === '' && signIn.missingPassword,
        '/password': password === '' && text.missingPassword,
      })
      await change({ password, ...(currentPassword !== '' && { currentPassword }) })
      setCurrentPassword('')
      setPassword('')
      notify(text.passwordSaved)
      await client.invalidateQueries({ queryKey: signInsQuery.queryKey })
    })
  }

  return (
    <Section title={text.password} hint={text.passwordHint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <FormMessage>{messages.rest}</FormMessage>
          {/* Password managers store the new password under this name. */}
          <input type="text" name="username" value={user.email} autoComplete="username" readOnly hidden />
          <CurrentPassword
            value={currentPassword}
            onChange={setCurrentPassword}
            error={messages.at('/currentPassword')}
          />
          <PasswordField isNew value={password} onChange={setPassword} error={messages.at('/password')} />
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {user.hasPassword ? text.changePassword : text.choosePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
