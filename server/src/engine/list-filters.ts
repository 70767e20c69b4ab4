// The SQL conditions of a list request: exact values, any of several, literal search, a resource's own filters, ranges of time.

import { canonicalDateTime } from '../core/date-time.ts'
import { NAME_CHARACTERS, SEARCHED_CHARACTERS } from '../core/limits.ts'
import type { Field } from './field.ts'
import { timesOf } from './list-parameters.ts'
import { capitalised, columnOf, type Resource, snakeCase } from './resource.ts'

type Parameters = Readonly<Record<string, any>>

/** Adds a value to a statement, and returns its placeholder. */
type Bind = (value: unknown) => string

/** The conditions over the row `stored`; $1 is the company. */
export function filterConditions(resource: Resource, parameters: Parameters, bind: Bind): string[] {
  const { list: abilities, remove, fields, isThere } = resource
  const conditions = ['stored.company_id = $1']
  if (remove === 'soft' && !parameters.includeDeleted) conditions.push('not stored.is_deleted')
  if (isThere) conditions.push(isThere)
  for (const member of abilities.exact) {
    if (parameters[member] === undefined) continue
    conditions.push(`stored.${snakeCase(member)} = ${bind(storedForm(fields[member], parameters[member]))}`)
  }
  for (const member of abilities.any)
    if (parameters[member] !== undefined)
      conditions.push(`stored.${snakeCase(member)} ?| ${bind(parameters[member].split(','))}::text[]`)
  for (const member of abilities.search) {
    const sought = soughtIn(parameters, member)
    if (sought !== undefined) conditions.push(searchCondition(fields[member], member, sought, bind))
  }
  for (const [parameter, { condition }] of Object.entries(resource.filters))
    if (parameters[parameter] !== undefined) conditions.push(condition(bind(parameters[parameter])))
  for (const member of [...timesOf(fields), ...abilities.range]) {
    const bounds: Record<string, string> = parameters[member] ?? {}
    for (const [bound, time] of Object.entries(bounds))
      conditions.push(`${columnOf(resource, member)} ${comparisons[bound]} ${bind(canonicalDateTime(time))}`)
    // An unset time is stored as an empty text, which would sort before every other. Only times of a record's own may be unset.
    if (Object.keys(bounds).length > 0 && abilities.range.includes(member) && member !== resource.moment)
      conditions.push(`stored.${snakeCase(member)} <> ''`)
  }
  return conditions
}

/** The condition of a literal search that ignores case. */
function searchCondition(field: Field | undefined, member: string, sought: string, bind: Bind): string {
  const pattern = bind(containing(sought))
  const matches = (text: string) =>
    `upper((${text}) collate "und-x-icu") like upper(${pattern}::text collate "und-x-icu")`
  const column = `stored.${snakeCase(member)}`
  const held = isShort(sought) ? shortCondition(column, sought, matches, bind) : matches(column)
  // The column holds the beginning of a long text; a text that may continue is searched whole.
  const isLong = Number(field?.schema.maxLength) > NAME_CHARACTERS
  const whole = `length(${column}) = ${SEARCHED_CHARACTERS} and ${matches(`stored.body ->> '${member}'`)}`
  return isLong ? `(${held} or (${whole}))` : held
}

/**
 * The condition of a search for one or two characters. Trigrams need three: with fewer, the whole index would be read, so the
 * expression is one without an index. Most texts are ASCII, whose few spellings are compared as bytes: ICU's upper case
 * takes five times as long, so it is left for the others.
 */
function shortCondition(column: string, sought: string, matches: (text: string) => string, bind: Bind): string {
  const folded = matches(`${column} || ''`)
  if (!/^[\0-\x7f]*$/.test(sought)) return folded
  const spellings = bind(spellingsOf(sought).map(containing))
  return `(${column} like any (${spellings}::text[]) or (octet_length(${column}) <> length(${column}) and ${folded}))`
}

/** Each spelling of a text in upper and lower case. */
const spellingsOf = (text: string): string[] =>
  [...text].reduce<string[]>(
    (spellings, letter) =>
      [...new Set([letter.toLowerCase(), letter.toUpperCase()])].flatMap((each) =>
        spellings.map((before) => before + each),
      ),
    [''],
  )

/** What a request searches for in a member, if anything. */
const soughtIn = (parameters: Parameters, member: string): string | undefined =>
  parameters[`searchBy${capitalised(member)}`]

/** Whether no index can answer a search, so that it reads every record of the company: each company runs one at a time. */
export const hasShortSearch = ({ list }: Resource, parameters: Parameters): boolean =>
  list.search.some((member) => isShort(soughtIn(parameters, member)))

const isShort = (sought: string | undefined): boolean => sought !== undefined && [...sought].length < 3

/** A filter's value in its stored form, so that a currency matches in any case. */
function storedForm(field: Field | undefined, value: string): string {
  const canonical = field?.canonical?.(value)
  // The canonical form of an id may be an object; the column holds its id.
  return typeof canonical === 'string' ? canonical : value
}

/** The LIKE pattern for texts that contain a text, taken literally. */
export const containing = (sought: string): string => `%${sought.replaceAll(/[\\%_]/g, '\\$&')}%`

/** SQL's operators for the bounds of a range. */
export const comparisons: Record<string, string> = { gte: '>=', lte: '<=', gt: '>', lt: '<' }
