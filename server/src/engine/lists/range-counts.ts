// Counts the records of a range of time by those outside of it, if these are few: the number of records of any time is
// remembered.

import { canonicalDateTime } from '../../core/date-time.ts'
import { columnOf, type Resource } from '../resource.ts'
import type { Counted } from './event-changes.ts'
import { comparisons, conditionsOfEach, filterConditions, filteredMembers, whereOf } from './list-filters.ts'
import type { ListParameters } from './list-parameters.ts'

/**
 * A range of one time beside filters whose count can be remembered, as the records that match these filters but are
 * outside of the range.
 */
export interface Outside {
  /** What the list would count without the range. */
  readonly all: Counted
  /** A condition for the records before the range, and one for those after it. No record meets both. */
  readonly conditions: readonly string[]
  /** The values of the filters and of the conditions. */
  readonly values: readonly unknown[]
}

const opposite: Readonly<Record<string, string>> = { gte: 'lt', gt: 'lte', lte: 'gt', lt: 'gte' }

/** What a list leaves out, if it filters by a range of one time that every record has, and else by what can be remembered. */
export function outsideOf(resource: Resource, companyId: string, parameters: ListParameters): Outside | undefined {
  const times = ['createdAt', 'updatedAt', resource.moment].filter((time) => time && parameters[time] !== undefined)
  const [member, another] = times as string[]
  if (member === undefined || another !== undefined) return undefined
  const { [member]: range, ...others } = parameters
  const members = filteredMembers(resource, others)
  if (members === undefined) return undefined
  const bounds = Object.entries(range as Record<string, string>).map(([bound, time]) => [
    bound,
    canonicalDateTime(time),
  ]) as [string, string][]
  const [lower, upper] = ['g', 'l'].map((side) => bounds.filter(([bound]) => bound.startsWith(side)))
  if (bounds.length === 0 || (lower?.length ?? 0) > 1 || (upper?.length ?? 0) > 1) return undefined
  // Every record is before or after an empty range, and may be both.
  if (lower?.[0] && upper?.[0] && lower[0][1] >= upper[0][1]) return undefined
  const values: unknown[] = [companyId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const filters = filterConditions(resource, others, bind)
  const filterValues = [...values]
  return {
    all: {
      companyId,
      where: whereOf(filters),
      filterValues,
      ofEach: conditionsOfEach(resource, others, filters),
      includesDeleted: parameters.includeDeleted === true,
      members,
    },
    conditions: bounds.map(
      ([bound, time]) => `${columnOf(resource, member)} ${comparisons[opposite[bound] as string]} ${bind(time)}`,
    ),
    values,
  }
}
