// Gaps in the numbers of events: after a restore of the database, the numbers of lost events are skipped, and refused as cursors for ever.

import { invalid } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'

/**
 * Numbers that a restore skips: more than events were lost, however many, and less than 2^31, since the locks of writers
 * are compared modulo 2^32 (`begin_events`).
 */
const SKIPPED_LEAST = 2 ** 30
const SKIPPED_MOST = 2 ** 31 - 2
/**
 * More for each second since the moment that is restored, so that a later restore skips what was written after an
 * earlier one: right for up to as many events a second, within twelve days of the moment.
 */
const SKIPPED_A_SECOND = 1_000
/** Numbers that PostgreSQL logs ahead for a sequence: after a restore some of them may not have been used. */
const LOGGED_AHEAD = 32

/**
 * Skips the numbers that lost events may have had. They follow the last restored event of their company, and are never
 * used again. `moment` is the restored time. A company without events from before gets the oldest event of all as its last one: its own were older.
 */
export async function skipLostEvents(transaction: Queryable, moment: string): Promise<void> {
  const seconds = Math.max(0, Math.ceil((Date.now() - Date.parse(moment)) / 1000))
  const skipped = Math.min(SKIPPED_LEAST + seconds * SKIPPED_A_SECOND, SKIPPED_MOST)
  const [row] = await transaction.query(
    `select coalesce(min(sequence) - 1, greatest(0, event_position() - ${LOGGED_AHEAD + 1})), event_position() + $1 from events`,
    [skipped],
  )
  await transaction.query(
    `insert into feed_gaps (company_id, after_sequence, until_sequence)
     select company.id, coalesce((select max(sequence) from events where events.company_id = company.id), $1::bigint), $2::bigint
     from companies as company`,
    row,
  )
  await transaction.query(`select setval('event_sequence', $1::bigint)`, [row?.[1]])
}

/** Refuses cursors that a restore has lost. */
export class FeedGaps {
  readonly #database: Queryable
  /** The end of the last gap, 0 if there is none. No server runs during a restore, so it never changes. */
  #end: Promise<number> | undefined

  constructor(database: Queryable) {
    this.#database = database
  }

  /** Throws 400 if the event with this number was lost in a restore. */
  async check(companyId: string, cursor: number): Promise<void> {
    if (cursor === 0 || cursor > (await this.#lastEnd())) return
    const rows = await this.#database.query(
      {
        name: 'feed_gaps_at',
        text: 'select 1 from feed_gaps where company_id = $1 and after_sequence < $2 and until_sequence >= $2',
      },
      [companyId, cursor],
    )
    if (rows.length > 0) throw lost()
  }

  #lastEnd(): Promise<number> {
    this.#end ??= this.#database
      .query('select coalesce(max(until_sequence), 0) from feed_gaps')
      .then(([row]) => row?.[0])
      .catch((error) => {
        this.#end = undefined
        throw error
      })
    return this.#end
  }
}

const lost = () =>
  invalid([
    {
      ...{ in: 'query', pointer: 'after', code: 'cursor' },
      message:
        'names an event that was lost when the database was restored from a backup; read all records again, and go on from a new cursor',
    },
  ])
