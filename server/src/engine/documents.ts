// A resource's shapes as the reference shows them. A schema with `$id` is shown once, under that name, among the document's components.

import { BULK_ITEMS, CLIENT_REF_CHARACTERS } from '../limits.ts'
import type { JsonSchema } from './field.ts'
import { camelCase, capitalised, type Resource, spoken } from './resource.ts'

/** The schemas, an example record, and the words by which people call the resource. */
export interface Documents {
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
  const { name, fields, description, remove, showsCompany } = resource
  const type = capitalised(camelCase(name.one))
  const own = Object.entries(fields).filter(([, field]) => !field.serverOwned)
  const needed = own.filter(([, field]) => field.required).map(([member]) => member)
  const properties = {
    id: fields.id?.schema,
    ...Object.fromEntries(Object.entries(fields).map(([member, { schema }]) => [member, schema])),
  }
  const optional = (schema: JsonSchema) =>
    typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema
  const record: JsonSchema = {
    $id: type,
    type: 'object',
    description,
    properties,
    required: [
      'id',
      ...(showsCompany ? ['companyId'] : []),
      'createdAt',
      'updatedAt',
      ...(remove === 'soft' ? ['isDeleted'] : []),
      ...needed,
    ],
  }
  const body = (isCreate: boolean): JsonSchema => ({
    $id: `${type}${isCreate ? 'Create' : 'Update'}`,
    type: 'object',
    description: isCreate
      ? 'Members set by the service may stand here and are ignored; any other unknown one is refused.'
      : 'The members to change; `null` clears an optional one.',
    properties: Object.fromEntries(
      own.map(([member, { schema, required }]) => [member, required ? schema : optional(schema)]),
    ),
    ...(isCreate && needed.length > 0 && { required: needed }),
    ...(isCreate &&
      resource.requireOneOf.length > 0 && { anyOf: resource.requireOneOf.map((member) => ({ required: [member] })) }),
  })
  const time = '2026-11-21T09:30:00.000Z'
  const example = {
    id: '6740a1f2c3d4e5f6a7b8c9d0',
    ...resource.example,
    ...(remove === 'soft' && { isDeleted: false }),
    createdAt: time,
    updatedAt: time,
    ...(showsCompany && { companyId: '6740a1f2c3d4e5f6a7b8c900' }),
  }
  const words = { one: `${/^[aeiou]/.test(name.one) ? 'an' : 'a'} ${spoken(name.one)}`, many: spoken(name.many) }
  const types = capitalised(camelCase(name.many))
  const documented = { type, types, words, record, create: body(true), update: body(false), example }
  made.set(resource, documented)
  return documented
}

/** What a delete answers; Style B adds the id. */
export const deletedSchema: JsonSchema = {
  $id: 'Deleted',
  type: 'object',
  properties: { statusCode: { type: 'integer' }, message: { type: 'string' }, id: { type: 'string' } },
  required: ['statusCode', 'message'],
}

/** A Style B list. */
export const pageSchema = (record: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    data: { type: 'array', items: record },
    meta: {
      $id: 'PageMeta',
      type: 'object',
      properties: {
        count: { type: 'integer', description: 'All records that match.' },
        skip: { type: 'integer' },
        limit: { type: 'integer' },
        nextCursor: { type: 'string', description: 'Send it as `cursor` for the next page; absent on the last.' },
      },
      required: ['count', 'skip', 'limit'],
    },
  },
  required: ['data', 'meta'],
})

/** A bulk request. An item of a create is checked by itself, so that a wrong one does not harm its neighbours. */
export function bulkSchema(item: JsonSchema | undefined, hasIds: boolean): JsonSchema {
  const head = {
    type: 'object',
    properties: {
      clientRef: {
        type: 'string',
        maxLength: CLIENT_REF_CHARACTERS,
        description: 'Comes back with the item’s result.',
      },
      ...(hasIds && { id: { type: 'string' } }),
    },
    ...(hasIds && { required: ['id'] }),
  }
  const items = { type: 'array', minItems: 1, maxItems: BULK_ITEMS, items: item ? { allOf: [item, head] } : head }
  return { oneOf: [{ type: 'object', properties: { items }, required: ['items'] }, items] }
}

/** A bulk answer; a delete’s successes have the id in place of the record. */
export const bulkResultSchema = (record: JsonSchema | undefined): JsonSchema => ({
  type: 'object',
  properties: {
    summary: {
      $id: 'BulkSummary',
      type: 'object',
      properties: { total: { type: 'integer' }, succeeded: { type: 'integer' }, failed: { type: 'integer' } },
      required: ['total', 'succeeded', 'failed'],
    },
    results: {
      type: 'array',
      items: {
        oneOf: [
          {
            type: 'object',
            properties: {
              index: { type: 'integer' },
              status: { const: 'success' },
              clientRef: { type: 'string' },
              ...(record ? { data: record } : { id: { type: 'string' } }),
            },
            required: ['index', 'status', record ? 'data' : 'id'],
          },
          bulkErrorSchema,
        ],
      },
    },
  },
  required: ['summary', 'results'],
})

/** One wrong member of a request. */
export const memberErrorSchema: JsonSchema = {
  $id: 'MemberError',
  type: 'object',
  properties: {
    in: { enum: ['body', 'query', 'header', 'path'] },
    pointer: { type: 'string', description: 'JSON pointer in the body, or the name of the parameter.' },
    code: { type: 'string' },
    message: { type: 'string' },
  },
  required: ['in', 'pointer', 'code', 'message'],
}

const bulkErrorSchema: JsonSchema = {
  $id: 'BulkError',
  type: 'object',
  properties: {
    index: { type: 'integer' },
    status: { const: 'error' },
    clientRef: { type: 'string' },
    id: { type: 'string' },
    error: {
      type: 'object',
      properties: {
        statusCode: { type: 'integer' },
        code: { type: 'string' },
        message: { type: 'string' },
        errors: { type: 'array', items: memberErrorSchema },
      },
      required: ['statusCode', 'code', 'message'],
    },
  },
  required: ['index', 'status', 'error'],
}
