// Reads a query string strictly: a parameter that is unknown or invalid, or repeated although it has one value, is refused, never dropped silently.

import type { JsonSchema, JsonSchemas } from '../core/json-schema.ts'
import { checker, plainName, unknownMember } from '../core/json-schema-checker.ts'
import { ERRORS_LISTED, invalid, type MemberError, type Problem } from '../core/problem.ts'

/** Parameters by name; one with bounds, `createdAt[gte]=…`, is an object. */
type QueryParameters = Record<string, unknown>
/**
 * Makes the reader of a route's query: its parameters by name, numbers and booleans converted. Throws `validation_failed`. If a list without
 * filters does not know a parameter, the error names `filteredList`.
 */
export function queryReader(schemas: JsonSchemas = {}, filteredList?: string): (search: string) => QueryParameters {
  const known = Object.keys(schemas)
  const elsewhere =
    filteredList && `the parameters are ${known.join(', ')}; GET ${filteredList} also has filters, searches and cursors`
  const check = checker({ type: 'object', properties: schemas }, 'query')
  return (search) => {
    const parameters: QueryParameters = {}
    if (search === '') return parameters
    const errors: MemberError[] = []
    for (const part of search.split('&')) {
      if (part === '' || errors.length >= ERRORS_LISTED) continue
      const at = part.indexOf('=')
      const name = decode(at === -1 ? part : part.slice(0, at))
      const text = decode(at === -1 ? '' : part.slice(at + 1))
      const wrong = (code: string, message: string) =>
        void errors.push({ in: 'query', pointer: name ?? part, code, message })
      if (name === undefined || text === undefined) wrong('encoding', 'must be percent-encoded UTF-8')
      else if (text.includes('\u0000')) wrong('nul', 'must not contain the character U+0000')
      else if (name !== cacheBuster && !place(parameters, schemas, name, text, wrong)) {
        const meant = meantBy(name, schemas)
        const advice = meant ?? elsewhere
        errors.push(name === 'dryRun' ? noDryRun : unknownMember(name || part, meant ? [] : known, '', 'query', advice))
      }
    }
    for (const error of check(parameters)) {
      const sort = error.pointer === 'sortBy' ? meantSort(parameters.sortBy, schemas) : undefined
      errors.push(sort === undefined ? error : { ...error, message: `${error.message}; ${sort}` })
    }
    if (errors.length > 0) throw invalid(errors)
    return parameters
  }
}

/** What other APIs call parameters, in lower case without punctuation. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  search: ['q', 'query', 'name'],
  skip: ['offset'],
  limit: ['perpage', 'pagesize', 'first', 'top'],
  cursor: ['pageinfo', 'pagetoken', 'startingafter', 'sinceid'],
  after: ['cursor', 'pagetoken', 'startingafter', 'sinceid', 'lasteventid'],
  sortBy: ['orderby'],
  sortOrder: ['direction', 'order', 'sortdirection', 'sortdir', 'dir'],
  'updatedAt[gte]': ['modifiedsince', 'modifiedafter', 'since'],
  from: ['start', 'startdate', 'begin'],
  to: ['end', 'enddate'],
  since: ['from', 'start'],
  // Reports have `from` and `to`.
  'occurredAt[gte]': ['from', 'start', 'startdate', 'begin', 'since'],
  'occurredAt[lt]': ['to', 'end', 'enddate', 'until'],
  outletId: ['location', 'locationid', 'store', 'storeid'],
  paymentStatus: ['financialstatus'],
}

/** Ends of names of parameters in other APIs, such as `created_at_min` and `updatedBefore`, and the bounds that they are. */
const otherBounds: Readonly<Record<string, string>> = {
  min: 'gte',
  from: 'gte',
  since: 'gte',
  after: 'gte',
  max: 'lte',
  to: 'lt',
  until: 'lt',
  before: 'lt',
}

/** The bound of a range of a route under a name of other APIs: `created_at_min`, `createdAfter` or `created_at_gte` for `createdAt[gte]`. */
function meantBound(name: string, schemas: JsonSchemas): string | undefined {
  const ends = ['gte', 'lte', 'gt', 'lt', ...Object.keys(otherBounds)].join('|')
  const [, head = '', end = ''] = new RegExp(`^(.*?)[[._-]?(${ends})\\]?$`, 'i').exec(name) ?? []
  const isMeant = (own: string) => [plainName(head), `${plainName(head)}at`].includes(plainName(own))
  const own = Object.keys(schemas).find((own) => schemas[own]?.type === 'object' && isMeant(own))
  const bound = end.toLowerCase()
  return own && `${own}[${otherBounds[bound] ?? bound}]`
}

/** The parameter of a route that other APIs call so. */
function meantBy(name: string, schemas: JsonSchemas): string | undefined {
  const known = Object.keys(schemas)
  const plain = plainName(name)
  if (['page', 'pagenumber'].includes(plain) && known.includes('skip'))
    return 'send skip, the number of records before the page'
  if (/(?:I|_i)d$/.test(name) && known.includes('groupBy'))
    return 'a report has no filters: group by it, as in groupBy=outletId, and take its groups'
  const isKnown = (own: string) => known.includes(own.split('[', 1)[0] ?? '')
  const meant =
    meantBound(name, schemas) ??
    Object.keys(otherNames).find((own) => otherNames[own]?.includes(plain) && isKnown(own)) ??
    known.find((own) => plainName(own) === `searchby${plain}` || own === name.replace(/\[\d*\]$/, ''))
  return meant && `did you mean ${meant}?`
}

/** What to send in place of a `sortBy` with a direction, as other APIs have it: `-createdAt`, `created_at:desc`. */
function meantSort(sent: unknown, { sortBy, sortOrder }: JsonSchemas): string | undefined {
  const [, minus, name = '', order] = /^(-?)(\w{1,100}?)(?:[ :.,](asc|desc))?$/i.exec(String(sent).trim()) ?? []
  const member = (sortBy?.enum as string[] | undefined)?.find((one) => plainName(one) === plainName(name))
  if (member === undefined || sortOrder === undefined) return undefined
  const direction = minus === '-' ? 'desc' : order?.toLowerCase()
  return `did you mean ${direction === undefined ? member : `sortBy=${member}&sortOrder=${direction}`}?`
}

/** The problem, with advice at each unknown member of the body that is a parameter of the route, such as `dryRun`. */
export function namingParameters(problem: Problem, schemas: JsonSchemas = {}): Problem {
  const parameterAt = ({ in: where, pointer, code }: MemberError) =>
    where === 'body' && code === 'unknown'
      ? Object.keys(schemas).find((name) => `/${plainName(name)}` === plainName(pointer))
      : undefined
  if (problem.errors.every((error) => parameterAt(error) === undefined)) return problem
  const errors = problem.errors.map((error) => {
    const name = parameterAt(error)
    if (name === undefined) return error
    const { type, enum: words, default: usual } = schemas[name] as JsonSchema & { enum?: unknown[] }
    const value = type === 'boolean' ? true : (words?.find((word) => word !== usual) ?? '…')
    return { ...error, message: `is not known; it is a query parameter, as in ?${name}=${value}` }
  })
  return invalid(errors, problem.code, problem.unlisted)
}

/** A route that ignored the parameter would write. */
const noDryRun: MemberError = {
  in: 'query',
  pointer: 'dryRun',
  code: 'unknown',
  message: 'is not known here: this endpoint has no dry run. Nothing was done',
}

/**
 * Parameters that are refused without a value: `dryRun` would become a real write, and a list of no ids that of all
 * records.
 */
const neverEmpty: ReadonlySet<string> = new Set(['dryRun', 'id'])

/** Browser libraries send it to bypass caches; the API ignores it (decisions §3). */
const cacheBuster = '_'

/**
 * Stores a parameter or reports what is wrong with it; false if the name is unknown (decisions §3). A parameter without
 * a value counts as not sent.
 */
function place(
  parameters: QueryParameters,
  schemas: JsonSchemas,
  name: string,
  text: string,
  wrong: (code: string, message: string) => void,
): boolean {
  const [, whole = name, bound] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? []
  const schema = Object.hasOwn(schemas, whole) ? schemas[whole] : undefined
  if (schema === undefined || (schema.type !== 'object' && bound !== undefined)) return false
  const bounds = schema.type === 'object' ? (schema.properties as JsonSchemas) : undefined
  if (bounds && bound !== undefined && !Object.hasOwn(bounds, bound))
    wrong('unknown', `is not known; the bounds are ${Object.keys(bounds).join(', ')}`)
  else if (text === '' && !neverEmpty.has(whole)) return true
  else if (bounds === undefined) put(parameters, name, schema)
  else if (bound === undefined) wrong('type', `needs a bound, as in ${name}[gte]`)
  else {
    parameters[whole] ??= {}
    put(parameters[whole] as QueryParameters, bound, bounds[bound] as JsonSchema)
  }
  return true

  function put(into: QueryParameters, member: string, of: JsonSchema): void {
    if (of.type === 'array') into[member] = [...((into[member] as string[] | undefined) ?? []), text]
    else if (!Object.hasOwn(into, member)) into[member] = converted(text, of)
    // Many generated clients repeat the parameter of an array instead of separating its values by commas.
    else if (of['x-separated'] === true) into[member] += `,${text}`
    else wrong('duplicate', 'occurs twice; send it once')
  }
}

/** A text converted to its type; a text that cannot be converted stays, and the schema refuses it. */
function converted(text: string, { type, format }: JsonSchema): unknown {
  if (type === 'integer' && /^-?\d{1,300}$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  // In a query, an unencoded plus means a space; in a UTC offset it can only mean a plus.
  if (format === 'date-time') return text.replace(/ (?=\d\d:?\d\d$)/, '+')
  return text
}

/** Percent-decoded; undefined when the bytes are not UTF-8. A `%` without two digits after it means itself. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}
