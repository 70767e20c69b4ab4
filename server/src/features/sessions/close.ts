// Closes a session with a closing (Z): takes its records, adds them up, and stores the figures under the next number.

import { later } from '../../core/date-time.ts'
import { newId } from '../../core/ids.ts'
import { bodyError, conflict, invalid, type MemberError, orThrow, stepTo } from '../../core/problem.ts'
import type { Queryable } from '../../database/connect.ts'
import { planSettings } from '../../database/statement.ts'
import { type Described, decimal, type Field, map, reference, text } from '../../engine/field.ts'
import type { Operations } from '../../engine/operations.ts'
import { bodySchema } from '../../engine/schema.ts'
import { store } from '../../engine/store.ts'
import { isTooLarge, tooLarge, writing } from '../../engine/writing.ts'
import type { Call } from '../../http/route.ts'
import { closing } from '../../resources/closing.ts'
import { usualMethod } from '../../resources/sale-shapes.ts'
import { AHEAD_MS, pastTime } from '../../resources/shapes.ts'
import { type AmountsByMethod, byUsualMethod, type MethodAmount } from './balances.ts'
import { noteDifference } from './difference.ts'
import { firstLateChange, lastClosing, type ReportedSession, takeRecords } from './records.ts'
import { beginningOf, resultOf, sessionFor, sessionMembers } from './report.ts'

// Checks of names whose errors are clearer than those of a JSON Schema.
const wrongNames = (names: object, isRight: (name: string) => boolean, at: string, code: string, message: string) =>
  Object.keys(names)
    .filter((name) => !isRight(name))
    .map((name) => bodyError(stepTo(name, at), code, message))
const wrongCurrencies = (names: object, at: string): MemberError[] =>
  wrongNames(
    names,
    (name) => /^[A-Z]{3}$/.test(name),
    at,
    'currency',
    'must be a three-letter ISO 4217 code in upper case, such as "USD"',
  )
/** Errors for methods that no payment can have, such as an empty one. */
const wrongMethods = (names: object, at: string): MemberError[] => [
  ...wrongNames(
    names,
    (name) => /^.{1,100}$/su.test(name),
    at,
    'paymentMethod',
    'must have a name of 1 to 100 characters, like the method of a payment',
  ),
  ...methodsTwice(names, at),
]

/** Names that are the same method as an earlier one, such as `Cash` and `cash`: one of the amounts would be lost. */
function methodsTwice(names: object, at: string): MemberError[] {
  const seen = new Set<string>()
  return Object.keys(names).flatMap((name) => {
    const method = usualMethod(name)
    const isNew = seen.size < seen.add(method).size
    return isNew ? [] : bodyError(stepTo(name, at), 'ambiguous', `must not be counted twice, as ${method}`)
  })
}

/** Amounts by payment method. */
const byMethod = (described: Described): Field<AmountsByMethod> => ({
  ...map(decimal(), described),
  check: (value, at) => wrongMethods(value as AmountsByMethod, at),
  canonical: byUsualMethod,
})

/** Amounts by currency and payment method. */
const byCurrency = (described: Described): Field<Record<string, AmountsByMethod>> => ({
  ...map(map(decimal()), described),
  check: (value, at) => [
    ...wrongCurrencies(value as object, at),
    ...Object.entries(value as Record<string, AmountsByMethod>).flatMap(([currency, amounts]) =>
      wrongMethods(amounts, stepTo(currency, at)),
    ),
  ],
  canonical: (value) =>
    Object.fromEntries(Object.entries(value).map(([currency, amounts]) => [currency, byUsualMethod(amounts)])),
})

/** What a request to close a session can say. */
export const closeFields = {
  counted: byMethod({
    description:
      'The counted amount of each payment method, in the company’s currency; `cash` includes the opening amount. The session gets the amounts in this currency as `closingAmounts`, and the cash as `closingAmount`. Methods that you leave out are not compared.',
    example: { cash: '347.50' },
  }),
  countedIn: byCurrency({
    description:
      'The counted amounts in other currencies, by currency and payment method; in the company’s currency, only methods that `counted` does not have.',
    example: { USD: { cash: '20.00' } },
  }),
  closeTime: pastTime({
    description:
      'When the till was counted; by default, the time of the request. Set it if the till was offline. It must not be before the session began or before the last closing of its station. It may be at most 10 minutes ahead of the service’s clock.',
    example: '2026-11-20T18:30:00.000Z',
  }),
  closedBy: reference({ description: 'The account or user of the employee who counted.', example: 'ann' }),
  closingNote: text({ description: 'A remark for the session and the closing.', example: '0.50 too much' }),
}
const inCounted = 'send the counted amounts in counted, such as {"cash": "347.50"}'
const { create: check } = bodySchema({
  fields: closeFields,
  requireOneOf: [],
  elsewhere: { closingAmount: inCounted, closingAmounts: inCounted, cash: inCounted, amount: inCounted },
})
const { insert } = store(closing)
const { shown } = writing(closing)

/** Closes an open session in a transaction of the caller; returns the text of its closing. Throws 404, 409 and 400. */
export async function closeSession(
  transaction: Queryable,
  sessions: Operations,
  { scope, params, body }: Pick<Call, 'scope' | 'params' | 'body'>,
): Promise<string> {
  const { counted, countedIn, closeTime, closedBy, closingNote } = orThrow(check(body === undefined ? {} : body))
    .set as {
    counted?: AmountsByMethod
    countedIn?: Record<string, AmountsByMethod>
    closeTime?: string
    closedBy?: string
    closingNote?: string
  }
  const { companyId } = scope
  const session = await sessionFor(transaction, companyId, params.id as string, 'for update')
  const { stationId, record } = session
  if (record.closeTime !== undefined)
    throw conflict('session_closed', `The session was already closed at ${record.closeTime}.`)
  const { number, history } = await nextNumber(transaction, session)
  if (closeTime !== undefined) await refuseEarlier(transaction, session, closeTime)
  const wasClosed = await hasClosing(transaction, session)
  const now = later(new Date().toISOString(), history.lastClosedAt ?? '')
  const id = newId()
  const beginning = await beginningOf(transaction, session, 'unclosed')
  const { ownCurrency } = beginning
  const own = countedOnce(counted, countedIn?.[ownCurrency], ownCurrency)
  const amounts = Object.entries({ ...countedIn, [ownCurrency]: own ?? {} }).flatMap(([currency, amounts]) =>
    Object.entries(amounts).map(([paymentMethod, amount]): MethodAmount => ({ currency, paymentMethod, amount })),
  )
  await transaction.query(planSettings(transaction))
  const picked = await takeRecords(transaction, session, history, id)
  const result = await resultOf(transaction, picked, beginning, amounts)
  const value = { closeTime: closeTime ?? now, closingAmount: own?.cash, closingAmounts: own, closedBy, closingNote }
  // What the request leaves out was said of the earlier closing.
  const members = wasClosed ? orNull(value) : sent(value)
  const [updated] = await sessions.updateMany([{ scope, id: session.id, value: members }], transaction)
  const closed = { ...session, record: JSON.parse(orThrow(updated as NonNullable<typeof updated>).text) }
  const outletId = await outletOf(transaction, session)
  const text = shown({ id, companyId, createdAt: now, number, outletId, ...sessionMembers(closed), ...result })
  if (isTooLarge(text)) throw tooLarge()
  await insert(transaction, [{ scope, id, body: text, events: [], claims: [] }])
  await noteDifference(transaction, closed, result.balances)
  await transaction.query('update closing_numbers set closed_at = $3 where company_id = $1 and station_id = $2', [
    ...[companyId, stationId, now],
  ])
  return text
}

/**
 * The amounts in the company's currency, of `counted` and of its part in `countedIn`; undefined if there are none. Refuses a method that
 * both count: one of the amounts would be lost.
 */
function countedOnce(
  counted: AmountsByMethod | undefined,
  own: AmountsByMethod | undefined,
  currency: string,
): AmountsByMethod | undefined {
  if (counted === undefined || own === undefined) return counted ?? own
  const method = Object.keys(counted).find((method) => Object.hasOwn(own, method))
  if (method === undefined) return { ...counted, ...own }
  const pointer = stepTo(method, `/countedIn/${currency}`)
  throw invalid([bodyError(pointer, 'ambiguous', 'must not be counted twice: `counted` has it too')])
}

/** Refuses a time before the session began, or before the last closing of its station: closings are numbered in the order of their times. */
async function refuseEarlier(
  transaction: Queryable,
  { companyId, stationId, record }: ReportedSession,
  closeTime: string,
): Promise<void> {
  const { openTime = record.createdAt } = record
  if (closeTime < openTime)
    throw invalid([bodyError('/closeTime', 'minimum', `must not be before the session began, at ${openTime}`)])
  // A closing made while the clock was ahead does not count once the clock is set back (`lastClosing`).
  const [last] = await transaction.query(
    'select close_time from closings where company_id = $1 and station_id = $2 and close_time <= $3 order by number desc limit 1',
    [companyId, stationId, new Date(Date.now() + AHEAD_MS).toISOString()],
  )
  if (last !== undefined && closeTime < last[0])
    throw invalid([
      bodyError('/closeTime', 'minimum', `must not be before the last closing of the station, at ${last[0]}`),
    ])
}

/** The members that have a value, since JSON has no undefined. */
const sent = (members: object) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

/** The members with null, which clears them, in place of those without a value. */
const orNull = (members: object) =>
  Object.fromEntries(Object.entries(members).map(([member, value]) => [member, value ?? null]))

/** Whether the session was closed with a closing before, and opened again. */
async function hasClosing(transaction: Queryable, { companyId, id }: ReportedSession): Promise<boolean> {
  const earlier = 'select from closings where company_id = $1 and session_id = $2 limit 1'
  return (await transaction.query(earlier, [companyId, id])).length > 0
}

/** The outlet of the till now, since the till may move to another one later; undefined if the till has no record. */
async function outletOf(
  transaction: Queryable,
  { companyId, stationId }: ReportedSession,
): Promise<string | undefined> {
  const text = 'select outlet_id from stations where company_id = $1 and id = $2'
  const [row] = await transaction.query({ name: 'closing_outlet', text }, [companyId, stationId])
  return row?.[0] || undefined
}

/**
 * The number of the station's next closing, and what is known of earlier closings. The row of the number stays locked.
 */
async function nextNumber(transaction: Queryable, session: ReportedSession) {
  const { companyId, stationId, record } = session
  const [row] = await transaction.query(
    `insert into closing_numbers as stored (company_id, station_id, number, began_at) values ($1, $2, 1, $3)
     on conflict (company_id, station_id) do update set number = stored.number + 1,
       began_at = case stored.number when 0 then greatest(stored.began_at, $4) else stored.began_at end
     returning number, began_at, closed_at`,
    [companyId, stationId, record.createdAt, firstLateChange()],
  )
  const [number, beganAt, closedAt] = row as [number, string, string | null]
  return { number, history: { beganAt, lastClosedAt: await lastClosing(transaction, session, closedAt) } }
}
