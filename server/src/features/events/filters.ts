// The events that a reader of the feed asks for, from its query parameters.
import { canonicalDateTime, sqlTime } from '../../core/date-time.ts'
import { type JsonSchema, placePattern, time } from '../../core/json-schema.ts'
import { PARAMETER_CHARACTERS, REFERENCE_CHARACTERS, VOCABULARY_CHARACTERS } from '../../core/limits.ts'
import { invalid, type MemberError, resourceDenied } from '../../core/problem.ts'
import type { Scope } from '../../core/scope.ts'
import { resourceCalled } from '../../resources/index.ts'
import { eventResources, meantType } from './meant-type.ts'

/** Types and patterns of one filter: each is compared with each scanned event. */
const FEED_TYPES = 50
/** Records of one filter: a product with its variants. Each is a place in the index of events by record. */
const FEED_RECORDS = 100

/** The default: nothing is left out. */
export interface EventFilters {
  /** Types, or prefixes of types if they end with `*`. */
  readonly types?: readonly string[]
  readonly resource?: string
  /** The resources that the key is limited to. */
  readonly resources?: readonly string[]
  readonly recordIds?: readonly string[]
  /** Canonical. */
  readonly since?: string
}

const text = { type: 'string', minLength: 1 } as const

/** The parameters by name, including `after`, the position in the feed to begin at. */
export const filterParameters: Readonly<Record<string, JsonSchema>> = {
  after: {
    ...text,
    pattern: placePattern,
    description:
      'Only events after this one: a `sequence`, or the `meta.nextCursor` of the previous page. With `latest`, only events from now on: the cursor of the response is where a reader begins that needs no earlier ones. The response is 400 if later events are no longer kept, or were lost in a restore of the database.',
    examples: ['1042'],
  },
  type: {
    ...text,
    maxLength: PARAMETER_CHARACTERS,
    description:
      'Only these types, separated by commas; `*` at the end matches anything: `customer.*,order.completed`.',
    examples: ['customer.*'],
    'x-separated': true,
  },
  resource: {
    ...text,
    maxLength: VOCABULARY_CHARACTERS,
    description:
      'Only events of this resource, as in their member `resource`; for several, use `type`. An event must match all filters.',
    examples: ['customer'],
  },
  recordId: {
    ...text,
    maxLength: PARAMETER_CHARACTERS,
    description:
      'Only events whose `recordId` is this id, or one of several, separated by commas: at most 100, such as a product and its variants. With `type`, only their events of these types. Events of `inventory.stock_changed` have the id of the inventory record; your own events have no `recordId`.',
    examples: ['6740a1f2c3d4e5f6a7b8c9d3'],
    'x-separated': true,
  },
  since: time('Only events at this time or later.'),
}

const wrong = (pointer: string, code: string, message: string): MemberError => ({ in: 'query', pointer, code, message })

/**
 * The filters of a request whose parameters passed their schemas. Throws 400 for an impossible type or resource, and 403 for
 * a resource that the key has no access to. A key that is limited to resources gets their events, and the company's own.
 */
export function filtersOf(
  { resources }: Pick<Scope, 'resources'>,
  { type, resource, recordId, since }: Readonly<Record<string, any>>,
): EventFilters {
  const types = type === undefined ? undefined : typesOf(type)
  const one = resource === undefined ? undefined : nameOfResource(resource)
  if (resources !== undefined) requireResources(resources, [...(types ?? []).map(resourceOfType), one])
  return {
    ...(resources && { resources: [...resources, 'custom'] }),
    ...(types && !types.includes('*') && { types }),
    ...(one !== undefined && { resource: one }),
    ...(recordId !== undefined && { recordIds: idsOf(recordId) }),
    ...(since !== undefined && { since: canonicalDateTime(since) }),
  }
}

/** The resource whose events a type names; undefined for a pattern that may match several. */
const resourceOfType = (type: string): string | undefined => /^([^*]+?)\./.exec(type)?.[1]

/** Throws 403 if a filter names a resource that the key has no access to: its reader would wait forever. */
function requireResources(resources: ReadonlySet<string>, named: readonly (string | undefined)[]): void {
  const lacking = named.find((name) => name !== undefined && name !== 'custom' && !resources.has(name))
  if (lacking !== undefined) throw resourceDenied(resources, lacking)
}

/** The names in a list, without blanks beside the commas: no id or type has one. */
const namesIn = (list: string): string[] => list.split(',').map((name) => name.trim())

function idsOf(list: string): string[] {
  const ids = namesIn(list)
  if (ids.length > FEED_RECORDS)
    throw invalid([wrong('recordId', 'maxItems', `must not name more than ${FEED_RECORDS} records`)])
  if (ids.some((id) => id === '' || id.length > REFERENCE_CHARACTERS))
    throw invalid([wrong('recordId', 'recordId', 'must be ids separated by commas, without an empty one')])
  return ids
}

/** The name of one resource. A list, or another name of a resource, matches nothing: a reader would wait forever. */
function nameOfResource(name: string): string {
  if (name.includes(','))
    throw invalid([wrong('resource', 'resource', 'must be one resource; for several, use type: customer.*,product.*')])
  const meant = resourceCalled(name, eventResources)?.name.one
  if (meant !== undefined && meant !== name)
    throw invalid([wrong('resource', 'resource', `is not the name of a resource in events; did you mean ${meant}?`)])
  return name
}

function typesOf(list: string): string[] {
  const types = namesIn(list)
  if (types.length > FEED_TYPES)
    throw invalid([wrong('type', 'maxItems', `must not name more than ${FEED_TYPES} types`)])
  for (const type of types) {
    const star = type.indexOf('*')
    if (type === '' || (star !== -1 && star < type.length - 1))
      throw invalid([wrong('type', 'type', 'must be types separated by commas; each may end with *')])
    // Such a filter would wait forever: every event type contains a point.
    const isNone = star === -1 && !type.includes('.')
    const meant = meantType(type)
    const hint = meant === undefined ? 'types look like customer.created or customer.*' : `did you mean ${meant}?`
    if (isNone || meant !== undefined) throw invalid([wrong('type', 'type', `is not an event type; ${hint}`)])
  }
  return types
}

/**
 * The conditions in SQL, with values bound by `bind`: the records as an array, the condition that bounds what is scanned,
 * and those checked on each event that is read.
 */
export function conditionsOf(
  { types, resource, resources, recordIds, since }: EventFilters,
  bind: (value: unknown) => string,
): { records: string | undefined; since: string | undefined; range: string; rest: string | undefined } {
  const records = recordIds === undefined ? undefined : `${bind([...new Set(recordIds)])}::text[]`
  const time = since && `${bind(sqlTime(since))}::timestamptz`
  const range = time === undefined ? '' : ` and created_at >= ${time}`
  const rest: string[] = []
  if (types !== undefined) {
    const exact = types.filter((type) => !type.endsWith('*'))
    const patterns = types.filter((type) => type.endsWith('*')).map(patternOf)
    const either = [
      ...(exact.length > 0 ? [`type = any(${bind(exact)}::text[])`] : []),
      ...(patterns.length > 0 ? [`type like any(${bind(patterns)}::text[])`] : []),
    ]
    rest.push(`(${either.join(' or ')})`)
  }
  if (resource !== undefined) rest.push(`resource = ${bind(resource)}`)
  if (resources !== undefined) rest.push(`resource = any(${bind(resources)}::text[])`)
  return { records, since: time, range, rest: rest.length === 0 ? undefined : rest.join(' and ') }
}

const patternOf = (type: string): string => `${type.slice(0, -1).replaceAll(/[\\%_]/g, '\\$&')}%`
