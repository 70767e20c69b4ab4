// Which companies are checked for alerts: those that have written, and those whose triggers fail or recovered. Others
// cost nothing.
import type { Queryable, Row } from '../../database/connect.ts'
import { ALERT_SWEEP, WEBHOOK_FAILING_MS } from './limits.ts'
import { isUnwell } from './states.ts'

/**
 * Makes companies due whose stock may have changed. A company that will be checked later anyway is left as it is: that
 * check sees what is committed now.
 */
export async function markWritten(database: Queryable, companyIds: readonly string[]): Promise<void> {
  if (companyIds.length === 0) return
  await database.query(
    `insert into alert_checks as stored (company_id, is_busy)
     select id, true from companies as company
     where id = any ($1) and not exists (select from alert_checks as later where later.company_id = company.id and later.due_at > now())
     order by id
     on conflict (company_id) do update set due_at = coalesce(stored.due_at, now()), is_busy = true`,
    [companyIds],
  )
}

/** Makes companies due whose triggers differ from the open alerts. It reads only these two, which are few. */
export async function markTriggers(database: Queryable, failingMs = WEBHOOK_FAILING_MS): Promise<void> {
  await database.query(
    `with failing as materialized (
       select company_id, id, case when is_active then 'failing' else 'off' end as part
       from automation_triggers where ${isUnwell('$1')}
     ), known as materialized (
       select company_id, cause, parts ->> 0 as part from alerts where state = 'open' and kind = 'webhook'
     )
     insert into alert_checks as stored (company_id)
     select distinct coalesce(failing.company_id, known.company_id) as id
     from failing full join known on known.company_id = failing.company_id and known.cause = failing.id
     where failing.part is distinct from known.part
     order by id
     on conflict (company_id) do update set due_at = now()`,
    [failingMs / 1000],
  )
}

/**
 * Finds companies whose writes were not noticed, since their server died before it notified the others. It examines
 * some companies after the given one, in the order of their ids. Returns the last one, or the empty id at the end.
 */
export async function markForgotten(database: Queryable, after: string): Promise<string> {
  const rows = await (database.isSharded ? pageByCompany : pageOf)(database, after)
  await markWritten(
    database,
    rows.filter(([, isForgotten]) => isForgotten).map(([id]) => id),
  )
  return rows.length < ALERT_SWEEP ? '' : rows.at(-1)?.[0]
}

/** Companies after the given one in the order of their ids, and whether each has unnoticed writes. */
const pageOf = (database: Queryable, after: string): Promise<Row[]> =>
  database.query(
    {
      name: 'alerts_forgotten',
      text: `
      select page.id, coalesce((select max(sequence) from events where events.company_id = page.id), 0) > coalesce(stored.position, 0)
      from (select id from companies where id > $1 order by id limit $2) as page
      left join alert_checks as stored on stored.company_id = page.id
      order by page.id`,
    },
    [after, ALERT_SWEEP],
  )

/**
 * The same if tables are distributed by company: the companies are on the coordinator, and the events of each on a
 * node.
 */
async function pageByCompany(database: Queryable, after: string): Promise<Row[]> {
  const page = await database.query(
    {
      name: 'alerts_page',
      text: `
      select page.id, coalesce(stored.position, 0)
      from (select id from companies where id > $1 order by id limit $2) as page
      left join alert_checks as stored on stored.company_id = page.id
      order by page.id`,
    },
    [after, ALERT_SWEEP],
  )
  const rows: Row[] = []
  for (const [id, position] of page) {
    const newest = { name: 'events_newest', text: 'select max(sequence) from events where company_id = $1' }
    const [row] = await database.query(newest, [id])
    rows.push([id, (row?.[0] ?? 0) > position])
  }
  return rows
}
