// The form for address and password, on the sign-in page and before accepting an invitation.
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { SignedIn } from '../../api/schemas.ts'
import { Forgotten } from '../../parts/Forgotten.tsx'
import { text } from '../../texts/sign-in.ts'
import { useBegin } from './begin.ts'
import { Limited } from './Limited.tsx'
import { PasswordField } from './PasswordField.tsx'

interface Fault {
  readonly at?: 'email' | 'password'
  readonly message: string
  /** When the server accepts sign-in attempts again. */
  readonly until?: number
}

interface SignInFormProps {
  /** The label of the button. */
  readonly action?: string
  /** Called after a successful sign-in. */
  readonly onSignedIn?: () => Promise<void>
}

export function SignInForm({ action = text.signIn, onSignedIn }: SignInFormProps) {
  const begin = useBegin()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const [emailInput, passwordInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]

  /** Shows the error at the input to correct. */
  function refuse(next: Fault) {
    setFault(next)
    const input = next.at === 'email' ? emailInput.current : passwordInput.current
    input?.focus()
    if (next.at === 'password') input?.select()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (email.trim() === '') return refuse({ at: 'email', message: text.missingEmail })
    if (password === '') return refuse({ at: 'password', message: text.missingPassword })
    setBusy(true)
    setFault(undefined)
    try {
      const body = { email: email.trim(), password }
      await begin(await get<SignedIn>('person', '/v1/console/sign-in', { method: 'POST', body }))
      await onSignedIn?.()
    } catch (error) {
      const { status, message, retryAfter } = asProblem(error)
      if (status === 429) setFault({ message, until: Date.now() + (retryAfter ?? 60) * 1000 })
      else refuse({ ...(status === 401 && { at: 'password' }), message })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {fault?.until !== undefined && <Limited until={fault.until} over={() => setFault(undefined)} />}
        {fault && fault.at === undefined && fault.until === undefined && (
          <Alert color="red" role="alert">
            {fault.message}
          </Alert>
        )}
        <TextInput
          ref={emailInput}
          type="email"
          label={text.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={fault?.at === 'email' && fault.message}
          autoComplete="username"
          autoFocus
          size="md"
        />
        <PasswordField
          ref={passwordInput}
          value={password}
          onChange={setPassword}
          error={fault?.at === 'password' && fault.message}
          size="md"
        />
        <Button type="submit" loading={isBusy} size="md" mt={4}>
          {action}
        </Button>
        <Forgotten email={email} />
      </Stack>
    </form>
  )
}
