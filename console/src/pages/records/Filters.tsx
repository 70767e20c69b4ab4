// The filters of a list: the active ones as chips, and a menu of all that the resource supports.
import { Anchor, Group } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLater } from '../../parts/use-later.ts'
import { text } from '../../texts/records.ts'
import { AddButton, type AddFilterProps, ChipButton, type ChipProps, RemoveButton } from './FilterButtons.tsx'
import classes from './Filters.module.css'
import { type Filtered, type FilterKind, type FilterValues, kindsOf, memberOf } from './filter-kinds.ts'

const loadMenu = () => import('./AddFilterMenu.tsx')
const loadEditor = () => import('./ChipPopover.tsx')

export function Filters({
  resource,
  values,
  onChange,
}: {
  resource: Filtered
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

function AddFilter(props: AddFilterProps) {
  const [menu, want] = useLater(loadMenu)
  if (menu === undefined)
    return <AddButton ref={props.button} aria-haspopup="menu" aria-expanded={false} onClick={want} />
  return <menu.AddFilterMenu {...props} />
}

function Chip(props: ChipProps) {
  const { kind, own, isOpen, setOpen, remove } = props
  const [editor, want] = useLater(loadEditor)
  useEffect(() => {
    if (isOpen) want()
  }, [isOpen, want])
  if (editor !== undefined) return <editor.ChipPopover {...props} />
  return (
    <div className={classes.chip}>
      <ChipButton kind={kind} own={own} aria-haspopup="dialog" aria-expanded={false} onClick={() => setOpen(true)} />
      <RemoveButton name={kind.name} remove={remove} />
    </div>
  )
}
