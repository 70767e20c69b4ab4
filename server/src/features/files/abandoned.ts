// Removes objects whose rows are gone: chunks of replaced and deleted files, of broken uploads, and of deleted companies.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database } from '../../database/connect.ts'
import type { ObjectStore } from './object-store.ts'
import { FILE_CLEARING_MS } from './stored.ts'

/** Milliseconds until an object that could not be removed is tried again. */
const OBJECT_RETRY_MS = 10 * 60 * 1000
/** Objects in a row that cannot be removed, after which a look ends, since the store is down. */
const OBJECT_FAILURES = 5
/** Objects that one look removes. */
const OBJECTS_CLEARED = 100

/**
 * Removes objects that deleted rows named, now and from time to time, until it is stopped. A database trigger notes
 * them, due a day after their rows were deleted: by then no request writes one, and no export reads one. Two servers
 * may remove the same object.
 */
export function keepRemovingObjects(database: Database, objects: ObjectStore, failed: Failed): BackgroundLoop {
  let isUsable = false

  async function clear(isStopping: () => boolean): Promise<number> {
    const rows = await database.query(
      `select name from abandoned_objects where due_at <= now() order by due_at limit ${OBJECTS_CLEARED}`,
    )
    if (rows.length > 0) await requireUsable()
    const removed: string[] = []
    // An object that cannot be removed does not delay the others; a store that is down does.
    let failures = 0
    try {
      for (const [name] of rows) {
        if (isStopping() || failures >= OBJECT_FAILURES) break
        await objects.remove(name).then(
          () => {
            failures = 0
            removed.push(name)
          },
          async (error) => {
            failures++
            failed(error)
            await postpone(name)
          },
        )
      }
    } finally {
      await database.query('delete from abandoned_objects where name = any($1)', [removed])
    }
    return rows.length < OBJECTS_CLEARED || failures > 0 ? FILE_CLEARING_MS : 0
  }

  /** Throws unless the store works: a store at a wrong address could answer that no object exists. */
  async function requireUsable(): Promise<void> {
    const reason = isUsable ? undefined : await objects.findProblem()
    if (reason !== undefined) throw new Error(reason)
    isUsable = true
  }

  const postpone = (name: string) =>
    database.query(`update abandoned_objects set due_at = now() + make_interval(secs => $2) where name = $1`, [
      name,
      OBJECT_RETRY_MS / 1000,
    ])

  const loop = backgroundLoop(clear, failed, FILE_CLEARING_MS)
  loop.schedule(0)
  return loop
}
