// Fields → what a request may hold: checks a create or an update, names every wrong member, and brings the rest to its canonical form.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { distance } from 'fastest-levenshtein'
import { isDateTime } from '../core/date-time.ts'
import { URL_CHARACTERS } from '../core/limits.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, Problem, stepTo } from '../core/problem.ts'
import { anyCaseCurrency, decimalPattern, type Field, type Fields, type JsonSchema } from './field.ts'
import type { Change, JsonObject } from './record.ts'
import type { Resource } from './resource.ts'
import { isTooLong, tooLarge } from './writing.ts'

/** Unknown members of one object for which the name that was meant is sought: a body of nothing else must not cost a second. */
const NAMES_GUESSED = 10

function validator(): Ajv2020 {
  // A value is taken as it is or refused: nothing is coerced, nothing removed.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    coerceTypes: false,
    removeAdditional: false,
    verbose: true,
    code: { process: boundedLoops },
  })
  ;(addFormats as unknown as FormatsPlugin)(ajv, ['email', 'date'])
  // What is far too long is refused by its length; a pattern would go through a megabyte first.
  const isEmail = ajv.formats.email as RegExp
  ajv.addFormat('email', (value: string) => value.length <= URL_CHARACTERS && isEmail.test(value))
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('double', true)
  ajv.addKeyword({
    keyword: 'x-decimals',
    type: 'number',
    error: { message: ({ schema }) => `must be a number with at most ${schema} decimals` },
    validate: (decimals: number, value: number) => Number(value.toFixed(decimals)) === value && Math.abs(value) < 1e15,
  })
  ajv.addKeyword({
    keyword: 'x-distinct',
    type: 'array',
    error: { message: ({ schema }) => `must not name the same ${schema} twice` },
    validate: (member: string, items: JsonObject[]) => {
      const seen = new Set()
      return items.every((item) => seen.size < seen.add(item?.[member]).size)
    },
  })
  ajv.addFormat('uri', (value: string) => {
    // Far beyond the limit in characters, which is told besides.
    if (value.length > 2 * URL_CHARACTERS) return false
    return /^https?:\/\//i.test(value) && URL.canParse(value)
  })
  return ajv
}

/**
 * Ends the loops of a compiled check once an answer's list is full: Ajv makes all errors, and a quarter of a million of them
 * would hold everybody up. Whatever is checked behind them is refused already.
 */
const boundedLoops = (code: string): string =>
  code
    .replaceAll(/for\(let (\w+)=0; \1<(\w+); \1\+\+\)\{/g, `for(let $1=0; $1<$2 && errors<${ERRORS_LISTED}; $1++){`)
    .replaceAll(/for\(const (\w+) in (\w+)\)\{/g, `for(const $1 in $2){if(errors>=${ERRORS_LISTED})break;`)

const ajv = validator()

/**
 * The check by a schema: returns the wrong members, each with its pointer behind `at`. It is compiled when it is first asked,
 * since that takes milliseconds, and there are hundreds of which a process asks few: a start takes half the time.
 */
export function checker(schema: JsonSchema, where: 'body' | 'query' = 'body') {
  let validate: ValidateFunction | undefined
  return (value: unknown, at = ''): MemberError[] => {
    validate ??= ajv.compile(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).slice(0, ERRORS_LISTED).map((error) => memberError(error, at, where))
  }
}

function memberError(error: ErrorObject, at: string, where: MemberError['in']): MemberError {
  const { keyword, params, instancePath } = error
  const member = params.missingProperty ?? params.additionalProperty
  const pointer = member === undefined ? at + instancePath : stepTo(member, at + instancePath)
  return {
    in: where,
    // `createdAt[gte]` is how a bound is written in a query.
    pointer: where === 'query' ? pointer.slice(1).replace(/\/(.*)$/, '[$1]') : pointer,
    code: keyword === 'additionalProperties' ? 'unknown' : keyword,
    message: sentence(error),
  }
}

/** What is wrong with a value, in words. */
function sentence({ keyword, params, message, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not known'
    case 'required':
      return 'is required'
    case 'type':
      if (parentSchema?.pattern === decimalPattern) return 'must be a decimal in a string, such as "10.00"'
      return `must be ${[schema].flat().map(typeNames).join(' or ')}`
    case 'format':
      return `must be ${formatNames[params.format] ?? params.format}`
    case 'pattern':
      if (params.pattern === decimalPattern)
        return 'must be a decimal with at most 15 digits before the point and 6 after it, such as "10.00"'
      if (params.pattern === anyCaseCurrency) return 'must be a three-letter ISO 4217 currency code, such as "EUR"'
      if (params.pattern === '\\S') return 'must have a character that is to be seen'
      return `must match ${params.pattern}`
    case 'maxLength':
      return `must not have more than ${params.limit} characters`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'minimum':
      return `must not be less than ${params.limit}`
    case 'maximum':
      return `must not be more than ${params.limit}`
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    default:
      return message ?? 'is not valid'
  }
}

const typeNames = (type: unknown): string =>
  ({ object: 'an object', array: 'an array', integer: 'a whole number', null: 'null', boolean: 'true or false' })[
    String(type)
  ] ?? `a ${type}`

const formatNames: Record<string, string> = {
  email: 'an e-mail address, such as "ann@example.com"',
  date: 'a date that exists, such as "2026-11-21"',
  'date-time': 'a date-time that exists, with offset or Z, such as "2026-11-21T09:30:00Z"',
  uri: 'an absolute http or https URL',
}

/** Adds, when one is near, the name that was probably meant. */
export function unknownMember(
  member: string,
  known: readonly string[],
  at: string,
  where: MemberError['in'] = 'body',
): MemberError {
  // Measuring costs the product of both lengths, and nothing this long is a misspelt name.
  const plain = member.length > 100 ? '' : member.toLowerCase().replaceAll(/[_-]/g, '')
  const near = (plain === '' ? [] : known)
    .map((name) => ({ name, far: distance(name.toLowerCase(), plain) }))
    .filter(({ name, far }) => far <= (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 4))))
    .sort((a, b) => a.far - b.far)[0]
  const message = near ? `is not known; did you mean ${near.name}?` : 'is not known'
  return { in: where, pointer: where === 'body' ? stepTo(member, at) : member, code: 'unknown', message }
}

/** A change, or the problem thrown. */
export function checked(change: Change | Problem): Change {
  if (change instanceof Problem) throw change
  return change
}

/** The two checks of a resource. Both return the change in canonical form, or a Problem that names each wrong member. */
export interface BodySchema {
  readonly create: (value: unknown, at?: string) => Change | Problem
  readonly update: (value: unknown, at?: string) => Change | Problem
  /** Of an item that only names a record: the members that no such record has, which the sender may mean for something. */
  readonly strangers: (value: unknown, at?: string) => MemberError[]
}

const membersCheckers = new WeakMap<Fields, ReturnType<typeof checker>>()

/** The check of some members by their schemas; compiled once, since that takes milliseconds and is never forgotten. */
function membersChecker(fields: Fields) {
  const sent = Object.entries(fields).filter(([, { serverOwned }]) => !serverOwned)
  const known = membersCheckers.get(fields)
  if (known) return known
  const check = checker({
    properties: Object.fromEntries(sent.map(([member, field]) => [member, field.sent ?? field.schema])),
  })
  membersCheckers.set(fields, check)
  return check
}

/** Makes the checks of a resource, or of anything else that has members. */
export function bodySchema({
  fields,
  requireOneOf,
  ownFields = fields,
}: Pick<Resource, 'fields' | 'requireOneOf'> & Partial<Pick<Resource, 'ownFields'>>): BodySchema {
  const own = Object.keys(fields).filter((member) => !fields[member]?.serverOwned)
  const needed = own.filter((member) => fields[member]?.required)
  const canonical = own.filter((member) => fields[member]?.canonical)
  const checked = own.filter((member) => fields[member]?.check)
  const check = membersChecker(ownFields)

  const read = (value: unknown, at: string, isCreate: boolean): Change | Problem => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return invalid([bodyError(at, 'type', 'must be an object')])
    const errors: MemberError[] = []
    const set: JsonObject = {}
    const clear: string[] = []
    for (const member of Object.keys(value)) {
      const content = (value as JsonObject)[member]
      const field = Object.hasOwn(fields, member) ? fields[member] : undefined
      if (field === undefined) {
        if (!alwaysIgnored.has(member) && errors.length < ERRORS_LISTED)
          errors.push(unknownMember(member, errors.length < NAMES_GUESSED ? own : [], at))
      } else if (field.serverOwned) continue
      else if (!isUnset(content, field)) set[member] = content
      else if (field.required && !isCreate) errors.push(wrong(member, 'required', 'is required and cannot be cleared'))
      else clear.push(member)
    }
    if (isCreate) {
      for (const member of needed) if (set[member] === undefined) errors.push(wrong(member, 'required', 'is required'))
      if (requireOneOf.length > 0 && !requireOneOf.some((member) => set[member] !== undefined))
        errors.push(bodyError(at, 'required', `needs at least one of ${requireOneOf.join(', ')}`))
    }
    if (isTooLong(set, value)) return errors.length > 0 ? invalid(errors) : tooLarge()
    for (const member of Object.keys(set)) set[member] = fields[member]?.withoutEmpty?.(set[member]) ?? set[member]
    const misshapen = check(set, at)
    errors.push(...misshapen)
    // What has no right shape may be of any size: its own check need not be prepared for that. A full list may be cut.
    for (const member of misshapen.length === ERRORS_LISTED ? [] : checked) {
      const place = `${at}/${member}`
      if (set[member] === undefined || misshapen.some(({ pointer }) => isWithin(pointer, place))) continue
      errors.push(...(fields[member]?.check?.(set[member], place) ?? []))
    }
    if (errors.length > 0) return invalid(errors)
    for (const member of canonical)
      if (set[member] !== undefined) set[member] = fields[member]?.canonical?.(set[member])
    return { set, clear }

    function wrong(member: string, code: string, message: string): MemberError {
      return bodyError(`${at}/${member}`, code, message)
    }
  }
  return {
    create: (value, at = '') => read(value, at, true),
    update: (value, at = '') => read(value, at, false),
    strangers: (value, at = '') =>
      Object.keys(value ?? {})
        .filter((member) => !Object.hasOwn(fields, member) && !alwaysIgnored.has(member))
        .slice(0, NAMES_GUESSED)
        .map((member) => unknownMember(member, ['id', 'clientRef'], at)),
  }
}

/** Whether a sent value unsets the member (decisions §2). */
const isUnset = (content: unknown, { emptyIsUnset }: Field): boolean =>
  content === null || (content === '' && emptyIsUnset === true)

const isWithin = (pointer: string, place: string): boolean => `${pointer}/`.startsWith(`${place}/`)

/** Server-owned wherever they stand, so that a record that was read can be sent back (decisions §2). */
const alwaysIgnored = new Set(['id', '_id', 'companyId', 'createdAt', 'updatedAt', 'fromService', 'isDeleted'])
