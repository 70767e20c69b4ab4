// A database as every program uses it: connected and migrated. Separate from the service, so that a command loads none of it.
import { type Connection, connect, type Database } from './connect.ts'
import { explain } from './explain.ts'
import { migrate } from './migrate.ts'
import { checkPooled, refuseLostStatements } from './pooler.ts'

/**
 * Opens the database and migrates it. Calls `waits` with the reason of a wait, and `migrated` with what was applied.
 * Throws OperatorError when it cannot be used.
 */
export async function openDatabase(
  connection: Connection,
  waits: (message: string) => void = () => {},
  migrated: (names: readonly string[]) => void = () => {},
): Promise<Database> {
  const database = connect(connection)
  try {
    if (connection.direct !== undefined) await checkPooled(database, connection)
    migrated(await migrate(database, waits))
    if (connection.direct !== undefined) await refuseLostStatements(database)
    return database
  } catch (error) {
    await database.close()
    throw explain(error, connection)
  }
}
