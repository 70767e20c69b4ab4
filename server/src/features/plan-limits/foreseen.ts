// Simulated creates, as in a dry run: refuses what the plan would refuse, and writes and locks nothing.

import { newId } from '../../core/ids.ts'
import type { Queryable } from '../../database/connect.ts'
import type { Operations } from '../../engine/operations.ts'
import { countAll, limitIn } from './count.ts'
import { beyondPlan, type LimitName, limitOn } from './refusal.ts'

/**
 * Makes the simulation of a resource's creates in one company: results as of sequential creates, starting from the
 * number of records at the first one. Invalid items and concurrent changes are not simulated.
 */
export function foreseenCreates(
  resource: Operations['resource'],
  database: Queryable,
  companyId: string,
): Operations['createMany'] {
  const name = limitOn(resource)
  let read: Promise<Room | undefined> | undefined
  return async (items) => {
    read ??= name && readRoom(database, { companyId, name, table: resource.table })
    const room = await read
    return items.map(({ at }) => {
      if (name && room && room.count >= room.limit) return beyondPlan(name, room.limit, room.count, at)
      if (room) room.count++
      return { id: newId(), text: '' }
    })
  }
}

interface Room {
  readonly limit: number
  count: number
}

/** The limit and the number of records; undefined if the plan does not limit them. */
async function readRoom(
  database: Queryable,
  { companyId, name, table }: { companyId: string; name: LimitName; table: string },
): Promise<Room | undefined> {
  const [row] = await database.query(
    `select ${limitIn('$2::text')} from companies as company left join plans as plan on plan.id = company.plan_id
     where company.id = $1`,
    [companyId, name],
  )
  const limit = row?.[0] ?? undefined
  return limit === undefined ? undefined : { limit, count: await countAll(database, companyId, table) }
}
