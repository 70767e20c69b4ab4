// Which events a reader of the feed wants, from its query parameters.
import { canonicalDateTime, sqlTime } from '../../core/date-time.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { FEED_TYPES, PARAMETER_CHARACTERS, REFERENCE_CHARACTERS, VOCABULARY_CHARACTERS } from '../../core/limits.ts'
import { invalid, type MemberError } from '../../core/problem.ts'

/** What is left out where nothing is said: nothing. */
export interface EventFilters {
  /** Types, or how they begin where `*` stands at the end. */
  readonly types?: readonly string[]
  readonly resource?: string
  readonly recordId?: string
  /** Canonical. */
  readonly since?: string
}

const text = { type: 'string', minLength: 1 } as const

/** The parameters by name, `after` included: where in the feed to begin. */
export const filterParameters: Readonly<Record<string, JsonSchema>> = {
  after: {
    ...text,
    pattern: '^\\d{1,15}$',
    description: 'Only events behind this one: a `sequence`, or the `meta.nextCursor` of the page before.',
    examples: ['1042'],
  },
  type: {
    ...text,
    maxLength: PARAMETER_CHARACTERS,
    description:
      'Only these types, separated by commas; `*` at the end stands for anything: `customer.*,order.completed`.',
    examples: ['customer.*'],
  },
  resource: {
    ...text,
    maxLength: VOCABULARY_CHARACTERS,
    description: 'Only events of this resource, as in their member `resource`.',
    examples: ['customer'],
  },
  recordId: { ...text, maxLength: REFERENCE_CHARACTERS, description: 'Only events of the record with this id.' },
  since: { type: 'string', format: 'date-time', description: 'Only events made at this time or later.' },
}

const wrong = (pointer: string, code: string, message: string): MemberError => ({ in: 'query', pointer, code, message })

/** The filters of a request whose parameters were checked by their schemas. Throws 400 for a type that can be none. */
export function filtersOf({ type, resource, recordId, since }: Readonly<Record<string, any>>): EventFilters {
  const types = type === undefined ? undefined : typesOf(type)
  return {
    ...(types && !types.includes('*') && { types }),
    ...(resource !== undefined && { resource }),
    ...(recordId !== undefined && { recordId }),
    ...(since !== undefined && { since: canonicalDateTime(since) }),
  }
}

function typesOf(list: string): string[] {
  const types = list.split(',')
  if (types.length > FEED_TYPES)
    throw invalid([wrong('type', 'maxItems', `must not name more than ${FEED_TYPES} types`)])
  for (const type of types) {
    const star = type.indexOf('*')
    if (type === '' || (star !== -1 && star < type.length - 1))
      throw invalid([wrong('type', 'type', 'must be types separated by commas; * may stand at the end of one')])
    // Every type has a point: this one would wait for ever.
    if (star === -1 && !type.includes('.'))
      throw invalid([wrong('type', 'type', `names no type: did you mean ${type}.*, or ${type}.created?`)])
  }
  return types
}

/** The conditions in SQL, each with its value bound by `bind`: of the filters that an index knows, and of those for which events are read. */
export function conditionsOf(
  { types, resource, recordId, since }: EventFilters,
  bind: (value: unknown) => string,
): { range: string; rest: string | undefined } {
  const range = since === undefined ? '' : ` and created_at >= ${bind(sqlTime(since))}::timestamptz`
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
  if (recordId !== undefined) rest.push(`record_id = ${bind(recordId)}`)
  return { range, rest: rest.length === 0 ? undefined : rest.join(' and ') }
}

const patternOf = (type: string): string => `${type.slice(0, -1).replaceAll(/[\\%_]/g, '\\$&')}%`
