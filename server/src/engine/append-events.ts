// Appends events of one company by statements of their own: where tables are distributed by company, and for writes that are rare.

import type { Queryable } from '../database/connect.ts'
import { insertMany, type ManyRows } from './many-rows.ts'

/** An event to be appended. Its `data` and `previous` are JSON texts. */
export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly resource: string
  readonly recordId: string
  readonly data: string
  readonly previous?: string | undefined
  readonly traceparent?: string | undefined
  readonly actor?: string | undefined
}

const append: ManyRows = {
  name: 'events_append',
  into: 'insert into events (company_id, id, type, created_at, resource, record_id, data, previous, traceparent, actor)',
  row: (of) =>
    `$1, ${of(0)}, ${of(1)}, $2::timestamptz, ${of(2)}, ${of(3)}, ${of(4)}::json, ${of(5)}::json, ${of(6)}, ${of(7)}::json`,
  rest: 'returning sequence',
}

/**
 * Appends events in their order, at the time `now`, and returns their numbers. A separate statement takes the company's
 * lock first, in the order that `begin_events` requires (0010_webhooks.sql).
 */
export async function appendEvents(
  transaction: Queryable,
  companyId: string,
  now: string,
  events: readonly NewEvent[],
): Promise<number[]> {
  if (events.length === 0) return []
  await transaction.query({ name: 'events_begin', text: 'select begin_events($1)' }, [companyId])
  const rows = events.map(({ id, type, resource, recordId, data, previous, traceparent, actor }) => [
    ...[id, type, resource, recordId, data, previous, traceparent, actor],
  ])
  return (await insertMany(transaction, append, [companyId, now], rows)).map(([sequence]) => sequence)
}
