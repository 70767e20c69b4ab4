// Remembers how many records a company has, with the place in its event feed where that was so: the events since then make it exact, and nothing is counted again.

import type { Queryable, Row, Statement } from '../database/connect.ts'
import type { Resource } from './resource.ts'

/** Milliseconds that a count must take to be remembered: a quicker one is counted again each time. */
const SLOW_MS = 10
/** Milliseconds after which records are counted again, so that rows written past the service (by SQL) show in the end. */
const KEPT_MS = 10 * 60_000
/** Counts that one process remembers of a resource: some 300 bytes each. */
const REMEMBERED = 1_000
/** Events behind, from which a count moves on to a later place in the feed. */
const MOVES_ON = 500
/** Events that a statement reads at most, some 5 ms. With more of them records are counted again. */
const EVENTS_READ = 5_000

/** A number of records, and the place in the feed to which it belongs: the number of an event, or 0 if there is none. */
interface Remembered {
  readonly position: number
  readonly total: number
  readonly countedAt: number
  /** Events after the place, when it was last used. */
  readonly behind: number
}

/** What is counted: the records of a company, with or without those that are flagged as deleted. */
export interface Counted {
  readonly companyId: string
  readonly where: string
  readonly includesDeleted: boolean
}

/**
 * Whether each row that comes or goes has an event, so that events tell the number of rows. Rows of custom tables go without
 * one when their table is deleted, and append-only records have none.
 */
export const hasEventPerRow = ({ ids, isThere, eventTypes }: Resource): boolean =>
  ids === 'plain' && isThere === undefined && eventTypes.length > 0

/** The counts of a resource's records, of all companies that have many. */
export class RememberedCounts {
  readonly #resource: Resource
  readonly #slowMs: number
  readonly #movesOn: number
  /** Undefined for a count that was slow, and is remembered from the next time on. */
  readonly #counts = new Map<string, Remembered | undefined>()

  /** Tests set the bounds. */
  constructor(resource: Resource, { slowMs = SLOW_MS, movesOn = MOVES_ON } = {}) {
    this.#resource = resource
    this.#slowMs = slowMs
    this.#movesOn = movesOn
  }

  /**
   * The number of records. It is as new as the statements: each is its own, not part of a transaction with an older snapshot.
   */
  async count(database: Queryable, counted: Counted): Promise<number> {
    const name = `${counted.companyId} ${counted.includesDeleted}`
    if (!this.#counts.has(name)) return this.#countAll(database, name, counted)
    const remembered = this.#counts.get(name)
    const total = remembered && (await this.#corrected(database, name, counted, remembered))
    return total ?? this.#countWithPlace(database, name, counted)
  }

  /** Counts, and notes if that was slow. */
  async #countAll(database: Queryable, name: string, { companyId, where }: Counted): Promise<number> {
    const begun = performance.now()
    const { table } = this.#resource
    const [row] = await database.query(`select count(*) from ${table} as stored where ${where}`, [companyId])
    if (performance.now() - begun >= this.#slowMs) this.#keep(name, undefined)
    return row?.[0]
  }

  /** The remembered number with what the events after its place have changed; undefined where they cannot tell. */
  async #corrected(
    database: Queryable,
    name: string,
    { companyId, includesDeleted }: Counted,
    remembered: Remembered,
  ): Promise<number | undefined> {
    const { position, total, countedAt, behind } = remembered
    if (performance.now() - countedAt > KEPT_MS) return undefined
    const upTo = behind < this.#movesOn ? position : await watermark(database, companyId)
    const [row] = await database.query(correctionOf(this.#resource, includesDeleted), [companyId, position, upTo])
    const [read, first, last, change, changeLater] = row as Row
    // The feed was cut off, or restored to before the place; or there is too much of it.
    if (read > EVENTS_READ || (position > 0 && first !== position)) return undefined
    const now = total + change
    this.#keep(name, { position: last ?? position, total: now - changeLater, countedAt, behind: read })
    return now
  }

  /** Counts in the same snapshot as the events after the watermark, so that it is known which of them the number contains. */
  async #countWithPlace(
    database: Queryable,
    name: string,
    { companyId, where, includesDeleted }: Counted,
  ): Promise<number> {
    const { table } = this.#resource
    const upTo = await watermark(database, companyId)
    const [row] = await database.query(
      `with later as (${laterEvents(this.#resource, includesDeleted, '>', '$2')})
       select (select count(*) from ${table} as stored where ${where}),
         coalesce((select sequence from events where company_id = $1 and sequence <= $2 order by sequence desc limit 1), 0),
         (select count(*) from later), (select coalesce(sum(change), 0) from later)`,
      [companyId, upTo],
    )
    const [now, position, behind, change] = row as [number, number, number, number]
    if (behind > EVENTS_READ) this.#keep(name, undefined)
    else this.#keep(name, { position, total: now - change, countedAt: performance.now(), behind })
    return now
  }

  #keep(name: string, count: Remembered | undefined): void {
    this.#counts.delete(name)
    this.#counts.set(name, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > REMEMBERED) this.#counts.delete(oldest as string)
  }
}

/** The watermark: each event of the company up to it is committed or never will be. Later statements see all that it covers. */
async function watermark(database: Queryable, companyId: string): Promise<number> {
  const [row] = await database.query(
    { name: 'events_settled_of_one', text: 'select settled from events_settled(array[$1])' },
    [companyId],
  )
  return row?.[0]
}

/** Events of company $1 from a place on, in order, each with the change of the number of records. */
function laterEvents(
  { name: { one }, remove }: Resource,
  includesDeleted: boolean,
  from: '>' | '>=',
  place: string,
): string {
  const changes =
    remove === 'hard'
      ? `when '${one}.created' then 1 when '${one}.deleted' then -1`
      : includesDeleted
        ? `when '${one}.created' then 1`
        : `when '${one}.created' then 1 when '${one}.deleted' then -1
           when '${one}.updated' then case when previous ->> 'isDeleted' = 'true' then 1 else 0 end`
  return `select sequence, case type ${changes} else 0 end as change from events
    where company_id = $1 and sequence ${from} ${place} order by sequence limit ${EVENTS_READ + 1}`
}

/**
 * The statement of a correction: company $1, events from the place $2 on, the place moves on to $3. The place's own event is read too,
 * as proof that the feed still holds all events after it.
 */
const correctionOf = (resource: Resource, includesDeleted: boolean): Statement => ({
  name: `${resource.table}_count${includesDeleted ? '_with_deleted' : ''}`,
  text: `
    select count(*)::int, min(sequence), max(sequence) filter (where sequence <= $3),
      coalesce(sum(change) filter (where sequence > $2), 0)::int, coalesce(sum(change) filter (where sequence > $3), 0)::int
    from (${laterEvents(resource, includesDeleted, '>=', '$2')}) as later`,
})
