// The kinds of members that a record can have. Each defines its schema on the wire and how it is stored, so that a
// resource is a list of names.

import { canonicalDateTime } from '../core/date-time.ts'
import { anyCaseCurrency, decimalPattern, idPattern, type JsonSchema, shapeDescription } from '../core/json-schema.ts'
import {
  DESCRIPTION_CHARACTERS,
  NAME_CHARACTERS,
  REFERENCE_CHARACTERS,
  STRING_CHARACTERS,
  URL_CHARACTERS,
  VOCABULARY_CHARACTERS,
} from '../core/limits.ts'
import type { MemberError } from '../core/problem.ts'
import { canonicalWebUrl } from '../core/web-url.ts'

/** How a member is compared in lists: as text, number, set of texts, or point in time (canonical text, which sorts as time does). */
type Comparison = 'text' | 'number' | 'set' | 'time'

/** One member of a record. `T` is its type in code; `schema` its shape on the wire. */
export interface Field<T = unknown> {
  readonly schema: JsonSchema
  /** Its schema in a request, if that accepts more. */
  readonly sent?: JsonSchema
  readonly comparison: Comparison
  /** Converts a valid value to the one form in which it is stored and returned. */
  readonly canonical?: (value: T) => T
  /** Checks that the schema cannot express, or all checks if no schema is compiled; `at` is the value's pointer. */
  readonly check?: (value: unknown, at: string) => MemberError[]
  /** Whether `""` means unset, as `null` does, since the type has no empty value (decisions §2). */
  readonly emptyIsUnset?: boolean
  /** Removes nested members that are unset by `null` or `""`; returns the same value if there are none. */
  readonly withoutEmpty?: (value: unknown) => unknown
  /** Must be present on create. */
  readonly required?: boolean
  /** Set by the service; in a request body it is ignored (decisions §2). */
  readonly serverOwned?: boolean
  /** Set by the service, but not in every record. */
  readonly isAtTimes?: boolean
  /** Optional in a request, but in every record, since the resource derives it. */
  readonly isAlways?: boolean
  /** Grants access to something elsewhere: a response that holds it is stored for retries only in sealed form. */
  readonly secret?: boolean
}

/** The members of a resource by name. */
export type Fields = { readonly [member: string]: Field<any> }

/**
 * What the reference says about a member. `title` names a schema that several members share; the reference has it once,
 * under that name. `examples` are the usual values, at least two.
 */
export type Described = { description?: string; example?: unknown; examples?: readonly unknown[]; title?: string }

/** The examples of members that declare none. */
export const anId = '6740a1f2c3d4e5f6a7b8c9d0'
export const aTime = '2026-11-21T09:30:00.000Z'

function field<T>({ example, ...schema }: JsonSchema, comparison: Comparison = 'text'): Field<T> {
  return { schema: example === undefined ? schema : { ...schema, examples: [example] }, comparison }
}

/**
 * The same field, with a description of what it means here. A schema with a title also keeps its own description, which
 * the reference has once; each use of it has this one.
 */
export const described = <T>(of: Field<T>, description: string): Field<T> => {
  const here = (schema: JsonSchema): JsonSchema => ({
    ...schema,
    ...(schema.title !== undefined && { [shapeDescription]: schema[shapeDescription] ?? schema.description }),
    description,
  })
  return { ...of, schema: here(of.schema), ...(of.sent && { sent: here(of.sent) }) }
}

/** The same field, with `""` meaning unset. */
export const unsetWhenEmpty = <T>(of: Field<T>): Field<T> => ({ ...of, emptyIsUnset: true })

/** A field of a type that has no empty value. */
const valued = <T>(schema: JsonSchema, comparison: Comparison = 'text'): Field<T> =>
  unsetWhenEmpty(field(schema, comparison))

/** A string. `max` is in characters. Lists can search each, and filter and sort by those of at most `NAME_CHARACTERS`. */
export const text = ({ max = STRING_CHARACTERS, ...rest }: { max?: number } & Described = {}): Field<string> =>
  field({ type: 'string', maxLength: max, ...rest })

/** Whether a text may be so long that its column has only its beginning: enough to search it, but not to filter or sort. */
export const isLongText = (of: Field | undefined): boolean => Number(of?.schema.maxLength) > NAME_CHARACTERS

/** A name, number or code that people sort, filter and search by. */
export const name = (described: Described = {}): Field<string> => text({ max: NAME_CHARACTERS, ...described })

/** A name that must contain at least one visible character. */
export const visibleName = (described: Described = {}): Field<string> => {
  const of = name(described)
  return { ...of, schema: { ...of.schema, pattern: '\\S' } }
}

/** A long text for people, HTML included. */
export const description = (described: Described = {}): Field<string> =>
  text({ max: DESCRIPTION_CHARACTERS, ...described })

/** An e-mail address, kept as given (decisions §1). */
export const email = (described: Described = {}): Field<string> =>
  valued({ type: 'string', format: 'email', maxLength: NAME_CHARACTERS, ...described })

/** Any string that is meant as a URL, including relative ones (decisions §1). */
export const url = (described: Described = {}): Field<string> => text({ max: URL_CHARACTERS, ...described })

/** An absolute http or https URL; characters that a URI does not have are percent-encoded. */
export const webUrl = (described: Described = {}): Field<string> => ({
  ...field<string>({
    type: 'string',
    format: 'uri',
    maxLength: URL_CHARACTERS,
    description: 'An absolute http or https URL.',
    ...described,
  }),
  canonical: canonicalWebUrl,
})

/** The id of another record, here or in another system; not checked for existence (decisions §1). */
export const reference = (described: Described = {}): Field<string> =>
  valued({ type: 'string', minLength: 1, maxLength: REFERENCE_CHARACTERS, example: anId, ...described })

/** The id of a record in an external system. */
export const externalId = (described: Described = {}): Field<string> =>
  unsetWhenEmpty(name({ description: 'Id of the record in another system, such as your shop software.', ...described }))

/** An open vocabulary: any word, with `usual` ones documented (decisions §2). */
export const word = (usual: readonly string[], { description, ...described }: Described = {}): Field<string> => {
  const values = usual.length > 0 && `Usually ${usual.join(', ')}; any other value is accepted.`
  const about = [description, values].filter(Boolean).join(' ')
  return valued({
    type: 'string',
    minLength: 1,
    maxLength: VOCABULARY_CHARACTERS,
    ...described,
    ...(about && { description: about }),
    ...(usual.length > 0 && { examples: usual }),
  })
}

/** A word whose usual values are accepted in any case and with blanks around them, so that lists and rules find them. */
export const usualWord = (usual: readonly string[], about: Described): Field<string> => {
  const spellings = new Map(usual.map((value) => [value.toLowerCase(), value]))
  const of = word(usual, about)
  return {
    ...described(
      of,
      `${of.schema.description} A usual value is accepted in any case and with spaces around it, and stored as written here.`,
    ),
    canonical: (value) => spellings.get(value.trim().toLowerCase()) ?? value,
  }
}

/** An exact decimal as a string whose scale is kept: `"10.00"` stays `"10.00"` (decisions §1). */
export const decimal = (described: Described = {}): Field<string> =>
  valued({ type: 'string', pattern: decimalPattern, example: '12.50', ...described }, 'number')

/** An ISO 4217 currency code: three letters in any case, stored in upper case. */
export const currency = (described: Described = {}): Field<string> => {
  const shown = valued<string>({ type: 'string', pattern: '^[A-Z]{3}$', example: 'EUR', ...described })
  return {
    ...shown,
    sent: { ...shown.schema, pattern: anyCaseCurrency },
    canonical: (code) => code.toUpperCase(),
  }
}

/** A finite JSON number. */
export const number = (described: Described = {}): Field<number> => valued({ type: 'number', ...described }, 'number')

/** A whole number within bounds. */
export const integer = (least: number, most: number, described: Described = {}): Field<number> =>
  valued({ type: 'integer', minimum: least, maximum: most, ...described }, 'number')

/** A quantity on hand; weighed goods have up to six decimals (decisions §1). */
export const quantity = (described: Described = {}): Field<number> =>
  valued(
    { type: 'number', format: 'double', 'x-decimals': 6, description: 'With at most six decimals.', ...described },
    'number',
  )

/** True or false. */
export const flag = (described: Described = {}): Field<boolean> => field({ type: 'boolean', ...described })

/** A date-time, in with any offset, out in UTC with milliseconds (decisions §1). */
export const dateTime = (described: Described = {}): Field<string> => ({
  ...valued<string>({ type: 'string', format: 'date-time', example: aTime, ...described }, 'time'),
  canonical: canonicalDateTime,
})

/** An array of values described by `item`. */
export const list = <T>(item: Field<T>, described: Described = {}): Field<T[]> => {
  const { canonical, withoutEmpty } = item
  return {
    ...field<T[]>({ type: 'array', items: item.schema, ...described }, 'set'),
    ...(canonical && { canonical: (values: T[]) => values.map(canonical) }),
    ...(withoutEmpty && {
      withoutEmpty: (value: unknown) => {
        if (!Array.isArray(value)) return value
        let kept: unknown[] | undefined
        for (let n = 0; n < value.length; n++) {
          const content = withoutEmpty(value[n])
          if (content === value[n]) continue
          kept ??= [...value]
          kept[n] = content
        }
        return kept ?? value
      },
    }),
  }
}

/** An array of objects; no two may have the same `member`. */
export const distinct = <T>(of: Field<T[]>, member: keyof T & string): Field<T[]> => ({
  ...of,
  schema: { ...of.schema, 'x-distinct': member },
})

/** An object with the named members; any further one is kept as it was sent (decisions §2). */
export const object = <F extends Fields>(members: F, described: Described = {}): Field<Members<F>> => {
  const required = Object.keys(members).filter((member) => members[member]?.required)
  return {
    ...field<Members<F>>({
      type: 'object',
      properties: Object.fromEntries(Object.entries(members).map(([member, { schema }]) => [member, schema])),
      ...(required.length > 0 && { required }),
      ...described,
    }),
    withoutEmpty: (value) =>
      withoutUnset(value, (member) => (Object.hasOwn(members, member) ? members[member] : undefined), isEmptyOrNull),
  }
}

/** Removes members that are unset; returns the same object if there are none. */
function withoutUnset(
  value: unknown,
  fieldOf: (member: string) => Field<any> | undefined,
  isUnset: (sent: unknown, of: Field<any>) => boolean,
): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  let kept: Record<string, unknown> | undefined
  // Not by `Object.keys`: there may be a hundred thousand objects, and this makes no array of each.
  for (const member in value) {
    const sent = (value as Record<string, unknown>)[member]
    const of = fieldOf(member)
    const isRemoved = of !== undefined && isUnset(sent, of)
    const content = of?.withoutEmpty?.(sent) ?? sent
    if (!isRemoved && content === sent) continue
    kept ??= { ...value }
    if (isRemoved) delete kept[member]
    else kept[member] = content
  }
  return kept ?? value
}

const isEmpty = (sent: unknown, { emptyIsUnset }: Field): boolean => sent === '' && emptyIsUnset === true

/** Where any value is allowed, `null` is a value. */
const isEmptyOrNull = (sent: unknown, of: Field): boolean =>
  sent === null ? of.schema.type !== undefined : isEmpty(sent, of)

/**
 * An object whose members are all of one kind, under names that the caller chooses. A member that is null is wrong, and
 * not ignored.
 */
export const map = <T>(value: Field<T>, described: Described = {}): Field<Record<string, T>> => ({
  ...field<Record<string, T>>({ type: 'object', additionalProperties: value.schema, ...described }),
  withoutEmpty: (sent) => withoutUnset(sent, () => value, isEmpty),
})

/** Any JSON value. */
export const anything = (described: Described = {}): Field<unknown> => field({ ...described })

/** The same member, but required on create. */
export const required = <T>(of: Field<T>): Field<T> & { required: true } => ({ ...of, required: true })

/** The same member, but set by the service. */
export const serverOwned = <T>(of: Field<T>): Field<T> => ({
  ...of,
  serverOwned: true,
  schema: { ...of.schema, readOnly: true },
  ...(of.sent && { sent: { ...of.sent, readOnly: true } }),
})

/** A member that the service sets at times: records without it are equally valid. */
export const atTimes = <T>(of: Field<T>): Field<T> => ({ ...of, isAtTimes: true })

/** A member that may be left out, and that each record has: its resource derives the default. */
export const always = <T>(of: Field<T>): Field<T> => ({ ...of, isAlways: true })

/** The same member, but a secret. */
export const secret = <T>(of: Field<T>): Field<T> => ({ ...of, secret: true })

/** An id of ours: 24 lower-case hexadecimal characters, ordered by time (decisions §1). */
export const id = (described: Described = {}): Field<string> =>
  valued({ type: 'string', pattern: idPattern, example: anId, ...described })

/** An id as an object, as custom tables have them: `{"$oid": "6740…"}`. The plain text is accepted too (pos-api.md). */
export const oid = (described: Described = {}): Field<Oid> => {
  const text = id({ description: '24 hexadecimal characters.' }).schema
  const shown = valued<Oid>({ type: 'object', properties: { $oid: text }, required: ['$oid'], ...described })
  return {
    ...shown,
    sent: { ...shown.schema, type: ['object', 'string'], pattern: idPattern, additionalProperties: false },
    canonical: (value: Oid | string) => (typeof value === 'string' ? { $oid: value } : value),
  }
}
export type Oid = { readonly $oid: string }

/** One of some words and no other. */
export const choice = <W extends string>(words: readonly W[], described: Described = {}): Field<W> =>
  valued({ type: 'string', enum: words, ...described })

/** The type of a list of members in code. */
export type Members<F extends Fields> = { -readonly [M in keyof F]?: F[M] extends Field<infer T> ? T : never }
