// The filters shared by an organization's own list of extensions and the public one.

import type { JsonSchema } from '../../core/json-schema.ts'
import {
  PAGE_DEFAULT,
  PAGE_MAXIMUM,
  PARAMETER_CHARACTERS,
  SEARCHED_CHARACTERS,
  SKIP_MAXIMUM,
} from '../../core/limits.ts'
import { type Bind, containing } from '../../engine/lists/search-conditions.ts'

export const textParameter: JsonSchema = { type: 'string', minLength: 1, maxLength: PARAMETER_CHARACTERS }

/** Parameters of both lists, by name. */
export const sharedParameters: Record<string, JsonSchema> = {
  skip: { type: 'integer', minimum: 0, maximum: SKIP_MAXIMUM, default: 0, description: 'Extensions to skip.' },
  limit: { type: 'integer', minimum: 0, maximum: PAGE_MAXIMUM },
  category: { ...textParameter, description: 'Exactly this `category`.' },
  search: {
    ...textParameter,
    description: 'Part of the name or of one of the descriptions, case-insensitive, taken literally.',
  },
}

/** `limit` of a list that always has pages. */
export const pageLimit: JsonSchema = {
  ...sharedParameters.limit,
  default: PAGE_DEFAULT,
  description: 'Maximum number of extensions; 0 means the default.',
}

/** Conditions on the row `stored`. */
export function extensionFilters({ category, search }: Readonly<Record<string, any>>, bind: Bind): string[] {
  return [
    ...(category === undefined ? [] : [`stored.category = ${bind(category)}`]),
    ...(search === undefined ? [] : [matching(search, bind)]),
  ]
}

const searched = ['name', 'short_description', 'description']

/** The columns hold only the beginning of long texts; the few rows with long texts are searched whole. */
function matching(sought: string, bind: Bind): string {
  const pattern = `upper(${bind(containing(sought))}::text collate "und-x-icu")`
  const matches = (text: string) => `upper((${text}) collate "und-x-icu") like ${pattern}`
  // Trigrams need three characters; with fewer, the whole index would be read, so the expression is one that it does
  // not match.
  const ending = [...sought].length < 3 ? ` || ''` : ''
  const held = searched.map((column) => matches(`stored.${column}${ending}`))
  const isLong = (column: string) => `length(stored.${column}) = ${SEARCHED_CHARACTERS}`
  const whole = ['shortDescription', 'description'].map((member) => matches(`stored.body ->> '${member}'`))
  const long = `(${isLong('short_description')} or ${isLong('description')}) and (${whole.join(' or ')})`
  return `(${held.join(' or ')} or (${long}))`
}
