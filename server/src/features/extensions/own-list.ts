// The extensions of one organization, in any status, as its own key reads and lists them: in creation order.

import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts'
import { singleFlight } from '../../concurrency/single-flight.ts'
import { PAGE_DEFAULT } from '../../core/limits.ts'
import { type Database, requireRow } from '../../database/connect.ts'
import { positionOf } from '../../engine/lists/column-list.ts'
import type { Page } from '../../engine/lists/list.ts'
import { writeCursor } from '../../engine/lists/list-cursor.ts'
import { countParameter } from '../../engine/lists/list-parameters.ts'
import { readPage, turnsOf } from '../../engine/lists/page-read.ts'
import type { Call } from '../../http/route.ts'
import { extension } from './extension.ts'
import { extensionFilters, pageLimit, sharedParameters, textParameter } from './search.ts'

/** Parameters by name. */
export const ownListParameters = {
  ...sharedParameters,
  limit: pageLimit,
  cursor: { ...textParameter, description: 'Continues after a page: its `meta.nextCursor`. Use it instead of `skip`.' },
  count: countParameter,
  status: { type: 'string', enum: ['draft', 'public', 'archived'], description: 'Exactly this `status`.' },
}

/** Creates the list. Its statements queue in `lists`. Throws 400 for a cursor of another list. */
export function ownList(database: Database, lists: FairSemaphore): (call: Call) => Promise<Page> {
  const shareCount = singleFlight<number>()
  const readRows = turnsOf(async () => database, lists)

  return async ({ scope, query, isGone, expect }) => {
    const organizationId = scope.organizationId as string
    const { skip = 0, cursor, status } = query
    const limit = query.limit || PAGE_DEFAULT
    const waiter = { tenant: scope.actorId as string, isGone }
    const values: unknown[] = [organizationId]
    const bind = (value: unknown) => `$${values.push(value)}`
    const where = [
      'stored.organization_id = $1',
      ...(status === undefined ? [] : [`stored.status = ${bind(status)}`]),
      ...extensionFilters(query, bind),
    ].join(' and ')
    const countValues = [...values]
    const position = cursor === undefined ? undefined : positionOf(cursor, 'createdAt', 'asc', skip)
    const after = position
      ? ` and (stored.created_at, stored.id) > (${bind(position.value)}, ${bind(position.id)})`
      : ''
    const text = `select stored.body from extensions as stored where ${where}${after}
      order by stored.created_at, stored.id limit ${bind(limit + 1)} offset ${bind(skip)}`

    const { texts, chunks, length, hasMore, last } = await readPage(
      database,
      readRows,
      { statement: { text }, values, columns: ['body'], limit, textOf: ([body]) => body },
      { ...waiter, expect },
    )
    const isLast = !position && !hasMore && (length > 0 || skip === 0)
    try {
      const wantsCount = position === undefined || query.count === true
      const count = !wantsCount ? undefined : isLast ? skip + length : await counted()
      const nextCursor = last === undefined ? undefined : writeCursor('createdAt', 'asc', extension, last)
      return { texts, chunks, count, skip, limit, hasMore, nextCursor }
    } catch (error) {
      await chunks?.return?.()
      throw error
    }

    function counted(): Promise<number> {
      const count = `select count(*) from extensions as stored where ${where}`
      return shareCount(
        JSON.stringify([count, countValues]),
        async (allAreGone) => {
          const [row] = await lists({ ...waiter, isGone: allAreGone }, () => database.query(count, countValues))
          return row?.[0]
        },
        isGone,
      )
    }
  }
}

/** The text of an organization's extension. Throws `not_found`. */
export async function readExtension(database: Database, organizationId: string, id: string): Promise<string> {
  const statement = {
    name: 'extension_find',
    text: 'select body from extensions where organization_id = $1 and id = $2',
  }
  return (await requireRow(database, 'extension', id, statement, [organizationId, id]))[0]
}

/** The texts of all its extensions for the command line, oldest first. */
export async function allExtensions(database: Database, organizationId: string, status?: string): Promise<string[]> {
  const rows = await database.query(
    `select body from extensions where organization_id = $1 and ($2::text is null or status = $2) order by created_at, id`,
    [organizationId, status ?? null],
  )
  return rows.map(([text]) => text)
}
