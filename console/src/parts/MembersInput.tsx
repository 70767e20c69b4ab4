// The inputs of an object's members, and of a list of such objects.
import { ActionIcon, Button, Fieldset, Group, SimpleGrid, Stack, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Schema } from '../api/resources.ts'
import { labelOf } from '../texts/members.ts'
import { text } from '../texts/records.ts'
import { FlagInput } from './FlagInput.tsx'
import { MemberInput } from './MemberInput.tsx'
import { columnPrefix, isWide, type MemberInputProps, typeOf, withMember } from './member-shape.ts'
import { useAdding } from './use-adding.ts'
import { isUnset } from './Value.tsx'

/** The members of an object, in two columns if there is room. */
export function Members({
  schema,
  value,
  onChange,
  pointer,
  errors,
  isReadOnly,
}: Pick<MemberInputProps, 'schema' | 'value' | 'onChange' | 'pointer' | 'errors'> & { isReadOnly: boolean }) {
  const members = Object.entries(schema.properties ?? {})
  const isTable = schema.additionalProperties === false
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
      {members.map(([name, inner]) => {
        // A cell that is not set differs from one that says no.
        const Input = typeOf(inner) === 'boolean' && !isTable ? FlagInput : MemberInput
        return (
          <div key={name} style={isWide({ name, schema: inner }) ? { gridColumn: '1 / -1' } : undefined}>
            <Input
              name={isTable ? columnPrefix + name : name}
              label={labelOf(name)}
              schema={inner}
              hint={isTable && inner.type?.includes('object') ? inner.description : undefined}
              value={value?.[name]}
              onChange={(next) => onChange(withMember(value, name, next))}
              pointer={`${pointer}/${name}`}
              errors={errors}
              isRequired={schema.required?.includes(name) ?? false}
              isReadOnly={isReadOnly}
            />
          </div>
        )
      })}
    </SimpleGrid>
  )
}

/** Members that an unset object may show at once. */
const mostAtOnce = 4

/** The inputs of an object, such as an address: a long one that is not set is a button, since most records have none. */
export function ObjectInput({
  label,
  schema,
  value,
  onChange,
  pointer,
  errors,
}: Pick<MemberInputProps, 'schema' | 'value' | 'onChange' | 'pointer' | 'errors'> & { label: string }) {
  const fields = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The columns of a custom table are what its owner wants to fill in.
  const isLong = schema.additionalProperties !== false && Object.keys(schema.properties ?? {}).length > mostAtOnce
  const isWrong = [...errors.keys()].some((at) => at === pointer || at.startsWith(`${pointer}/`))
  const isShown = !isLong || isOpen || isWrong || !Object.values(value ?? {}).every(isUnset)
  // What was emptied while it is typed stays.
  const [wasShown, setWasShown] = useState(isShown)
  if (isShown && !wasShown) setWasShown(true)
  useEffect(() => {
    if (isOpen) fields.current?.querySelector('input')?.focus()
  }, [isOpen])
  return (
    <Fieldset legend={label} variant="filled">
      {isShown || wasShown ? (
        <div ref={fields}>
          <Members {...{ schema, onChange, pointer, errors }} value={value ?? {}} isReadOnly={false} />
        </div>
      ) : (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          aria-label={`${text.add}: ${label}`}
          onClick={() => setOpen(true)}
        >
          {text.add}
        </Button>
      )}
    </Fieldset>
  )
}

/** A list of objects, one card per entry. */
export function EntriesInput({
  schema,
  value,
  onChange,
  pointer,
  errors,
  isReadOnly = false,
  label,
}: MemberInputProps & { label: string }) {
  const entries: readonly any[] = value ?? []
  const items = schema.items as Schema
  const isPlain = Object.keys(items.properties ?? {}).length <= 2
  const { list, add } = useAdding(entries.length, () => onChange([...entries, {}]))
  const put = (n: number, next: unknown) => onChange(entries.map((entry, at) => (at === n ? (next ?? {}) : entry)))
  return (
    <Fieldset legend={label} variant="filled">
      <Stack gap="sm" ref={list}>
        {entries.map((entry, n) => {
          const members = (
            <Members
              schema={items}
              value={entry}
              onChange={(next) => put(n, next)}
              pointer={`${pointer}/${n}`}
              errors={errors}
              isReadOnly={isReadOnly}
            />
          )
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name but their place.
            <Group key={n} align="flex-start" wrap="nowrap" gap="xs">
              <div style={{ flex: 1, minWidth: 0 }}>
                {isPlain ? members : <Fieldset legend={text.entry(n + 1)}>{members}</Fieldset>}
              </div>
              {!isReadOnly && (
                <Tooltip label={text.remove}>
                  <ActionIcon
                    mt={24}
                    aria-label={`${text.remove}: ${label} ${n + 1}`}
                    onClick={() => onChange(entries.filter((_, at) => at !== n))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </Group>
          )
        })}
        {!isReadOnly && (
          <Group>
            <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
              {text.add}
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  )
}
