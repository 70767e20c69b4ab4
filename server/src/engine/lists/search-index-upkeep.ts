// Moves new entries of the search indexes to their place every few seconds. Until then every search reads all waiting
// entries, and the write that fills their list has to empty it.

import { type BackgroundLoop, backgroundLoop, type Failed } from '../../concurrency/background-loop.ts'
import type { Database, Queryable } from '../../database/connect.ts'

/** Milliseconds between two runs. At 200 creates a second a run takes some 60 ms of PostgreSQL; with nothing to move, 2. */
const EVERY_MS = 5_000
/** Milliseconds until the next run after a failed one, for example while a migration locks a table. */
const AFTER_FAILURE_MS = 60_000
/** Key of the advisory lock, so that only one server does it; any number with no other use. */
const lockKey = 7_270_115_417

const indexes = `pg_class as index
      where index.relkind = 'i' and index.relnamespace = current_schema()::regnamespace
        and index.relam = (select oid from pg_am where amname = 'gin')`

const turn = `with turn as materialized (select pg_try_advisory_xact_lock(${lockKey}) as is_ours)`

/** The same on every node; a node's result is the sum of its indexes. */
const moveOnNodes = {
  name: 'search_entries_move_on_nodes',
  text: `
      ${turn}
      select ran.success, ran.result from turn
      cross join lateral run_command_on_all_nodes(case when turn.is_ours then $1 end) as ran where turn.is_ours`,
}
const moveOnNode = `select coalesce(sum(gin_clean_pending_list(index.oid)), 0) from ${indexes}`

/**
 * Moves the waiting entries of the GIN indexes now. Returns the pages freed in each index, or on each node; nothing if
 * another server is doing so.
 */
export async function moveSearchEntries(database: Queryable): Promise<number[]> {
  if (!(await hasNodes(database))) {
    const rows = await database.query({
      name: 'search_entries_move',
      text: `${turn} select gin_clean_pending_list(index.oid) from turn, ${indexes} and turn.is_ours`,
    })
    return rows.map(([pages]) => Number(pages))
  }
  const rows = await database.query(moveOnNodes, [moveOnNode])
  for (const [isDone, result] of rows) if (!isDone) throw new Error(`A node moved no entries: ${result}`)
  return rows.map(([, pages]) => Number(pages))
}

/**
 * Whether the tables are on the nodes of a cluster. Even a single PostgreSQL may be used with one company a statement.
 */
const hasNodes = async (database: Queryable): Promise<boolean> =>
  database.isSharded && (await database.query(`select from pg_extension where extname = 'citus'`)).length > 0

/** Moves them from now on. */
export function keepSearchIndexes(database: Database, failed: Failed): BackgroundLoop {
  const loop = backgroundLoop(() => moveSearchEntries(database).then(() => EVERY_MS), failed, AFTER_FAILURE_MS)
  loop.schedule(EVERY_MS)
  return loop
}
