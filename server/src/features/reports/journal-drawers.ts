// Books changes of drawers besides payments: cash movements at their own time, and what was over or short when sessions were closed.
import { eachInSlices } from '../../concurrency/time-slices.ts'
import { exact } from '../../core/exact.ts'
import { dateOf, dayOf, timeOf } from '../../core/local-days.ts'
import type { Row, Statement } from '../../database/connect.ts'
import { typesIn } from '../../resources/cash-movement.ts'
import { type Decimal, decimalOf, negated } from '../sold-items/decimals.ts'
import type { Snapshot } from './answer.ts'
import type { Journal, JournalPlace } from './journal-entries.ts'
import { wrongQuery } from './period.ts'
import { momentColumn } from './sums/sources.ts'

/** Cash movements, and closings, of a journal: some 10 MB. */
const JOURNAL_RECORDS = 20_000

/** SQL: the amount by which a cash movement changes its drawer. */
const cashIn = (movement: string): string =>
  `case when ${movement}.type in ${typesIn} then 1 else -1 end * (${movement}.body ->> 'amount')::numeric`

/** SQL: the current outlet of a till, for movements in no closing, and for closings made before they had an outlet. */
const outletNow = (stationId: string): string =>
  `(select outlet_id from stations where company_id = $1 and id = ${stationId} offset 0)`

/** SQL: the closings of a session, looked up by it. */
const closingsOf = (sessionId: string): string =>
  `(select * from closings where company_id = $1 and session_id = ${sessionId} offset 0)`

// With `offset 0`, PostgreSQL looks up each movement's closing and session by key. Without it, in a company that is new to its statistics, it would read all of them for each movement.
const movements: Statement = {
  name: 'reports_journal_movements',
  text: `
  select ${momentColumn}, coalesce(
    (select (select body ->> 'outletId' from closings where company_id = $1 and id = taken.closing_id offset 0) from closing_records as taken
      where taken.company_id = $1 and taken.resource = 'cash-movement' and taken.record_id = stored.id offset 0),
    (select ${outletNow('session.station_id')} from sessions as session where session.company_id = $1 and session.id = stored.session_id offset 0)
  ), stored.currency, stored.type, (${cashIn('stored')})::text
  from cash_movements as stored
  where stored.company_id = $1 and ${momentColumn} >= $2 and ${momentColumn} < $3
  limit ${JOURNAL_RECORDS + 1}`,
}

const closings: Statement = {
  name: 'reports_journal_closings',
  text: `
  select stored.close_time, coalesce(stored.body ->> 'outletId', ${outletNow('stored.station_id')}), stored.body -> 'balances', stored.id,
    (stored.body ->> 'lateCount')::int > 0
  from closings as stored
  where stored.company_id = $1 and stored.close_time >= $2 and stored.close_time < $3
  limit ${JOURNAL_RECORDS + 1}`,
}

/**
 * Late money of the closings $2 that an earlier closing counted, by method: that closing was over by it. The money was in the drawer of the session that
 * it names, or else of the latest session that was open at its time. It was counted when that session was next closed or, if reopened uncounted, at
 * a later closing. After a session that ended without a closing, as by a take-over, nothing was over. Closings are compared by their numbers, since
 * a clock may have been ahead. $3 is the currency of the company.
 */
const lateMoney: Statement = {
  name: 'reports_journal_late_money',
  text: `
  with late as (
    select stored.id, stored.station_id, stored.number, own.session_id, closed.number as first_number, money.currency, money.method,
      sum(money.amount) as amount
    from closings as stored
    join closing_records as taken on taken.company_id = $1 and taken.closing_id = stored.id and taken.is_late and not taken.is_in_drawer
    cross join lateral (
      select case when taken.session_id <> stored.session_id then taken.session_id else (
        select earlier.session_id from closings as earlier
        where earlier.company_id = $1 and earlier.station_id = stored.station_id and earlier.session_id <> stored.session_id
          and earlier.number < stored.number and taken.moment between earlier.open_time and earlier.close_time
        order by earlier.number desc limit 1
      ) end as session_id offset 0
    ) as own
    cross join lateral (
      select min(number) as number from ${closingsOf('own.session_id')} as earlier
      where earlier.station_id = stored.station_id and earlier.number < stored.number and earlier.close_time >= taken.moment
    ) as closed
    cross join lateral (
      select currency, payment_method as method, case type when 'refund' then -abs(amount) else amount end as amount
      from transactions where company_id = $1 and id = taken.record_id and taken.resource = 'transaction' and type in ('', 'sale', 'refund')
      union all
      select currency, 'cash', ${cashIn('movement')} from cash_movements as movement
      where company_id = $1 and id = taken.record_id and taken.resource = 'cash-movement'
    ) as money
    where stored.company_id = $1 and stored.id = any($2::text[])
    group by 1, 2, 3, 4, 5, 6, 7
  )
  select late.id, late.currency, late.method, late.amount::text from late
  where exists (
    select from ${closingsOf('late.session_id')} as counted cross join lateral json_array_elements(counted.body -> 'balances') as balance
    where counted.station_id = late.station_id and counted.number >= late.first_number and counted.number < late.number and balance ->> 'difference' is not null
      and balance ->> 'currency' = coalesce(nullif(late.currency, ''), $3) and balance ->> 'paymentMethod' = late.method
  )`,
}

const decimal = (text: string): Decimal => decimalOf(exact(text))

/** A balance of a closing. */
interface ClosedBalance {
  readonly currency: string
  readonly paymentMethod: string
  readonly difference?: string
}

/** Books the cash movements and the differences of the period. Throws 400 for more than a journal can have. */
export async function bookDrawers(snapshot: Snapshot, journal: Journal): Promise<void> {
  const { companyId, currency: own = '', period, zone, query, check } = snapshot
  const placeAt = (moment: string, outletId: string | null, currency: string): JournalPlace => [
    dateOf(dayOf(zone, Date.parse(moment))),
    outletId ?? '',
    currency || own,
  ]
  const bookAll = async (statement: Statement, what: string, book: (row: Row) => void) => {
    const rows = await query(statement, timeOf(period.first), timeOf(period.end))
    if (rows.length > JOURNAL_RECORDS)
      throw wrongQuery('from', 'range', `makes a journal of more than ${JOURNAL_RECORDS} ${what}; choose a shorter period`) // biome-ignore format: one thought
    await eachInSlices(rows, companyId, book, check)
    return rows
  }
  await bookAll(movements, 'cash movements', ([moment, outletId, currency, type, amount]) => {
    const place = placeAt(moment, outletId, currency)
    journal.debit(place, 'drawer', decimal(amount), 'cash')
    journal.credit(place, 'cash-movements', decimal(amount), type)
  })
  const bookOver = (place: JournalPlace, over: Decimal, method: string) => {
    journal.debit(place, 'drawer', over, method)
    journal.credit(place, 'over-short', over, method)
  }
  const closed = await bookAll(closings, 'closings', ([closeTime, outletId, balances]) => {
    for (const { currency, paymentMethod, difference } of JSON.parse(balances) as ClosedBalance[])
      if (difference !== undefined) bookOver(placeAt(closeTime, outletId, currency), decimal(difference), paymentMethod)
  })
  const withLate = new Map(closed.flatMap((row) => (row[4] ? [[row[3] as string, row]] : [])))
  if (withLate.size === 0) return
  const late = await query(lateMoney, [...withLate.keys()], own)
  const bookLate = ([id, currency, method, amount]: Row) => {
    const [closeTime, outletId] = withLate.get(id) as Row
    bookOver(placeAt(closeTime, outletId, currency), negated(decimal(amount)), method)
  }
  await eachInSlices(late, companyId, bookLate, check)
}
