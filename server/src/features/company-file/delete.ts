// Deletes a company with everything that the database has of it: after a move, after an abandoned move, or because it
// must be erased.
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { notFound, Problem } from '../../core/problem.ts'
import { queryable, withConnection } from '../../database/alone.ts'
import type { Database } from '../../database/connect.ts'
import { retryOnConflict } from '../../engine/bisect-on-error.ts'
import { dropCompanyKeys } from '../keys/key-store.ts'
import { type RevokedLogin, revokeLogin } from '../sql-access/login.ts'
import { triggerChannel } from '../webhooks/triggers.ts'
import type { RowCounts } from './format.ts'
import { derivedTables, fileTables, leftOut } from './tables.ts'

/** Seconds for which requests from before a suspension may still write: 9 until one is given up, and 8 for its last statement. */
const STILL_WRITING_SECONDS = 18

interface Deletion {
  readonly companyId: string
  /** Its name, as the operator typed it. */
  readonly confirmed: string
  /**
   * Called if requests from before the suspension may still write, with the seconds for which the deletion waits for
   * them.
   */
  readonly waits: (seconds: number) => void
}

/** What is gone. */
interface DeletedCompany {
  readonly companyId: string
  readonly name: string
  /** Rows by table, of those that had some. */
  readonly counts: RowCounts
  /** Its customer at the payment processor, which stays there. */
  readonly paymentCustomer: string | null
  /** Its login for SQL, if it had one. */
  readonly revoked: RevokedLogin | undefined
}

/**
 * Deletes a company in one transaction: all of it, or nothing. Throws `not_found`, and `conflict` if it is not suspended or
 * has another name than the confirmed one. Results of webhook calls lock triggers in an order of their own: if PostgreSQL
 * ends the deletion as the victim of a deadlock with them, it begins again. It has deleted no row by then.
 */
export const deleteCompany = (database: Database, wanted: Deletion): Promise<DeletedCompany> =>
  retryOnConflict(() => deleteOnce(database, wanted))

async function deleteOnce(database: Database, wanted: Deletion): Promise<DeletedCompany> {
  return withConnection(database, async (client) => {
    for (;;) {
      await client.query('begin isolation level read committed')
      const { name, seconds, paymentCustomer } = await lockSuspended(client, wanted)
      if (seconds <= 0) {
        const counts = await deleteRows(client, wanted.companyId)
        // Last, since other commands wait for it.
        const revoked = await revokeLogin(queryable(client), wanted.companyId)
        await client.query('commit')
        return { companyId: wanted.companyId, name, counts, paymentCustomer, revoked }
      }
      await client.query('rollback')
      wanted.waits(seconds)
      await delay(seconds * 1_000)
    }
  })
}

/** The company, locked, and the seconds for which requests from before its suspension may still write. */
async function lockSuspended(client: pg.Client, { companyId, confirmed }: Deletion) {
  const { rows } = await client.query(
    `select name, status, ceil(extract(epoch from updated_at - now()) + $2)::int as seconds,
       (select customer_id from payment_customers where company_id = companies.id and processor = 'stripe') as customer
     from companies where id = $1 for update`,
    [companyId, STILL_WRITING_SECONDS],
  )
  const [company] = rows
  if (company === undefined) throw notFound('company', companyId)
  const { name, status, seconds, customer: paymentCustomer } = company
  if (name !== confirmed)
    throw new Problem('conflict', `The company ${companyId} is called ${JSON.stringify(name)}. Nothing was deleted.`)
  if (status !== 'suspended')
    throw new Problem('conflict', `${name} is open: suspend it first (cashwrap company suspend ${companyId}).`)
  return { name, seconds, paymentCustomer }
}

/**
 * Tables in the order in which they are deleted: first those that background work writes, whose locks are waited for,
 * and the company last.
 */
const tables = [
  ...new Set([...derivedTables, ...Object.keys(leftOut), ...fileTables.map(({ name }) => name).toReversed()]),
].filter((name) => name !== 'companies')

async function deleteRows(client: pg.Client, companyId: string): Promise<RowCounts> {
  const transaction = queryable(client)
  // Every server learns of it after the commit.
  await dropCompanyKeys(transaction, companyId)
  await transaction.query('select pg_notify($1, $2)', [triggerChannel, companyId])
  const counts: Record<string, number> = {}
  const remove = async (table: string, key: string) => {
    const { rowCount } = await client.query(`delete from ${table} where ${key} = $1`, [companyId])
    if (rowCount) counts[table] = rowCount
  }
  // Results of webhook calls that are in flight wait for this, and then find no trigger.
  await client.query('select from automation_triggers where company_id = $1 order by id for update', [companyId])
  for (const table of tables) await remove(table, 'company_id')
  await remove('idempotency_keys', 'owner_id')
  await remove('companies', 'id')
  return counts
}
