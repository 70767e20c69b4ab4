// The form for address and password, and then for the code of a second factor, on the sign-in page and before accepting an invitation.
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { SignedIn } from '../../api/schemas.ts'
import type { SsoPurpose } from '../../api/sso.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { Forgotten } from '../../parts/Forgotten.tsx'
import { PasskeyButton } from '../../parts/PasskeyButton.tsx'
import { SecondFactorLost } from '../../parts/SecondFactorLost.tsx'
import { SsoButton } from '../../parts/SsoButton.tsx'
import { useSecondFactor } from '../../parts/second-factor.ts'
import { text } from '../../texts/sign-in.ts'
import { useBegin } from './begin.ts'
import { Limited } from './Limited.tsx'
import { PasswordField } from './PasswordField.tsx'

interface Fault {
  readonly at?: 'email' | 'password' | 'code'
  readonly message: string
  /** When the server accepts sign-in attempts again. */
  readonly until?: number
}

interface SignInFormProps {
  /** The label of the button. */
  readonly action?: string
  /** Called after a successful sign-in. */
  readonly onSignedIn?: () => Promise<void>
  /** What the person does after a sign-in at the OpenID provider. */
  readonly purpose: SsoPurpose
}

/** What is typed, and signing in with it. */
function useSigningIn(onSignedIn: SignInFormProps['onSignedIn']) {
  const begin = useBegin()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const second = useSecondFactor()
  const inputs = {
    email: useRef<HTMLInputElement>(null),
    password: useRef<HTMLInputElement>(null),
    code: useRef<HTMLInputElement>(null),
  }

  /** Shows the error at the input to correct. */
  function refuse(next: Fault) {
    setFault(next)
    const input = inputs[next.at ?? (second.isAsked ? 'code' : 'password')].current
    input?.focus()
    if (next.at !== undefined && next.at !== 'email') input?.select()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (email.trim() === '') return refuse({ at: 'email', message: text.missingEmail })
    if (password === '') return refuse({ at: 'password', message: text.missingPassword })
    if (second.isAsked && second.code.trim() === '') return refuse({ at: 'code', message: text.missingCode })
    setBusy(true)
    setFault(undefined)
    try {
      const body = { email: email.trim(), password, ...second.member }
      await goOn(await get<SignedIn>('person', '/v1/console/sign-in', { method: 'POST', body }))
    } catch (error) {
      const problem = asProblem(error)
      const { status, message, retryAfter } = problem
      const asked = second.ask(problem)
      if (asked) {
        if (asked.isWrong) refuse({ at: 'code', message })
        return
      }
      // The password has changed since the code was asked for.
      if (status === 401) second.forget()
      if (status === 429) setFault({ message, until: Date.now() + (retryAfter ?? 60) * 1000 })
      else refuse({ ...(status === 401 && { at: 'password' }), message })
    } finally {
      setBusy(false)
    }
  }

  async function goOn(signedIn: SignedIn) {
    await begin(signedIn)
    await onSignedIn?.()
  }

  return { goOn, email, setEmail, password, setPassword, second, fault, setFault, isBusy, inputs, submit }
}

export function SignInForm({ action = text.signIn, onSignedIn, purpose }: SignInFormProps) {
  const entry = useSigningIn(onSignedIn)
  const { goOn, email, second, fault, setFault, isBusy, inputs, submit } = entry
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {fault?.until !== undefined && <Limited until={fault.until} over={() => setFault(undefined)} />}
        {fault && fault.at === undefined && fault.until === undefined && (
          <Alert color="red" role="alert">
            {fault.message}
          </Alert>
        )}
        {second.isAsked ? (
          <>
            <Text size="sm" c="dimmed">
              <bdi>{text.codeFor(email.trim())}</bdi>
            </Text>
            <CodeInput
              followsPassword
              ref={inputs.code}
              value={second.code}
              onChange={second.setCode}
              error={fault?.at === 'code' ? fault.message : undefined}
              size="md"
            />
          </>
        ) : (
          <Credentials {...entry} />
        )}
        <Button type="submit" loading={isBusy} size="md" mt={4}>
          {action}
        </Button>
        <PasskeyButton onSignedIn={goOn} />
        <SsoButton purpose={purpose} />
        {second.isAsked ? <SecondFactorLost back={second.forget} /> : <Forgotten email={email} />}
      </Stack>
    </form>
  )
}

function Credentials({ email, setEmail, password, setPassword, fault, inputs }: ReturnType<typeof useSigningIn>) {
  return (
    <>
      <TextInput
        ref={inputs.email}
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
        ref={inputs.password}
        value={password}
        onChange={setPassword}
        error={fault?.at === 'password' && fault.message}
        size="md"
      />
    </>
  )
}
