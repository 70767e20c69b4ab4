// Style B of pos-api.md: prefix /v1, update by PATCH, bulk on the plural path with a result for each item, lists in data and meta.
import { invalid, itemProblem, type MemberError, Problem } from '../http/problem.ts'
import type { Call, Route } from '../http/route.ts'
import { BULK_ITEMS, CLIENT_REF_CHARACTERS } from '../limits.ts'
import { bulkResultExample, bulkResultSchema, bulkSchema } from './bulk-documents.ts'
import { closed, deletedSchema, documents, pageSchema } from './documents.ts'
import { richParameters } from './list.ts'
import type { ItemWithId, Operations, Outcome } from './operations.ts'
import { deletedMessage, only } from './style-a.ts'

/** The Style B routes of a resource: single, bulk, and the list. */
export function styleB(operations: Operations): Route[] {
  const { resource } = operations
  if (resource.styleB === null) return []
  const { one, many } = resource.styleB
  const { name, title } = resource
  const { record, create, update, example, words, type, types } = documents(resource)
  const common = { surface: 'company', tag: title } as const
  const single = { ...common, path: `/v1/${one}/{id}` }
  const plural = { ...common, path: `/v1/${many}` }
  const bulkReply = (withRecord: boolean) => ({
    200: {
      description: 'What became of each item, in the order of the request.',
      schema: bulkResultSchema(withRecord ? record : undefined),
      example: bulkResultExample(example, withRecord),
    },
  })

  return [
    {
      ...common,
      method: 'POST',
      path: `/v1/${one}`,
      operationId: `create${type}`,
      summary: `Create ${words.one}`,
      body: { schema: closed(create), example: resource.example },
      replies: { 201: { description: 'The stored record.', schema: record, example } },
      problems: ['conflict'],
      handle: async ({ scope, body }) => ({
        status: 201,
        body: only(await operations.create({ scope, value: body })).text,
      }),
    },
    {
      ...single,
      method: 'GET',
      operationId: `read${type}`,
      summary: `Read ${words.one}`,
      replies: { 200: { description: 'The record.', schema: record, example } },
      problems: ['not_found'],
      handle: async ({ scope, params }) => ({ status: 200, body: await operations.read(scope, params.id as string) }),
    },
    {
      ...single,
      method: 'PATCH',
      operationId: `update${type}`,
      summary: `Update ${words.one}`,
      description: 'Members sent replace the stored ones; members not sent stay; `null` clears an optional one.',
      body: { schema: closed(update), example: resource.example },
      replies: { 200: { description: 'The stored record.', schema: record, example } },
      problems: ['not_found', 'conflict'],
      handle: async ({ scope, params, body }) => ({
        status: 200,
        body: only(await operations.update({ scope, id: params.id as string, value: body })).text,
      }),
    },
    {
      ...single,
      method: 'DELETE',
      operationId: `delete${type}`,
      summary: `Delete ${words.one}`,
      replies: {
        200: {
          description: 'It is deleted.',
          schema: deletedSchema,
          example: { statusCode: 200, message: deletedMessage(name.one), id: example.id },
        },
      },
      problems: ['not_found'],
      handle: async ({ scope, params }) => {
        const id = params.id as string
        only(await operations.remove({ scope, id, value: undefined }))
        return { status: 200, body: JSON.stringify({ statusCode: 200, message: deletedMessage(name.one), id }) }
      },
    },
    {
      ...plural,
      method: 'GET',
      operationId: `list${types}`,
      summary: `List ${words.many}`,
      query: richParameters(resource),
      replies: {
        200: {
          description: 'A page of records, and how many match in all.',
          schema: pageSchema(record),
          example: { data: [example], meta: { count: 1, skip: 0, limit: 100 } },
        },
      },
      handle: async ({ scope, query }: Call) => {
        const page = await operations.list(scope, { parameters: query, wantsCount: true })
        const { count, skip, limit, nextCursor } = page
        const meta = JSON.stringify({ count, skip, limit, ...(nextCursor !== undefined && { nextCursor }) })
        return { status: 200, body: `{"data":[${page.texts.join(',')}],"meta":${meta}}` }
      },
    },
    {
      ...plural,
      method: 'POST',
      operationId: `create${types}`,
      summary: `Create many ${words.many}`,
      body: { schema: bulkSchema(create, false), example: { items: [{ ...resource.example, clientRef: 'row-1' }] } },
      replies: bulkReply(true),
      problems: ['too_many_items'],
      isBulk: true,
      handle: (call) => bulk(call, false, (items) => operations.createMany(items), true),
    },
    {
      ...plural,
      method: 'PATCH',
      operationId: `update${types}`,
      summary: `Update many ${words.many}`,
      body: { schema: bulkSchema(update, true), example: { items: [{ id: example.id, ...resource.example }] } },
      replies: bulkReply(true),
      problems: ['too_many_items'],
      isBulk: true,
      handle: (call) => bulk(call, true, (items) => operations.updateMany(items), true),
    },
    {
      ...plural,
      method: 'DELETE',
      operationId: `delete${types}`,
      summary: `Delete many ${words.many}`,
      body: { schema: bulkSchema(undefined, true), example: { items: [{ id: example.id }] } },
      replies: bulkReply(false),
      problems: ['too_many_items'],
      isBulk: true,
      handle: (call) => bulk(call, true, (items) => operations.removeMany(items), false),
    },
  ]
}

/** The items of a bulk body, `{"items": […]}` or a bare array, and the pointer at which they stand (decisions §5). */
export function bulkItems(body: unknown): { items: unknown[]; at: string } {
  if (Array.isArray(body)) return { items: countedItems(body, ''), at: '' }
  if (typeof body !== 'object' || body === null)
    throw invalid([wrong('', 'type', 'must be an object with items, or an array')])
  for (const member of Object.keys(body))
    if (member !== 'items') throw invalid([wrong(`/${member}`, 'unknown', 'is not known; the records stand in items')])
  const { items } = body as { items?: unknown }
  if (items === undefined) throw invalid([wrong('/items', 'required', 'is required')])
  if (!Array.isArray(items)) throw invalid([wrong('/items', 'type', 'must be an array')])
  return { items: countedItems(items, '/items'), at: '/items' }
}

function countedItems(items: unknown[], pointer: string): unknown[] {
  if (items.length === 0) throw invalid([wrong(pointer, 'minItems', 'must hold at least one item')])
  if (items.length > BULK_ITEMS)
    throw invalid(
      [wrong(pointer, 'maxItems', `must hold at most ${BULK_ITEMS} items, not ${items.length}`)],
      'too_many_items',
    )
  return items
}

const wrong = (pointer: string, code: string, message: string): MemberError => ({ in: 'body', pointer, code, message })

async function bulk(
  { scope, body, losses }: Call,
  hasIds: boolean,
  run: (items: ItemWithId[]) => Promise<Outcome[]>,
  showsRecord: boolean,
) {
  const { items, at } = bulkItems(body)
  const lost = lossesByItem(losses, at)
  const outcomes: Outcome[] = new Array(items.length)
  const good: { index: number; item: ItemWithId }[] = []
  const seen = new Set<string>()
  const heads = items.map((value, index) => {
    const head = itemHead(value, `${at}/${index}`, hasIds, lost.get(index))
    if (head.problem) outcomes[index] = head.problem
    else if (hasIds && seen.has(head.id))
      outcomes[index] = new Problem(
        'duplicate_item',
        `The id ${head.id} stands in an earlier item; this one was not carried out.`,
      )
    else good.push({ index, item: { scope, id: head.id, value: head.record, at: `${at}/${index}` } })
    seen.add(head.id)
    return head
  })
  const ran = good.length > 0 ? await run(good.map(({ item }) => item)) : []
  good.forEach(({ index }, n) => {
    outcomes[index] = ran[n] as Outcome
  })
  const results = outcomes.map((outcome, index) => {
    const { clientRef, id } = heads[index] as Head
    const reference = clientRef === undefined ? '' : `,"clientRef":${JSON.stringify(clientRef)}`
    if (!(outcome instanceof Problem)) {
      const record = showsRecord ? `,"data":${outcome.text}` : `,"id":${JSON.stringify(outcome.id)}`
      return `{"index":${index},"status":"success"${reference}${record}}`
    }
    const named = id === '' ? '' : `,"id":${JSON.stringify(id)}`
    return `{"index":${index},"status":"error"${reference}${named},"error":${JSON.stringify(itemProblem(outcome))}}`
  })
  const failed = outcomes.filter((outcome) => outcome instanceof Problem).length
  const summary = JSON.stringify({ total: items.length, succeeded: items.length - failed, failed })
  return { status: 200, body: `{"summary":${summary},"results":[${results.join(',')}]}` }
}

/** What was lost of each item. Throws when something was lost outside of them. */
function lossesByItem(losses: readonly MemberError[], at: string): Map<number, MemberError[]> {
  return Map.groupBy(losses, ({ pointer }) => {
    const [, index] = (pointer.startsWith(at) && /^\/(\d+)(?:\/|$)/.exec(pointer.slice(at.length))) || []
    if (index === undefined) throw invalid(losses)
    return Number(index)
  })
}

/** What stands in an item besides the record. */
interface Head {
  readonly id: string
  readonly clientRef?: string
  readonly record: unknown
  readonly problem?: Problem
}

function itemHead(value: unknown, at: string, hasIds: boolean, losses: readonly MemberError[] = []): Head {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { id: '', record: value, problem: invalid([wrong(at, 'type', 'must be an object')]) }
  const { clientRef, ...record } = value as { clientRef?: unknown; id?: unknown }
  const errors = [...losses]
  const isReference = typeof clientRef === 'string' && [...clientRef].length <= CLIENT_REF_CHARACTERS
  if (clientRef !== undefined && clientRef !== null && !isReference)
    errors.push(wrong(`${at}/clientRef`, 'type', `must be a string of at most ${CLIENT_REF_CHARACTERS} characters`))
  const id = hasIds && typeof record.id === 'string' ? record.id : ''
  if (hasIds && id === '')
    errors.push(wrong(`${at}/id`, record.id === undefined ? 'required' : 'type', 'must be the id of a record'))
  return {
    id,
    record,
    ...(isReference && { clientRef }),
    ...(errors.length > 0 && { problem: invalid(errors) }),
  }
}
