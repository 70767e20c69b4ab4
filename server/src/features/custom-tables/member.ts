// What the records of custom tables share: members that say where they belong.

import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { Oid } from '../../engine/field.ts'
import type { Change } from '../../engine/record.ts'

/** A 400 for one member of a body. */
export const refused = (member: string, message: string, code = 'reference'): Problem =>
  invalid([bodyError(`/${member}`, code, message)])

/** The id in a member of a checked body; '' if the body is wrong, which the engine reports. */
export const oidOf = (change: Change | Problem, member: string): string =>
  change instanceof Problem ? '' : (change.set[member] as Oid).$oid
