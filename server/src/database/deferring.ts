// Sends statements about a transaction itself, such as its savepoints, together with the next statement, so that they take no round trip.
import pg from 'pg'
import { type Ahead, isPrepared } from './ahead.ts'
import { isPipelined } from './pipeline.ts'
import { type Row, runWithin, type Statement } from './statement.ts'

/**
 * Statements without a result, which fail only if the next statement fails too: because the connection is lost, or the
 * transaction has failed. After a failed transaction, only a rollback succeeds.
 */
const deferrable = /^(begin( [a-z ]+)?|(release )?savepoint [a-z]+)$/

/**
 * Asks within one transaction on a connection; resolves at once for what waits for the next statement. `ahead` is sent right before the
 * statement. The first time on a connection, each deferrable statement is sent by itself, which prepares it.
 */
export function deferring(deadlineMs: number, client: pg.ClientBase) {
  let deferred: readonly Ahead[] = []
  /** Why a statement was not sent. No other is sent after that, since the transaction may lack its `begin`. */
  let unsent: Error | undefined
  const send = (statement: Statement | string, values: readonly unknown[], waiting: readonly Ahead[]) => {
    const rows = runWithin(deadlineMs, client, statement, values, waiting)
    if (waiting.length === 0) return rows
    return rows.catch((error) => {
      if (!(error instanceof pg.DatabaseError)) unsent = error
      throw error
    })
  }
  return (statement: Statement | string, values: readonly unknown[], ahead?: Ahead): Promise<Row[]> => {
    const text = typeof statement === 'string' ? statement : statement.text
    const waiting = ahead ? [...deferred, ahead] : deferred
    deferred = []
    if (text === 'rollback') {
      // If `begin` still waits, there is no transaction: a rollback would write a warning into PostgreSQL's log.
      const isUnbegun = waiting.some((waits) => waits.text.startsWith('begin'))
      return isUnbegun ? Promise.resolve([]) : runWithin(deadlineMs, client, statement, values)
    }
    if (unsent) return Promise.reject(unsent)
    if (deferrable.test(text)) {
      if (isPipelined(client)) return Promise.reject(new Error('A savepoint cannot share a round trip.'))
      const own: Ahead = { name: text, text, values: [] }
      if (!isPrepared(client, own)) return send(own, [], waiting)
      deferred = [...waiting, own]
      return Promise.resolve([])
    }
    const last = waiting.at(-1)
    // Several statements in one text cannot be sent behind others.
    if (last && text.includes(';'))
      return send(last, last.values, waiting.slice(0, -1)).then(() => runWithin(deadlineMs, client, statement, values))
    return send(statement, values, waiting)
  }
}
