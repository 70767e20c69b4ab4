// A resource's shapes in the reference. A schema with a title appears once, under that name, among the document's components.
import { type JsonSchema, type JsonSchemas, object, string, withBareDate } from '../core/json-schema.ts'
import { anId, aTime } from './field.ts'
import { ETAG_MEMBER, etagMember } from './record-etag.ts'
import { camelCase, capitalised, type Resource, spoken } from './resource.ts'

/** The schemas, an example record, and the resource's name in prose. */
export interface Documents {
  /** `CatalogVisibility`, `CatalogVisibilities`: the resource in names of schemas and operations. */
  readonly type: string
  readonly types: string
  readonly words: { readonly one: string; readonly many: string }
  readonly record: JsonSchema
  readonly create: JsonSchema
  readonly update: JsonSchema
  readonly example: Readonly<Record<string, unknown>>
}

const made = new WeakMap<Resource, Documents>()

export function documents(resource: Resource): Documents {
  const known = made.get(resource)
  if (known) return known
  const { name, fields, description, requireOneOf, projection } = resource
  const always = projection?.isAlways ? Object.keys(projection.fields) : []
  const type = capitalised(camelCase(name.one))
  const { id, _id, ...others } = fields
  const members = Object.entries({ id, _id, ...others }).flatMap(([member, field]) =>
    field ? [{ member, ...field }] : [],
  )
  const own = members.filter(({ serverOwned }) => !serverOwned)
  const needed = own.filter(({ required }) => required).map(({ member }) => member)
  const defaulted = own.filter(({ isAlways }) => isAlways).map(({ member }) => member)
  const ofService = members.filter(({ serverOwned }) => serverOwned)
  const hasWrites = resource.styleA !== null || resource.styleB !== null

  const record: JsonSchema = {
    title: type,
    description,
    type: 'object',
    properties: { ...properties(members), ...(hasWrites && { [ETAG_MEMBER]: etagMember }) },
    required: [
      ...ofService.filter(({ isAtTimes }) => !isAtTimes).map(({ member }) => member),
      ...needed,
      ...defaulted,
      ...always,
    ],
  }
  const body = (verb: 'Create' | 'Update', about: string): JsonSchema => ({
    title: `${type}${verb}`,
    description: `${about} Members that the service sets are ignored; any other unknown member is refused.`,
    type: 'object',
    properties: {
      ...properties(
        own.map(({ member, schema, sent = schema, required }) => {
          const taken = withBareDate(sent)
          return { member, schema: required ? taken : orNull(taken) }
        }),
      ),
      ...properties(ofService.map(({ member, schema, sent = schema }) => ({ member, schema: sent }))),
      ...(verb === 'Update' && resource.ids === 'plain' && { id: recordMeant }),
    },
    ...(verb === 'Create' && needed.length > 0 && { required: needed }),
    ...(verb === 'Create' &&
      requireOneOf.length > 0 && { anyOf: requireOneOf.map((member) => ({ required: [member] })) }),
  })
  const needs = requireOneOf.length > 0 ? ` At least one of ${requireOneOf.join(', ')} is needed.` : ''
  const documented: Documents = {
    type,
    types: capitalised(camelCase(name.many)),
    words: {
      one: `${/^[aeiou]/.test(name.one) ? 'an' : 'a'} ${name.record ?? spoken(name.one)}`,
      many: name.record ? `${name.record}s` : spoken(name.many),
    },
    record,
    create: body('Create', `The members of a new record.${needs}`),
    update: body(
      'Update',
      'The members to change. `null` clears an optional member; omitted members keep their values.',
    ),
    example: exampleRecord(resource),
  }
  made.set(resource, documented)
  return documented
}

const properties = (members: readonly { member: string; schema: JsonSchema }[]): JsonSchemas =>
  Object.fromEntries(members.map(({ member, schema }) => [member, schema]))

/** Not read-only like the other members that the service sets: a bulk update needs it. */
const recordMeant: JsonSchema = string('Identifies the record in a bulk update; ignored in a single update.')

/** The same shape without any further member. */
export const closed = (schema: JsonSchema): JsonSchema => ({ ...schema, unevaluatedProperties: false })

/** The same, or null: to clear a member, or to leave it unset. */
function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.title === 'string') return { description: schema.description, anyOf: [schema, { type: 'null' }] }
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
}

/** The declared example as a response: with everything that the service adds. */
function exampleRecord({ example, derive, fields, projection, ids }: Resource): Record<string, unknown> {
  const idOf = (id: string) => (ids === 'oid' ? { $oid: id } : id)
  const added: Record<string, unknown> = {
    ...derive(example),
    companyId: idOf('6740a1f2c3d4e5f6a7b8c900'),
    createdAt: aTime,
    updatedAt: aTime,
    isDeleted: false,
    sequenceNumber: 1,
  }
  const ofService = Object.entries(added).filter(([member]) => fields[member]?.serverOwned)
  return {
    [ids === 'oid' ? '_id' : 'id']: idOf(anId),
    ...(projection?.isAlways && projection.merge({}, { set: {}, clear: [] })),
    ...example,
    ...Object.fromEntries(ofService),
  }
}

/** The response to a delete; Style B adds the id. */
export const deletedSchema: JsonSchema = object(
  'Deleted',
  {
    statusCode: { type: 'integer', const: 200, description: 'The status of the response, 200.' },
    message: string('Confirms in a sentence what was deleted.'),
    id: string('Identifies the deleted record. Only in Style B.'),
  },
  ['statusCode', 'message'],
)

/** The response of a write without anything else to return. */
export const doneSchema = object('Done', {
  statusCode: { const: 200, description: 'The status of the response, 200.' },
  message: string('What was done, in a sentence for people.'),
})
export const done = (message: string) => ({ statusCode: 200, message })

/** How a route documents it. */
export const doneReplies = (description: string, message: string) => ({
  200: { description, schema: doneSchema, example: done(message) },
})

/** A Style A list. */
export const listSchema = (record: JsonSchema): JsonSchema => ({
  title: `${record.title}List`,
  description: 'A page of records, as a bare array.',
  type: 'array',
  items: record,
})

/** A Style B list. */
export const pageSchema = (record: JsonSchema): JsonSchema => ({
  title: `${record.title}Page`,
  description: 'A page of records, and where it is in the list.',
  type: 'object',
  properties: {
    data: { type: 'array', items: record, description: 'The records of the page, in the order of the list.' },
    meta: pageMetaSchema,
  },
  required: ['data', 'meta'],
})

/** The response of a Style B list, for the reference. */
export const pageReply = (record: JsonSchema, example: unknown) => ({
  200: {
    description: 'A page of records, and the total number of matching records.',
    schema: pageSchema(record),
    example: { data: [example], meta: { count: 1, skip: 0, limit: 100 } },
  },
})

const pageMetaSchema: JsonSchema = {
  title: 'PageMeta',
  description: 'Which page it is, and how many records match.',
  type: 'object',
  properties: {
    count: {
      type: 'integer',
      description: 'The number of all matching records. With `cursor`, present only if `count=true`.',
    },
    skip: { type: 'integer', description: 'The number of records before the page, as applied.' },
    limit: { type: 'integer', description: 'The maximum number of records on a page, as applied.' },
    nextCursor: string('Send it as `cursor` for the next page; absent on the last.'),
  },
  required: ['skip', 'limit'],
}
