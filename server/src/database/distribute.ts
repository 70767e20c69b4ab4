// Distributes the tables of companies over the nodes of a Citus cluster, and says whether they are.

import type { Client } from 'pg'
import { OperatorError } from '../core/operator-error.ts'
import { liftDeadlines, queryable } from './alone.ts'
import type { Database, DatabaseMode, Queryable } from './connect.ts'
import { migrationLock } from './migrate.ts'
import { distributedTables } from './migrations/distribution.ts'
import { refuseOthers } from './other-sessions.ts'

/** What is known of a database that has Citus. */
interface CitusCluster {
  /** Whether the connection leads to the node that distributes statements. */
  readonly isCoordinator: boolean
  /** Nodes that hold shards. */
  readonly nodes: number
  /** The tables of companies that are not distributed by company. */
  readonly missing: readonly string[]
}

const tables = Object.keys(distributedTables)

/** The cluster of a database; undefined if it does not have Citus. */
async function clusterOf(query: Queryable['query']): Promise<CitusCluster | undefined> {
  const [row] = await query(`select exists (select from pg_extension where extname = 'citus')`)
  if (!row?.[0]) return undefined
  const [found] = await query(
    `select (select groupid = 0 from pg_dist_local_group),
       (select count(*)::int from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards),
       array(select name from unnest($1::text[]) as name
         where not exists (select from pg_dist_partition where logicalrelid = to_regclass(name) and partmethod = 'h'))`,
    [tables],
  )
  const [isCoordinator, nodes, missing] = found as [boolean, number, string[]]
  return { isCoordinator, nodes, missing }
}

/**
 * Where the tables of companies are; `wanted` is the operator's setting. Throws OperatorError where tables lack what the mode
 * needs.
 */
export async function modeOf(database: Queryable, wanted: DatabaseMode | undefined): Promise<DatabaseMode> {
  const cluster = await clusterOf(database.query)
  const isDistributed = cluster !== undefined && cluster.missing.length < tables.length
  if (cluster === undefined || (!isDistributed && wanted !== 'citus')) return wanted ?? 'postgresql'
  if (isDistributed && wanted === 'postgresql')
    throw new OperatorError(
      'CASHWRAP_DATABASE_MODE is postgresql, but tables of the database are distributed. Set it to citus, or remove it.',
    )
  if (!cluster.isCoordinator)
    throw new OperatorError('DATABASE_URL leads to a worker node of Citus; it must lead to the coordinator.')
  if (cluster.missing.length > 0)
    throw new OperatorError(
      `These tables are not distributed: ${cluster.missing.join(', ')}. Stop all servers and run \`cashwrap migrate --distribute\`.`,
    )
  return 'citus'
}

/** Whether a database has Citus; without it, the mode for Citus has a cost and no use. */
export const hasCitus = async (database: Queryable): Promise<boolean> => (await clusterOf(database.query)) !== undefined

/**
 * Distributes the tables that are not, one after the other, with their rows; returns their names. Each is a transaction of
 * its own, so that it can be run again after an interruption. `says` is called with the progress. Throws OperatorError,
 * also while a server runs.
 */
export async function distribute(
  database: Database,
  says: (message: string) => void = () => {},
): Promise<readonly string[]> {
  await distributableOf(database)
  const client = await database.connectAlone()
  try {
    await liftDeadlines(client)
    await client.query(`select pg_advisory_lock(${migrationLock})`)
    await refuseOthers(queryable(client))
    // Read under the lock: another program may have distributed some meanwhile.
    const { missing } = await distributableOf(database)
    // Triggers of these tables read and write rows of the same company only, which are on the same node.
    await client.query('set citus.enable_unsafe_triggers = on')
    for (const [n, table] of missing.entries()) {
      says(`Distributing ${table} (${n + 1} of ${missing.length}).`)
      const place = tables.find((other) => !missing.slice(n).includes(other)) ?? 'none'
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        table,
        distributedTables[table],
        place,
      ])
      await clearLocal(client, table)
    }
    // Rows that an interrupted run left here.
    for (const table of tables) if (!missing.includes(table)) await clearLocal(client, table)
    return missing
  } finally {
    await client.end().catch(() => {})
  }
}

/** The cluster of a database whose tables can be distributed. Throws OperatorError. */
async function distributableOf(database: Database): Promise<CitusCluster> {
  const cluster = await clusterOf(database.query)
  if (cluster === undefined)
    throw new OperatorError(
      'The database does not have the extension citus: run `create extension citus` on each node first.',
    )
  if (!cluster.isCoordinator)
    throw new OperatorError('DATABASE_URL leads to a worker node of Citus; it must lead to the coordinator.')
  if (cluster.nodes === 0)
    throw new OperatorError('The cluster has no node for shards: add one by citus_add_node() first.')
  return cluster
}

/** Removes the rows of a distributed table that are still here: they were copied to the nodes, are hidden, and migrations stumble over them. */
const clearLocal = (client: Client, table: string): Promise<unknown> =>
  client.query('select truncate_local_data_after_distributing_table($1)', [table])
