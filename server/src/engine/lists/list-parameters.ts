// The parameters of lists, by the list abilities of a resource.

import type { JsonSchema } from '../../core/json-schema.ts'
import { PAGE_DEFAULT, PAGE_MAXIMUM, PARAMETER_CHARACTERS, SKIP_MAXIMUM } from '../../core/limits.ts'
import type { Fields } from '../field.ts'
import { capitalised, type Resource } from '../resource.ts'

/** The parameters of a list request by name, as the schemas below allow them. */
export type ListParameters = Readonly<Record<string, any>>

const text: JsonSchema = { type: 'string', minLength: 1, maxLength: PARAMETER_CHARACTERS }
const paging = {
  skip: { type: 'integer', minimum: 0, maximum: SKIP_MAXIMUM, default: 0, description: 'Records to skip.' },
  limit: {
    type: 'integer',
    minimum: 0,
    maximum: PAGE_MAXIMUM,
    default: PAGE_DEFAULT,
    description: 'Maximum number of records to return; 0 means the default.',
  },
}
const includeDeleted = { type: 'boolean', default: false, description: 'Also return soft-deleted records.' }
const range: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    Object.entries({
      gte: 'At this time or later.',
      lte: 'At this time or earlier.',
      gt: 'Later than this time.',
      lt: 'Earlier than this time.',
    }).map(([bound, description]) => [bound, { type: 'string', format: 'date-time', description }]),
  ),
  additionalProperties: false,
}

/** Ids, or values of a member, in one request: as many as a page has by default. More would not fit into the request line that proxies accept. */
export const LISTED_IDS = 100

/** A member with a few fixed words accepts no other word in a filter, which could match nothing. */
function exactly({ list, fields }: Resource, member: string): JsonSchema {
  const words = fields[member]?.schema.enum
  // A value may contain commas, so several are repeated.
  if (list.selective.includes(member))
    return {
      type: 'array',
      items: text,
      maxItems: LISTED_IDS,
      description: `Matches \`${member}\` exactly. Repeat the parameter for up to ${LISTED_IDS} values.`,
    }
  if (list.separated.includes(member))
    return {
      ...text,
      description: `Exactly this \`${member}\`, or any of several, separated by commas.`,
      'x-separated': true,
    }
  return {
    ...(words === undefined ? text : { type: 'string', enum: words }),
    description: `Exactly this \`${member}\`.`,
    ...(list.needs.includes(member) && { 'x-required': true, examples: fields[member]?.schema.examples }),
  }
}

/** Words of a search in all members: a name, a town and a number, and as many again. */
export const SEARCH_WORDS = 8

/** The parameter that searches in all searchable members; none if there are none. */
function searchParameter(members: readonly string[]): Record<string, JsonSchema> {
  if (members.length === 0) return {}
  const names = members.map((member) => `\`${member}\``).join(', ')
  const description =
    members.length === 1
      ? `Words that ${names} contains, in any order, ignoring case. At most ${SEARCH_WORDS} different words.`
      : `Words, each contained in one of ${names}, in any order, ignoring case. At most ${SEARCH_WORDS} different words.`
  return { search: { ...text, pattern: '\\S', description } }
}

/** Parameters of a Style A list, by name. */
export const plainParameters = (resource: Resource): Record<string, JsonSchema> => ({
  ...paging,
  // A resource with a Style B list is filtered there.
  ...(resource.styleB === null &&
    Object.fromEntries(resource.list.exact.map((member) => [member, exactly(resource, member)]))),
  total: {
    type: 'boolean',
    default: false,
    description: 'Also return the number of all records, in the header X-Total-Count.',
  },
  ...(resource.remove === 'soft' && { includeDeleted }),
})

/** Whether a Style B page counts the records: always, except with a cursor (decisions §3). */
export const countParameter: JsonSchema = {
  type: 'boolean',
  default: false,
  description:
    'With `cursor`, whether `meta.count` is the number of all matching records. Without `cursor` it always is.',
}

/** Parameters of a Style B list, by name. */
export function richParameters(resource: Resource): Record<string, JsonSchema> {
  const { list, filters, remove, fields, moment } = resource
  const each = (members: readonly string[], parameter: (member: string) => [string, JsonSchema]) =>
    Object.fromEntries(members.map(parameter))
  return {
    ...paging,
    cursor: { ...text, description: 'The `meta.nextCursor` of a page: returns the page after it. Replaces `skip`.' },
    count: countParameter,
    sortBy: {
      type: 'string',
      enum: [...timesOf(fields), ...list.sort],
      default: 'createdAt',
      description: 'The member to sort by; records with equal values are sorted by id.',
    },
    sortOrder: {
      type: 'string',
      enum: ['asc', 'desc'],
      default: 'asc',
      description: 'Ascending (the lowest or oldest first) or descending.',
    },
    id: {
      ...text,
      description: `Only the records with these ids, separated by commas: at most ${LISTED_IDS}. Unknown ids are left out. An empty value is refused.`,
      'x-separated': true,
    },
    ...searchParameter(list.search),
    ...each(list.search, (member) => [
      `searchBy${capitalised(member)}`,
      { ...text, description: `Part of \`${member}\`, ignoring case.` },
    ]),
    ...each([...timesOf(fields), ...list.range], (member) => [
      member,
      {
        ...range,
        description: `Bounds of \`${member}\`${member === moment ? ', or of `createdAt` where it is absent' : ''}, as in \`${member}[gte]=2026-11-21\`.`,
      },
    ]),
    ...each(list.exact, (member) => [member, exactly(resource, member)]),
    ...each(list.any, (member) => [
      member,
      { ...text, description: `Any of these \`${member}\`, separated by commas.`, 'x-separated': true },
    ]),
    ...Object.fromEntries(Object.entries(filters).map(([parameter, { schema }]) => [parameter, schema])),
    ...(remove === 'soft' && { includeDeleted }),
  }
}

/** The times that every record of a resource has. */
export const timesOf = ({ updatedAt }: Fields) => (updatedAt ? ['createdAt', 'updatedAt'] : ['createdAt'])
