// Links the identity with which the browser has come back to the account that is signed in, with the person's password.
import { Anchor, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { get } from '../../api/request.ts'
import type { LinkedIdentity, SsoIdentity } from '../../api/schemas.ts'
import { signInQuery, useSignIn } from '../../api/sign-in.ts'
import { providerName } from '../../api/sso.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { refuseMissing } from '../../parts/missing.ts'
import { notify } from '../../parts/notices.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text as signInText } from '../../texts/sign-in.ts'
import { text } from '../../texts/sso.ts'
import { FormSkeleton, Frame } from '../sign-in/Frame.tsx'
import { CurrentPassword } from './CurrentPassword.tsx'
import { secondFactorQuery } from './SecondFactor.tsx'

export function IdentityLinkForm({ identity }: { identity: SsoIdentity }) {
  const { data } = useQuery(signInQuery)
  if (data === null)
    return (
      <Frame title={text.linkTitle(providerName)} hint={text.linkSignedOut}>
        <Button component={Link} to="/sign-in" variant="default" fullWidth size="md">
          {signInText.toSignIn}
        </Button>
      </Frame>
    )
  return (
    <Frame
      title={text.linkTitle(providerName)}
      hint={data && <bdi>{text.linkHint(identity.email ?? providerName, data.user.email)}</bdi>}
    >
      {data ? <Form token={identity.token} /> : <FormSkeleton fields={1} />}
    </Frame>
  )
}

function Form({ token }: { token: string }) {
  const { hasPassword } = useSignIn().user
  const navigate = useNavigate()
  const isOn = useQuery(secondFactorQuery).data?.isOn === true
  const [currentPassword, setCurrentPassword] = useState('')
  const [code, setCode] = useState('')
  const { isBusy, problem, run } = useSubmission()
  const messages = messagesFor(problem, '/currentPassword', ...(isOn ? ['/code'] : []))

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      refuseMissing({
        '/currentPassword': hasPassword && currentPassword === '' && signInText.missingPassword,
        '/code': isOn && code.trim() === '' && signInText.missingCode,
      })
      const body = { token, ...(hasPassword && { currentPassword }), ...(isOn && { code }) }
      await get<LinkedIdentity>('person', '/v1/console/identities', { method: 'POST', body })
      notify(text.linked(providerName))
      await navigate({ to: '/user', replace: true })
    })
  }

  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <FormMessage>{messages.rest}</FormMessage>
        <CurrentPassword
          value={currentPassword}
          onChange={setCurrentPassword}
          error={messages.at('/currentPassword')}
          size="md"
        />
        {isOn && <CodeInput value={code} onChange={setCode} error={messages.at('/code')} size="md" />}
        <Button type="submit" loading={isBusy} size="md">
          {text.link(providerName)}
        </Button>
        <Anchor component={Link} to="/user" size="sm" w="fit-content">
          {text.toProfile}
        </Anchor>
      </Stack>
    </form>
  )
}
