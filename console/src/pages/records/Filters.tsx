// The filters of a list: the active ones as chips, and a menu of all that the resource supports.
import { ActionIcon, Anchor, Button, Group, Menu, Popover } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { type Resource, referenceOf } from '../../api/resources.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import classes from './Filters.module.css'
import { type FilterKind, type FilterValues, kindsOf } from './filter-kinds.ts'

// Loaded when the first filter is opened.
const FilterEditor = lazy(() => import('./FilterEditor.tsx'))

/** The member of a filter's parameter: `createdAt[gte]` → `createdAt`. */
const memberOf = (parameter: string): string => parameter.replace(/\[.*/, '')

export function Filters({
  resource,
  values,
  onChange,
}: {
  resource: Resource
  values: FilterValues
  onChange: (values: FilterValues) => void
}) {
  const [editing, setEditing] = useState<string>()
  const kinds = kindsOf(resource)
  // Where the focus goes after a removal.
  const adding = useRef<HTMLButtonElement>(null)
  const set = [...new Set(Object.keys(values).map(memberOf))].filter((name) => kinds.some((kind) => kind.name === name))
  const shown = editing !== undefined && !set.includes(editing) ? [...set, editing] : set
  const without = (name: string) =>
    Object.fromEntries(Object.entries(values).filter(([parameter]) => memberOf(parameter) !== name))

  function close(name: string) {
    setEditing(undefined)
    focusAfter(name, adding)
  }

  return (
    <>
      <AddFilter button={adding} kinds={kinds} add={setEditing} />
      {shown.length > 0 && (
        <Group gap={6} className={classes.chips}>
          {shown.map((name) => {
            const kind = kinds.find((one) => one.name === name) as FilterKind
            const own = Object.fromEntries(Object.entries(values).filter(([parameter]) => memberOf(parameter) === name))
            return (
              <Chip
                key={name}
                {...{ kind, own }}
                isOpen={editing === name}
                setOpen={(isOpen) => setEditing(isOpen ? name : undefined)}
                close={() => close(name)}
                change={(next) => onChange({ ...without(name), ...next })}
                remove={() => {
                  setEditing(undefined)
                  onChange(without(name))
                  adding.current?.focus()
                }}
              />
            )
          })}
          {set.length > 1 && (
            <Anchor
              component="button"
              type="button"
              fz="sm"
              onClick={() => {
                onChange({})
                adding.current?.focus()
              }}
            >
              {text.clearFilters}
            </Anchor>
          )}
        </Group>
      )}
    </>
  )
}

function Chosen({ kind: { name, isRange }, values }: { kind: FilterKind; values: FilterValues }) {
  const reference = referenceOf(name)
  if (isRange)
    return (
      <span>
        {Object.entries(values)
          .map(([parameter, value]) => `${parameter.endsWith('[gte]') ? text.from : text.until} ${value.slice(0, 10)}`)
          .join(' ') || '…'}
      </span>
    )
  const value = values[name]
  if (value === undefined) return <span>…</span>
  return reference === undefined ? <bdi>{value}</bdi> : <RecordName many={reference} id={value} isPlain />
}

/** Focuses the filter that was edited, or the add button if it was removed for lack of a value. */
function focusAfter(name: string, adding: RefObject<HTMLButtonElement | null>): void {
  setTimeout(() => {
    const { activeElement: focused, body } = document
    // Unless a click moved it elsewhere.
    if (focused !== body && !focused?.closest('[role="dialog"]')) return
    const chip = document.querySelector<HTMLElement>(`[data-filter="${CSS.escape(name)}"]`)
    ;(chip ?? adding.current)?.focus()
  })
}

interface AddFilterProps {
  readonly button: RefObject<HTMLButtonElement | null>
  readonly kinds: readonly FilterKind[]
  readonly add: (name: string) => void
}

function AddFilter({ button, kinds, add }: AddFilterProps) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" leftSection={<IconFilter size={15} />} ref={button}>
          {text.filter}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>{text.addFilter}</Menu.Label>
        {kinds.map(({ name }) => (
          <Menu.Item key={name} onClick={() => add(name)}>
            {labelOf(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface ChipProps {
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

function Chip({ kind, own, isOpen, setOpen, close, change, remove }: ChipProps) {
  const { name } = kind
  return (
    <Popover
      opened={isOpen}
      onChange={(willOpen) => !willOpen && close()}
      position="bottom-start"
      shadow="md"
      width={280}
      trapFocus
      withinPortal
    >
      <div className={classes.chip}>
        <Popover.Target>
          <button type="button" data-filter={name} onClick={() => setOpen(!isOpen)}>
            <span className="muted">{labelOf(name)}</span> <Chosen kind={kind} values={own} />
          </button>
        </Popover.Target>
        <ActionIcon size="xs" aria-label={text.removeFilter(labelOf(name))} onClick={remove}>
          <IconX size={12} />
        </ActionIcon>
      </div>
      <Popover.Dropdown>
        <Suspense>
          <FilterEditor kind={kind} values={own} onChange={change} done={close} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
