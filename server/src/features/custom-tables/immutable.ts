// Where a record of a custom table belongs is said once: sent again it may be the same, but no other.

import { bodyError, invalid, type Problem } from '../../core/problem.ts'
import type { Oid } from '../../engine/field.ts'

type Ids<M extends string> = { readonly [member in M]?: Oid }

/** 400 naming those members that an update would change; undefined when there are none. */
export function unchangeable<M extends string>(
  members: readonly M[],
  record: Ids<M>,
  before: Ids<M> | undefined,
): Problem | undefined {
  const changed = before ? members.filter((member) => record[member]?.$oid !== before[member]?.$oid) : []
  if (changed.length === 0) return undefined
  const message = 'cannot be changed'
  return invalid(changed.map((member) => bodyError(`/${member}`, 'immutable', message)))
}
