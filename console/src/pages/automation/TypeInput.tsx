// Chooses events: one of the known types, a pattern of them, or any text.
import { Autocomplete, Group, Text } from '@mantine/core'
import { type ComponentProps, type ReactNode, useMemo } from 'react'
import { useResources } from '../../api/resources.ts'
import { type EventTypes, eventTypesOf, olderGroup } from './event-types.ts'

interface TypeInputProps {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly label: string
  readonly description?: string
  readonly placeholder?: string
  readonly error?: string | undefined
  readonly required?: boolean
  readonly withOlder?: boolean
  readonly isLabelHidden?: boolean
  /** Called when an option is chosen or Enter is pressed. */
  readonly onDone?: (value: string) => void
  readonly leftSection?: ReactNode
  readonly w?: number | string | Record<string, number | string>
}

export function useEventTypes(): EventTypes {
  const resources = useResources()
  return useMemo(() => eventTypesOf(resources), [resources])
}

export function TypeInput(props: TypeInputProps) {
  const { value, onChange, label, isLabelHidden = false, withOlder = false, onDone, ...rest } = props
  const known = useEventTypes()
  const groups = useMemo(() => (withOlder ? [...known.groups, olderGroup(known)] : known.groups), [known, withOlder])
  const hints = useMemo(
    () => new Map(groups.flatMap(({ types }) => types.map(({ value, hint }) => [value, hint]))),
    [groups],
  )
  return (
    <Autocomplete
      {...rest}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      value={value}
      onChange={onChange}
      onOptionSubmit={(chosen) => onDone?.(chosen)}
      onKeyDown={(event) => event.key === 'Enter' && onDone?.(value)}
      data={groups.map(({ title, types }) => ({ group: title, items: types.map(({ value }) => value) }))}
      // A chosen value is not a search: the full list is offered again.
      filter={({ options, search }) =>
        hints.has(search) ? options : options.map((option) => within(option, search, hints)).filter(hasSome)
      }
      renderOption={({ option }) => (
        <Group justify="space-between" gap="md" wrap="nowrap" flex={1} miw={0}>
          <Text size="sm" ff="monospace" fz="0.8125rem" style={{ whiteSpace: 'nowrap' }}>
            {option.value}
          </Text>
          <Text size="xs" c="dimmed" className="cut">
            {hints.get(option.value)}
          </Text>
        </Group>
      )}
      // Plain scrolling, which cuts long hints off: Mantine's scroll area would grow to their full length.
      withScrollArea={false}
      styles={{ options: { maxHeight: 332, overflowY: 'auto' } }}
      comboboxProps={{ shadow: 'md' }}
      spellCheck={false}
      autoCapitalize="off"
    />
  )
}

type Option = Parameters<NonNullable<ComponentProps<typeof Autocomplete>['filter']>>[0]['options'][number]

const hasSome = (option: Option): boolean => !('group' in option) || option.items.length > 0

/** A group with those of its types whose name or hint contains the search. */
function within(option: Option, search: string, hints: ReadonlyMap<string, string>): Option {
  const wanted = search.trim().toLowerCase()
  if (!('group' in option) || String(option.group).toLowerCase().includes(wanted)) return option
  const items = option.items.filter(({ value }) => `${value} ${hints.get(value)}`.toLowerCase().includes(wanted))
  return { ...option, items }
}
