// The columns by which lists filter, search and sort: which ones a resource's table has, and their values as SQL of the record's body.

import { SEARCHED_CHARACTERS } from '../core/limits.ts'
import { isLongText } from './field.ts'
import { type Resource, snakeCase } from './resource.ts'

/** A column that holds a member of the record. */
export interface MemberColumn {
  readonly member: string
  readonly column: string
  /** The type that the member has in `record`. */
  readonly type: 'text' | 'numeric' | 'jsonb' | 'boolean'
  /** SQL of the value, over the row `record`. */
  readonly value: string
}

/** The columns of a resource's table that hold members of the record. */
export function memberColumns(resource: Resource): MemberColumn[] {
  const { fields, list, unique, moment, remove } = resource
  const own = [...new Set(Object.values(list).flat().concat(unique))]
  const times = ['createdAt', ...(fields.updatedAt ? ['updatedAt'] : [])]
  return [
    ...times.map((member) => column(member, 'text')),
    ...own.map((member) => (member === moment ? column(member, 'text') : listed(resource, member))),
    ...(remove === 'soft' ? [column('isDeleted', 'boolean')] : []),
  ]
}

const of = (member: string) => `record."${member}"`

const column = (member: string, type: MemberColumn['type'], value = of(member)): MemberColumn => ({
  member,
  column: snakeCase(member),
  type,
  value,
})

/** A column whose unset values sort first; no stored value equals them. */
function listed({ fields, list }: Resource, member: string): MemberColumn {
  if (list.any.includes(member)) return column(member, 'jsonb')
  if (fields[member]?.comparison === 'number') return column(member, 'numeric', `coalesce(${of(member)}, '-Infinity')`)
  const value = `coalesce(${of(member)}, '')`
  return column(member, 'text', isLongText(fields[member]) ? `left(${value}, ${SEARCHED_CHARACTERS})` : value)
}

/** The columns that statements of writes set; in other tables, PostgreSQL generates them. */
export const columnsToSet = (resource: Resource): MemberColumn[] =>
  resource.columns === 'set' ? memberColumns(resource) : []

/**
 * The row `record` of a body's members. One function parses the body once, whereas each `body ->> 'member'` parses all
 * of it.
 */
export const recordOf = (body: string, columns: readonly MemberColumn[]): string =>
  `json_to_record(${body}) as record(${columns.map(({ member, type }) => `"${member}" ${type}`).join(', ')})`

/** The rows of `from`, which are called `item`, beside the members of their bodies. */
export const withRecord = (from: string, columns: readonly MemberColumn[]): string =>
  columns.length > 0 ? `${from}, ${recordOf('item.body', columns)}` : from
