// The place of a custom table's record is set once: an update may repeat it, but not change it.

import { bodyError, invalid, type Problem } from '../../core/problem.ts'
import type { Oid } from '../../engine/field.ts'

type Ids<M extends string> = { readonly [member in M]?: Oid }

/** A 400 that names the members an update would change; undefined if there are none. */
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
