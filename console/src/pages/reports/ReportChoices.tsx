// What a report can be asked for: its period, its groups, and the comparison with the period before.
import { Group, Select, Switch, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type Period, periods } from '../../parts/days.ts'
import { text } from '../../texts/reports.ts'
import { goTogether } from './groups.ts'
import type { ReportState } from './report-state.ts'

const otherDays = 'other'

// Mantine's scroll area of a long list is not reached by the keyboard.
const plainScrolling = { withScrollArea: false, styles: { options: { maxHeight: 332, overflowY: 'auto' } } } as const

interface ReportChoicesProps {
  readonly state: ReportState
  readonly change: (change: Partial<ReportState>) => void
}

export function ReportChoices({ state, change }: ReportChoicesProps) {
  const { period, from, to, by, thenBy, isCompared } = state
  return (
    <Group gap="sm" mb="lg" align="flex-end" className="screen-only">
      <Select
        w={150}
        label={text.period}
        data={[
          ...periods.map((one) => ({ value: one as string, label: text.periods[one] })),
          { value: otherDays, label: text.otherDays },
        ]}
        value={period ?? otherDays}
        onChange={(chosen) => change({ period: chosen === otherDays ? undefined : (chosen as Period) })}
      />
      <DayInput label={text.from} value={from} onChange={(day) => change({ period: undefined, from: day })} />
      <DayInput label={text.to} value={to} onChange={(day) => change({ period: undefined, to: day })} />
      <Select
        w={160}
        {...plainScrolling}
        label={text.groupBy}
        data={text.dimensions}
        value={by}
        onChange={(value) =>
          change({ by: value ?? 'day', ...(thenBy && !goTogether(value ?? 'day', thenBy) && { thenBy: undefined }) })
        }
      />
      <Select
        w={160}
        {...plainScrolling}
        label={text.thenBy}
        data={text.dimensions.filter(({ value }) => goTogether(by, value))}
        value={thenBy ?? null}
        placeholder={text.nothing}
        clearable
        onChange={(value) => change({ thenBy: value ?? undefined })}
      />
      <Switch
        mb={8}
        label={text.compare}
        checked={isCompared}
        onChange={({ currentTarget }) => change({ isCompared: currentTarget.checked })}
      />
    </Group>
  )
}

interface DayInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

/** A date that is being typed is not yet one. */
function DayInput({ label, value, onChange }: DayInputProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        if (/^[12]\d{3}-\d\d-\d\d$/.test(currentTarget.value)) onChange(currentTarget.value)
      }}
    />
  )
}
