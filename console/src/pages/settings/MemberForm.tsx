// The form for an invitation: address, name and role.
import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { CompanyRole } from '../../api/sign-in.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { messagesFor } from '../../parts/messages.ts'
import { useSubmission } from '../../parts/submission.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/people.ts'
import classes from './KeyForm.module.css'
import { type Invited, inviteMember, rolesOf } from './member.ts'
import type { Tenant } from './tenant.ts'

interface MemberFormProps {
  readonly place: Tenant
  readonly close: () => void
  readonly onAdded: (member: Invited) => void
  readonly setDirty: (isDirty: boolean) => void
}

export function MemberForm({ place, close, onAdded, setDirty }: MemberFormProps) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<CompanyRole>(rolesOf(place)[0] ?? 'viewer')
  const { isBusy, problem, forget, run } = useSubmission()
  const [isMissing, setMissing] = useState(false)
  const emailInput = useRef<HTMLInputElement>(null)
  const messages = messagesFor(problem, '/email', '/name')
  const emailError = isMissing ? text.missingEmail : messages.at('/email')

  function submit(event: FormEvent) {
    event.preventDefault()
    forget()
    setMissing(email.trim() === '')
    if (email.trim() === '') return emailInput.current?.focus()
    const body = { email: email.trim(), ...(name.trim() !== '' && { name: name.trim() }), role }
    void run(async (key) => onAdded(await inviteMember(place, body, key)))
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormMessage>{messages.rest}</FormMessage>
        <TextInput
          ref={emailInput}
          type="email"
          label={text.email}
          description={!emailError && text.emailHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value)
            forget()
            setDirty(true)
          }}
          error={emailError}
          autoComplete="off"
          {...firstInput()}
        />
        <TextInput
          label={text.nameOptional}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setDirty(true)
          }}
          error={messages.at('/name')}
          autoComplete="off"
        />
        <RoleChoice place={place} role={role} choose={setRole} />
        <DialogButtons cancel={close}>
          <Button type="submit" loading={isBusy}>
            {text.add}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface RoleChoiceProps {
  readonly place: Tenant
  readonly role: CompanyRole
  readonly choose: (role: CompanyRole) => void
}

function RoleChoice({ place, role, choose }: RoleChoiceProps) {
  return (
    <Radio.Group label={text.role} value={role} onChange={(next) => choose(next as CompanyRole)}>
      <div className={classes.permissions}>
        {rolesOf(place).map((one) => (
          <Radio
            key={one}
            value={one}
            className={classes.permission}
            label={text.roles[one]}
            description={text.roleHints[one]}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
