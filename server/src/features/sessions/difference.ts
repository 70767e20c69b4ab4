// Alerts people to a session that ends up closed with counts that differ from what was expected: by its closing (Z), or by an update.

import type { Queryable } from '../../database/connect.ts'
import { combineSideEffects, type Resource, type SideEffects } from '../../engine/resource.ts'
import { happened, happenedValues } from '../alerts/alert.ts'
import { type Balance, balancesOf, byUsualMethod } from './balances.ts'
import { movedBy } from './figures.ts'
import { ofSession, type ReportedSession } from './records.ts'
import { beginningOf } from './report.ts'

/** Milliseconds between its `closeTime` and now within which an update that closes a session is news: what lies before is history. */
const CLOSED_LATELY_MS = 24 * 60 * 60 * 1000
/** Sessions of one write that are compared, each in some milliseconds. */
const SESSIONS_COMPARED = 100
/** Transactions and cash movements of those sessions that are added up, in some 100 ms: an alert must not make a write slow. */
const RECORDS_COMPARED = 10_000

/** Alerts people to counts that differ from what was expected. */
export async function noteDifference(
  transaction: Queryable,
  { companyId, id, stationId, record }: ReportedSession,
  balances: readonly Balance[],
): Promise<void> {
  const differences = balances.flatMap(({ currency, paymentMethod, difference }) =>
    difference === undefined || Number(difference) === 0 ? [] : [{ currency, paymentMethod, difference }],
  )
  if (differences.length === 0) return
  const details = { kind: 'session', sessionId: id, sessionNumber: record.sessionNumber, differences }
  await transaction.query(
    happened(
      `(values (1)) as one left join stations as station on station.company_id = $1 and station.id = $6
       left join outlets as outlet on outlet.company_id = $1 and outlet.id = station.body ->> 'outletId'`,
      2,
      `($5::jsonb || jsonb_strip_nulls(jsonb_build_object('stationName', station.name, 'outletName', outlet.name)))::json`,
    ),
    [companyId, ...happenedValues('session', id), JSON.stringify(details), stationId],
  )
}

/**
 * The resource whose updates alert people when they close a session. A closing alerts people itself, so it uses the
 * plain resource.
 */
export const alertingSessions = (sessions: Resource): Resource => ({
  ...sessions,
  sideEffects: combineSideEffects(sessions.sideEffects as SideEffects, closedByUpdate),
})

/** What was counted, by payment method as transactions have it. */
const countsOf = ({ closingAmount, closingAmounts }: ReportedSession['record']): [string, string][] =>
  Object.entries({
    ...(closingAmount !== undefined && { cash: closingAmount }),
    ...byUsualMethod(closingAmounts ?? {}),
  })

const isCounted = (record: ReportedSession['record']): boolean =>
  record.closeTime !== undefined && countsOf(record).length > 0

/** The first update by which a session is both closed and counted. A session that is created closed has no records yet. */
const closedByUpdate: SideEffects = {
  applies: (before, after) =>
    before !== undefined &&
    !isCounted(before) &&
    isCounted(after) &&
    Math.abs(Date.parse(after.closeTime) - Date.now()) < CLOSED_LATELY_MS,
  async write(transaction, changes) {
    let left = RECORDS_COMPARED
    for (const { scope, id, after } of changes.slice(0, SESSIONS_COMPARED)) {
      const session = { companyId: scope.companyId, id, stationId: String(after.stationId), record: after }
      const count = await recordsToCompare(transaction, session, left)
      if (count === undefined) continue
      left -= count
      const { ownCurrency, opening } = await beginningOf(transaction, session, 'unclosed')
      const moved = await movedBy(transaction, ofSession(session, 'unclosed'), ownCurrency)
      const counted = countsOf(after).map(([paymentMethod, amount]) => ({
        currency: ownCurrency,
        paymentMethod,
        amount,
      }))
      await noteDifference(transaction, session, balancesOf([opening, ...moved], counted, ownCurrency))
    }
  },
}

/**
 * How many records of a session move money; undefined if there are more than `most`, or if a closing with the same
 * `closeTime` already stated what was expected.
 */
async function recordsToCompare(
  transaction: Queryable,
  { companyId, id, record }: ReportedSession,
  most: number,
): Promise<number | undefined> {
  const countOf = (table: string) =>
    `(select count(*)::int from (select from ${table} where company_id = $1 and session_id = $2 limit $4::int + 1) as own)`
  const [row] = await transaction.query(
    `select ${countOf('transactions')} + ${countOf('cash_movements')},
       exists (select from closings where company_id = $1 and session_id = $2 and close_time = $3)`,
    [companyId, id, record.closeTime, most],
  )
  const [count, hasClosing] = row as [number, boolean]
  return hasClosing || count > most ? undefined : count
}
