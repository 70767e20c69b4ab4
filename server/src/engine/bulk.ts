// A bulk request: each item is checked and carried out alone and has its own result (decisions §5).

import { mapInSlices } from '../concurrency/time-slices.ts'
import { type Condition, readCondition } from '../core/etag.ts'
import { BULK_ITEMS, CLIENT_REF_CHARACTERS, ERRORS_OF_LATER_ITEMS, ERRORS_OF_REQUEST } from '../core/limits.ts'
import { madeOf } from '../core/long-values.ts'
import { bodyError, ERRORS_LISTED, invalid, itemProblem, type MemberError, Problem } from '../core/problem.ts'
import type { Queryable } from '../database/connect.ts'
import type { Answer, Call } from '../http/route.ts'
import type { Operations } from './operations.ts'
import type { ItemResult, ItemWithId } from './record.ts'
import { withEtag } from './record-etag.ts'

/** The items of a body, `{"items": […]}` or a bare array, and their pointer (decisions §5). */
function bulkItems(body: unknown, alongside: readonly string[]): { items: unknown[]; at: string } {
  if (Array.isArray(body)) return { items: countedItems(body, ''), at: '' }
  if (typeof body !== 'object' || body === null)
    throw invalid([bodyError('', 'type', 'must be an array, or an object with the member items')])
  for (const member of Object.keys(body))
    if (member !== 'items' && !alongside.includes(member))
      throw invalid([bodyError(`/${member}`, 'unknown', 'is not known; send the records in items')])
  const { items } = body as { items?: unknown }
  if (items === undefined) throw invalid([bodyError('/items', 'required', 'is required')])
  if (!Array.isArray(items)) throw invalid([bodyError('/items', 'type', 'must be an array')])
  return { items: countedItems(items, '/items'), at: '/items' }
}

function countedItems(items: unknown[], pointer: string): unknown[] {
  if (items.length === 0) throw invalid([bodyError(pointer, 'minItems', 'must contain at least one item')])
  if (items.length > BULK_ITEMS)
    throw invalid(
      [bodyError(pointer, 'maxItems', `must contain at most ${BULK_ITEMS} items, not ${items.length}`)],
      'too_many_items',
    )
  return items
}

/** The items of a bulk request, and what is done with them. */
export interface Bulk {
  /** Items name a record by `id`: updates and deletes. */
  readonly hasIds: boolean
  /** Items that name no record by `id` may still be bound to a version, by `ifMatch`: upserts. */
  readonly takesIfMatch?: boolean
  /** A success shows the record; a delete's shows its id. */
  readonly showsRecord: boolean
  /** The record's text of which the ETag is made, where its response shows a secret. */
  readonly tagged?: ((text: string) => string) | undefined
  /** Members allowed beside `items`; the code that carries the items out checks them. */
  readonly alongside?: readonly string[]
  /** Carries out the valid items, possibly none, and returns the response made of their results. */
  readonly carry: (
    call: Call,
    items: readonly ItemWithId[],
    answer: (results: readonly ItemResult[]) => Promise<Answer>,
  ) => Promise<Answer>
  /** Further members of the summary, computed from all results. */
  readonly summarise?: (results: readonly ItemResult[]) => object
}

/** Carries items out by a plural operation: under a claim in one transaction with the response. */
export const carriedBy =
  (
    run: (items: readonly ItemWithId[], connection: Queryable) => Promise<ItemResult[]>,
    once: Operations['once'],
  ): Bulk['carry'] =>
  ({ claim }, items, answer) =>
    once(claim, async (connection) => answer(items.length > 0 ? await run(items, connection) : []))

/** Answers a bulk request: 200 with a result for each item, in the order of the request. */
export async function bulk(
  call: Call,
  { hasIds, takesIfMatch = hasIds, showsRecord, tagged, alongside = [], carry, summarise = () => ({}) }: Bulk,
): Promise<Answer> {
  const { scope, body, lossyValues, query } = call
  const { items, at } = bulkItems(body, alongside)
  const lost = lossyValuesByItem(lossyValues, at)
  const results: ItemResult[] = new Array(items.length)
  const good: { index: number; item: ItemWithId }[] = []
  const seen = new Set<string>()
  const heads = await mapInSlices(items, scope.companyId, (value, index) => {
    const byExternalId = showsRecord ? namedInUpsert : namedInList
    const head = itemHead(value, `${at}/${index}`, { hasIds, byExternalId, takesIfMatch, lossyValues: lost.get(index) })
    if (head.problem) results[index] = head.problem
    else if (hasIds && seen.has(head.id))
      results[index] = new Problem(
        'duplicate_item',
        `The id ${head.id} is already used by an earlier item; this item was not carried out.`,
      )
    else {
      const { id, record, ifMatch } = head
      good.push({ index, item: { scope, id, value: record, at: `${at}/${index}`, ifMatch } })
    }
    seen.add(head.id)
    return head
  })
  return carry(
    call,
    good.map(({ item }) => item),
    async (ran) => {
      good.forEach(({ index }, n) => {
        results[index] = ran[n] as ItemResult
      })
      const texts = await resultTexts(results, heads, {
        tenant: scope.companyId,
        showsRecord,
        // The answer of a dry run is no version of a stored record.
        textOf: query.etags === true && query.dryRun !== true ? (text) => withEtag(text, tagged) : (text) => text,
      })
      const failed = results.filter((result) => result instanceof Problem).length
      const counts = { total: results.length, succeeded: results.length - failed, failed, ...summarise(results) }
      return { status: 200, body: `{"summary":${JSON.stringify(counts)},"results":[${texts.join(',')}]}` }
    },
  )
}

/** The results. Once they have listed `ERRORS_OF_REQUEST` wrong members, each further one lists its first few. */
function resultTexts(
  results: readonly ItemResult[],
  heads: readonly Head[],
  { tenant, showsRecord, textOf }: { tenant: string; showsRecord: boolean; textOf: (text: string) => string },
): Promise<string[]> {
  let listed = 0
  return mapInSlices(results, tenant, (result, index) => {
    const { clientRef, id } = heads[index] as Head
    const reference = clientRef === undefined ? '' : `,"clientRef":${JSON.stringify(clientRef)}`
    if (!(result instanceof Problem)) {
      const done = result.outcome === undefined ? '' : `,"outcome":"${result.outcome}"`
      const record = showsRecord ? `,"data":${textOf(result.text)}` : `,"id":${JSON.stringify(result.id)}`
      return `{"index":${index},"status":"success"${reference}${done}${record}}`
    }
    const named = id === '' ? '' : `,"id":${JSON.stringify(id)}`
    const problem = itemProblem(result, listed < ERRORS_OF_REQUEST ? ERRORS_LISTED : ERRORS_OF_LATER_ITEMS)
    listed += problem.errors?.length ?? 0
    return `{"index":${index},"status":"error"${reference}${named},"error":${JSON.stringify(problem)}}`
  })
}

/** What parsing lost of each item. Throws if it lost something outside of the items. */
function lossyValuesByItem(lossyValues: readonly MemberError[], at: string): Map<number, MemberError[]> {
  return Map.groupBy(lossyValues, ({ pointer }) => {
    const [, index] = (pointer.startsWith(at) && /^\/(\d+)(?:\/|$)/.exec(pointer.slice(at.length))) || []
    if (index === undefined) throw invalid(lossyValues)
    return Number(index)
  })
}

/** What an item contains besides the record. */
interface Head {
  readonly id: string
  readonly clientRef?: string
  readonly ifMatch?: Condition
  readonly record: unknown
  readonly problem?: Problem
}

/** Advice for an item that names its record by `externalId`: in a bulk update, and in a bulk delete. */
const namedInUpsert = '; to name it by its externalId, send it by POST with mode=upsert'
const namedInList = '; find it first: send GET with its externalId as a query parameter'

function itemHead(
  value: unknown,
  at: string,
  {
    hasIds,
    byExternalId,
    takesIfMatch,
    lossyValues = [],
  }: { hasIds: boolean; byExternalId: string; takesIfMatch: boolean; lossyValues: MemberError[] | undefined },
): Head {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { id: '', record: value, problem: invalid([bodyError(at, 'type', 'must be an object')]) }
  const { clientRef, ...members } = value as { clientRef?: unknown; ifMatch?: unknown; id?: unknown }
  const { ifMatch, ...rest } = members
  const record = madeOf(takesIfMatch ? rest : members, value)
  const errors = [...lossyValues]
  const isReference = typeof clientRef === 'string' && [...clientRef].length <= CLIENT_REF_CHARACTERS
  if (clientRef !== undefined && clientRef !== null && !isReference)
    errors.push(bodyError(`${at}/clientRef`, 'type', `must be a string of at most ${CLIENT_REF_CHARACTERS} characters`))
  const condition =
    takesIfMatch && ifMatch !== undefined && ifMatch !== null
      ? readCondition(ifMatch, { in: 'body', pointer: `${at}/ifMatch` })
      : undefined
  const isCondition = condition === '*' || Array.isArray(condition)
  if (condition && !isCondition) errors.push(condition as MemberError)
  const id = hasIds && typeof record.id === 'string' ? record.id : ''
  if (hasIds && id === '') {
    const isNamed = record.id === undefined && Object.hasOwn(record, 'externalId')
    const message = `must be the id of a record${isNamed ? byExternalId : ''}`
    errors.push(bodyError(`${at}/id`, record.id === undefined ? 'required' : 'type', message))
  }
  return {
    id,
    record,
    ...(isReference && { clientRef }),
    ...(isCondition && { ifMatch: condition }),
    ...(errors.length > 0 && { problem: invalid(errors) }),
  }
}
