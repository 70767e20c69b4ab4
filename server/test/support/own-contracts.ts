// What the contract does not name, members and whole resources, as entries of the contract's table: made of their declarations, so that the sweeps find them by themselves.

import { decimalPattern, type JsonSchema } from '../../src/core/json-schema.ts'
import {
  DESCRIPTION_CHARACTERS,
  NAME_CHARACTERS,
  REFERENCE_CHARACTERS,
  STRING_CHARACTERS,
  URL_CHARACTERS,
  VOCABULARY_CHARACTERS,
} from '../../src/core/limits.ts'
import { currency, type Field } from '../../src/engine/field.ts'
import type { Resource } from '../../src/engine/resource.ts'
import { resources } from '../../src/resources/index.ts'
import type { Contract } from './contract-shape.ts'
import * as kinds from './kinds.ts'

/** Projections, secrets, members with a default, and lists with bounds: they have tests of their own. */
export const membersApart: Readonly<Record<string, readonly string[]>> = {
  variant: ['inventory'],
  'tax-table': ['rates'],
  'automation-trigger': ['apiKey', 'isActive', 'maxParallel'],
  // Of the usual samples it refuses the end of time.
  ...Object.fromEntries(['order', 'transaction', 'refund', 'cash-movement'].map((one) => [one, ['occurredAt']])),
}

/** The samples of members with a check that no schema shows. */
const ofMember: Readonly<Record<string, kinds.Kind>> = {
  'cash-movement.amount': kinds.positive,
  'cash-movement.externalId': kinds.externalId,
}

/** The samples of strings, by their schema; words and references are those that may not be empty. */
const ofFormat: Readonly<Record<string, kinds.Kind>> = {
  email: kinds.email,
  'date-time': kinds.dateTime,
  uri: kinds.webUrl,
}
const ofLength: Readonly<Record<number, kinds.Kind>> = {
  [NAME_CHARACTERS]: kinds.name,
  [URL_CHARACTERS]: kinds.url,
  [DESCRIPTION_CHARACTERS]: kinds.description,
  [STRING_CHARACTERS]: kinds.text,
}

function stringKind({ enum: words, format, pattern, minLength, maxLength, examples }: JsonSchema) {
  if (words) return kinds.choice(words as string[])
  if (format) return ofFormat[format as string]
  if (pattern === decimalPattern) return kinds.decimal
  if (pattern) return pattern === currency().schema.pattern ? kinds.currency : undefined
  if (!minLength) return ofLength[maxLength as number]
  if (maxLength === REFERENCE_CHARACTERS) return kinds.reference
  return maxLength === VOCABULARY_CHARACTERS ? kinds.word((examples as string[])?.[0] ?? 'usual') : undefined
}

function partKind(at: string, { type, items, properties, additionalProperties }: JsonSchema) {
  const { pattern, type: of } = (additionalProperties ?? {}) as JsonSchema
  if (type === 'array')
    return Object.keys(items as object).length === 0
      ? kinds.anythings
      : kinds.list(kindOf(`${at}[]`, items as JsonSchema))
  if (properties)
    return kinds.object(
      Object.fromEntries(
        Object.entries(properties as Record<string, JsonSchema>).map(([name, of]) => [
          name,
          kindOf(`${at}.${name}`, of),
        ]),
      ),
    )
  return of === 'string' && pattern === decimalPattern ? kinds.decimals : undefined
}

/** The samples of a member, by its type. */
function kindOf(at: string, schema: JsonSchema): kinds.Kind {
  const { type } = schema
  const found =
    ofMember[at] ??
    (type === 'string'
      ? stringKind(schema)
      : type === 'number'
        ? schema['x-decimals'] === 6
          ? kinds.quantity
          : kinds.price
        : type === 'boolean'
          ? kinds.flag
          : type === undefined
            ? kinds.anything
            : partKind(at, schema))
  if (found !== undefined) return found
  throw new Error(
    `${at} has no samples, values that it takes and refuses, since it is of a kind that no member of the contract is (${JSON.stringify(schema)}). Add them to server/test/support/kinds.ts and name them here, in server/test/support/own-contracts.ts; or name the member in membersApart there, and give it a test of its own`,
  )
}

/** Members that a caller sets, each with its samples, with some exceptions. */
function membersOf({ name, fields }: Resource, but: readonly string[]): Record<string, kinds.Kind> {
  const own = Object.entries<Field>(fields).filter(([member, of]) => !of.serverOwned && !but.includes(member))
  return Object.fromEntries(
    own.map(([member, { schema, required }]) => {
      const kind = kindOf(`${name.one}.${member}`, schema)
      return [member, required ? kinds.required(kind) : kind]
    }),
  )
}

/** The list abilities of members. */
const abilitiesOf = ({ list }: Resource, members: Contract['members']) => {
  const those = (of: readonly string[]) => of.filter((member) => members[member])
  return {
    exact: those(list.exact),
    any: those(list.any),
    sort: those(list.sort),
    search: those(list.search),
    range: those(list.range),
  }
}

/** A contract with the resource's further members. */
export function addedTo(contract: Contract): Contract {
  const resource = resources.find(({ name }) => name.one === contract.one)
  if (resource === undefined) return contract
  const members = membersOf(resource, [...Object.keys(contract.members), ...(membersApart[contract.one] ?? [])])
  if (Object.keys(members).length === 0) return contract
  const { exact, any, sort, search, range } = abilitiesOf(resource, members)
  return {
    ...contract,
    members: { ...contract.members, ...members },
    exact: [...contract.exact, ...exact],
    any: [...(contract.any ?? []), ...any],
    sort: [...contract.sort, ...sort],
    search: [...contract.search, ...search],
    range: [...(contract.range ?? []), ...range],
  }
}

/** The contracts of resources that the written ones do not include. */
export const contractsBeside = (written: readonly Contract[]): Contract[] =>
  resources
    .filter(({ name }) => !written.some(({ one }) => one === name.one))
    .map((resource) => {
      const { name, styleA, requireOneOf, remove, unique, derive } = resource
      const members = membersOf(resource, membersApart[name.one] ?? [])
      return {
        ...name,
        styleA,
        members,
        ...(requireOneOf.length > 0 && { oneOf: requireOneOf }),
        always: { ...(remove === 'soft' && { isDeleted: false }), ...derive({}) },
        ...(remove === 'soft' && { isSoft: true as const }),
        unique,
        ...abilitiesOf(resource, members),
      }
    })
