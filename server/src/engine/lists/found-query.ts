// The SQL of a list that finds all its matches first, in an index that need not have the order of the list: of a search, and of records that a walk in the order of the list would meet last.

import { canonicalDateTime } from '../../core/date-time.ts'
import type { Statement } from '../../database/connect.ts'
import { textColumns } from '../projection.ts'
import type { Resource } from '../resource.ts'
import { filterConditions, hasIndexedSearches, whereOf } from './list-filters.ts'
import type { ListParameters } from './list-parameters.ts'
import { conditionsFrom, endOf, type ListQuery, pageWithIds } from './list-query.ts'
import type { SearchFacts } from './search-facts.ts'

/**
 * Matches of a short search up to which they are found first and then sorted. If there are more, a walk in the order of
 * the list finds enough early.
 */
const FEW_MATCHES = 5_000
/**
 * The same for records that a walk in the order of creation may meet last (`mayComeLast`), if most rows are the
 * company's. Up to this part of the rows, finding and sorting them costs less than a walk past all others.
 */
const FEW_LATE = 20_000
const LATE_PART = 0.25
/**
 * A small part of a company's records. Up to it, matches are counted by the search index, which takes PostgreSQL 6 µs
 * for each match; reading the member of all records takes 0.8 µs for each record.
 */
const SMALL_PART = 0.05

/** A list as SQL that finds all matches first, in an index that need not have the order of the list. */
export interface FoundQuery {
  /** The filters alone. */
  readonly where: string
  readonly filterValues: readonly unknown[]
  /** Counts the matches, but stops where there are more than `most`. */
  readonly matches: Statement
  readonly most: number
  /** The matches up to which the page is made from them. */
  readonly few: number
  readonly page: Statement
  readonly pageValues: readonly unknown[]
}

/**
 * Whether a list in the order of creation may meet its matches last: from the oldest record those that changed or
 * happened since a time, which mostly were created last; from the newest those before a time that is over.
 */
export function mayComeLast(
  { moment = 'updatedAt' }: Resource,
  { sortBy, sortOrder, position }: ListQuery,
  parameters: ListParameters,
): boolean {
  const now = new Date().toISOString()
  const isBounded = ({ gte, gt, lte, lt }: Readonly<Record<string, string>>) =>
    sortOrder === 'asc'
      ? gte !== undefined || gt !== undefined
      : [lte, lt].some((time) => time !== undefined && canonicalDateTime(time) < now)
  return (
    sortBy === 'createdAt' &&
    position === undefined &&
    ['updatedAt', moment].some((member) => isBounded(parameters[member] ?? {}))
  )
}

/** Makes the statements of a list that finds all matches first. */
export function foundQuery(
  resource: Resource,
  companyId: string,
  parameters: ListParameters,
  query: ListQuery,
  facts: SearchFacts,
  wantsCount: boolean,
): FoundQuery {
  const { table, projection } = resource
  const values: unknown[] = [companyId]
  const bind = (value: unknown) => `$${values.push(value)}`
  const best = { ...facts, holdsMost: facts.holdsMost && hasIndexedSearches(resource, parameters, facts) }
  const part = facts.holdsMost ? facts.rows * SMALL_PART : 0
  const isLate = facts.holdsMost && mayComeLast(resource, query, parameters)
  const few = isLate ? Math.min(FEW_LATE, facts.rows * LATE_PART) : FEW_MATCHES
  const most = wantsCount && best.holdsMost ? Math.max(few, part) : few
  const where = whereOf(filterConditions(resource, parameters, bind, best))
  const filterValues = [...values]
  const own = conditionsFrom(resource, ['stored.company_id = found.company_id', 'stored.id = found.id'], query, bind)
  const { order, bounds } = endOf(resource, query, bind)
  const matches = (limit: number) => `from ${table} as stored where ${where} limit ${Math.ceil(limit)}`
  return {
    where,
    filterValues,
    pageValues: values,
    most,
    few,
    matches: { text: `select count(*) from (select ${matches(most + 1)}) as found` },
    page: {
      text: isLate
        ? // Their rows are in memory already, so that the order is read with them. Then only the rows of the page are read again.
          `with found as materialized (select stored.company_id, stored.id, stored.created_at ${matches(2 * few)}), ${pageWithIds(resource, `from found as stored ${bounds}`, order)}`
        : // An index has the ids, but not the order.
          `with found as materialized (select stored.company_id, stored.id ${matches(2 * few)})
        select ${textColumns(projection)} from found join ${table} as stored on ${own} ${bounds}`,
    },
  }
}
