// The page of a link, for the first owner, an invited person, or a new password.
import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link as To, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { Link } from '../../api/schemas.ts'
import { Failure } from '../../parts/Failure.tsx'
import { dateTime } from '../../parts/format.ts'
import { PasskeyButton } from '../../parts/PasskeyButton.tsx'
import { Sentence } from '../../parts/Sentence.tsx'
import { text } from '../../texts/sign-in.ts'
import { useBegin } from './begin.ts'
import { FormSkeleton, Frame } from './Frame.tsx'
import { InvitationForm, type InvitationLink } from './InvitationForm.tsx'
import { LinkForm } from './LinkForm.tsx'

const tokenOf = (hash: string): string | undefined => /(?:^|&)token=([^&]+)/.exec(hash)?.[1]

/** The token of the address, which is removed from it: not in the history, nor visible to others. */
function useToken(): string | undefined {
  const navigate = useNavigate()
  const hash = useLocation({ select: (location) => location.hash })
  const [token, setToken] = useState(() => tokenOf(hash))
  useEffect(() => {
    const found = tokenOf(hash)
    if (found === undefined) return
    setToken(found)
    void navigate({ to: '/link', hash: '', replace: true })
  }, [hash, navigate])
  return token
}

export function LinkPage() {
  const token = useToken()
  const [spent, setSpent] = useState<ApiProblem>()
  const looked = useQuery({
    queryKey: ['link', token],
    queryFn: () => get<Link>('person', '/v1/console/link/look', { method: 'POST', body: { token } }),
    enabled: token !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  // It is not known yet whether a different link is valid.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the token says that it is a different link.
  useEffect(() => setSpent(undefined), [token])

  if (token === undefined) return <Gone title={text.linkMissingTitle}>{text.linkMissing}</Gone>
  const problem = spent ?? (looked.isError ? asProblem(looked.error) : undefined)
  if (problem?.code === 'invalid_link') return <Gone title={text.linkGone}>{problem.message}</Gone>
  if (problem !== undefined)
    return (
      <Frame title={text.linkTitle}>
        <Failure error={problem} retry={() => void looked.refetch()} />
      </Frame>
    )
  if (looked.data === undefined)
    return (
      <Frame title={text.linkTitle}>
        <FormSkeleton fields={2} />
      </Frame>
    )
  const { kind, email = '', organizationName = '', expiresAt } = looked.data
  if (isInvitation(looked.data)) return <InvitationForm token={token} link={looked.data} onSpent={setSpent} />
  if (looked.data.needsSecondFactor) return <FactorFirst email={email} onSignedIn={() => looked.refetch()} />
  return (
    <Frame
      title={kind === 'first' ? text.firstTitle : text.linkTitle}
      hint={<bdi>{kind === 'first' ? text.first(organizationName) : text.link(email)}</bdi>}
    >
      <LinkForm token={token} link={looked.data} onSpent={setSpent} />
      <Text size="xs" c="dimmed" mt="md">
        {text.linkUntil(dateTime(expiresAt))}
      </Text>
    </Frame>
  )
}

const isInvitation = (link: Link): link is InvitationLink => link.kind === 'invitation'

/** The link works once the browser is signed in with the second factor; with a passkey that is possible here. */
function FactorFirst({ email, onSignedIn }: { email: string; onSignedIn: () => Promise<unknown> }) {
  const begin = useBegin()
  return (
    <Frame title={text.linkFactorTitle} hint={<bdi>{text.linkFactor(email)}</bdi>}>
      <Stack gap="md">
        <PasskeyButton
          onSignedIn={async (signedIn) => {
            await begin(signedIn)
            await onSignedIn()
          }}
        />
        <Button component={To} to="/sign-in" variant="default" fullWidth size="md">
          {text.toSignIn}
        </Button>
        <Text size="sm" c="dimmed">
          {text.linkFactorLost}
        </Text>
      </Stack>
    </Frame>
  )
}

function Gone({ title, children }: { title: string; children: string }) {
  return (
    <Frame title={title} hint={<Sentence>{children}</Sentence>}>
      <Button component={To} to="/sign-in" variant="default" fullWidth size="md">
        {text.toSignIn}
      </Button>
    </Frame>
  )
}
