// The report of a session (X): its figures so far. A closing (Z) has the same parts.

import type { IsGone } from '../../core/is-gone.ts'
import { deadlinePassed } from '../../core/problem.ts'
import { type Database, type Queryable, requireRow } from '../../database/connect.ts'
import { snapshotSettings } from '../../database/statement.ts'
import { amountOf, type Balance, balancesOf, type MethodAmount, millionths } from './balances.ts'
import { figuresOf } from './figures.ts'
import {
  firstLateChange,
  lastClosing,
  lateRecords,
  ofSession,
  type Picked,
  type RecordsOf,
  type ReportedSession,
  unclosed,
} from './records.ts'

/** A session. Throws `not_found`. */
export async function sessionFor(
  database: Queryable,
  companyId: string,
  id: string,
  lock: '' | 'for update' = '',
): Promise<ReportedSession> {
  const statement = `select body from sessions where company_id = $1 and id = $2 ${lock}`
  const [body] = await requireRow(database, 'session', id, statement, [companyId, id])
  const record = JSON.parse(body)
  return { companyId, id, stationId: record.stationId, record }
}

/** What reports and closings say about the picked records and what was counted, besides the session's own members. */
export async function resultOf(
  database: Queryable,
  picked: Picked,
  { ownCurrency, opening }: DrawerBeginning,
  counted: readonly MethodAmount[],
) {
  const { figures, moved } = await figuresOf(database, picked, ownCurrency)
  return {
    openingAmount: amountOf(ownCurrency, millionths(opening.amount)),
    figures,
    balances: balancesOf([opening, ...moved], counted, ownCurrency),
    ...(await lateRecords(database, picked)),
  }
}

interface DrawerBeginning {
  readonly ownCurrency: string
  readonly opening: MethodAmount
}

/** The company's currency, and the cash that the drawer began with before all records of the session, or before those that no closing took. */
export async function beginningOf(
  database: Queryable,
  { companyId, id, record }: ReportedSession,
  before: RecordsOf,
): Promise<DrawerBeginning> {
  const [row] = await database.query(
    `select currency, (
       select body -> 'balances' from closings where company_id = $1 and session_id = $2 order by created_at desc, id desc limit 1
     ) from companies where id = $1`,
    [companyId, id],
  )
  const [ownCurrency, balances] = row as [string, string | null]
  // The session was closed before and opened again: its drawer held what was counted then.
  const closed = (JSON.parse((before === 'unclosed' && balances) || '[]') as Balance[]).find(
    ({ currency, paymentMethod }) => currency === ownCurrency && paymentMethod === 'cash',
  )
  const amount: string = closed?.counted ?? closed?.expected ?? record.openingAmount ?? '0'
  return { ownCurrency, opening: { currency: ownCurrency, paymentMethod: 'cash', amount } }
}

/** Members of the session that its reports and closings repeat. */
export const sessionMembers = ({ stationId, id, record }: ReportedSession) => {
  const { sessionNumber, createdAt, openTime = createdAt, closeTime, openedBy, closedBy, closingNote } = record
  return { stationId, sessionId: id, sessionNumber, openTime, closeTime, openedBy, closedBy, closingNote }
}

/** What a closing of the session would take now, with late records of the last 31 days only. */
async function unclosedNow(database: Queryable, session: ReportedSession): Promise<Picked> {
  const [last] = await database.query(
    'select greatest(began_at, $3), closed_at from closing_numbers where company_id = $1 and station_id = $2',
    [session.companyId, session.stationId, firstLateChange()],
  )
  const [beganAt, closedAt] = last ?? [session.record.createdAt, null]
  return unclosed(database, session, { beganAt, lastClosedAt: await lastClosing(database, session, closedAt) })
}

/**
 * The report of a session: for an open session, its closing as it would be now; for a closed one, all of its records. It ends once its
 * client is gone, since a session may have 100,000 orders.
 */
export const sessionReport = (database: Database, companyId: string, id: string, isGone: IsGone): Promise<string> =>
  database.transaction(async (transaction) => {
    // One snapshot, so that a sale is in all sums or in none.
    await transaction.query(snapshotSettings(transaction, 'read only'))
    const query: Queryable['query'] = (statement, values) => {
      if (isGone()) throw deadlinePassed()
      return transaction.query(statement, values)
    }
    const snapshot = { ...transaction, query }
    const asOf = new Date().toISOString()
    const session = await sessionFor(snapshot, companyId, id)
    const isOpen = session.record.closeTime === undefined
    const picked = isOpen ? await unclosedNow(snapshot, session) : ofSession(session, 'all')
    const beginning = await beginningOf(snapshot, session, isOpen ? 'unclosed' : 'all')
    const result = await resultOf(snapshot, picked, beginning, [])
    return JSON.stringify({ ...sessionMembers(session), asOf, ...result })
  })
