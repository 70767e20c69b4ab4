// One statement on one connection: how it is named and planned, how much of its rows is kept, and when it is given up.
import type pg from 'pg'
import { beginStatement, tracing } from '../tracing/tracer.ts'
import { type Ahead, isPrepared, SentQuery } from './ahead.ts'
import { DeadlineError } from './errors.ts'
import { errorType, measureStatement } from './metrics.ts'
import { hasPortions, PortionedQuery, types, upTo } from './size-limited-query.ts'

/** Items of a statement up to which a cached plan is good enough; larger statements are planned again, in some 0.3 ms. */
const KEPT_PLAN_ITEMS = 50

/** Whether a statement has more items than a cached plan is good enough for. */
export const hasManyItems = (values: readonly unknown[]): boolean =>
  values.some((value) => Array.isArray(value) && value.length > KEPT_PLAN_ITEMS)

/**
 * A condition that every item meets, over its number (`with ordinality`): it makes PostgreSQL keep the plan of a named
 * statement over arrays of items. PostgreSQL assumes ten elements for an array
 * that is a parameter, so the generic plan looks more expensive than a plan made for the one or two items of a quiet
 * server. It would make such a plan each time, which takes twice as long as running it. For items between two numbers,
 * it assumes one.
 */
export const keepsPlan = (number: string): string => `${number} between 1 and 2147483647`

/**
 * A condition that a column equals a value, as a range: a statement that then takes the first rows in the order of the column uses the
 * column's index, whatever the statistics say (decision 68). For `=`, PostgreSQL may expect all records to match, for example if none has
 * an `externalId` yet, and then read them in another order until it finds one.
 */
export const equals = (column: string, value: string): string => `${column} >= ${value} and ${column} <= ${value}`

/**
 * SQL: the company $1, without its value for the planner. For a known company that is new to the statistics, the planner expects one row from
 * any index, and may read all rows of the company. Without the value, it expects as many rows as an average company has.
 */
export const unseenCompany = '(select $1::text)'

/** A statement; one with a name is planned once per connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  /** Characters of values that are kept: the value that exceeds the limit and all after it are null, so that no result fills the memory. */
  readonly most?: number | undefined
  /** Maximum number of rows. With `most`: a statement that would exceed it stops early and ends with a row of nulls. */
  readonly expected?: number
}

/** A row as PostgreSQL sends it: values in order; JSON stays text, so that it can be passed on unparsed. */
export type Row = any[]

export interface Queryable {
  /** True inside a transaction. */
  readonly inTransaction: boolean
  /** True where tables are distributed by company: each statement must name one (one-company.ts). */
  readonly isSharded: boolean
  query(statement: Statement | string, values?: readonly unknown[]): Promise<Row[]>
  /** Of a transaction: sends what `run` asks without waiting in between (pipeline.ts). */
  readonly pipeline?: <T>(run: () => Promise<T>) => Promise<T>
}

/**
 * The mode in which plans do not depend on values. Planning for each value takes longer than running, and for a known
 * company that is new to its statistics PostgreSQL expects a single row from any index. But Citus needs the company's value to choose the node.
 */
const planMode = ({ isSharded }: Queryable): string => (isSharded ? 'auto' : 'force_generic_plan')

/** The statement that sets this mode for a transaction. */
export const planSettings = (transaction: Queryable): string => `set local plan_cache_mode = ${planMode(transaction)}`

/** SQL: the same as a column, for transactions that begin with a statement anyway. */
export const planSetting = (transaction: Queryable): string =>
  `set_config('plan_cache_mode', '${planMode(transaction)}', true)`

/** The same, and one snapshot. */
export const snapshotSettings = (transaction: Queryable, access: 'read only' | 'read write'): string =>
  `set transaction isolation level repeatable read, ${access}; ${planSettings(transaction)}`

/**
 * Runs one statement; rejects with a DeadlineError when it takes too long. By callback: the driver's promise keeps each
 * result's rows alive through several collections. What is `ahead` is carried out before it; all are one transaction, unless they begin or end one.
 */
export function runWithin(
  deadlineMs: number,
  client: pg.ClientBase,
  statement: Statement | string,
  values: readonly unknown[],
  ahead: readonly Ahead[] = [],
): Promise<Row[]> {
  const query: Statement = typeof statement === 'string' ? { text: statement } : statement
  const { name, text, most, expected = 0 } = query
  const kept = most === undefined ? undefined : upTo(most)
  // PostgreSQL's cached plan of a named statement expects few items, and the tables as they were when it was made. With
  // that plan, a thousand items may take too long in a table that has grown since. For that many items, planning again is
  // cheap.
  const sent = { name: hasManyItems(values) ? undefined : name, text, values }
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const span = tracing.tracer && beginStatement(name, text)
    const timer = setTimeout(() => reject(new DeadlineError('PostgreSQL did not answer in time')), deadlineMs)
    const settle = (error: Error | null | undefined, answer: pg.QueryArrayResult) => {
      clearTimeout(timer)
      measureStatement(begun, error)
      span?.end({ error: error ? errorType(error) : undefined })
      if (error) reject(error)
      else resolve(answer.rows as Row[])
    }
    client.query(
      kept !== undefined && most !== undefined && hasPortions(expected)
        ? new PortionedQuery(sent, { expected, most, kept }, settle, ahead)
        : new SentQuery({ ...sent, types: kept ?? types }, settle, ahead),
    )
  })
}

/** Prepares what is sent ahead, once for each connection; rejects as `runWithin` does. */
export async function prepareWithin(deadlineMs: number, client: pg.ClientBase, ahead: Ahead): Promise<void> {
  if (isPrepared(client, ahead)) return
  const { name, text, values } = ahead
  await runWithin(deadlineMs, client, { name, text }, values)
}
