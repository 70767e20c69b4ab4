// Checks a create or an update by its fields, names every wrong member, and converts the rest to its canonical form.
import { checker, MEMBERS_LISTED, plainName, unknownMember } from '../core/json-schema-checker.ts'
import { bodyError, ERRORS_LISTED, invalid, type MemberError, type Problem } from '../core/problem.ts'
import type { Field, Fields } from './field.ts'
import type { Change, JsonObject } from './record.ts'
import { ETAG_MEMBER, etagAdvice } from './record-etag.ts'
import type { Resource } from './resource.ts'
import { isTooLong, tooLarge } from './writing.ts'

/**
 * Most unknown members of one object for which a similar name is searched, so that a body with only unknown members
 * does not take a second.
 */
const NAMES_GUESSED = 10

/** The two checks of a resource. Both return the change in canonical form, or a Problem that names each wrong member. */
export interface BodySchema {
  readonly create: (value: unknown, at?: string) => Change | Problem
  readonly update: (value: unknown, at?: string) => Change | Problem
  /**
   * For an item that only names a record: members that no such record has, since the sender may expect them to have an
   * effect.
   */
  readonly unknownProperties: (value: unknown, at?: string) => MemberError[]
}

const membersCheckers = new WeakMap<Fields, ReturnType<typeof checker>>()

/** The check of some members by their schemas. It is compiled once, since that takes milliseconds and is never freed. */
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

/** Makes the checks of a resource, or of anything else with members. */
export function bodySchema({
  fields,
  requireOneOf,
  ownFields = fields,
  styleB,
  elsewhere = {},
}: Pick<Resource, 'fields' | 'requireOneOf'> &
  Partial<Pick<Resource, 'ownFields' | 'styleB' | 'elsewhere'>>): BodySchema {
  const own = Object.keys(fields).filter((member) => !fields[member]?.serverOwned)
  const needed = own.filter((member) => fields[member]?.required)
  const canonical = own.filter((member) => fields[member]?.canonical)
  const checked = own.filter((member) => fields[member]?.check)
  const check = membersChecker(ownFields)

  const unknown = unknownHere({ own, elsewhere })
  const takesMany = styleB ? `/v1/${styleB.many} takes many` : ''
  // The lines of a sale are called items by others.
  const [lines] = own.filter((member) => member.endsWith('Items'))
  const isItems = lines === undefined ? 'is not known;' : `is not known; did you mean ${lines}?`

  const read = (value: unknown, at: string, isCreate: boolean): Change | Problem => {
    const ofMany = at === '' ? takesMany : ''
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return invalid([bodyError(at, 'type', `must be an object${ofMany && Array.isArray(value) ? `; ${ofMany}` : ''}`)])
    if (ofMany && isListOfItems(value) && !Object.hasOwn(fields, 'items'))
      return invalid([bodyError('/items', 'unknown', `${isItems} ${ofMany}`)])
    const errors: MemberError[] = []
    const set: JsonObject = {}
    const clear: string[] = []
    for (const member of Object.keys(value)) {
      const content = (value as JsonObject)[member]
      const field = Object.hasOwn(fields, member) ? fields[member] : undefined
      if (field === undefined) {
        if (!alwaysIgnored.has(member) && errors.length < ERRORS_LISTED)
          errors.push(errors.length < NAMES_GUESSED ? unknown(member, value, at) : unknownMember(member, [], at))
      } else if (field.serverOwned) continue
      else if (!isUnset(content, field)) set[member] = content
      else if (field.required && !isCreate) errors.push(lacking(member, 'is required and cannot be cleared'))
      else clear.push(member)
    }
    if (isCreate) {
      for (const member of needed) if (set[member] === undefined) errors.push(lacking(member, 'is required'))
      if (requireOneOf.length > 0 && !requireOneOf.some((member) => set[member] !== undefined))
        errors.push(bodyError(at, 'required', `needs at least one of ${requireOneOf.join(', ')}`))
    }
    if (isTooLong(set, value)) return errors.length > 0 ? invalid(errors) : tooLarge()
    for (const member of Object.keys(set)) set[member] = fields[member]?.withoutEmpty?.(set[member]) ?? set[member]
    const misshapen = check(set, at)
    errors.push(...misshapen)
    // A value of the wrong type may have any size, so its own check is skipped. A full list of errors may be
    // incomplete.
    for (const member of misshapen.length === ERRORS_LISTED ? [] : checked) {
      const place = `${at}/${member}`
      if (set[member] === undefined || misshapen.some(({ pointer }) => isWithin(pointer, place))) continue
      errors.push(...(fields[member]?.check?.(set[member], place) ?? []))
    }
    if (errors.length > 0) return invalid(errors)
    for (const member of canonical)
      if (set[member] !== undefined) set[member] = fields[member]?.canonical?.(set[member])
    return { set, clear }

    function lacking(member: string, message: string): MemberError {
      return bodyError(`${at}/${member}`, 'required', message)
    }
  }
  return {
    create: (value, at = '') => read(value, at, true),
    update: (value, at = '') => read(value, at, false),
    unknownProperties: (value, at = '') =>
      Object.keys(value ?? {})
        .filter((member) => !Object.hasOwn(fields, member) && !alwaysIgnored.has(member))
        .slice(0, NAMES_GUESSED)
        .map((member) => unknownMember(member, ['id', 'clientRef', 'ifMatch'], at)),
  }
}

/** Whether a sent value unsets the member (decisions §2). */
const isUnset = (content: unknown, { emptyIsUnset }: Field): boolean =>
  content === null || (content === '' && emptyIsUnset === true)

/** Whether a body is one of many records, sent where one record is taken. */
const isListOfItems = (body: object): boolean =>
  Array.isArray((body as JsonObject).items) && Object.keys(body).length === 1

/** Describes an unknown member of a body, and where its value belongs, if that is known. */
function unknownHere({ own, elsewhere }: { own: readonly string[]; elsewhere: Resource['elsewhere'] }) {
  const meant = new Map(
    Object.entries({ [ETAG_MEMBER]: etagAdvice, ...elsewhere }).map(([name, advice]) => [plainName(name), advice]),
  )
  // A small record lists its members instead.
  const hasMetadata = own.includes('metadata') && own.length > MEMBERS_LISTED
  const ofCaller = hasMetadata ? 'values of your own go into metadata' : undefined
  return (member: string, body: object, at: string): MemberError => {
    const known = meant.get(plainName(member)) ?? (member === 'source' ? adviceOnSource(own) : undefined)
    if (known !== undefined) return unknownMember(member, [], at, 'body', known)
    const advice = isWrapped(body, own) ? 'send its members directly, at the top level of the record' : ofCaller
    return unknownMember(member, own, at, 'body', advice)
  }
}

/** Advice on `source`, for resources that identify records by `externalId` alone. */
const adviceOnSource = (own: readonly string[]): string | undefined =>
  own.includes('externalId')
    ? 'externalId alone identifies the record; prefix it with the name of your system'
    : undefined

/** Whether a body is an object with a record in it, such as `{"product": {"name": "Mug"}}`. */
function isWrapped(body: object, own: readonly string[]): boolean {
  const [content, ...others] = Object.values(body)
  if (others.length > 0 || typeof content !== 'object' || content === null) return false
  return own.some((name) => Object.hasOwn(content, name))
}

const isWithin = (pointer: string, place: string): boolean => `${pointer}/`.startsWith(`${place}/`)

/** Server-owned at any depth, so that a record that was read can be sent back (decisions §2). */
export const alwaysIgnored: ReadonlySet<string> = new Set([
  'id',
  '_id',
  'companyId',
  'createdAt',
  'updatedAt',
  'fromService',
  'isDeleted',
])
