// What an event changed, member by member: nested objects by their own members.
import type { Schema } from '../../../api/resources.ts'
import { labelOf } from '../../../texts/members.ts'
import type { RecordEvent } from './history.ts'

export interface Change {
  /** Such as “Billing › City”. */
  readonly label: string
  /** The name and the declaration of the innermost member. */
  readonly member: string
  readonly schema: Schema
  readonly before: unknown
  readonly after: unknown
}

/** Members that say nothing to people: an event has its own time, and amounts of other records follow from theirs. */
const silent: ReadonlySet<string> = new Set(['updatedAt', 'createdAt', 'id', 'companyId'])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

function between(name: string, path: string, schema: Schema, before: unknown, after: unknown): Change[] {
  const label = path === '' ? labelOf(name) : `${path} › ${labelOf(name)}`
  if (isSame(before, after)) return []
  if ((isObject(before) || isObject(after)) && schema.properties !== undefined) {
    const was = isObject(before) ? before : {}
    const is = isObject(after) ? after : {}
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((inner) =>
      between(inner, label, schema.properties?.[inner] ?? {}, was[inner], is[inner]),
    )
  }
  return [{ label, member: name, schema, before, after }]
}

/** The changes of an event; of a creation and a deletion there are none. */
export const changesOf = ({ previous, data }: RecordEvent, schemaOf: (member: string) => Schema): Change[] =>
  Object.entries(previous ?? {})
    .filter(([name]) => !silent.has(name))
    .flatMap(([name, before]) => between(name, '', schemaOf(name), before, data[name]))
