// A bulk request and its response in the reference.

import { type JsonSchema, type JsonSchemas, object, string } from '../core/json-schema.ts'
import { BULK_ITEMS, CLIENT_REF_CHARACTERS } from '../core/limits.ts'
import { codeSchema, memberErrorSchema, reasonSchema } from '../core/problem-schema.ts'
import { closed, type Documents } from './documents.ts'

/**
 * A bulk request, with what may accompany its items. Each item is checked alone, so that a wrong item does not affect
 * the others.
 */
export function bulkSchema(record: JsonSchema | undefined, hasIds: boolean, alongside: JsonSchemas = {}): JsonSchema {
  const item = itemSchema(`${record?.title ?? 'Delete'}Item`, record, hasIds, hasIds ? ['id'] : [])
  return bulkOf(record?.title, record ? closed(item) : item, alongside)
}

/**
 * A bulk create that takes upserts too. An item that updates a record needs only the members of `pair`, here with
 * examples: generated clients could not send the changed members alone if all items were those of a create.
 */
export function upsertBulkSchema({ create, update, type }: Documents, pair: Readonly<Record<string, unknown>>) {
  const created = itemSchema(`${create.title}Item`, create, true, [])
  const updated = { ...itemSchema(`${type}UpsertItem`, update, true, Object.keys(pair)), examples: [pair] }
  return bulkOf(create.title, { anyOf: [closed(created), closed(updated)] }, {})
}

/** An item: a record's members or the id of one, and what accompanies them. */
function itemSchema(
  title: string,
  record: JsonSchema | undefined,
  takesIfMatch: boolean,
  required: readonly string[],
): JsonSchema {
  return {
    title,
    ...(record && { allOf: [record] }),
    type: 'object',
    properties: {
      ...(!record && { id: string('The id of the record that the item applies to.') }),
      clientRef: {
        type: 'string',
        maxLength: CLIENT_REF_CHARACTERS,
        description: 'Any text you choose; it is returned with the item’s result.',
      },
      ...(takesIfMatch && {
        ifMatch: string(
          'The `ETag` of the version that the item applies to. If the record has changed since, only this item fails.',
        ),
      }),
    },
    ...(required.length > 0 && { required }),
  }
}

/** The items as they are sent. */
function bulkOf(title: unknown, item: JsonSchema, alongside: JsonSchemas): JsonSchema {
  const items: JsonSchema = {
    type: 'array',
    description: 'The items, each carried out on its own: a wrong one does not affect the others.',
    minItems: 1,
    maxItems: BULK_ITEMS,
    items: item,
  }
  return {
    title: `${title ?? 'Delete'}Bulk`,
    description: 'The items in an object, or as a bare array.',
    oneOf: [
      { type: 'object', properties: { items, ...alongside }, required: ['items'], additionalProperties: false },
      { ...items, description: 'The items as a bare array.' },
    ],
  }
}

/**
 * A bulk response, with further counts of its summary and members of its successes; a delete’s successes have the id in
 * place of the record.
 */
export const bulkResultSchema = (
  record: JsonSchema | undefined,
  counts: JsonSchemas = {},
  { title = record?.title ?? 'Delete', members = {} }: { title?: unknown; members?: JsonSchemas } = {},
): JsonSchema =>
  object(`${title}BulkResult`, {
    summary:
      Object.keys(counts).length === 0
        ? bulkSummarySchema
        : { ...bulkSummarySchema, title: `${title}BulkSummary`, properties: { ...summarised, ...counts } },
    results: {
      type: 'array',
      description: 'One result for each item, in the order of the request.',
      items: { oneOf: [success(record, title, members), bulkErrorSchema] },
    },
  })

const place: JsonSchemas = {
  index: { type: 'integer', description: 'The item’s position in the request, counted from 0.' },
  clientRef: string('The value from the request.'),
}

const summarised: JsonSchemas = {
  total: { type: 'integer', description: 'How many items the request had.' },
  succeeded: { type: 'integer', description: 'How many items were carried out.' },
  failed: { type: 'integer', description: 'How many items have an error; nothing of them was written.' },
}
const bulkSummarySchema: JsonSchema = {
  title: 'BulkSummary',
  description: 'How many items succeeded and failed.',
  type: 'object',
  properties: summarised,
  required: ['total', 'succeeded', 'failed'],
}

const success = (record: JsonSchema | undefined, title: unknown, members: JsonSchemas): JsonSchema => ({
  title: `${title}BulkSuccess`,
  description: 'The item was carried out.',
  type: 'object',
  properties: {
    ...place,
    status: { type: 'string', const: 'success', description: 'The item was carried out.' },
    ...members,
    ...(record ? { data: record } : { id: string('Identifies the deleted record.') }),
  },
  required: ['index', 'status', record ? 'data' : 'id'],
})

const bulkErrorSchema: JsonSchema = {
  title: 'BulkError',
  description: 'Nothing of this item was written.',
  type: 'object',
  properties: {
    ...place,
    status: { type: 'string', const: 'error', description: 'The item was not carried out.' },
    id: string('The value from the request.'),
    error: {
      title: 'ItemProblem',
      description: 'Why the item failed.',
      type: 'object',
      properties: {
        statusCode: { type: 'integer', description: 'The status that the same single request would return.' },
        code: codeSchema,
        message: string('Explains the error in a sentence.'),
        reason: reasonSchema,
        errors: { type: 'array', items: memberErrorSchema, description: 'The wrong members of the item.' },
      },
      required: ['statusCode', 'code', 'message'],
    },
  },
  required: ['index', 'status', 'error'],
}

/** A bulk response of one success and one error. */
export function bulkResultExample(record: Readonly<Record<string, unknown>>, showsRecord: boolean) {
  const failed = (error: object) => ({ index: 1, status: 'error', ...error })
  return {
    summary: { total: 2, succeeded: 1, failed: 1 },
    results: showsRecord
      ? [
          { index: 0, status: 'success', clientRef: 'row-1', data: record },
          failed({
            clientRef: 'row-2',
            error: {
              statusCode: 400,
              code: 'validation_failed',
              message: '/items/1/colour: is not known',
              errors: [{ in: 'body', pointer: '/items/1/colour', code: 'unknown', message: 'is not known' }],
            },
          }),
        ]
      : [
          { index: 0, status: 'success', id: record.id },
          failed({
            id: record.id,
            error: {
              statusCode: 409,
              code: 'duplicate_item',
              message: `The id ${record.id} is already used by an earlier item; this item was not carried out.`,
            },
          }),
        ],
  }
}
