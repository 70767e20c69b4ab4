// Lists within bounds of the time by which they are sorted, such as today's orders of an outlet or all that has changed
// since yesterday: their statement has one text, so that PostgreSQL keeps its plan.

import { canonicalDateTime } from '../../core/date-time.ts'
import { columnOf, type Resource } from '../resource.ts'
import type { ListPosition } from './list-cursor.ts'
import { filterConditions, filteredMembers, unseen, valuesOf, walkedMember } from './list-filters.ts'
import { type ListParameters, timesOf } from './list-parameters.ts'

/** The part of an index that a list walks. */
interface TimeRange {
  /** The exact member by which the list is also filtered, if any. */
  readonly member: string | undefined
  /** The first and the last time, both included. Stored times are texts of one form, which sort as times do. */
  readonly from: string
  readonly to: string
}

/** What the statement of a page depends on besides its range. */
interface RangeRequest {
  readonly sortBy: string
  readonly sortOrder: 'asc' | 'desc'
  readonly position: ListPosition | undefined
  readonly filters: ListParameters
}

/** Before and after all texts of stored times and ids. */
const least = ''
const greatest = '~'

/**
 * The range of a list that is filtered only by bounds of the time by which it is sorted, or also by an exact member
 * whose index has the order of creation for each value.
 */
export function timeRangeOf(resource: Resource, parameters: ListParameters): TimeRange | undefined {
  const { sortBy = 'createdAt' } = parameters
  const { [sortBy]: bounds = {}, ...others } = parameters
  if (!timesOf(resource.fields).includes(sortBy) || Object.keys(bounds).length === 0) return undefined
  const member = walkedMember(resource, others)
  if (member === undefined && filteredMembers(resource, others)?.length !== 0) return undefined
  const { gte, gt, lte, lt } = bounds
  // A time and one more character come right after the time; a time without its last character, right before it.
  const lower = [gte && canonicalDateTime(gte), gt && `${canonicalDateTime(gt)} `]
  const upper = [lte && canonicalDateTime(lte), lt && canonicalDateTime(lt).slice(0, -1)]
  return { member, from: sorted(lower).at(-1) ?? least, to: sorted(upper)[0] ?? greatest }
}

const sorted = (texts: readonly (string | undefined)[]): string[] => texts.filter((text) => text !== undefined).sort()

/**
 * The conditions of such a list, from its cursor on. They begin at the first entry of the index and end at the last
 * one: no value, and no statistics, could make another plan better.
 */
export function timeRangeConditions(
  resource: Resource,
  { member, from, to }: TimeRange,
  { sortBy, sortOrder, position, filters }: RangeRequest,
  bind: (value: unknown) => string,
): string[] {
  const { includeDeleted } = filters
  const bound = (value: string) => unseen(bind(value))
  const isUp = sortOrder === 'asc'
  const [first, last] = isUp ? [from, to] : [to, from]
  const [beyond, upTo] = isUp ? ['>', '<='] : ['<', '>=']
  const isInside = position !== undefined && (isUp ? position.value >= first : position.value <= first)
  const start = isInside ? position : { value: first, id: isUp ? least : greatest }
  const time = columnOf(resource, sortBy)
  const own = member === undefined ? [] : [columnOf(resource, member)]
  const value = own.map(() => bound(valuesOf(resource, filters, member as string)[0] as string))
  const row = (...parts: readonly string[]) => `(${parts.join(', ')})`
  return [
    ...filterConditions(resource, { includeDeleted }, bind).map(({ sql }) => sql),
    `${row(...own, time, 'stored.id')} ${beyond} ${row(...value, bound(start.value), bound(start.id))}`,
    `${row(...own, time)} ${upTo} ${row(...value, bound(last))}`,
  ]
}
