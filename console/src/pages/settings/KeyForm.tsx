// The name, the permissions, the access and the expiry of a new key.
import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import type { NewKey } from '../../api/schemas.ts'
import { DialogButtons } from '../../parts/DialogButtons.tsx'
import { FormMessage } from '../../parts/FormMessage.tsx'
import { dateTime } from '../../parts/format.ts'
import { localOf } from '../../parts/local-time.ts'
import { messagesFor } from '../../parts/messages.ts'
import { useSubmission } from '../../parts/submission.ts'
import { zoneNote } from '../../parts/time-zone.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { text } from '../../texts/keys.ts'
import classes from './KeyForm.module.css'
import { createKey, permissions } from './key.ts'
import type { KeyResource } from './key-resources.ts'
import { useMoment } from './moment.ts'
import { ResourceChoice } from './ResourceChoice.tsx'
import type { Tenant } from './tenant.ts'

type Expiry = ReturnType<typeof useMoment>

interface KeyFormProps {
  readonly place: Tenant
  readonly close: () => void
  readonly onMade: (key: NewKey) => void
  readonly setDirty: (isDirty: boolean) => void
}

const expiries = Object.entries(text.expiryChoices).map(([value, label]) => ({
  value: /^\d+$/.test(value) ? String(Number(value) * 24) : value,
  label,
}))
/** `never` first, since objects order numeric names before others. */
expiries.sort((one, other) => rank(one.value) - rank(other.value))
function rank(value: string): number {
  return value === 'never' ? 0 : value === 'at' ? Number.POSITIVE_INFINITY : Number(value)
}

type Resources = readonly KeyResource[] | undefined

/** What has to be entered first. */
function lackingOf(name: string, chosen: readonly string[], resources: Resources, { isMissing }: Expiry) {
  if (name.trim() === '') return 'name'
  if (chosen.length === 0) return 'permissions'
  if (resources?.length === 0) return 'resources'
  return isMissing ? 'time' : undefined
}

export function KeyForm({ place, close, onMade, setDirty }: KeyFormProps) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>(['read'])
  const [resources, setResources] = useState<Resources>()
  const expiry = useMoment('never', 30 * 24, place.timezone)
  const { isBusy, problem, forget, run } = useSubmission()
  const [missing, setMissing] = useState<ReturnType<typeof lackingOf>>()
  const nameInput = useRef<HTMLInputElement>(null)
  const messages = messagesFor(problem, '/name', '/permissions', '/resources', '/expiresAt')
  const nameError = missing === 'name' ? text.missingName : messages.at('/name')

  function submit(event: FormEvent) {
    event.preventDefault()
    forget()
    const lacking = lackingOf(name, chosen, resources, expiry)
    setMissing(lacking)
    if (lacking === 'name') nameInput.current?.focus()
    if (lacking !== undefined) return
    const wanted = permissions.filter((permission) => chosen.includes(permission))
    const expiresAt = expiry.at()
    const limits = { ...(resources && { resources }), ...(expiresAt !== undefined && { expiresAt }) }
    const body = { name: name.trim(), permissions: wanted, ...limits }
    void run(async (key) => onMade(await createKey(place, body, key)))
  }

  return (
    <form onSubmit={submit} onChange={() => setDirty(true)} noValidate>
      <Stack gap="lg">
        <FormMessage>{messages.rest}</FormMessage>
        <TextInput
          ref={nameInput}
          label={text.name}
          description={!nameError && text.nameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={nameError}
          autoComplete="off"
          {...firstInput()}
        />
        <PermissionChoice
          allows={place.isCompany ? text.allows : text.allowsOrganization}
          chosen={chosen}
          choose={setChosen}
          error={missing === 'permissions' ? text.choosePermission : messages.at('/permissions')}
        />
        {place.isCompany && (
          <ResourceChoice
            chosen={resources}
            choose={setResources}
            error={missing === 'resources' ? text.chooseResource : messages.at('/resources')}
          />
        )}
        <ExpiryChoice
          expiry={expiry}
          error={messages.at('/expiresAt')}
          timeError={missing === 'time' && text.missingTime}
        />
        <DialogButtons cancel={close}>
          <Button type="submit" loading={isBusy}>
            {text.create}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

interface PermissionChoiceProps {
  /** What each permission allows, in two texts. */
  readonly allows: typeof text.allows | typeof text.allowsOrganization
  readonly chosen: readonly string[]
  readonly choose: (permissions: readonly string[]) => void
  readonly error: string | undefined
}

function PermissionChoice({ allows, chosen, choose, error }: PermissionChoiceProps) {
  return (
    <Checkbox.Group label={text.permissions} value={[...chosen]} onChange={choose} error={error}>
      <div className={classes.permissions}>
        {permissions.map((permission) => (
          <Checkbox
            key={permission}
            value={permission}
            className={classes.permission}
            label={allows[permission][0]}
            description={allows[permission][1]}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}

interface ExpiryChoiceProps {
  readonly expiry: Expiry
  readonly error: string | undefined
  readonly timeError: string | false
}

function ExpiryChoice({ expiry, error, timeError }: ExpiryChoiceProps) {
  const at = expiry.at()
  return (
    <Group align="flex-start" gap="md">
      <Select
        label={text.expires}
        data={expiries}
        value={expiry.choice}
        onChange={(next) => expiry.setChoice(next ?? 'never')}
        error={error}
        flex="1 1 180px"
      />
      {expiry.choice === 'at' && (
        <TextInput
          type="datetime-local"
          label={text.date}
          value={expiry.typed}
          min={localOf(Date.now(), expiry.timeZone)}
          description={zoneNote(expiry.timeZone)}
          onChange={(event) => expiry.setTyped(event.currentTarget.value)}
          error={timeError}
          flex="1 1 200px"
        />
      )}
      <Text size="xs" c="dimmed" w="100%" mt={-8} role="status">
        {at === undefined ? text.expiresNever : text.expiresAt(dateTime(at, expiry.timeZone))}
      </Text>
    </Group>
  )
}
