// Checks values against a JSON Schema and reports what is wrong with each member, in words and with its pointer.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats, { type FormatsPlugin } from 'ajv-formats'
import { distance } from 'fastest-levenshtein'
import { isDateTime } from './date-time.ts'
import {
  anyCaseCurrency,
  columnNamePattern,
  decimalPattern,
  eventNamePattern,
  idPattern,
  type JsonSchema,
  placePattern,
  slugPattern,
} from './json-schema.ts'
import { URL_CHARACTERS } from './limits.ts'
import { ERRORS_LISTED, type MemberError, stepTo } from './problem.ts'
import { canonicalWebUrl, isWebUrl } from './web-url.ts'

function validator(): Ajv2020 {
  // A value is accepted as it is or refused: nothing is coerced, nothing removed.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    coerceTypes: false,
    removeAdditional: false,
    verbose: true,
    // A test checks the schemas themselves. Checking them here would first compile the schema of schemas, which takes a
    // tenth of a second in each process.
    validateSchema: false,
    code: { process: boundedLoops },
  })
  ;(addFormats as unknown as FormatsPlugin)(ajv, ['email', 'date'])
  // A text that is far too long is refused by its length; a pattern would scan a whole megabyte first.
  const isEmail = ajv.formats.email as RegExp
  ajv.addFormat('email', (value: string) => value.length <= URL_CHARACTERS && isEmail.test(value))
  ajv.addFormat('date-time', isDateTime)
  ajv.addFormat('double', true)
  ajv.addKeyword({
    keyword: 'x-decimals',
    type: 'number',
    error: { message: ({ schema }) => `must be a number between −10^15 and 10^15, with at most ${schema} decimals` },
    validate: (decimals: number, value: number) => Number(value.toFixed(decimals)) === value && Math.abs(value) < 1e15,
  })
  ajv.addKeyword({
    keyword: 'x-distinct',
    type: 'array',
    error: { message: ({ schema }) => `must not name the same ${schema} twice` },
    validate: (member: string, items: Record<string, unknown>[]) => {
      const seen = new Set()
      return items.every((item) => seen.size < seen.add(item?.[member]).size)
    },
  })
  ajv.addFormat('uri', (value: string) => {
    // Far beyond the limit of characters, which is reported separately.
    if (value.length > 2 * URL_CHARACTERS || !isWebUrl(value)) return false
    // Percent-encoding may make it longer.
    return value.length > URL_CHARACTERS || canonicalWebUrl(value).length <= URL_CHARACTERS
  })
  return ajv
}

/**
 * Ends the loops of a compiled check once the list of errors is full: Ajv reports all errors, and a quarter of a
 * million of them would block the event loop. By then the value is refused anyway.
 */
const boundedLoops = (code: string): string =>
  code
    .replaceAll(/for\(let (\w+)=0; \1<(\w+); \1\+\+\)\{/g, `for(let $1=0; $1<$2 && errors<${ERRORS_LISTED}; $1++){`)
    .replaceAll(/for\(const (\w+) in (\w+)\)\{/g, `for(const $1 in $2){if(errors>=${ERRORS_LISTED})break;`)

const ajv = validator()

/** The compiled checks, by the text of their schema: many routes have equal schemas, such as that of a page. */
const compiled = new Map<string, ValidateFunction>()

function compile(schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema)
  const check = compiled.get(text) ?? ajv.compile(schema)
  compiled.set(text, check)
  return check
}

/**
 * Returns the check of a schema: it lists the wrong members, each with its pointer after `at`. It is compiled at its
 * first use, since that takes milliseconds and a process uses few of the hundreds of schemas; this halves the start
 * time.
 */
export function checker(schema: JsonSchema, where: 'body' | 'query' = 'body') {
  let validate: ValidateFunction | undefined
  return (value: unknown, at = ''): MemberError[] => {
    validate ??= compile(schema)
    if (validate(value)) return []
    return (validate.errors ?? []).slice(0, ERRORS_LISTED).map((error) => memberError(error, at, where))
  }
}

function memberError(error: ErrorObject, at: string, where: MemberError['in']): MemberError {
  const { keyword, params, instancePath } = error
  const member = params.missingProperty ?? params.additionalProperty
  const pointer = member === undefined ? at + instancePath : stepTo(member, at + instancePath)
  if (keyword === 'additionalProperties' && where === 'body')
    return unknownMember(String(member), Object.keys(error.parentSchema?.properties ?? {}), at + instancePath)
  return {
    in: where,
    // `createdAt[gte]` is how a bound is written in a query.
    pointer: where === 'query' ? pointer.slice(1).replace(/\/(.*)$/, '[$1]') : pointer,
    code: keyword === 'additionalProperties' ? 'unknown' : keyword,
    message: sentence(error),
    ...(keyword === 'format' && { format: params.format }),
    ...(bounds.has(keyword) && { limit: params.limit }),
  }
}

/** Keywords whose bound clients need in order to show the error in another language. */
const bounds: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'])

/** What is wrong with a value, in words. */
function sentence({ keyword, params, message, schema, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return 'is not known'
    case 'required':
      return 'is required'
    case 'type':
      if (parentSchema?.pattern === decimalPattern) return 'must be a decimal in a string, such as "10.00"'
      // A number of seconds sent as a time, for example: the format says what to send instead.
      if (parentSchema?.format in formatNames) return `must be ${formatNames[parentSchema?.format]}`
      return `must be ${[schema].flat().map(typeNames).join(' or ')}`
    case 'format':
      return `must be ${formatNames[params.format] ?? params.format}`
    case 'pattern':
      return patternNames[params.pattern] ?? `must match ${params.pattern}${suchAs(parentSchema?.examples)}`
    case 'maxLength':
      return `must not have more than ${params.limit} characters`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must contain at least ${params.limit} characters`
    case 'minimum':
      return `must not be less than ${params.limit}`
    case 'maximum':
      return `must not be more than ${params.limit}`
    case 'minItems':
      return `must contain at least ${params.limit === 1 ? 'one entry' : `${params.limit} entries`}`
    case 'maxItems':
      return `must not have more than ${params.limit} entries`
    case 'enum':
      return `must be ${params.allowedValues.length === 1 ? '' : 'one of '}${params.allowedValues.join(', ')}`
    default:
      return message ?? 'is not valid'
  }
}

/** The first example of a schema, if it has any. */
const suchAs = (examples: unknown): string =>
  Array.isArray(examples) ? `, such as ${JSON.stringify(examples[0])}` : ''

const typeNames = (type: unknown): string =>
  ({ object: 'an object', array: 'an array', integer: 'a whole number', null: 'null', boolean: 'true or false' })[
    String(type)
  ] ?? `a ${type}`

const patternNames: Record<string, string> = {
  [decimalPattern]: 'must be a decimal with at most 15 digits before the point and 6 after it, such as "10.00"',
  [anyCaseCurrency]: 'must be a three-letter ISO 4217 currency code, such as "EUR"',
  [idPattern]: 'must be an id of 24 hexadecimal characters, such as "6740a1f2c3d4e5f6a7b8c9d0"',
  [slugPattern]: 'must contain only a-z, 0-9 and single hyphens between them, such as "loyalty-points"',
  [eventNamePattern]: 'must contain only a-z, 0-9, points, underscores and hyphens, such as "door.opened"',
  [columnNamePattern]: 'must not contain control characters, such as line breaks',
  [placePattern]: 'must be a nextCursor from a page of this feed, the sequence of an event, such as "1042", or latest',
  '\\S': 'must contain at least one non-whitespace character',
}

const formatNames: Record<string, string> = {
  email: 'an e-mail address, such as "ann@example.com"',
  date: 'a date that exists, such as "2026-11-21"',
  'date-time': 'a date-time that exists, with offset or Z, such as "2026-11-21T09:30:00Z"',
  uri: 'an absolute http or https URL',
}

/** Members of a body that an error lists: those of an action, such as the closing of a session, or of a small record. */
export const MEMBERS_LISTED = 8

/** A name in lower case without punctuation: `locationid` for `location_id`. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

/**
 * Adds the name that was probably meant, if there is a similar one, or in a body a single one that ends with the word
 * (`lineItems` for `items`); otherwise `advice`, or all names if they are few, as in a query.
 */
export function unknownMember(
  member: string,
  known: readonly string[],
  at: string,
  where: MemberError['in'] = 'body',
  advice?: string,
): MemberError {
  // The distance costs the product of both lengths, and no misspelt name is this long.
  const plain = member.length > 100 ? '' : plainName(member)
  const [near] = (plain === '' ? [] : known)
    .map((name) => ({ name, far: distance(name.toLowerCase(), plain) }))
    .filter(({ name, far }) => far <= (name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 4))))
    .sort((a, b) => a.far - b.far)
  const ending = `${member.charAt(0).toUpperCase()}${member.slice(1)}`
  const [longer, another] = where === 'body' && plain !== '' ? known.filter((name) => name.endsWith(ending)) : []
  const meant = near?.name ?? (another === undefined ? longer : undefined)
  const isListed = known.length > 0 && (where === 'query' || known.length <= MEMBERS_LISTED)
  const all = isListed ? `the ${where === 'query' ? 'parameters' : 'members'} are ${known.join(', ')}` : undefined
  const help = meant === undefined ? (advice ?? all) : `did you mean ${meant}?`
  const message = `is not known${help === undefined ? '' : `; ${help}`}`
  return { in: where, pointer: where === 'body' ? stepTo(member, at) : member, code: 'unknown', message }
}
