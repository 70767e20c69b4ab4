// The possible filters of a list, and the active ones.
import type { Resource, Schema } from '../../api/resources.ts'

/** Values by query parameter of the list. */
export type FilterValues = Readonly<Record<string, string>>

/** What filters need to know of a resource. */
export type Filtered = Pick<Resource, 'members' | 'list'>

/** The member of a filter's parameter: `createdAt[gte]` → `createdAt`. */
export const memberOf = (parameter: string): string => parameter.replace(/\[.*/, '')

export interface FilterKind {
  /** The member. */
  readonly name: string
  readonly schema: Schema
  readonly isRange: boolean
}

/** Filters that are no members of the records. Orders are found by a payment status for which something is due. */
const furtherSchemas: Readonly<Record<string, Schema>> = {
  paymentStatus: { type: 'string', enum: ['unpaid', 'partially-paid'] },
  processorTransactionId: { type: 'string' },
}

/** All filters of a list: its own times first, which most lists are filtered by. */
export function kindsOf({ members, list }: Filtered): FilterKind[] {
  const schemaOf = (name: string) => members.find((member) => member.name === name)?.schema ?? {}
  const kinds = (names: readonly string[], isRange: boolean) =>
    names.map((name) => ({ name, schema: schemaOf(name), isRange }))
  const isOwn = (name: string) => name !== 'createdAt' && name !== 'updatedAt'
  return [
    ...kinds(list.range.filter(isOwn), true),
    ...kinds([...list.exact, ...list.any], false),
    ...list.further.flatMap((name) => {
      const schema = furtherSchemas[name]
      return schema ? [{ name, schema, isRange: false }] : []
    }),
    ...kinds(
      list.range.filter((name) => !isOwn(name)),
      true,
    ),
  ]
}
