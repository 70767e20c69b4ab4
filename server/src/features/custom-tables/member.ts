// What the records of custom tables have in common: members that say where they belong.

import { bodyError, invalid, Problem } from '../../core/problem.ts'
import type { Oid } from '../../engine/field.ts'
import type { Change } from '../../engine/record.ts'

/** 400 for one member of a body. */
export const refused = (member: string, message: string, code = 'reference'): Problem =>
  invalid([bodyError(`/${member}`, code, message)])

/** The id in a member of a checked body; '' when the body is wrong, which the engine says. */
export const oidOf = (change: Change | Problem, member: string): string =>
  change instanceof Problem ? '' : (change.set[member] as Oid).$oid
