// The user's name and sign-in address.
import { Button, Collapse, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useSignIn } from '../../api/sign-in.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { notify } from '../../parts/notices.ts'
import { useSubmission } from '../../parts/submission.ts'
import { LeaveGuard } from '../../parts/unsaved.tsx'
import { text } from '../../texts/user.ts'
import { CurrentPassword } from './CurrentPassword.tsx'
import { useChangeUser } from './change.ts'
import { Section } from './Section.tsx'

export function ProfileForm() {
  const { user } = useSignIn()
  const change = useChangeUser()
  const [name, setName] = useState(user.name ?? '')
  const [email, setEmail] = useState(user.email)
  const [currentPassword, setCurrentPassword] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const hasName = name.trim() !== (user.name ?? '')
  const hasEmail = email.trim() !== user.email
  const isDirty = hasName || hasEmail
  const messages = messagesFor(problem, '/name', '/email', ...(hasEmail ? ['/currentPassword'] : []))

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      await change({
        ...(hasName && { name: name.trim() === '' ? null : name.trim() }),
        ...(hasEmail && { email: email.trim(), ...(currentPassword !== '' && { currentPassword }) }),
      })
      // What was typed in the meantime stays.
      setName((now) => (now === name ? name.trim() : now))
      setEmail((now) => (now === email ? email.trim() : now))
      setCurrentPassword('')
      notify(text.saved)
    })
  }

  return (
    <Section title={text.profile} hint={text.profileHint}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <FormMessage>{messages.rest}</FormMessage>
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
            <CurrentPassword
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
      <LeaveGuard isDirty={isDirty} />
    </Section>
  )
}
