// GET /v1/search: one box over all resources, for what a person remembers of a record.

import { boolean, type JsonSchema, object, string } from '../../core/json-schema.ts'
import { invalid } from '../../core/problem.ts'
import type { Database } from '../../database/connect.ts'
import { TableSearchFacts } from '../../engine/lists/search-facts.ts'
import type { OperationSemaphores } from '../../engine/operations.ts'
import type { Call, Route } from '../../http/route.ts'
import { type FoundRecord, isIdentified, matchKinds, ranked } from './ranking.ts'
import { isMany, type Searched, searched } from './searched.ts'
import { soughtOf } from './sought.ts'
import { beginsStatement, wordsStatement } from './statements.ts'

/** Results by default and at most: a box shows some ten, and nobody reads a hundred. */
const RESULTS_DEFAULT = 20
const RESULTS_MAXIMUM = 50
/** Characters of the text: a name of three words and an e-mail address. */
const TEXT_CHARACTERS = 200

const title = 'Search'
const schema: JsonSchema = object('SearchResults', {
  data: {
    type: 'array',
    description: 'The results, the best first.',
    items: object('SearchHit', {
      resource: { enum: searched.map(({ name }) => name), description: 'What kind of record it is.' },
      id: string('Identifies the record.'),
      title: string('Display name of the record; its id if it has no name.'),
      subtitle: string(
        'What distinguishes it from others of the same title, such as e-mail address, phone and city. Days are in the company’s time zone. May be empty.',
      ),
      match: {
        enum: matchKinds,
        description:
          'How it matches: `exact` (a member, or the words of a name in any order), `prefix` (a member begins with the text), `words` (each word begins a word of the record), `part` (a word is inside another).',
      },
      matchedBy: {
        type: 'array',
        items: { type: 'string' },
        description: 'The members that match, such as `email`.',
      },
    }),
  },
  meta: {
    type: 'object',
    properties: {
      limit: { type: 'integer', description: 'Maximum number of results.' },
      hasMore: boolean('Whether more records match.'),
    },
    required: ['limit', 'hasMore'],
    description: 'Whether there are further results.',
  },
})

const example = {
  data: [
    {
      resource: 'customer',
      id: '6740a1f2c3d4e5f6a7b8c9d7',
      title: 'Anna Gruber',
      subtitle: 'anna@example.com · +43 679 1234567 · Graz',
      match: 'exact',
      matchedBy: ['firstName', 'lastName'],
    },
  ],
  meta: { limit: 20, hasMore: false },
}

/** The chapter of the reference. */
export const searchChapter = {
  [title]: 'Finds records of all resources by what a person remembers of them.',
}

/** The route. */
export function searchRoutes(database: Database, { lists }: OperationSemaphores): Route[] {
  const facts = searched.filter(isMany).map((of) => ({ of, table: new TableSearchFacts(of.resource.table) }))
  return [
    {
      method: 'GET',
      surface: 'company',
      tag: title,
      semaphore: 'none',
      path: '/v1/search',
      operationId: 'search',
      summary: 'Search all resources',
      description:
        'Finds records by words of their names in any order, phone number (by its digits, with or without the country’s code), e-mail address, receipt number, SKU, barcode, external id or id. Exact matches come first, then members that begin with the text, then those that contain all of its words. Words of one or two characters are found only where a member or another word begins with them. If a whole e-mail address, number, code or id finds its record, other texts are not searched for it. Soft-deleted records are left out.',
      query: {
        q: {
          type: 'string',
          minLength: 1,
          maxLength: TEXT_CHARACTERS,
          pattern: '\\S',
          'x-required': true,
          description: 'The text to search for.',
          examples: ['ann'],
        },
        limit: {
          type: 'integer',
          minimum: 0,
          maximum: RESULTS_MAXIMUM,
          default: RESULTS_DEFAULT,
          description: 'Maximum number of results; 0 means the default.',
        },
      },
      replies: { 200: { description: 'The results.', schema, example } },
      handle: (call) => search({ database, lists, facts }, call),
    },
  ]
}

/** What searches share. */
interface SearchContext {
  readonly database: Database
  readonly lists: OperationSemaphores['lists']
  /** What is known of the large tables. */
  readonly facts: readonly { readonly of: Searched; readonly table: TableSearchFacts }[]
}

/** The resources of whose large tables nearly all rows are a company's. */
const heldBy = async ({ database, facts }: SearchContext, tenant: string): Promise<readonly Searched[]> =>
  (
    await Promise.all(facts.map(async ({ of, table }) => ((await table.of(database, tenant)).holdsMost ? [of] : [])))
  ).flat()

async function search(context: SearchContext, { scope, query, isGone }: Call) {
  if (query.q === undefined) throw invalid([{ in: 'query', pointer: 'q', code: 'required', message: 'is required' }])
  const { database, lists } = context
  const tenant = scope.companyId
  const limit = query.limit || RESULTS_DEFAULT
  const sought = soughtOf(query.q)
  const reads = await database.beginRead()
  const read = async ([statement, values]: ReturnType<typeof beginsStatement>): Promise<FoundRecord[]> => {
    const rows = await reads.query(statement, values)
    return rows.map(([resource, id, known]) => ({ resource, id, known: JSON.parse(known) }))
  }
  // One record more than are shown, so that it is known whether more match.
  const most = limit + 1
  const results = await lists({ tenant, isGone }, async () => {
    const begun = await read(beginsStatement(tenant, sought, most))
    const first = ranked(sought, begun)
    const isFound = first.length >= most || isIdentified(sought, first)
    const words = isFound ? undefined : wordsStatement(tenant, sought, most, await heldBy(context, tenant))
    return words === undefined ? first : ranked(sought, [...begun, ...(await read(words))])
  })
  const body = JSON.stringify({ data: results.slice(0, limit), meta: { limit, hasMore: results.length > limit } })
  return { status: 200, body }
}
