// A database as every program uses it: connected and migrated. Separate from the service, so that a command loads none of it.
import { OperatorError } from '../core/operator-error.ts'
import { type Connection, connect, type Database, type PoolSizes } from './connect.ts'
import { connectionError } from './connection-error.ts'
import { modeOf } from './distribute.ts'
import { migrate } from './migrate.ts'
import { checkPooled, refuseLostStatements } from './pooler.ts'

/**
 * Opens the database and migrates it. Calls `waits` with the reason of a wait, and `migrated` with what was applied.
 * Throws OperatorError when it cannot be used. `isUnchecked` leaves out whether tables are distributed as they must be: for what
 * distributes them. `pools` are those of `connect`.
 */
export async function openDatabase(
  connection: Connection,
  waits: (message: string) => void = () => {},
  migrated: (names: readonly string[]) => void = () => {},
  { isUnchecked = false, pools }: { isUnchecked?: boolean; pools?: PoolSizes | undefined } = {},
): Promise<Database> {
  let database = connect(connection, pools)
  try {
    if (connection.direct !== undefined) await checkPooled(database, connection)
    migrated(await migrate(database, waits))
    if (connection.direct !== undefined) await refuseLostStatements(database)
    if (isUnchecked) return database
    const mode = await modeOf(database, connection.mode)
    if (mode === 'citus' && connection.replica !== undefined)
      throw new OperatorError('DATABASE_READ_URL cannot be used with Citus: a replica has the rows of one node only.')
    if (mode !== 'postgresql' && connection.mode === undefined) {
      await database.close()
      database = connect({ ...connection, mode }, pools)
    }
    return database
  } catch (error) {
    await database.close()
    throw connectionError(error, connection)
  }
}
