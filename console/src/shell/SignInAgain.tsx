// Asks for the password where the sign-in has ended: over the page, so that nothing that was typed is lost.
import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { get, setCsrfToken } from '../api/request.ts'
import type { SignIn } from '../api/sign-in.ts'
import { text } from '../texts/sign-in.ts'

export interface SignInAgainProps {
  /** The sign-in that has ended, until there is a new one. */
  readonly ended: SignIn | undefined
  readonly close: () => void
}

export function SignInAgain({ ended, close }: SignInAgainProps) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setMessage(undefined)
    try {
      const body = { email: ended?.user.email, password }
      const { csrfToken } = await get<SignIn>('person', '/v1/console/sign-in', { method: 'POST', body })
      setCsrfToken(csrfToken, ended?.user.id)
      close()
      setPassword('')
      await client.invalidateQueries()
    } catch (error) {
      setMessage(asProblem(error).message)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      opened={ended !== undefined}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={text.againTitle}
      zIndex={600}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            {text.again}
          </Text>
          <TextInput label={text.email} value={ended?.user.email ?? ''} readOnly autoComplete="username" />
          <PasswordInput
            label={text.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={message}
            autoComplete="current-password"
            data-autofocus
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={isBusy}>
            {text.signIn}
          </Button>
        </Stack>
      </form>
    </Modal>
  )
}
