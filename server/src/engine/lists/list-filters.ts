// The SQL conditions of a list request: exact values, any of several, literal search, a resource's own filters, ranges of time.

import { canonicalDateTime } from '../../core/date-time.ts'
import { invalid } from '../../core/problem.ts'
import type { Field } from '../field.ts'
import { capitalised, columnOf, type Resource, snakeCase } from '../resource.ts'
import { LISTED_IDS, type ListParameters, SEARCH_WORDS, timesOf } from './list-parameters.ts'
import { type Bind, isIndexed, isShort, searchCondition } from './search-conditions.ts'
import type { SearchFacts } from './search-facts.ts'

/** A condition of a list, and the exact member that it compares. */
export interface FilterCondition {
  readonly sql: string
  readonly exact?: string
  /** The placeholder of the values, if it is any of several words (`separated`). */
  readonly values?: string
  /** The SQL for a page, if it differs (`pageCondition`). */
  readonly page?: string
  /** Whether records of other resources decide it (`OwnFilter.reads`). */
  readonly looksUp?: boolean
}

/** All of some conditions. */
export const whereOf = (conditions: readonly FilterCondition[]): string =>
  conditions.map(({ sql }) => sql).join(' and ')

/**
 * The conditions over the row `stored`; $1 is the company. With `facts`, they are for a statement that finds all
 * matches of a search by the search index.
 */
export function filterConditions(
  resource: Resource,
  parameters: ListParameters,
  bind: Bind,
  facts?: SearchFacts,
): FilterCondition[] {
  const { list: abilities, remove, fields, existsCondition } = resource
  const conditions: FilterCondition[] = []
  const add = (sql: string, exact?: string) => conditions.push({ sql, ...(exact && { exact }) })
  add(facts?.holdsMost ? companyChecked : 'stored.company_id = $1')
  if (remove === 'soft' && !parameters.includeDeleted) add('not stored.is_deleted')
  if (existsCondition) add(existsCondition)
  if (parameters.id !== undefined) add(`stored.id = any(${bind(idsIn(parameters))}::text[])`)
  const walked = walkedMember(resource, parameters)
  for (const member of abilities.exact) {
    if (parameters[member] === undefined) continue
    const column = `stored.${snakeCase(member)}`
    const [one, ...others] = valuesOf(resource, parameters, member)
    if (others.length > 0) {
      const values = bind([one, ...others])
      const sql = `${column} = any(${values}::text[])`
      conditions.push({ sql, exact: member, ...(abilities.separated.includes(member) && { values }) })
      continue
    }
    const value = bind(one)
    for (const sql of member === walked ? Object.values(walkedRange(column, value)) : [`${column} = ${value}`])
      add(sql, member)
  }
  for (const member of abilities.any)
    if (parameters[member] !== undefined)
      add(`stored.${snakeCase(member)} ?| ${bind(storedForms(fields[member], itemsIn(parameters[member])))}::text[]`)
  for (const member of abilities.search) {
    const sought = soughtIn(parameters, member)
    if (sought === undefined) continue
    if (facts && isIndexed(sought, facts.lowersPlainly)) add(rowsRead)
    add(searchCondition(fields[member], member, sought, bind, facts?.lowersPlainly === true))
  }
  for (const word of wordsIn(parameters)) {
    if (facts && isIndexed(word, facts.lowersPlainly)) add(rowsRead)
    const inMembers = abilities.search.map((member) =>
      searchCondition(fields[member], member, word, bind, facts?.lowersPlainly === true),
    )
    add(`(${inMembers.join(' or ')})`)
  }
  for (const [parameter, { condition, pageCondition = condition, reads }] of Object.entries(resource.filters)) {
    if (parameters[parameter] === undefined) continue
    const value = bind(parameters[parameter])
    conditions.push({ sql: condition(value), page: pageCondition(value), looksUp: reads !== undefined })
  }
  for (const member of [...timesOf(fields), ...abilities.range]) {
    const bounds: Record<string, string> = parameters[member] ?? {}
    for (const [bound, time] of Object.entries(bounds))
      add(`${columnOf(resource, member)} ${comparisons[bound]} ${bind(canonicalDateTime(time))}`)
    // An unset time is stored as an empty text, which would sort before every other. Only times that the resource
    // itself declares may be unset.
    if (Object.keys(bounds).length > 0 && abilities.range.includes(member) && member !== resource.moment)
      add(`stored.${snakeCase(member)} <> ''`)
  }
  return conditions
}

/**
 * The condition on the company, in a form that uses no index. The search index would read its list of all rows of the
 * company, a page of it for each match. If most rows are the company's, that costs more than reading some rows of
 * others.
 */
export const companyChecked = '(stored.company_id = $1) is true'
/**
 * Keeps the planner from reading a whole index of the member to compare each text, which only the search index should
 * do: no such index has the version.
 */
export const rowsRead = 'stored.version > 0'

/** The ids of a list of some records. Throws 400 for too many. An id that no record has matches nothing. */
function idsIn({ id }: ListParameters): readonly string[] {
  const ids = itemsIn(id.trim())
  if (ids.length <= LISTED_IDS) return ids
  const message = `must not name more than ${LISTED_IDS} records`
  throw invalid([{ in: 'query', pointer: 'id', code: 'maxItems', message }])
}

/** The items of a text, separated by commas, without empty ones and without blanks beside a comma. */
function itemsIn(text: string): string[] {
  const items = text.split(',')
  const last = items.length - 1
  return items
    .map((item, n) => (n > 0 ? item.trimStart() : item))
    .map((item, n) => (n < last ? item.trimEnd() : item))
    .filter((item) => item !== '')
}

/** What a request searches for in a member, if anything. */
const soughtIn = (parameters: ListParameters, member: string): string | undefined =>
  parameters[`searchBy${capitalised(member)}`]

/** The words of a search in all members. Throws 400 for too many: each is looked up in each member. */
export function wordsIn({ search = '' }: ListParameters): readonly string[] {
  const words = [...new Set((search as string).split(/\s+/).filter((word) => word !== ''))]
  if (words.length <= SEARCH_WORDS) return words
  const message = `must have at most ${SEARCH_WORDS} different words`
  throw invalid([{ in: 'query', pointer: 'search', code: 'maxItems', message }])
}

/**
 * Whether a request searches for only one or two characters, which may read every record of the company: each company
 * runs one such search at a time.
 */
export function hasShortSearch({ list }: Resource, parameters: ListParameters): boolean {
  const sought = list.search.flatMap((member) => soughtIn(parameters, member) ?? [])
  const words = wordsIn(parameters)
  return sought.some(isShort) || (sought.length === 0 && words.length > 0 && words.every(isShort))
}

/** Whether a request filters only by searches, and the search index can answer all of them. */
export function hasIndexedSearches(
  { list }: Resource,
  parameters: ListParameters,
  { lowersPlainly }: Pick<SearchFacts, 'lowersPlainly'>,
): boolean {
  const sought = list.search.flatMap((member) => soughtIn(parameters, member) ?? [])
  const words = wordsIn(parameters)
  const filters = filterNames(parameters)
  const areSearches = filters.length > 0 && filters.length === sought.length + (words.length > 0 ? 1 : 0)
  return areSearches && [...sought, ...words].every((text) => isIndexed(text, lowersPlainly))
}

/**
 * The members on which a list's filters depend, if a record's events show which of its states match. Empty without
 * filters; undefined for filters that events cannot answer. An event does not have the former `updatedAt`.
 */
export function filteredMembers({ list }: Resource, parameters: ListParameters): readonly string[] | undefined {
  const names = filterNames(parameters)
  const isShown = (name: string) => name === 'createdAt' || list.exact.includes(name) || list.any.includes(name)
  return names.every(isShown) ? names : undefined
}

/**
 * The resources whose events may change the number of records that a list with its resource's own filters, or with searches
 * (`keepsSearchCounts`), counts; undefined for any other list, and for a filter that does not say which they are.
 */
export function countedResources(
  { name, filters, list, keepsSearchCounts }: Resource,
  parameters: ListParameters,
): readonly string[] | undefined {
  const own = Object.entries(filters).filter(([parameter]) => parameters[parameter] !== undefined)
  const isSearched =
    wordsIn(parameters).length > 0 || list.search.some((member) => soughtIn(parameters, member) !== undefined)
  if (own.length === 0 && !(isSearched && keepsSearchCounts)) return undefined
  if (own.some(([, { reads }]) => reads === undefined)) return undefined
  return [name.one, ...new Set(own.flatMap(([, { reads = [] }]) => reads))]
}

/**
 * The only filter of a list in the order of creation, if it is an exact member whose index has this order for each
 * value. Lists by selective members are look-ups. The member is compared as a range, and the list is ordered by it
 * first, which does not change the result. PostgreSQL therefore keeps one plan for all values, which walks this index
 * whatever the table's statistics say: for a range it expects few records, and no other index has the order.
 */
export function walkedMember(resource: Resource, parameters: ListParameters): string | undefined {
  const { sortBy = 'createdAt' } = parameters
  const [member, another] = filteredMembers(resource, parameters) ?? []
  const { exact, selective } = resource.list
  const isOnly = member !== undefined && another === undefined && exact.includes(member) && !selective.includes(member)
  return isOnly && sortBy === 'createdAt' && valuesOf(resource, parameters, member).length === 1 ? member : undefined
}

/**
 * The conditions of a list for each of its exact filters, without the other ones; undefined if it has fewer than two, or
 * another filter than those and `createdAt`. The index of such a filter has all other columns that the conditions use.
 */
export function conditionsOfEach(
  { list, existsCondition }: Resource,
  parameters: ListParameters,
  conditions: readonly FilterCondition[],
): readonly string[] | undefined {
  const names = filterNames(parameters)
  const exact = names.filter((name) => list.exact.includes(name))
  const isOther = (name: string) => name !== 'createdAt' && !list.exact.includes(name)
  if (existsCondition || exact.length < 2 || names.some((name) => isOther(name) || list.selective.includes(name)))
    return undefined
  return exact.map((member) => whereOf(conditions.filter(({ exact: compared = member }) => compared === member)))
}

/**
 * The range of a walked member: the bound at which a list begins in each order. Its filters have only this value, $2.
 */
export const walkedRange = (column: string, value = '$2') => ({
  asc: `${column} >= ${unseen(value)}`,
  desc: `${column} <= ${unseen(value)}`,
})

/**
 * A value that the planner does not see. If it saw that few records have the value, a plan made for it would look
 * cheaper than the plan for all values, and PostgreSQL would make such a plan each time.
 */
export const unseen = (value: string, type = 'text'): string => `(select ${value}::${type})`

/** Conditions with values that the planner sees, so that it estimates how many records have them. */
export const withSeenValues = (conditions: string): string => conditions.replaceAll(/\(select (\$\d+)::text\)/g, '$1')

/** Parameters that do not filter the records of a list, apart from deleted ones. */
const unfiltering = new Set([
  'skip',
  'limit',
  'cursor',
  'count',
  'etags',
  'sortBy',
  'sortOrder',
  'total',
  'includeDeleted',
])

/** The names of the parameters that filter the records of a list. */
export const filterNames = (parameters: ListParameters): string[] =>
  Object.keys(parameters).filter((name) => !unfiltering.has(name))

/** Whether a list has only the records of some ids, of several values that few records have each, or of a filter that few match. */
export const isSelective = ({ list, filters }: Resource, parameters: ListParameters): boolean =>
  parameters.id !== undefined ||
  list.selective.some((member) => [parameters[member]].flat().length > 1) ||
  Object.keys(filters).some((name) => filters[name]?.isSelective && parameters[name] !== undefined)

/**
 * The values of an exact filter in their stored form: one, or several of a selective or separated member. The whole text is one of them:
 * a value may contain a comma.
 */
export function valuesOf({ fields, list }: Resource, parameters: ListParameters, member: string): readonly string[] {
  const sent: readonly string[] = [parameters[member]].flat()
  const values = list.separated.includes(member) ? sent.flatMap((text) => [text, ...itemsIn(text)]) : sent
  return [...new Set(values.map((value) => storedForm(fields[member], value)))]
}

/** A filter's value in its stored form, so that a currency or a usual word matches in any case. */
function storedForm(field: Field | undefined, value: string): string {
  const canonical = field?.canonical?.(value)
  // The canonical form of an id may be an object; the column holds its id.
  return typeof canonical === 'string' ? canonical : value
}

/** Values of a filter of a list in their stored form. */
const storedForms = (field: Field | undefined, values: string[]): unknown => field?.canonical?.(values) ?? values

/** SQL's operators for the bounds of a range. */
export const comparisons: Record<string, string> = { gte: '>=', lte: '<=', gt: '>', lt: '<' }
