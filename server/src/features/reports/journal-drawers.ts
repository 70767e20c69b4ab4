// Books what changed in drawers besides payments: cash movements at their own time, and what was over or short when sessions were closed.
import { eachInSlices } from '../../concurrency/time-slices.ts'
import { exact } from '../../core/exact.ts'
import { dateOf, dayOf, timeOf } from '../../core/local-days.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { add, type Decimal, decimalOf, negated } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import type { Journal, JournalPlace } from './journal-entries.ts'
import { wrongQuery } from './period.ts'
import { momentColumn } from './sums/sources.ts'

/** Cash movements, and closings, of a journal: some 10 MB. */
const JOURNAL_RECORDS = 20_000

const movements: Statement = {
  name: 'reports_journal_movements',
  text: `
  select ${momentColumn}, station.outlet_id, stored.currency, stored.type, stored.body ->> 'amount'
  from cash_movements as stored
  left join sessions as session on session.company_id = $1 and session.id = stored.session_id
  left join stations as station on station.company_id = $1 and station.id = session.station_id
  where stored.company_id = $1 and ${momentColumn} >= $2 and ${momentColumn} < $3
  limit ${JOURNAL_RECORDS + 1}`,
}

/** Closings in which something was counted; what they contain, only of those with late records. */
const closings: Statement = {
  name: 'reports_journal_closings',
  text: `
  select stored.close_time, station.outlet_id, stored.body -> 'balances', stored.body ->> 'openingAmount',
    case when (stored.body ->> 'lateCount')::int > 0 then stored.body -> 'figures' end
  from closings as stored
  left join stations as station on station.company_id = $1 and station.id = stored.station_id
  where stored.company_id = $1 and stored.close_time >= $2 and stored.close_time < $3
  limit ${JOURNAL_RECORDS + 1}`,
}

const decimal = (text: string | null | undefined): Decimal => decimalOf(exact(text ?? '0'))
const less = (a: Decimal, b: Decimal): Decimal => add(a, negated(b))

/** A balance of a closing. */
interface CountedBalance {
  readonly currency: string
  readonly paymentMethod: string
  readonly counted?: string
  readonly difference?: string
}

/** The figures of a closing, as far as they are money. */
interface MoneyFigures {
  readonly currency: string
  readonly payments: readonly { readonly paymentMethod: string; readonly sales: string; readonly refunds: string }[]
  readonly movements: readonly { readonly type: string; readonly amount: string }[]
}

const isIn = (type: string): boolean => type === 'pay-in' || type === 'float'

/** Books the cash movements and the differences of the period. Throws 400 for more than a journal can have. */
export async function bookDrawers(snapshot: Snapshot, journal: Journal): Promise<void> {
  const { companyId, currency: own = '', period, zone, query, check } = snapshot
  const range = [timeOf(period.first), timeOf(period.end)] as const
  const placeAt = (moment: string, outletId: string | null, currency: string | null): JournalPlace => [
    dateOf(dayOf(zone, Date.parse(moment))),
    outletId ?? '',
    currency || own,
  ]
  const moved = await query(movements, ...range)
  const closed = await query(closings, ...range)
  for (const [rows, what] of [[moved, 'cash movements'], [closed, 'closings']] as const) // biome-ignore format: one thought
    if (rows.length > JOURNAL_RECORDS)
      throw wrongQuery('from', 'range', `makes a journal of more than ${JOURNAL_RECORDS} ${what}; choose a shorter period`) // biome-ignore format: one thought
  const bookMovement = ([moment, outletId, currency, type, amount]: Row) => {
    const place = placeAt(moment, outletId, currency)
    const cash = isIn(type) ? decimal(amount) : negated(decimal(amount))
    journal.debit(place, 'drawer', cash, 'cash')
    journal.credit(place, 'cash-movements', cash, type)
  }
  const bookClosing = ([closeTime, outletId, balances, opening, figures]: Row) => {
    for (const balance of JSON.parse(balances) as CountedBalance[]) {
      if (balance.counted === undefined) continue
      const { currency, paymentMethod } = balance
      const place = placeAt(closeTime, outletId, currency)
      const over = figures
        ? overOf(balance, JSON.parse(figures), currency === own ? opening : '0')
        : decimal(balance.difference)
      journal.debit(place, 'drawer', over, paymentMethod)
      journal.credit(place, 'over-short', over, paymentMethod)
    }
  }
  await eachInSlices(moved, companyId, bookMovement, check)
  await eachInSlices(closed, companyId, bookClosing, check)
}

/**
 * What was counted beyond the opening amount and all that a closing contains. Its own difference leaves out the late money that was already
 * in the drawer when an earlier session was counted: that session was over by it, which is taken back here, as the payment is now booked.
 */
function overOf(
  { currency, paymentMethod, counted }: CountedBalance,
  figures: readonly MoneyFigures[],
  opening: string,
) {
  let over = decimal(counted)
  for (const { payments, movements } of figures.filter((one) => one.currency === currency)) {
    for (const { sales, refunds } of payments.filter((one) => one.paymentMethod === paymentMethod))
      over = less(over, less(decimal(sales), decimal(refunds)))
    if (paymentMethod !== 'cash') continue
    for (const { type, amount } of movements) over = isIn(type) ? less(over, decimal(amount)) : add(over, decimal(amount)) // biome-ignore format: one thought
  }
  return paymentMethod === 'cash' ? less(over, decimal(opening)) : over
}
