// A database as every program uses it: connected, and in the form that this version needs. Apart from the service, so that a command reads none of it.
import { type Connection, connect, type Database } from './connect.ts'
import { explain } from './explain.ts'
import { migrate } from './migrate.ts'

/**
 * Opens the database and brings it up to date; `waits` is told what for, and `migrated` what that took. Throws OperatorError
 * when it cannot be used.
 */
export async function openDatabase(
  connection: Connection,
  waits: (message: string) => void = () => {},
  migrated: (names: readonly string[]) => void = () => {},
): Promise<Database> {
  const database = connect(connection)
  try {
    migrated(await migrate(database, waits))
    return database
  } catch (error) {
    await database.close()
    throw explain(error, connection)
  }
}
