// An invitation: shows the inviter and the access, and accepts it with an existing or a new account.
import { Alert, Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { AcceptedInvitation, Link } from '../../api/schemas.ts'
import { signInQuery, type User } from '../../api/sign-in.ts'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { dateTime } from '../../parts/format.ts'
import { messagesFor } from '../../parts/messages.ts'
import { SsoButton } from '../../parts/SsoButton.tsx'
import { useSubmission } from '../../parts/submission.ts'
import { text as people } from '../../texts/people.ts'
import { text } from '../../texts/sign-in.ts'
import { FormSkeleton, Frame } from './Frame.tsx'
import { LinkForm } from './LinkForm.tsx'
import { SignInForm } from './SignInForm.tsx'

/** The link of an invitation, which says to what. */
export type InvitationLink = Link &
  Required<Pick<Link, 'role' | 'organizationName' | 'companies' | 'companyCount' | 'invitedBy'>>

interface InvitationFormProps {
  readonly token: string
  readonly link: InvitationLink
  /** Called when the link is used, withdrawn or expired. */
  readonly onSpent: (problem: ApiProblem) => void
}

type Way = 'new' | 'own'

export function InvitationForm({ token, link, onSpent }: InvitationFormProps) {
  const { data: signIn, isPending } = useQuery(signInQuery)
  const accept = useAccept(token, onSpent)
  const [isOther, setOther] = useState(false)
  const [way, setWay] = useState<Way>('new')
  const place = link.companyName ?? link.organizationName
  const purpose = { what: 'accept', invitation: token, isOwn: way === 'own' } as const

  return (
    <Frame title={text.invitationTitle(place)} hint={<Opened link={link} />}>
      {isPending ? (
        <FormSkeleton fields={2} />
      ) : signIn && !isOther ? (
        <AcceptAs user={signIn.user} accept={accept} onOther={() => setOther(true)} />
      ) : (
        <Stack gap="md">
          <SegmentedControl
            fullWidth
            aria-label={text.invitationWay}
            value={way}
            onChange={(next) => setWay(next as Way)}
            data={[
              { value: 'new', label: text.invitationNew },
              { value: 'own', label: text.invitationOwn },
            ]}
          />
          {way === 'new' ? (
            <>
              <LinkForm token={token} link={link} onSpent={onSpent} />
              <SsoButton purpose={purpose} />
            </>
          ) : (
            <SignInForm action={text.signInAndAccept} onSignedIn={accept} purpose={purpose} />
          )}
        </Stack>
      )}
      <Text size="xs" c="dimmed" mt="md">
        {text.linkUntil(dateTime(link.expiresAt))}
      </Text>
    </Frame>
  )
}

/** The inviter, the access and the role. */
function Opened({ link }: { link: InvitationLink }) {
  const { invitedBy, organizationName, companyName, companies, companyCount, role } = link
  const inviter = invitedBy.name === undefined ? invitedBy.email : `${invitedBy.name} (${invitedBy.email})`
  const more = companyCount - companies.length
  return (
    <Stack gap={6}>
      <bdi>{text.invitedBy(inviter)}</bdi>
      <bdi>
        {companyName === undefined
          ? text.invitedToOrganization(organizationName, people.roles[role])
          : text.invitedToCompany(companyName, organizationName, people.roles[role])}
      </bdi>
      {companyName === undefined && companies.length > 0 && (
        <bdi>{text.invitedCompanies(companies.join(', '), more)}</bdi>
      )}
    </Stack>
  )
}

/** Accepts with the account signed in here. */
function AcceptAs({ user, accept, onOther }: { user: User; accept: () => Promise<void>; onOther: () => void }) {
  const { isBusy, problem, run } = useSubmission()
  return (
    <Stack gap="md">
      <FormMessage>{messagesFor(problem).rest}</FormMessage>
      <Alert color="gray" title={<bdi>{text.signedInAs(user.name ?? user.email)}</bdi>}>
        <bdi>{text.acceptHint(user.email)}</bdi>
      </Alert>
      <Button size="md" loading={isBusy} onClick={() => void run(accept)}>
        {text.accept}
      </Button>
      <Button size="md" variant="default" onClick={onOther}>
        {text.acceptOther}
      </Button>
    </Stack>
  )
}

/** Makes the signed-in account the member, and opens the company or organization. */
function useAccept(token: string, onSpent: (problem: ApiProblem) => void): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const body = { token }
      const opened = await get<AcceptedInvitation>('person', '/v1/console/link/accept', { method: 'POST', body })
      await client.fetchQuery({ ...signInQuery, staleTime: 0 })
      const { companyId, organizationId } = opened
      await navigate({ to: companyId === undefined ? `/o/${organizationId}` : `/c/${companyId}`, replace: true })
    } catch (error) {
      const found = asProblem(error)
      if (found.code !== 'invalid_link') throw found
      onSpent(found)
    }
  }
}
