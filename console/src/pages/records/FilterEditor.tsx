// The editor of one filter, by the type of its member.
import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { referenceOf } from '../../api/resources.ts'
import { daysOf, type Period, periods, today } from '../../parts/days.ts'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { shownZone, useTimeZone } from '../../parts/time-zone.ts'
import { firstInput } from '../../parts/use-first-input.ts'
import { optionsOf } from '../../parts/vocabulary.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import { text as reports } from '../../texts/reports.ts'
import type { FilterKind, FilterValues } from './filter-kinds.ts'

interface EditorProps {
  readonly kind: FilterKind
  readonly values: FilterValues
  readonly onChange: (values: FilterValues) => void
  readonly done: () => void
}

export function FilterEditor({ kind: { name, schema, isRange }, values, onChange, done }: EditorProps) {
  const reference = referenceOf(name)
  const put = (value: string | undefined) => onChange(value === undefined || value === '' ? {} : { [name]: value })
  if (isRange) return <Days {...{ name, values, onChange, done }} />
  if (reference !== undefined)
    return <ReferenceInput isInPopover many={reference} label={labelOf(name)} value={values[name]} onChange={put} />
  const words = optionsOf(schema.type === 'array' ? (schema.items ?? {}) : schema)
  if (words.length > 0 || (schema.examples !== undefined && schema.examples.length > 1))
    return (
      <Select
        label={labelOf(name)}
        data={words.length > 0 ? words : [...(schema.examples ?? [])]}
        value={values[name] ?? null}
        onChange={(value) => {
          put(value ?? undefined)
          done()
        }}
        clearable
        comboboxProps={{ withinPortal: false }}
        data-autofocus
      />
    )
  return <Typed name={name} value={values[name] ?? ''} put={put} done={done} />
}

/** The first and the last day, or a usual period. */
function Days({ name, values, onChange, done }: Omit<EditorProps, 'kind'> & { name: string }) {
  const timeZone = useTimeZone()
  const from = `${name}[gte]`
  const until = `${name}[lte]`
  const day = (parameter: string, value: string) => {
    const { [parameter]: _, ...others } = values
    onChange(value === '' ? others : { ...others, [parameter]: value })
  }
  const choose = (period: Period) => {
    const [first, last] = daysOf(period, today(timeZone))
    onChange({ [from]: first, [until]: last })
    done()
  }
  return (
    <Stack gap="xs" maw={340}>
      <TextInput
        type="date"
        label={`${labelOf(name)} ${text.from}`}
        value={values[from] ?? ''}
        onChange={(event) => day(from, event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        type="date"
        label={`${labelOf(name)} ${text.until}`}
        value={values[until] ?? ''}
        onChange={(event) => day(until, event.currentTarget.value)}
      />
      <Group gap={6}>
        {periods.map((period) => (
          <Button key={period} size="compact-xs" variant="default" onClick={() => choose(period)}>
            {reports.periods[period]}
          </Button>
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {text.daysIn(shownZone(timeZone))}
      </Text>
    </Stack>
  )
}

/** Applied on Enter, so that no half-typed value is requested. */
function Typed({
  name,
  value,
  put,
  done,
}: {
  name: string
  value: string
  put: (value: string) => void
  done: () => void
}) {
  const [typed, setTyped] = useState(value)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        put(typed.trim())
        done()
      }}
    >
      <TextInput
        label={labelOf(name)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        {...firstInput()}
      />
    </form>
  )
}
