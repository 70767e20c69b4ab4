// One's name, and the address that one signs in with.
import { Alert, Button, Collapse, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { useSignIn } from '../../api/sign-in.ts'
import { messagesFor } from '../../parts/messages.ts'
import { Sentence } from '../../parts/Sentence.tsx'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/user.ts'
import { PasswordField } from '../sign-in/PasswordField.tsx'
import { useChangeUser } from './change.ts'
import { Section } from './Section.tsx'

export function ProfileForm() {
  const { user } = useSignIn()
  const change = useChangeUser()
  const [name, setName] = useState(user.name ?? '')
  const [email, setEmail] = useState(user.email)
  const [currentPassword, setCurrentPassword] = useState('')
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const hasName = name.trim() !== (user.name ?? '')
  const hasEmail = email.trim() !== user.email
  const isDirty = hasName || hasEmail
  const messages = messagesFor(problem, '/name', '/email', ...(hasEmail ? ['/currentPassword'] : []))

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setProblem(undefined)
    try {
      await change({
        ...(hasName && { name: name.trim() === '' ? null : name.trim() }),
        ...(hasEmail && { email: email.trim(), ...(currentPassword !== '' && { currentPassword }) }),
      })
      // What was typed meanwhile stays.
      setName((now) => (now === name ? name.trim() : now))
      setEmail((now) => (now === email ? email.trim() : now))
      setCurrentPassword('')
      notifications.show({ message: text.saved, color: 'teal' })
    } catch (error) {
      setProblem(asProblem(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Section title={text.profile} hint={text.profileHint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {messages.rest && (
            <Alert color="red" role="alert">
              <Sentence>{messages.rest}</Sentence>
            </Alert>
          )}
          <TextInput
            label={text.name}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={messages.at('/name')}
            autoComplete="name"
          />
          <TextInput
            type="email"
            label={text.email}
            description={text.emailHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={messages.at('/email')}
            autoComplete="email"
          />
          <Collapse expanded={hasEmail} keepMounted={false}>
            <PasswordField
              label={text.currentPassword}
              description={text.currentPasswordFor}
              value={currentPassword}
              onChange={setCurrentPassword}
              error={messages.at('/currentPassword')}
            />
          </Collapse>
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy} disabled={!isDirty}>
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard isDirty={isDirty && !isBusy} />
    </Section>
  )
}
