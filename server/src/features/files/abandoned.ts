// Removes objects whose rows are gone: pieces of replaced and deleted files, of broken uploads, and of deleted companies.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database } from '../../database/connect.ts'
import { FILE_CLEARING_MS, OBJECT_RETRY_MS, OBJECTS_CLEARED } from './limits.ts'
import type { ObjectStore } from './object-store.ts'

/**
 * Removes objects that deleted rows named, now and from time to time, until it is stopped. A trigger of the database notes
 * them, due a minute after their rows: by then no request that writes one is under way. Two servers may remove the same.
 */
export function keepRemovingObjects(
  database: Database,
  objects: ObjectStore,
  failed: Failed,
  everyMs = FILE_CLEARING_MS,
): BackgroundLoop {
  let isOver = false

  async function clear(): Promise<number> {
    const rows = await database.query(
      `select name from abandoned_objects where due_at <= now() order by due_at limit ${OBJECTS_CLEARED}`,
    )
    const removed: string[] = []
    try {
      for (const [name] of rows) {
        if (isOver) break
        await objects.remove(name).catch((error) => postponed(name, error))
        removed.push(name)
      }
    } finally {
      await database.query('delete from abandoned_objects where name = any($1)', [removed])
    }
    return rows.length < OBJECTS_CLEARED ? everyMs : 0
  }

  /** One that cannot be removed does not keep the others waiting. */
  async function postponed(name: string, error: unknown): Promise<never> {
    await database.query(`update abandoned_objects set due_at = now() + make_interval(secs => $2) where name = $1`, [
      name,
      OBJECT_RETRY_MS / 1000,
    ])
    throw error
  }

  const loop = backgroundLoop(clear, failed, everyMs)
  loop.schedule(0)
  return {
    ...loop,
    stop() {
      isOver = true
      return loop.stop()
    },
  }
}
