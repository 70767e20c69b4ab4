// Asks for the password when the sign-in has ended: over the page, so that nothing typed is lost.
import { Anchor, Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { get, setCsrfToken, tellSignedIn, urlOf } from '../api/request.ts'
import type { SignedIn, SignIn } from '../api/schemas.ts'
import { CodeInput } from '../parts/CodeInput.tsx'
import { Forgotten } from '../parts/Forgotten.tsx'
import { PasskeyButton } from '../parts/PasskeyButton.tsx'
import { SecondFactorLost } from '../parts/SecondFactorLost.tsx'
import { SsoButton } from '../parts/SsoButton.tsx'
import { useSecondFactor } from '../parts/second-factor.ts'
import { firstInput } from '../parts/use-first-input.ts'
import { text } from '../texts/sign-in.ts'

export interface SignInAgainProps {
  /** The ended sign-in, until there is a new one. */
  readonly ended: SignIn | undefined
  /** Whether the user's account was deleted, so that no password helps. */
  readonly isRemoved: boolean
  readonly close: () => void
}

/** Signs the same user in again, here or in another tab, and reads everything again. */
function useSigningIn({ ended, close }: Omit<SignInAgainProps, 'isRemoved'>) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState<string>()
  const second = useSecondFactor()
  const [isBusy, setBusy] = useState(false)

  // A user who has signed in again in another tab, by a password reset link for example, continues here too.
  useEffect(() => {
    if (ended === undefined) return
    const look = async () => {
      const signIn = await get<SignIn>('person', '/v1/console/sign-in').catch(() => undefined)
      if (signIn?.user.id === ended.user.id) await goOn(signIn)
    }
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  })

  async function goOn({ user, csrfToken }: Pick<SignedIn, 'user' | 'csrfToken'>) {
    // A passkey may be another person's, whose pages begin from the start.
    if (user.id !== ended?.user.id) return window.location.assign('/console/')

    setCsrfToken(csrfToken, ended?.user.id)
    // A record that is read before a waiting write is done would be shown as it was.
    void tellSignedIn().then(() => client.invalidateQueries())
    close()
    setPassword('')
    second.forget()
    setMessage(undefined)
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setMessage(undefined)
    try {
      const body = { email: ended?.user.email, password, ...second.member }
      await goOn(await get<SignedIn>('person', '/v1/console/sign-in', { method: 'POST', body }))
    } catch (error) {
      const problem = asProblem(error)
      const asked = second.ask(problem)
      // The password has changed since the code was asked for.
      if (asked === undefined && problem.status === 401) second.forget()
      if (asked?.isWrong !== false) setMessage(problem.message)
    } finally {
      setBusy(false)
    }
  }

  function back() {
    second.forget()
    setMessage(undefined)
  }

  return { goOn, password, setPassword, second, back, message, isBusy, submit }
}

/** The open page, to return to. */
const hereOf = () => window.location.pathname.replace(/^\/console/, '') + window.location.search

/** Loads a new page, unless the user chooses to stay because of what is typed on this one. */
const leave = () => window.location.assign(urlOf('/console/sign-in', { to: hereOf() }))

export function SignInAgain({ ended, isRemoved, close }: SignInAgainProps) {
  return (
    <Modal
      opened={ended !== undefined}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={isRemoved ? text.removedTitle : text.againTitle}
      zIndex={600}
      // Belongs to no page: it stays when the page changes.
      portalProps={{ reuseTargetNode: false }}
    >
      {isRemoved ? <Removed /> : <PasswordForm {...{ ended, close }} />}
    </Modal>
  )
}

/** Replaces the form for the password, since no password helps. */
const Removed = () => (
  <Stack>
    <Text size="sm">{text.removed}</Text>
    <Button variant="default" onClick={leave} {...firstInput()}>
      {text.againOther}
    </Button>
  </Stack>
)

function PasswordForm({ ended, close }: Omit<SignInAgainProps, 'isRemoved'>) {
  const { goOn, password, setPassword, second, back, message, isBusy, submit } = useSigningIn({ ended, close })
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" c="dimmed">
          {text.again}
        </Text>
        <TextInput label={text.email} value={ended?.user.email ?? ''} readOnly autoComplete="username" />
        {second.isAsked ? (
          <CodeInput followsPassword value={second.code} onChange={second.setCode} error={message} />
        ) : (
          <PasswordInput
            label={text.password}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={message}
            autoComplete="current-password"
            {...firstInput()}
            required
            withAsterisk={false}
          />
        )}
        <Button type="submit" loading={isBusy}>
          {text.signIn}
        </Button>
        <PasskeyButton size="sm" onSignedIn={goOn} />
        <SsoButton size="sm" purpose={{ what: 'sign-in', to: hereOf() }} />
        {second.isAsked ? (
          <SecondFactorLost back={back} />
        ) : (
          <Forgotten email={ended?.user.email ?? ''} hint={text.againForgotten} />
        )}
        <Anchor component="button" type="button" size="sm" onClick={leave} w="fit-content">
          {text.againOther}
        </Anchor>
      </Stack>
    </form>
  )
}
