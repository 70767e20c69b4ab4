// The permissions of a role as a matrix of areas and actions, in place of the schema's list of objects.
import { Button, Checkbox, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useScope } from '../../api/company.ts'
import { someQuery } from '../../api/records.ts'
import { Folded } from '../../parts/Folded.tsx'
import { EntriesInput } from '../../parts/MembersInput.tsx'
import type { MemberInputProps } from '../../parts/member-shape.ts'
import { SearchInput } from '../../parts/SearchInput.tsx'
import { RowsSkeleton } from '../../parts/Skeletons.tsx'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/roles.ts'
import classes from './PermissionMatrix.module.css'
import { type Area, areasOf, foundIn, type Permission, withGranted } from './permissions.ts'

const columns = Object.keys(text.columns) as (keyof typeof text.columns)[]

/** With more areas than fit on a phone, they can be searched. */
const FEW_AREAS = 5

export function PermissionMatrix(props: MemberInputProps) {
  const { schema, value, onChange, pointer, errors, isReadOnly = false } = props
  const [search, setSearch] = useState('')
  // The API names the usual permissions; what other roles list is what tills of this company know besides.
  const usual = (schema.items?.examples ?? []) as unknown as readonly Permission[]
  const roles = useQuery({ ...someQuery(useScope(), 'roles', { limit: 100, sortBy: 'createdAt' }), staleTime: 60_000 })
  const own: readonly Permission[] = value ?? []
  const listed = (roles.data?.data ?? []).flatMap(({ permissions }) => permissions ?? [])
  const known = isReadOnly ? [] : [...usual, ...listed]
  const areas = areasOf(own, known)
  const cells = areas.flatMap((area) => area.cells)
  const grant = (keys: readonly string[], isGranted: boolean) =>
    onChange(withGranted(own, known, new Set(keys), isGranted))
  const all = cells.map(({ key }) => key)
  const hasErrors = [...errors.keys()].some((key) => key.startsWith(pointer))
  // Rows that appear later would move those that the user is about to click.
  if (roles.isPending && !isReadOnly) return <RowsSkeleton rows={8} />
  const found = foundIn(areas, search)

  return (
    <Stack gap="md">
      <Group justify="space-between" mih={30}>
        <Text size="sm" role="status">
          {cells.length === 0
            ? text.none
            : text.granted(cells.filter(({ isGranted }) => isGranted).length, cells.length)}
        </Text>
        {!isReadOnly && cells.length > 0 && (
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={() => grant(all, false)}>
              {text.denyAll}
            </Button>
            <Button variant="default" size="xs" onClick={() => grant(all, true)}>
              {text.grantAll}
            </Button>
          </Group>
        )}
      </Group>
      {!isReadOnly && areas.length > FEW_AREAS && (
        <SearchInput
          label={text.search}
          value={search}
          onChange={setSearch}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {found.length > 0 && <Matrix areas={found} grant={isReadOnly ? undefined : grant} />}
      {found.length === 0 && cells.length > 0 && <Text size="sm">{text.nothingFound}</Text>}
      {!isReadOnly && (
        <Folded title={text.asList} hint={text.asListHint} isForced={hasErrors}>
          <EntriesInput {...props} label={labelOf(props.name)} />
        </Folded>
      )}
    </Stack>
  )
}

interface RowsProps {
  /** Undefined for viewers. */
  readonly grant: ((keys: readonly string[], isGranted: boolean) => void) | undefined
}

function Matrix({ areas, grant }: RowsProps & { areas: readonly Area[] }) {
  return (
    <table className={classes.matrix}>
      <thead>
        <tr>
          <th scope="col">{text.area}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={classes.column}>
              {text.columns[column]}
            </th>
          ))}
          <th scope="col">{text.special}</th>
        </tr>
      </thead>
      <tbody>
        {areas.map((area) => (
          <AreaRow key={area.key} area={area} grant={grant} />
        ))}
      </tbody>
    </table>
  )
}

function AreaRow({ area: { label, cells }, grant }: RowsProps & { area: Area }) {
  const granted = cells.filter(({ isGranted }) => isGranted).length
  const cellsOf = (column: keyof typeof text.columns | undefined) =>
    cells
      .filter((cell) => cell.column === column)
      .map((cell) => (
        <Cell
          key={cell.key}
          name={cell.name}
          isGranted={cell.isGranted}
          set={grant && ((isGranted) => grant([cell.key], isGranted))}
        />
      ))
  return (
    <tr>
      <th scope="row">
        {grant === undefined ? (
          label
        ) : (
          <Checkbox
            label={<bdi>{label}</bdi>}
            aria-label={text.allOf(label)}
            checked={granted === cells.length}
            indeterminate={granted > 0 && granted < cells.length}
            onChange={({ currentTarget }) =>
              grant(
                cells.map(({ key }) => key),
                currentTarget.checked,
              )
            }
          />
        )}
      </th>
      {columns.map((column) => (
        <td key={column} className={classes.column}>
          {cellsOf(column)}
        </td>
      ))}
      <td>
        <div className={classes.special}>{cellsOf(undefined)}</div>
      </td>
    </tr>
  )
}

interface CellProps {
  readonly name: string
  readonly isGranted: boolean
  readonly set: ((isGranted: boolean) => void) | undefined
}

/** One permission. In the columns of all areas its name is shown only where there is no room for columns. */
function Cell({ name, isGranted, set }: CellProps) {
  if (set !== undefined)
    return (
      <Checkbox
        className={classes.cell}
        label={<bdi className={classes.name}>{name}</bdi>}
        title={name}
        checked={isGranted}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
    )
  const Icon = isGranted ? IconCheck : IconMinus
  return (
    <span className={classes.cell} data-read data-denied={!isGranted || undefined} title={name}>
      <Icon size={17} aria-hidden />
      <VisuallyHidden>{isGranted ? text.isGranted(name) : text.isDenied(name)}</VisuallyHidden>
      <bdi className={classes.name} aria-hidden>
        {name}
      </bdi>
    </span>
  )
}
