// Counts the records of a range of time by those outside of it, where they are few: the number of all is remembered.

import { canonicalDateTime } from '../core/date-time.ts'
import type { Counted } from './event-changes.ts'
import { comparisons, filterConditions, filteredMembers } from './list-filters.ts'
import { columnOf, type Resource } from './resource.ts'

type Parameters = Readonly<Record<string, any>>

/** A range of one time, and nothing else, as what it leaves out of all records. */
export interface Outside {
  readonly all: Counted
  /** A condition for the records before the range, and one for those after it. No record meets both. */
  readonly conditions: readonly string[]
  /** The company and the bounds. */
  readonly values: readonly unknown[]
}

const opposite: Readonly<Record<string, string>> = { gte: 'lt', gt: 'lte', lte: 'gt', lt: 'gte' }

/** What a list leaves out, if it filters by a range of `createdAt` or `updatedAt` alone. */
export function outsideOf(resource: Resource, companyId: string, parameters: Parameters): Outside | undefined {
  const { createdAt, updatedAt, ...others } = parameters
  const [member, range] = createdAt === undefined ? ['updatedAt', updatedAt] : ['createdAt', createdAt]
  if ((createdAt !== undefined && updatedAt !== undefined) || range === undefined) return undefined
  if (filteredMembers(resource, others)?.length !== 0) return undefined
  const bounds = Object.entries(range as Record<string, string>).map(([bound, time]) => [
    bound,
    canonicalDateTime(time),
  ]) as [string, string][]
  const [lower, upper] = ['g', 'l'].map((side) => bounds.filter(([bound]) => bound.startsWith(side)))
  if (bounds.length === 0 || (lower?.length ?? 0) > 1 || (upper?.length ?? 0) > 1) return undefined
  // Everything is before or after an empty range, and may be both.
  if (lower?.[0] && upper?.[0] && lower[0][1] >= upper[0][1]) return undefined
  const where = filterConditions(resource, others, String).join(' and ')
  return {
    all: {
      companyId,
      where,
      filterValues: [companyId],
      includesDeleted: parameters.includeDeleted === true,
      members: [],
    },
    conditions: bounds.map(
      ([bound], n) => `${columnOf(resource, member)} ${comparisons[opposite[bound] as string]} $${n + 2}`,
    ),
    values: [companyId, ...bounds.map(([, time]) => time)],
  }
}
