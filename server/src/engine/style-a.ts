// Style A of pos-api.md: prefix /v1/api, update by PUT, bare arrays with Link headers.
import { invalid } from '../core/problem.ts'
import type { Call, Route } from '../http/route.ts'
import { documents, listSchema } from './documents.ts'
import { links } from './links.ts'
import { plainParameters } from './lists/list-parameters.ts'
import { plainAnswer } from './lists/page-answer.ts'
import type { Operations } from './operations.ts'
import { etagsParameter } from './record-etag.ts'
import type { Resource } from './resource.ts'
import { singleRoutes } from './single.ts'

/** The paths of single records in Style A, in each spelling of the contract, and how their routes are named. */
export const spellingsOf = ({ styleA }: Pick<Resource, 'styleA'>) =>
  (styleA?.one ?? []).map((name, n) => ({
    path: `/v1/api/${name}`,
    suffix: n === 0 ? 'A' : `A${n + 1}`,
    remark: n === 0 ? ' (Style A)' : ` (Style A, /${name})`,
  }))

/** The Style A routes of a resource: one set for each path spelling, and the list. */
export function styleA(operations: Operations): Route[] {
  const { resource } = operations
  if (resource.styleA === null) return []
  const { list } = resource.styleA
  const { record, example, words, type } = documents(resource)
  const spellings = spellingsOf(resource).flatMap((spelling) =>
    singleRoutes(operations, { ...spelling, update: 'PUT', answersId: false }),
  )
  const all: Route = {
    method: 'GET',
    semaphore: 'none',
    surface: 'company',
    tag: resource.title,
    path: `/v1/api/${list}`,
    operationId: `list${type}A`,
    summary: `List ${words.many} (Style A)`,
    description: 'In the order in which they were created.',
    query: { ...plainParameters(resource), ...etagsParameter },
    ...(resource.styleB && { filteredList: `/v1/${resource.styleB.many}` }),
    replies: {
      200: {
        description: 'A page of records, as a bare array.',
        schema: listSchema(record),
        headers: {
          Link: 'The first, previous and next page (RFC 8288).',
          'X-Total-Count': 'The number of all records, with `total=true`.',
        },
        example: [example],
      },
    },
    handle: async (call: Call) => {
      const { scope, query, isGone, expect } = call
      const missing = resource.list.needs.filter((member) => query[member] === undefined)
      if (missing.length > 0)
        throw invalid(missing.map((pointer) => ({ in: 'query', pointer, code: 'required', message: 'is required' })))
      const wantsCount = query.total === true
      const page = await operations.list(scope, {
        parameters: query,
        wantsCount,
        wantsCursor: false,
        isGone,
        expect,
      })
      const counted = page.count !== undefined && { 'x-total-count': String(page.count) }
      return plainAnswer(page, { link: links(call, page), ...counted })
    },
  }
  return [...spellings, all]
}
