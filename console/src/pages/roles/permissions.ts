// The permissions of a role as a matrix: areas, what can be done in each, and what a click changes in the stored list.
import type { Role } from '../../api/schemas.ts'
import { labelOf } from '../../texts/members.ts'
import { text } from '../../texts/roles.ts'

export type Permission = NonNullable<Role['permissions']>[number]
type Column = keyof typeof text.columns

/** A permission in the matrix; `column` is undefined for what only this area knows, such as giving discounts. */
interface Cell {
  readonly key: string
  readonly name: string
  readonly column: Column | undefined
  readonly isGranted: boolean
}

export interface Area {
  readonly key: string
  readonly label: string
  readonly cells: readonly Cell[]
}

/** The last words of ids, by column. */
const columnOf: ReadonlyMap<string, Column> = new Map(
  Object.entries({
    view: 'view',
    read: 'view',
    list: 'view',
    create: 'create',
    add: 'create',
    edit: 'edit',
    update: 'edit',
    change: 'edit',
    delete: 'delete',
    remove: 'delete',
  } as const),
)

const translationOf = (texts: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(texts, word) ? texts[word] : undefined

/** What identifies a permission: its id, or its name if it has none. */
const keyOf = ({ permissionId, name }: Permission): string | undefined => permissionId ?? name

/** The permissions of a role, then other known ones, which it does not have. */
function completed(own: readonly Permission[], known: readonly Permission[]): Permission[] {
  const listed = new Set(own.map(keyOf))
  const missing = known.filter((permission) => {
    const key = keyOf(permission)
    if (key === undefined || listed.has(key)) return false
    listed.add(key)
    return true
  })
  return [...own, ...missing.map((permission) => ({ ...permission, value: false }))]
}

/** The rows of the matrix: an area for each first word of the ids. */
export function areasOf(own: readonly Permission[], known: readonly Permission[]): Area[] {
  const named = completed(own, known).filter((permission) => keyOf(permission) !== undefined)
  // Of several entries with one id, the last one is shown; a click sets all of them.
  const byKey = new Map(named.map((permission) => [keyOf(permission) as string, permission]))
  const areas = Map.groupBy(byKey, ([key]) => (key.includes('.') ? key.slice(0, key.indexOf('.')) : ''))
  return [...areas].map(([area, permissions]) => ({
    key: area,
    label: area === '' ? text.others : (translationOf(text.areas, area) ?? labelOf(area)),
    cells: permissions.map(([key, { name, value }]) => ({
      key,
      name: name === undefined ? key : (translationOf(text.names, name) ?? name),
      column: area === '' ? undefined : columnOf.get(key.slice(area.length + 1)),
      isGranted: value === true,
    })),
  }))
}

/** The names of the permissions that are granted. */
export const grantedIn = (own: readonly Permission[]): string[] =>
  areasOf(own, []).flatMap(({ cells }) => cells.flatMap(({ name, isGranted }) => (isGranted ? [name] : [])))

/** The areas whose name, or that of a permission in them, contains a text. */
export function foundIn(areas: readonly Area[], search: string): readonly Area[] {
  const wanted = search.trim().toLocaleLowerCase()
  return areas.filter(({ label, cells }) =>
    [label, ...cells.map(({ name }) => name)].some((name) => name.toLocaleLowerCase().includes(wanted)),
  )
}

/** The list with some permissions granted or denied. It then names all known permissions, as the first roles do. */
export function withGranted(
  own: readonly Permission[],
  known: readonly Permission[],
  keys: ReadonlySet<string>,
  isGranted: boolean,
): Permission[] {
  return completed(own, known).map((permission) =>
    keys.has(keyOf(permission) ?? '') ? { ...permission, value: isGranted } : permission,
  )
}
