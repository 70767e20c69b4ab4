// Which companies are checked for alerts: those that have written, and those whose triggers fail or recovered. Others
// cost nothing.
import type { Queryable, Statement } from '../../database/connect.ts'
import { queryByCompany } from '../../database/one-company.ts'
import { isUnwell, WEBHOOK_FAILING_MS } from './states.ts'

/** Companies of one look for writes that were not noticed. */
const ALERT_SWEEP = 200

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
  const rows = await database.query(page, [after, ALERT_SWEEP])
  const behind = await queryByCompany(
    database,
    rows,
    ([id]) => id,
    (own) => database.query(written, [own.map(([id]) => id), own.map(([, position]) => position)]),
  )
  await markWritten(
    database,
    behind.map(([id]) => id),
  )
  return rows.length < ALERT_SWEEP ? '' : rows.at(-1)?.[0]
}

/** Companies after the given one in the order of their ids, and up to which event each was examined. */
const page: Statement = {
  name: 'alerts_page',
  text: `
      select page.id, coalesce(stored.position, 0)
      from (select id from companies where id > $1 order by id limit $2) as page
      left join alert_checks as stored on stored.company_id = page.id
      order by page.id`,
}

/** Those of companies that have later events. */
const written: Statement = {
  name: 'alerts_written',
  text: `
      select item.company_id from unnest($1::text[], $2::bigint[]) as item(company_id, position)
      cross join lateral (
        select max(sequence) as last from events where events.company_id = item.company_id
      ) as newest where newest.last > item.position`,
}
