// A list that is too long to be read whole: PostgreSQL plans its statements as those of a large company.
import type { Database, Queryable } from '../../src/database/connect.ts'
import { until } from './program.ts'
import type { TestService } from './service.ts'

/** The customers of the list. */
export const records = 10_000

/** Makes the function that returns the id of a company with the list, which its first call fills. */
export function longList(service: Pick<TestService, 'company' | 'database'>): () => Promise<string> {
  let filling: Promise<string> | undefined
  const fill = async () => {
    const { id: companyId } = await service.company()
    await fillCustomers(service.database, companyId)
    return companyId
  }
  return () => {
    filling ??= fill()
    return filling
  }
}

/** Fills the customers of a company, with an event for each; their pages are visible to all. */
async function fillCustomers(database: Database, companyId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    // Vacuum marks pages for index-only scans only once their commit is flushed.
    await transaction.query('set local synchronous_commit = on')
    await writeRecords(transaction, companyId)
  })
  await vacuumCustomers(database)
}

/** Plans count on pages that are visible to all; while something still reads from before, vacuum leaves pages out. */
export async function vacuumCustomers(database: Database): Promise<void> {
  await until('all pages are visible to all', async () => {
    await database.query('vacuum (analyze, index_cleanup on) customers, events')
    const [row] = await database.query(
      `select relallvisible = relpages from pg_class where oid = 'customers'::regclass`,
    )
    return row?.[0]
  })
}

/** In portions, none of which takes as long as a statement may. */
async function writeRecords(database: Queryable, companyId: string): Promise<void> {
  for (let first = 1; first <= records; first += 1_000) {
    const values = [companyId, first, first + 999]
    await database.query(
      `insert into customers (company_id, id, body)
       select $1, '6' || lpad(n::text, 23, '0'), json_build_object('id', '6' || lpad(n::text, 23, '0'), 'lastName', substr(md5(n::text), 1, 8), 'email', md5(n::text) || '@example.com',
         'outletId', 'outlet-' || n % 50, 'externalId', n::text, 'isDeleted', false, 'notes', json_build_array(repeat('x', 500)), 'createdAt', at, 'updatedAt', at)
       from (select n, iso_time('2026-01-01'::timestamptz + make_interval(secs => n)) as at from generate_series($2::int, $3::int) as n) as made`,
      values,
    )
    await database.query(
      `insert into events (company_id, id, type, created_at, resource, record_id, data)
       select $1, n::text, 'customer.created', now(), 'customer', n::text, '{}' from generate_series($2::int, $3::int) as n`,
      values,
    )
  }
}
