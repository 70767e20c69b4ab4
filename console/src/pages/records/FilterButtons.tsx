// The buttons of a list's filters, which show them before and after their menu and editors are loaded.
import { ActionIcon, Button } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import type { ComponentProps, RefObject } from 'react'
import { referenceOf } from '../../api/resources.ts'
import { date } from '../../parts/format.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { shownWord } from '../../parts/vocabulary.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import type { FilterKind, FilterValues } from './filter-kinds.ts'

export interface AddFilterProps {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly kinds: readonly FilterKind[]
  readonly add: (name: string) => void
}

export function AddButton(button: Omit<ComponentProps<'button'>, 'color'>) {
  return (
    <Button variant="default" leftSection={<IconFilter size={15} />} {...button}>
      {text.filter}
    </Button>
  )
}

export interface ChipProps {
  readonly kind: FilterKind
  /** The values of this filter. */
  readonly own: FilterValues
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** Closes the editor and moves the focus. */
  readonly close: () => void
  readonly change: (values: FilterValues) => void
  readonly remove: () => void
}

/** What a filter is set to; pressed, its editor. */
export function ChipButton({ kind, own, ...button }: Pick<ChipProps, 'kind' | 'own'> & ComponentProps<'button'>) {
  return (
    <button type="button" data-filter={kind.name} {...button}>
      <span className="muted">{labelOf(kind.name)}</span> <Chosen kind={kind} values={own} />
    </button>
  )
}

export function RemoveButton({ name, remove }: { name: string; remove: () => void }) {
  return (
    <ActionIcon size="xs" aria-label={text.removeFilter(labelOf(name))} onClick={remove}>
      <IconX size={12} />
    </ActionIcon>
  )
}

function Chosen({ kind: { name, schema, isRange }, values }: { kind: FilterKind; values: FilterValues }) {
  const reference = referenceOf(name)
  if (isRange)
    return (
      <span>
        {Object.entries(values)
          .map(([parameter, value]) => `${parameter.endsWith('[gte]') ? text.from : text.until} ${date(value, 'UTC')}`)
          .join(' ') || '…'}
      </span>
    )
  const value = values[name]
  if (value === undefined) return <span>…</span>
  return reference === undefined ? (
    <bdi>{shownWord(schema.items ?? schema, value)}</bdi>
  ) : (
    <RecordName many={reference} id={value} isPlain />
  )
}
