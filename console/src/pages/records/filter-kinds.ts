// The possible filters of a list, and the active ones.
import type { Resource, Schema } from '../../api/resources.ts'

/** Values by query parameter of the list. */
export type FilterValues = Readonly<Record<string, string>>

export interface FilterKind {
  /** The member. */
  readonly name: string
  readonly schema: Schema
  readonly isRange: boolean
}

export function kindsOf({ members, list }: Resource): FilterKind[] {
  const schemaOf = (name: string) => members.find((member) => member.name === name)?.schema ?? {}
  return [
    ...[...list.exact, ...list.any].map((name) => ({ name, schema: schemaOf(name), isRange: false })),
    ...list.range.map((name) => ({ name, schema: schemaOf(name), isRange: true })),
  ]
}
