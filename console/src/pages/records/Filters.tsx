// The filters of a list: those that are set as chips, and a menu of all that the resource can be filtered by.
import { ActionIcon, Anchor, Button, Group, Menu, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type Resource, referenceOf, type Schema } from '../../api/resources.ts'
import { RecordName } from '../../parts/RecordName.tsx'
import { ReferenceInput } from '../../parts/ReferenceInput.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/records.ts'
import classes from './Filters.module.css'

type Values = Readonly<Record<string, string>>

interface FilterKind {
  /** The member. */
  readonly name: string
  readonly schema: Schema
  readonly isRange: boolean
}

function kindsOf({ members, list }: Resource): FilterKind[] {
  const schemaOf = (name: string) => members.find((member) => member.name === name)?.schema ?? {}
  return [
    ...[...list.exact, ...list.any].map((name) => ({ name, schema: schemaOf(name), isRange: false })),
    ...list.range.map((name) => ({ name, schema: schemaOf(name), isRange: true })),
  ]
}

/** The member that a filter's parameter is about: `createdAt[gte]` → `createdAt`. */
const memberOf = (parameter: string): string => parameter.replace(/\[.*/, '')

export function Filters({
  resource,
  values,
  onChange,
}: {
  resource: Resource
  values: Values
  onChange: (values: Values) => void
}) {
  const [editing, setEditing] = useState<string>()
  const kinds = kindsOf(resource)
  const set = [...new Set(Object.keys(values).map(memberOf))].filter((name) => kinds.some((kind) => kind.name === name))
  const shown = editing !== undefined && !set.includes(editing) ? [...set, editing] : set
  const without = (name: string) =>
    Object.fromEntries(Object.entries(values).filter(([parameter]) => memberOf(parameter) !== name))

  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconFilter size={15} />}>
            {text.filter}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Label>{text.addFilter}</Menu.Label>
          {kinds.map(({ name }) => (
            <Menu.Item key={name} onClick={() => setEditing(name)}>
              {labelOf(name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {shown.length > 0 && (
        <Group gap={6} className={classes.chips}>
          {shown.map((name) => {
            const kind = kinds.find((one) => one.name === name) as FilterKind
            const own = Object.fromEntries(Object.entries(values).filter(([parameter]) => memberOf(parameter) === name))
            return (
              <Popover
                key={name}
                opened={editing === name}
                onChange={(isOpen) => !isOpen && setEditing(undefined)}
                position="bottom-start"
                shadow="md"
                width={280}
                trapFocus
                withinPortal
              >
                <Popover.Target>
                  <div className={classes.chip}>
                    <button
                      type="button"
                      onClick={() => setEditing(editing === name ? undefined : name)}
                      aria-expanded={editing === name}
                    >
                      <span className="muted">{labelOf(name)}</span> <Chosen kind={kind} values={own} />
                    </button>
                    <ActionIcon
                      size="xs"
                      aria-label={text.removeFilter(labelOf(name))}
                      onClick={() => {
                        setEditing(undefined)
                        onChange(without(name))
                      }}
                    >
                      <IconX size={12} />
                    </ActionIcon>
                  </div>
                </Popover.Target>
                <Popover.Dropdown>
                  <Editor
                    kind={kind}
                    values={own}
                    onChange={(next) => onChange({ ...without(name), ...next })}
                    done={() => setEditing(undefined)}
                  />
                </Popover.Dropdown>
              </Popover>
            )
          })}
          {set.length > 1 && (
            <Anchor component="button" type="button" fz="sm" onClick={() => onChange({})}>
              {text.clearFilters}
            </Anchor>
          )}
        </Group>
      )}
    </>
  )
}

function Chosen({ kind: { name, isRange }, values }: { kind: FilterKind; values: Values }) {
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

interface EditorProps {
  readonly kind: FilterKind
  readonly values: Values
  readonly onChange: (values: Values) => void
  readonly done: () => void
}

function Editor({ kind: { name, schema, isRange }, values, onChange, done }: EditorProps) {
  const reference = referenceOf(name)
  const put = (value: string | undefined) => onChange(value === undefined || value === '' ? {} : { [name]: value })
  if (isRange) {
    const day = (parameter: string, value: string) => {
      const { [parameter]: _, ...others } = values
      onChange(value === '' ? others : { ...others, [parameter]: value })
    }
    const [from, until] = [`${name}[gte]`, `${name}[lt]`]
    return (
      <Stack gap="xs">
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
      </Stack>
    )
  }
  if (reference !== undefined)
    return <ReferenceInput isInPopover many={reference} label={labelOf(name)} value={values[name]} onChange={put} />
  if (schema.examples !== undefined && schema.examples.length > 1)
    return (
      <Select
        label={labelOf(name)}
        data={[...schema.examples]}
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

/** Waits for Enter, so that no half-typed value is asked for. */
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
        data-autofocus
      />
    </form>
  )
}
