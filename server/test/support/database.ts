// A database for one test file: a copy of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { type Connection, connect, type Database, type DatabaseMode } from '../../src/database/connect.ts'
import { keptNodes, nodesIn } from './nodes.ts'
import { afterAllFiles, outsideOfTests } from './shared.ts'

/** The migrated database that `npm test` creates once. */
export const templateDatabase = 'cashwrap_template'

/**
 * CASHWRAP_TEST_DATABASE_MODE=citus: the suite runs as on tables that are distributed by company. Each statement names one company
 * then, which needs no Citus. On a cluster it is always so.
 */
export function testMode(): DatabaseMode | undefined {
  const mode = process.env.CASHWRAP_TEST_DATABASE_MODE || undefined
  if (mode !== undefined && mode !== 'citus') throw new Error('CASHWRAP_TEST_DATABASE_MODE must be citus.')
  return mode ?? (workers().length > 0 ? 'citus' : undefined)
}

/**
 * The services of the suite have row-level security on, as by default: what works behind its views works without them
 * too, but not the other way round. That companies are kept apart without the views is tested in `isolation.test.ts`. CASHWRAP_TEST_ROW_SECURITY=off turns it off: where a failure remains, the views are not
 * its cause.
 */
export const testsRowSecurity = (): boolean => process.env.CASHWRAP_TEST_ROW_SECURITY !== 'off'

/** The connection to the PostgreSQL of `npm test`. */
export function testConnection(): Connection {
  const reported = process.env.CASHWRAP_TEST_DATABASE
  if (reported === undefined) throw new Error('Run the tests by npm test, or one file by npm test -- server/test/FILE.')
  const mode = testMode()
  return { ...JSON.parse(reported), ...(mode && { mode }) }
}

/** The workers of a Citus cluster, if the tests run on one. */
const workers = (): Connection[] => nodesIn(process.env.CASHWRAP_TEST_DATABASE_URL).slice(1)

/** What copies and drops databases, for all files of this process. */
let admin: ReturnType<typeof keptNodes> | undefined

function adminNodes(): ReturnType<typeof keptNodes> {
  if (admin === undefined) {
    const kept = keptNodes([testConnection(), ...workers()])
    afterAllFiles(kept.close)
    admin = kept
  }
  return admin
}

/** Copies the migrated database, or another one. `drop` removes the copy, even with open connections. */
export async function copyDatabase(
  template = templateDatabase,
): Promise<{ connection: Connection; drop: () => Promise<void> }> {
  const connection = testConnection()
  const name = `test_${randomBytes(6).toString('hex')}`
  const onEach = (statement: string) => outsideOfTests(() => adminNodes().onEach(statement))
  // Copying file by file is half the work of writing everything to the log first.
  await onEach(`create database ${name} template ${template} strategy file_copy`)
  return { connection: { ...connection, database: name }, drop: () => onEach(`drop database ${name} with (force)`) }
}

/** A copy of the migrated database for one test, and connections to it; both end with the test. */
export async function connectedCopy(
  t: Pick<TestContext, 'after'>,
  size?: number,
): Promise<{ connection: Connection; database: Database }> {
  const { connection, drop } = await copyDatabase()
  const database = connect(connection, size === undefined ? {} : { size })
  t.after(async () => {
    await database.close()
    await drop()
  })
  return { connection, database }
}
