// The form behind a link: a password, and for a new account also address and name.
import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type ApiProblem, asProblem } from '../../api/problem.ts'
import { get } from '../../api/request.ts'
import type { Link, SignedIn } from '../../api/schemas.ts'
import { CodeInput } from '../../parts/CodeInput.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { SecondFactorLost } from '../../parts/SecondFactorLost.tsx'
import { useSecondFactor } from '../../parts/second-factor.ts'
import { useSubmission } from '../../parts/submission.ts'
import { text } from '../../texts/sign-in.ts'
import { useBegin } from './begin.ts'
import { PasswordField } from './PasswordField.tsx'

interface LinkFormProps {
  readonly token: string
  readonly link: Link
  /** The link turned out to be used or expired. */
  readonly onSpent: (problem: ApiProblem) => void
}

/** Sets what is typed into a field, which loses its error. */
const typing =
  (member: string, set: (typed: string) => void, correct: (member: string) => void) =>
  (typed: string): void => {
    set(typed)
    correct(member)
  }

export function LinkForm({ token, link, onSpent }: LinkFormProps) {
  // A new account needs an address and a name.
  const isNew = link.kind !== 'password'
  const begin = useBegin()
  const navigate = useNavigate()
  const [email, setEmail] = useState(link.email ?? '')
  const [name, setName] = useState(link.name ?? '')
  const [password, setPassword] = useState('')
  const second = useSecondFactor()
  const { isBusy, problem, correct, run } = useSubmission()
  const isAboutCode = problem !== undefined && second.isAsked && problem.code === 'invalid_second_factor'
  const messages = messagesFor(isAboutCode ? undefined : problem, '/email', '/name', '/password')

  // The server checks the length of a password only once everything else is right.
  const lacksPassword = password === '' && messages.at('/email') !== undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    void run(async () => {
      try {
        const who = { email: email.trim(), ...(name.trim() !== '' && { name: name.trim() }) }
        const body = { token, password, ...(isNew && who), ...second.member }
        await begin(await get<SignedIn>('person', '/v1/console/link/use', { method: 'POST', body }))
        await navigate({ to: '/', replace: true })
      } catch (error) {
        const found = asProblem(error)
        if (second.ask(found)?.isWrong === false) return
        if (found.code !== 'invalid_link') throw found
        onSpent(found)
      }
    })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormMessage>{messages.rest}</FormMessage>
        <Account
          {...{ link, isNew, name, email }}
          setName={typing('name', setName, correct)}
          setEmail={typing('email', setEmail, correct)}
          at={messages.at}
        />
        <PasswordField
          isNew
          value={password}
          onChange={typing('password', setPassword, correct)}
          error={messages.at('/password') ?? (lacksPassword ? text.newPasswordHint : undefined)}
          autoFocus={!isNew}
          size="md"
        />
        {second.isAsked && (
          <CodeInput
            followsPassword
            value={second.code}
            onChange={second.setCode}
            error={isAboutCode ? problem.message : undefined}
            size="md"
          />
        )}
        <Button type="submit" loading={isBusy} size="md" mt={4}>
          {{ first: text.begin, password: text.choose, invitation: text.makeAccount }[link.kind]}
        </Button>
        {second.isAsked && <SecondFactorLost />}
      </Stack>
    </form>
  )
}

interface AccountProps {
  readonly link: Link
  readonly isNew: boolean
  readonly name: string
  readonly setName: (name: string) => void
  readonly email: string
  readonly setEmail: (email: string) => void
  /** The message about a member. */
  readonly at: (pointer: string) => string | undefined
}

/** Name and address: of a new account they are chosen, of another the address is shown. */
function Account({ link, isNew, name, setName, email, setEmail, at }: AccountProps) {
  return (
    <>
      {isNew && (
        <TextInput
          label={text.name}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={at('/name')}
          autoComplete="name"
          autoFocus
          size="md"
        />
      )}
      <TextInput
        type="email"
        label={text.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={at('/email')}
        autoComplete="username"
        readOnly={!isNew}
        description={link.kind === 'invitation' && !at('/email') && text.invitationEmailHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        size="md"
      />
    </>
  )
}
