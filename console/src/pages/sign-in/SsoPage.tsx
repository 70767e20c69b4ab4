// The page to which the OpenID provider sends browsers back: signs in, accepts the invitation, or links the identity.
import { Button, Stack } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { AcceptedInvitation, SignedIn, SsoIdentity } from '../../api/schemas.ts'
import { identify, providerName, returned, type SsoPurpose } from '../../api/sso.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { SecondFactorLost } from '../../parts/SecondFactorLost.tsx'
import { SsoButton } from '../../parts/SsoButton.tsx'
import { useSecondFactor } from '../../parts/second-factor.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text as signInText } from '../../texts/sign-in.ts'
import { text } from '../../texts/sso.ts'
import { IdentityLinkForm } from '../user/IdentityLinkForm.tsx'
import { destinationOf, useBegin } from './begin.ts'
import { FormSkeleton, Frame } from './Frame.tsx'

export function SsoPage() {
  const { identity, problem } = useIdentity()
  const purpose = returned?.purpose ?? { what: 'sign-in' }
  if (returned?.answer === undefined) return <Failed message={refusalOf(returned?.error)} purpose={purpose} />
  if (problem !== undefined) return <Failed message={problem.message} purpose={purpose} />
  if (identity === undefined) return <Waiting />
  // The person has said that there is an account: another one would spend the invitation.
  if (purpose.what === 'accept' && purpose.isOwn && !identity.isLinked)
    return <Failed message={text.notLinked(identity.email ?? providerName)} purpose={purpose} isFinal />
  if (purpose.what === 'link') return <IdentityLinkForm identity={identity} />
  return <Entering identity={identity} purpose={purpose} />
}

/** The identity with which the browser has come back. */
function useIdentity(): { readonly identity?: SsoIdentity; readonly problem?: ApiProblem } {
  const [found, setFound] = useState<ReturnType<typeof useIdentity>>({})
  useEffect(() => {
    if (returned?.answer === undefined) return
    identify(returned.answer).then(
      (identity) => setFound({ identity }),
      (error) => setFound({ problem: asProblem(error) }),
    )
  }, [])
  return found
}

const Waiting = () => (
  <Frame title={signInText.title} hint={text.waiting(providerName)}>
    <FormSkeleton fields={1} />
  </Frame>
)

/** Why the provider signed nobody in, by its code. */
function refusalOf(error: string | undefined): string {
  const known =
    error !== undefined && Object.hasOwn(text.refused, error) && text.refused[error as keyof typeof text.refused]
  return known ? known(providerName) : text.refusedOtherwise(providerName, error)
}

/** What went wrong, and the ways on. `isFinal`: another try would end the same way. */
function Failed({ message, purpose, isFinal }: { message: string; purpose: SsoPurpose; isFinal?: boolean }) {
  return (
    <Frame title={text.failedTitle} hint={<bdi role="alert">{message}</bdi>}>
      <Stack gap="md">
        {!isFinal && <SsoButton purpose={purpose} />}
        <WayBack purpose={purpose} />
      </Stack>
    </Frame>
  )
}

/** To where the person began. */
function WayBack({ purpose }: { purpose: SsoPurpose }) {
  const [to, label] = {
    'sign-in': ['/sign-in', signInText.toSignIn] as const,
    accept: ['/link', text.toInvitation] as const,
    link: ['/user', text.toProfile] as const,
  }[purpose.what]
  const hash = purpose.what === 'accept' ? { hash: `token=${purpose.invitation}` } : {}
  return (
    <Button component={Link} to={to} {...hash} variant="default" fullWidth size="md">
      {label}
    </Button>
  )
}

type EnteringPurpose = Exclude<SsoPurpose, { what: 'link' }>

/** Signs in with the identity, and asks for the code of a second factor if the account has one. */
function Entering({ identity, purpose }: { identity: SsoIdentity; purpose: EnteringPurpose }) {
  const second = useSecondFactor()
  const { isBusy, problem, run } = useSubmission()
  const enter = useEnter(identity, purpose)
  const isBegun = useRef(false)

  const submit = () =>
    void run(async () => {
      refuseMissing({ '/code': second.isAsked && second.code.trim() === '' && signInText.missingCode })
      try {
        await enter(second.member)
      } catch (error) {
        const found = asProblem(error)
        if (second.ask(found)?.isWrong === false) return
        throw found
      }
    })
  useEffect(() => {
    // The token is accepted once.
    if (!isBegun.current) submit()
    isBegun.current = true
  })

  if (!second.isAsked)
    return problem === undefined ? (
      <Waiting />
    ) : (
      <Failed message={messagesFor(problem).rest ?? problem.message} purpose={purpose} />
    )
  const messages = messagesFor(problem, '/code')
  const isAboutCode = problem?.code === 'invalid_second_factor'
  return (
    <Frame title={signInText.title} hint={<bdi>{signInText.codeFor(identity.email ?? providerName)}</bdi>}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        <Stack gap="md">
          <FormMessage>{isAboutCode ? undefined : messages.rest}</FormMessage>
          <CodeInput
            followsPassword
            value={second.code}
            onChange={second.setCode}
            error={isAboutCode ? problem.message : messages.at('/code')}
            size="md"
          />
          <Button type="submit" loading={isBusy} size="md">
            {signInText.signIn}
          </Button>
          <SecondFactorLost />
        </Stack>
      </form>
    </Frame>
  )
}

/** A function that signs in, or creates the invited account, and opens what it was begun for. */
function useEnter(identity: SsoIdentity, purpose: EnteringPurpose): (code: { code?: string }) => Promise<void> {
  const begin = useBegin()
  const navigate = useNavigate()
  const post = <T,>(path: string, body: unknown) => get<T>('person', `/v1/console/${path}`, { method: 'POST', body })
  return async (code) => {
    const { token, isLinked } = identity
    if (purpose.what === 'sign-in') {
      await begin(await post<SignedIn>('sso/sign-in', { token, ...code }))
      return navigate({ href: destinationOf(purpose.to), replace: true })
    }
    const { invitation } = purpose
    if (!isLinked) {
      await begin(await post<SignedIn>('sso/accept', { token, invitation }))
      return navigate({ to: '/', replace: true })
    }
    await begin(await post<SignedIn>('sso/sign-in', { token, ...code }))
    const { companyId, organizationId } = await post<AcceptedInvitation>('link/accept', { token: invitation })
    await navigate({ to: companyId === undefined ? `/o/${organizationId}` : `/c/${companyId}`, replace: true })
  }
}
