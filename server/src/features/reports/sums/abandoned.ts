// Removes sums of companies that are gone: a server of an earlier version does not know all tables of sums when it deletes a company.
import type { Database } from '../../../database/connect.ts'

/** Removes the sums of companies that do not exist, the cursor last. */
export async function clearAbandonedSums(database: Database): Promise<void> {
  const summed = await database.query('select distinct company_id from sum_cursors')
  // Not one statement: where tables are distributed, companies are on another node.
  const gone = await database.query(
    `select summed.company_id from unnest($1::text[]) as summed(company_id)
     where not exists (select from companies where id = summed.company_id)`,
    [summed.map(([companyId]) => companyId)],
  )
  for (const company of gone)
    for (const table of ['sum_buckets', 'sum_cursors'])
      await database.query(`delete from ${table} where company_id = $1`, company)
}
