// Moves new entries of the search indexes to their place every few seconds: a search reads all entries that wait for it, and the write that fills their list empties it.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../concurrency/background-loop.ts'
import type { Database, Queryable, Row } from '../database/connect.ts'

/** Milliseconds between two runs. At 200 creates a second a run takes some 60 ms of PostgreSQL; with nothing to move, 2. */
const EVERY_MS = 5_000
/** Milliseconds until the next run after one that failed, such as while a migration locks a table. */
const AFTER_FAILURE_MS = 60_000
/** Key of the advisory lock, so that only one server does it; any number with no other use. */
const lockKey = 7_270_115_417

/** Moves what waits in the GIN indexes now. Returns the pages freed of each; nothing if another server is moving it. */
export const moveSearchEntries = (database: Queryable): Promise<Row[]> =>
  database.query({
    name: 'search_entries_move',
    text: `
      with turn as materialized (select pg_try_advisory_xact_lock(${lockKey}) as is_ours)
      select gin_clean_pending_list(index.oid) from turn, pg_class as index
      where turn.is_ours and index.relkind = 'i' and index.relnamespace = current_schema()::regnamespace
        and index.relam = (select oid from pg_am where amname = 'gin')`,
  })

/** Moves them from now on. */
export function keepSearchIndexes(database: Database, failed: Failed): BackgroundLoop {
  const loop = backgroundLoop(() => moveSearchEntries(database).then(() => EVERY_MS), failed, AFTER_FAILURE_MS)
  loop.schedule(EVERY_MS)
  return loop
}
