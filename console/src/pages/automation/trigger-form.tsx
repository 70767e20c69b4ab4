// The form of a trigger: its sections, and inputs that know more than a member's declaration says.
import { Badge, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { Member, Resource } from '../../api/resources.ts'
import { MemberInput } from '../../parts/MemberInput.tsx'
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { sentence } from '../../parts/messages.ts'
import { ReadMember } from '../../parts/ReadMember.tsx'
import type { Section } from '../../parts/sections.ts'
import { text } from '../../texts/automation.ts'
import { meaningOf } from './event-types.ts'
import { SecretInput } from './SecretInput.tsx'
import { TypeInput, useEventTypes } from './TypeInput.tsx'

export function triggerSections({ members }: Resource, hasTriggerId: boolean): Section[] {
  const named = (...names: string[]): Member[] =>
    names.flatMap((name) => members.find((member) => member.name === name) ?? [])
  const sections = [
    { title: text.form.what, members: named('triggerType', 'customTriggerName') },
    { title: text.form.where, members: named('triggerUrl', 'apiKey') },
    { title: text.form.how, members: named('maxParallel', 'isActive') },
  ]
  // The id in the tool that created the trigger: not for users to set.
  return hasTriggerId ? [...sections, { title: text.form.more, members: named('triggerId') }] : sections
}

function EventsInput(props: MemberInputProps) {
  const { value, onChange, pointer, errors, isReadOnly = false } = props
  const { message, isWarning, types } = meaningOf(value ?? '', useEventTypes())
  return (
    <Stack gap={8}>
      {isReadOnly ? (
        <ReadMember {...props} label={text.form.events} />
      ) : (
        <TypeInput
          label={text.form.events}
          description={text.form.eventsHint}
          placeholder={text.form.eventsPlaceholder}
          value={value ?? ''}
          onChange={(next) => onChange(next === '' ? undefined : next)}
          error={sentence(errors.get(pointer))}
          required
          withOlder
        />
      )}
      {(value ?? '') !== '' && (
        <Group gap={6} role="status">
          {message && (
            <Group gap={6} wrap="nowrap" align="flex-start">
              {isWarning && (
                <IconAlertTriangle size={15} color="var(--cw-warn)" style={{ flex: 'none', marginTop: 2 }} />
              )}
              <Text size="xs" c="dimmed">
                {message}
              </Text>
            </Group>
          )}
          {message === undefined && (
            <Text size="xs" c="dimmed">
              {text.fires}
            </Text>
          )}
          {types.map((type) => (
            <Badge key={type} color="gray" ff="monospace" size="sm">
              {type}
            </Badge>
          ))}
        </Group>
      )}
    </Stack>
  )
}

function UrlInput(props: MemberInputProps) {
  const { value, onChange, pointer, errors, isReadOnly = false } = props
  if (isReadOnly) return <ReadMember {...props} label={text.form.url} />
  return (
    <TextInput
      type="url"
      label={text.form.url}
      description={text.form.urlHint}
      placeholder="https://"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      error={sentence(errors.get(pointer))}
      required
      autoComplete="off"
      spellCheck={false}
    />
  )
}

function NameInput(props: MemberInputProps) {
  return <MemberInput {...props} hint={text.form.nameHint} label={text.form.name} />
}

function ParallelInput(props: MemberInputProps) {
  const { value = 1 } = props
  return <MemberInput {...props} value={value} hint={text.form.parallelHint} label={text.form.parallel} />
}

function ActiveInput(props: MemberInputProps) {
  const { value = true, onChange, isReadOnly = false } = props
  if (isReadOnly) return <ReadMember {...props} value={value} label={text.form.active} />
  return (
    <Switch
      mt={4}
      label={text.form.active}
      description={text.form.activeHint}
      checked={value ?? true}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

export const triggerInputs = {
  triggerType: EventsInput,
  triggerUrl: UrlInput,
  customTriggerName: NameInput,
  apiKey: SecretInput,
  maxParallel: ParallelInput,
  isActive: ActiveInput,
}
