// Gaps in the numbers of events, which are refused as cursors for ever: numbers of events that a restore has lost,
// numbers of a company's former server after an import, and numbers after which events are no longer kept.

import { invalid } from '../../core/problem.ts'
import { lockForTransaction } from '../../database/advisory-lock.ts'
import type { Database, Queryable } from '../../database/connect.ts'

/**
 * Numbers that a restore skips: more than the events that can have been lost, and less than 2^31, since the locks of
 * writers are compared modulo 2^32 (`begin_events`).
 */
const SKIPPED_LEAST = 2 ** 30
const SKIPPED_MOST = 2 ** 31 - 2
/**
 * Further numbers for each second since the restored moment, so that a later restore skips what was written after an
 * earlier one. This is enough for up to as many events a second, within twelve days of the moment.
 */
const SKIPPED_A_SECOND = 1_000
/** Numbers that PostgreSQL logs ahead for a sequence: after a restore some of them may not have been used. */
const LOGGED_AHEAD = 32

/**
 * Skips the numbers that lost events may have had. They follow the last restored event of their company, and are never
 * used again. `moment` is the restored time. A company without earlier events gets the oldest event of all as its last
 * one, since its own were older.
 */
export async function skipLostEvents(transaction: Queryable, moment: string): Promise<void> {
  const seconds = Math.max(0, Math.ceil((Date.now() - Date.parse(moment)) / 1000))
  const skipped = Math.min(SKIPPED_LEAST + seconds * SKIPPED_A_SECOND, SKIPPED_MOST)
  const [oldest] = await transaction.query('select min(sequence) from events')
  const [numbers] = await transaction.query(
    `select coalesce($2::bigint - 1, greatest(0, event_position() - ${LOGGED_AHEAD + 1})), event_position() + $1`,
    [skipped, oldest?.[0]],
  )
  // Events may be on other nodes than companies.
  await transaction.query(
    `with newest as materialized (select company_id, max(sequence) as sequence from events group by company_id)
     insert into feed_gaps (company_id, after_sequence, until_sequence)
     select company.id, coalesce(newest.sequence, $1::bigint), $2::bigint
     from companies as company left join newest on newest.company_id = company.id`,
    numbers,
  )
  await transaction.query(`select setval('event_sequence', $1::bigint)`, [numbers?.[1]])
}

/** How far the numbers of events may be moved while writers run: far less than half of what their locks can tell apart. */
const MOVED_MOST = 2 ** 29
/** Numbers beyond those of the other server: for events that it writes after its export, and writers that run here. */
const MOVED_BEYOND = 1_000_000

/** Moves the numbers of new events beyond those of another server, unless they are too far ahead. */
export const moveEventsBeyond = (database: Database, foreign: number): Promise<void> =>
  database.transaction(async (transaction) => {
    await lockForTransaction(transaction, 'numbers of events')
    await transaction.query(
      `select setval('event_sequence', $1::bigint + ${MOVED_BEYOND}) from event_position() as position
       where $1 > position and $1 - position < ${MOVED_MOST}`,
      [foreign],
    )
  })

/** Makes a company refuse cursors from before its first event here, since they are of another server. */
export const refuseEarlierCursors = (transaction: Queryable, companyId: string): Promise<unknown> =>
  transaction.query(
    `insert into feed_gaps (company_id, after_sequence, until_sequence)
     select $1, 0, coalesce((select min(sequence) - 1 from events where company_id = $1), event_position())`,
    [companyId],
  )

/**
 * SQL: the last number of each company in a partition. It takes one index lookup for each company, however many events
 * there are.
 */
const lastNumbers = (partition: string) => `
  with recursive newest as (
    (select company_id, sequence from ${partition} order by company_id desc, sequence desc limit 1)
    union all
    select earlier.* from newest cross join lateral (
      select company_id, sequence from ${partition} where company_id < newest.company_id
      order by company_id desc, sequence desc limit 1
    ) as earlier
  )
  select * from newest`
/** The same where tables are distributed: each node reads its own companies. */
const lastNumbersOfNodes = (partition: string) =>
  `select company_id, max(sequence) from ${partition} group by company_id`

/**
 * Makes companies refuse cursors from before the last event that each has in a partition which is about to be dropped:
 * the events after such a cursor are gone. A cursor at that last event has missed nothing.
 */
export async function refuseCursorsBeforeEndOf(transaction: Queryable, partition: string): Promise<void> {
  const rows = await transaction.query((transaction.isSharded ? lastNumbersOfNodes : lastNumbers)(partition))
  await transaction.query(
    `with gap as materialized (
       select * from unnest($1::text[], $2::bigint[]) as gap(company_id, until_sequence)
     ), contained as (
       delete from feed_gaps as stored using gap
       where stored.company_id = gap.company_id and stored.until_sequence < gap.until_sequence
     )
     insert into feed_gaps (company_id, after_sequence, until_sequence) select company_id, 0, until_sequence from gap
     on conflict (company_id, until_sequence) do update set after_sequence = 0`,
    [rows.map(([companyId]) => companyId), rows.map(([, last]) => last - 1)],
  )
}

/** SQL: whether company $1 has lost the event of cursor $2. */
export const isLostCursor =
  '(select true from feed_gaps where company_id = $1 and after_sequence < $2 and until_sequence >= $2 limit 1)'

/** The refusal of a cursor that is lost. */
export const lostCursor = () =>
  invalid([
    {
      in: 'query',
      pointer: 'after',
      code: 'cursor',
      message:
        'is older than the events that are kept, or does not belong to this feed, as after a move or a restore of the database. Events after it are missing: read all records again, and continue from a new cursor',
    },
  ])
