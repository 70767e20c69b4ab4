// Sends statements about a transaction itself, such as its savepoints, together with the next statement, so that they take no round trip.
import type pg from 'pg'
import { type Ahead, isPrepared } from './ahead.ts'
import { type Row, runWithin, type Statement } from './statement.ts'

/** Statements without a result, which fail only where the next one fails too: the connection is lost, or the transaction has failed. */
const deferrable = /^(begin( [a-z ]+)?|(release )?savepoint [a-z]+)$/

/**
 * Asks within one transaction on a connection; resolves at once for what waits for the next statement. `ahead` is sent right before the
 * statement. The first time on a connection, each deferrable statement is sent by itself, which prepares it.
 */
export function deferring(deadlineMs: number, client: pg.ClientBase) {
  let deferred: readonly Ahead[] = []
  return (statement: Statement | string, values: readonly unknown[], ahead?: Ahead): Promise<Row[]> => {
    const text = typeof statement === 'string' ? statement : statement.text
    const waiting = ahead ? [...deferred, ahead] : deferred
    deferred = []
    if (deferrable.test(text)) {
      const own: Ahead = { name: text, text, values: [] }
      if (!isPrepared(client, own)) return runWithin(deadlineMs, client, own, [], waiting)
      deferred = [...waiting, own]
      return Promise.resolve([])
    }
    const last = waiting.at(-1)
    // Several statements in one text cannot be sent behind others.
    if (last && text.includes(';'))
      return runWithin(deadlineMs, client, last, last.values, waiting.slice(0, -1)).then(() =>
        runWithin(deadlineMs, client, statement, values),
      )
    return runWithin(deadlineMs, client, statement, values, waiting)
  }
}
