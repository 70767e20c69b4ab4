// Where somebody signs in, and is led back to where they were going.
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import { signInQuery } from '../../api/sign-in.ts'
import { Forgotten } from '../../parts/Forgotten.tsx'
import { text } from '../../texts/sign-in.ts'
import { destinationOf, type SignedIn, useBegin } from './begin.ts'
import { FormSkeleton, Frame } from './Frame.tsx'
import { Limited } from './Limited.tsx'
import { PasswordField } from './PasswordField.tsx'

export function SignInPage() {
  const { to } = useSearch({ strict: false })
  const navigate = useNavigate()
  const { data, isPending, failureCount } = useQuery(signInQuery)
  const isSignedIn = data !== undefined && data !== null

  useEffect(() => {
    if (isSignedIn) void navigate({ href: destinationOf(to), replace: true })
  }, [isSignedIn, navigate, to])

  return (
    <Frame title={text.title} hint={text.subtitle}>
      {isSignedIn || (isPending && failureCount === 0) ? <FormSkeleton fields={2} /> : <SignInForm />}
    </Frame>
  )
}

interface Fault {
  readonly at?: 'email' | 'password'
  readonly message: string
  /** When passwords are looked at again. */
  readonly until?: number
}

function SignInForm() {
  const begin = useBegin()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const [emailInput, passwordInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]

  /** Says what is wrong, where it is to be mended. */
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
          {text.signIn}
        </Button>
        <Forgotten email={email} />
      </Stack>
    </form>
  )
}
