// Deliveries in PostgreSQL: each function is one statement over many rows, for both the dispatcher and callers'
// actions.

import { later } from '../../core/date-time.ts'
import { newId } from '../../core/ids.ts'
import { RACE_TRIES, STATEMENT_CHARACTERS } from '../../core/limits.ts'
import { unavailable } from '../../core/problem.ts'
import type { Queryable, Statement } from '../../database/connect.ts'
import { byCompany, queryByCompany } from '../../database/one-company.ts'
import { insertMany, type ManyRows } from '../../engine/many-rows.ts'
import type { Attempt, Delivery } from '../../resources/webhook-delivery.ts'
import type { EventText } from './message.ts'

/** Attempts that a delivery shows, the last ones: two whole schedules of ten, with 4 KB of response each. */
export const ATTEMPTS_KEPT = 20

/** A trigger of a company. */
export interface TriggerKey {
  readonly companyId: string
  readonly triggerId: string
}

/** The key of a trigger in memory. */
export const triggerKey = ({ companyId, triggerId }: TriggerKey): string => `${companyId} ${triggerId}`

/** What happens next with a delivery: it is sent again at a time, or is finished. */
export type Progress =
  | { readonly state: 'pending'; readonly nextAttemptAt: string }
  | { readonly state: 'succeeded' | 'failed' }

/** A delivery that has no row yet. */
export interface NewDelivery extends TriggerKey {
  readonly eventId: string
  readonly eventType: string
  /** The event's position in the feed: its `sequence` and `created_at`, which together find it. */
  readonly feed?: { readonly sequence: number; readonly createdAt: string }
  /** The event itself, if it is not in the feed. */
  readonly event?: DeliveredEvent
  /** Previous attempts; `tries` counts them. */
  readonly attempts: readonly Attempt[]
  readonly progress: Progress
}

/** An event of a delivery. */
export interface DeliveredEvent extends EventText {
  readonly recordId: string
}

/** A row as it was read. */
interface StoredDelivery {
  readonly delivery: Delivery
  readonly version: number
  /** Attempts since it was last started; a redelivery sets it to 0. */
  readonly tries: number
}

/** A delivery to be sent now; without the event if that is no longer kept. */
export interface DueDelivery extends StoredDelivery {
  readonly event: DeliveredEvent | undefined
}

/** A call that was made for a delivery, and what happens next with the delivery. */
export interface DeliveryChange extends StoredDelivery {
  readonly attempt: Attempt
  readonly progress: Progress
}

/** Inserts new deliveries, in their order, and returns them as shown. Statements have a bounded size. */
export async function recordDeliveries(connection: Queryable, rows: readonly NewDelivery[]): Promise<Delivery[]> {
  const now = new Date().toISOString()
  const all = rows.map(({ companyId, triggerId, eventId, eventType, feed, attempts, progress }): Delivery => {
    const event = { eventId, eventType, ...(feed && { sequence: feed.sequence }) }
    const times = { createdAt: now, updatedAt: now, companyId }
    return { id: newId(), triggerId, ...event, ...shownProgress(attempts, progress), ...times }
  })
  const bodies = all.map((delivery) => JSON.stringify(delivery))
  const events = rows.map(({ event }) => (event === undefined ? null : eventText(event)))
  const lengths = bodies.map(({ length }, n) => length + (events[n]?.length ?? 0))
  for (const [from, end] of parts(lengths)) {
    const inserted = rows.slice(from, end).map(({ companyId, triggerId, feed, attempts }, n): InsertedDelivery => {
      const { id, nextAttemptAt = null } = all[from + n] as Delivery
      const body = bodies[from + n] as string
      const event = events[from + n] ?? null
      const { sequence = null, createdAt = null } = feed ?? {}
      return { companyId, triggerId, id, body, sequence, createdAt, event, nextAttemptAt, tries: attempts.length }
    })
    await (connection.isSharded ? insertByCompany(connection, inserted) : insertAll(connection, inserted))
  }
  return all
}

/** A new row. */
interface InsertedDelivery {
  readonly companyId: string
  readonly triggerId: string
  readonly id: string
  readonly body: string
  /** The event's position in the feed, or the event itself. */
  readonly sequence: number | null
  readonly createdAt: string | null
  readonly event: string | null
  readonly nextAttemptAt: string | null
  readonly tries: number
}

const insertInto = 'insert into webhook_deliveries (company_id, id, body, sequence, event_at, event, next_at, tries)'

const insertAll = (connection: Queryable, rows: readonly InsertedDelivery[]): Promise<unknown> =>
  connection.query(
    {
      name: 'webhook_deliveries_record',
      text: `
        ${insertInto}
        select item.* from rows from (
          unnest($1::text[]), unnest($2::text[]), json_array_elements($3::json), unnest($4::bigint[]),
          unnest($5::timestamptz[]), unnest($6::json[]), unnest($7::timestamptz[]), unnest($8::int[])
        ) as item(company_id, id, body, sequence, event_at, event, next_at, tries)
        -- The result of a call that was in flight while its trigger was deleted, as with its company, is not kept.
        join automation_triggers as trigger on trigger.company_id = item.company_id and trigger.id = item.body ->> 'triggerId'
        for key share of trigger`,
    },
    [
      rows.map(({ companyId }) => companyId),
      rows.map(({ id }) => id),
      `[${rows.map(({ body }) => body).join(',')}]`,
      rows.map(({ sequence }) => sequence),
      rows.map(({ createdAt }) => createdAt),
      rows.map(({ event }) => event),
      rows.map(({ nextAttemptAt }) => nextAttemptAt),
      rows.map(({ tries }) => tries),
    ],
  )

const insertOfOne: ManyRows = {
  name: 'webhook_deliveries_insert',
  into: insertInto,
  row: (of) =>
    `$1, ${of(0)}, ${of(1)}::json, ${of(2)}, ${of(3)}::timestamptz, ${of(4)}::json, ${of(5)}::timestamptz, ${of(6)}`,
}

async function insertByCompany(connection: Queryable, rows: readonly InsertedDelivery[]): Promise<void> {
  for (const own of byCompany(connection, rows, ({ companyId }) => companyId)) {
    // As in `insertAll`, where a deleted trigger has no results.
    const kept = await connection.query(
      'select id from automation_triggers where company_id = $1 and id = any($2) for key share',
      [own[0]?.companyId, [...new Set(own.map(({ triggerId }) => triggerId))]],
    )
    const ofTriggers = own.filter(({ triggerId }) => kept.some(([id]) => id === triggerId))
    const values = ofTriggers.map(({ id, body, sequence, createdAt, event, nextAttemptAt, tries }) => [
      ...[id, body, sequence, createdAt, event, nextAttemptAt, tries],
    ])
    await insertMany(connection, insertOfOne, [own[0]?.companyId], values)
  }
}

/**
 * Stores attempts, each of another delivery, and what happens next with it. If the row was written meanwhile, by a
 * redelivery or because the trigger was switched off, only the attempt is added, and the result is false.
 */
export async function changeDeliveries(connection: Queryable, changes: readonly DeliveryChange[]): Promise<boolean[]> {
  const applied = new Map<string, boolean>()
  let waiting = [...changes].sort((a, b) => (keyOf(a.delivery) < keyOf(b.delivery) ? -1 : 1))
  for (let round = 0; waiting.length > 0; round++) {
    if (round === RACE_TRIES) throw unavailable('Too many concurrent changes to the delivery. Try again.', 'contention')
    const written = await writeOver(connection, waiting)
    for (const { delivery } of waiting) if (written.has(keyOf(delivery))) applied.set(keyOf(delivery), round === 0)
    const overtaken = waiting.filter(({ delivery }) => !written.has(keyOf(delivery)))
    const found = overtaken.length > 0 ? await find(connection, overtaken) : new Map<string, StoredDelivery>()
    waiting = overtaken.flatMap(({ delivery, attempt }) => {
      const stored = found.get(keyOf(delivery))
      return stored ? [{ ...stored, attempt, progress: progressOf(stored.delivery), tries: stored.tries - 1 }] : []
    })
  }
  return changes.map(({ delivery }) => applied.get(keyOf(delivery)) ?? false)
}

/** Writes the deliveries whose version is still the one read, each with one more attempt; returns their keys. */
async function writeOver(connection: Queryable, changes: readonly DeliveryChange[]): Promise<Set<string>> {
  const now = new Date().toISOString()
  const after = changes.map(({ delivery, attempt, progress }): Delivery => {
    const { id, triggerId, eventId, eventType, sequence, attempts, createdAt, companyId } = delivery
    const event = { eventId, eventType, ...(sequence !== undefined && { sequence }) }
    const times = { createdAt, updatedAt: later(now, delivery.updatedAt), companyId }
    return { id, triggerId, ...event, ...shownProgress([...attempts, attempt], progress), ...times }
  })
  const bodies = after.map((delivery) => JSON.stringify(delivery))
  const written = new Set<string>()
  for (const [from, end] of parts(bodies.map(({ length }) => length))) {
    const some = changes.slice(from, end)
    const own = after.slice(from, end)
    const statement: Statement = {
      name: 'webhook_deliveries_change',
      text: `
        update webhook_deliveries as stored
        set body = item.body, version = stored.version + 1, next_at = item.next_at, tries = item.tries
        from rows from (
          unnest($1::text[]), unnest($2::text[]), unnest($3::int[]), json_array_elements($4::json),
          unnest($5::timestamptz[]), unnest($6::int[])
        ) as item(company_id, id, version, body, next_at, tries)
        where stored.company_id = item.company_id and stored.id = item.id and stored.version = item.version
        returning item.company_id, item.id`,
    }
    const changed = own.map(({ companyId, id, nextAttemptAt = null }, n) => {
      const { version, tries } = some[n] as DeliveryChange
      return { companyId, id, version, body: bodies[from + n] as string, nextAttemptAt, tries: tries + 1 }
    })
    const rows = await queryByCompany(
      connection,
      changed,
      ({ companyId }) => companyId,
      (of) =>
        connection.query(statement, [
          of.map(({ companyId }) => companyId),
          of.map(({ id }) => id),
          of.map(({ version }) => version),
          `[${of.map(({ body }) => body).join(',')}]`,
          of.map(({ nextAttemptAt }) => nextAttemptAt),
          of.map(({ tries }) => tries),
        ]),
    )
    for (const [companyId, id] of rows) written.add(keyOf({ companyId, id }))
  }
  return written
}

async function find(connection: Queryable, wanted: readonly StoredDelivery[]): Promise<Map<string, StoredDelivery>> {
  const rows = await queryByCompany(
    connection,
    wanted,
    ({ delivery }) => delivery.companyId,
    (own) =>
      connection.query(
        `select stored.version, stored.tries, stored.body
     from unnest($1::text[], $2::text[]) as item(company_id, id)
     join webhook_deliveries as stored on stored.company_id = item.company_id and stored.id = item.id`,
        [own.map(({ delivery }) => delivery.companyId), own.map(({ delivery }) => delivery.id)],
      ),
  )
  const all = rows.map(([version, tries, body]): StoredDelivery => ({ version, tries, delivery: JSON.parse(body) }))
  return new Map(all.map((stored) => [keyOf(stored.delivery), stored]))
}

const keyOf = ({ companyId, id }: Pick<Delivery, 'companyId' | 'id'>): string => `${id} ${companyId}`

const progressOf = ({ state, nextAttemptAt }: Delivery): Progress =>
  state === 'pending' ? { state, nextAttemptAt: nextAttemptAt as string } : { state }

/** The members of a delivery that change. */
const shownProgress = (attempts: readonly Attempt[], progress: Progress) => ({
  state: progress.state,
  attempts: attempts.slice(-ATTEMPTS_KEPT).map(storable),
  ...(progress.state === 'pending' && { nextAttemptAt: progress.nextAttemptAt }),
})

/** A receiver's response may contain anything; what PostgreSQL cannot store is removed or replaced. */
function storable({ at, status, error, durationMs, answer }: Attempt): Attempt {
  const text = (value: string) => value.replaceAll('\u0000', '').toWellFormed()
  return {
    at,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error: text(error) }),
    durationMs,
    ...(answer !== undefined && { answer: text(answer) }),
  }
}

/** The text of an event that is not in the feed. */
const eventText = ({ data, previous: _, ...event }: DeliveredEvent): string =>
  `${JSON.stringify(event).slice(0, -1)},"data":${data}}`

/** The range of each statement, so that none carries more text than it should; each carries at least one item. */
function parts(lengths: readonly number[]): [number, number][] {
  const all: [number, number][] = []
  for (let from = 0; from < lengths.length; ) {
    let end = from
    for (let characters = 0; end < lengths.length; end++) {
      characters += lengths[end] as number
      if (characters > STATEMENT_CHARACTERS && end > from) break
    }
    all.push([from, end])
    from = end
  }
  return all
}
