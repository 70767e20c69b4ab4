// Another password, given by whoever knows the present one.
import { Alert, Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { messagesFor } from '../../parts/messages.ts'
import { Sentence } from '../../parts/Sentence.tsx'
import { text } from '../../texts/user.ts'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import { useChangeUser } from './change.ts'
import { Section } from './Section.tsx'
import { signInsQuery } from './SignIns.tsx'

export function PasswordForm() {
  const { user } = useSignIn()
  const client = useQueryClient()
  const change = useChangeUser()
  const [currentPassword, setCurrentPassword] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const messages = messagesFor(problem, '/currentPassword', '/password')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await change({ password, ...(currentPassword !== '' && { currentPassword }) })
      setCurrentPassword('')
      setPassword('')
      notifications.show({ message: text.passwordSaved, color: 'teal' })
      await client.invalidateQueries({ queryKey: signInsQuery.queryKey })
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={text.password} hint={text.passwordHint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {messages.rest && (
            <Alert color="red" role="alert">
              <Sentence>{messages.rest}</Sentence>
            </Alert>
          )}
          {/* Password managers store the new one under this name. */}
          <input type="text" name="username" value={user.email} autoComplete="username" readOnly hidden />
          <PasswordField
            label={text.currentPassword}
            value={currentPassword}
            onChange={setCurrentPassword}
            error={messages.at('/currentPassword')}
          />
          <PasswordField isNew value={password} onChange={setPassword} error={messages.at('/password')} />
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy} disabled={password === ''}>
              {text.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
