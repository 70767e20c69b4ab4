// The filters of the event stream: by type and by record, held in the address.
import { Button, Group, TextInput } from '@mantine/core'
import { IconFilter, IconId } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sentence } from '../../parts/messages.ts'
import { text } from '../../texts/automation.ts'
import { TypeInput } from './TypeInput.tsx'
import type { EventFilters } from './use-events.ts'

const { events: words } = text

/** The filters, held in the address. */
export function useFilters(): readonly [EventFilters, (filters: EventFilters) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const set = (name: string) =>
    typeof search[name] === 'string' || typeof search[name] === 'number' ? { [name]: String(search[name]) } : {}
  return [
    { ...set('type'), ...set('recordId') },
    (next) => {
      const search = Object.fromEntries(Object.entries(next).filter(([, value]) => value))
      void navigate({ to: '.', search: search as never, replace: true })
    },
  ]
}

interface FilterProps {
  readonly value: string | undefined
  readonly error: string | undefined
  readonly put: (value: string | undefined) => void
}

/** Applied when an option is chosen or Enter is pressed, so that no half-typed type is requested. */
function TypeFilter({ value = '', error, put }: FilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const done = (next: string) => put(next.trim() || undefined)
  return (
    <TypeInput
      label={words.type}
      isLabelHidden
      placeholder={words.typePlaceholder}
      leftSection={<IconFilter size={15} />}
      w={{ base: '100%', xs: 280 }}
      value={typed}
      onChange={(next) => {
        setTyped(next)
        if (next === '') put(undefined)
      }}
      onDone={done}
      error={error}
    />
  )
}

function RecordFilter({ value = '', error, put }: FilterProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      aria-label={words.record}
      placeholder={words.record}
      leftSection={<IconId size={15} />}
      w={{ base: '100%', xs: 250 }}
      value={typed}
      onChange={(event) => {
        const next = event.currentTarget.value
        setTyped(next)
        // An id is pasted whole.
        if (next === '' || /^[0-9a-f]{24}$/.test(next.trim())) put(next.trim() || undefined)
      }}
      onKeyDown={(event) => event.key === 'Enter' && put(typed.trim() || undefined)}
      error={error}
      spellCheck={false}
    />
  )
}

interface FiltersProps {
  readonly filters: EventFilters
  readonly setFilters: (filters: EventFilters) => void
  readonly messages: ReadonlyMap<string, string>
}

export function Filters({ filters, setFilters, messages }: FiltersProps) {
  const isFiltered = filters.type !== undefined || filters.recordId !== undefined
  const type = sentence(messages.get('type'))
  const recordId = sentence(messages.get('recordId'))
  return (
    <Group gap="xs" mb="sm" align="flex-start">
      <TypeFilter
        value={filters.type}
        error={type && words.wrongType(type)}
        put={(type) => setFilters({ ...filters, type })}
      />
      <RecordFilter
        value={filters.recordId}
        error={recordId && words.wrongRecord(recordId)}
        put={(recordId) => setFilters({ ...filters, recordId })}
      />
      {isFiltered && (
        <Button variant="subtle" color="gray" onClick={() => setFilters({})}>
          {words.clear}
        </Button>
      )}
    </Group>
  )
}
