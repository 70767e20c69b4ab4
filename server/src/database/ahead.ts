// A small statement that is sent ahead of another one, to be carried out in its transaction and in the same round trip.
import type pg from 'pg'

/** What is sent ahead: a statement without a result that matters. Its name is prepared once for each connection. */
export interface Ahead {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

// Internals of the driver's query that its types omit (pg 8.23, lib/query.js).
interface Connection {
  readonly parsedStatements: Readonly<Record<string, string>>
  bind(message: { statement: string; values: readonly string[]; valueMapper: (value: string) => string }): void
  execute(message: object): void
}
interface Internals {
  queryMode: 'extended'
  prepare(connection: Connection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

const unchanged = (value: string) => value

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: Connection }).connection

/** Whether a connection has prepared what is sent ahead. */
export const isPrepared = (client: pg.ClientBase, { name }: Ahead): boolean =>
  connectionOf(client).parsedStatements[name] !== undefined

/** Sends `ahead`, which is prepared, before `query`, which becomes the client's next one. There is one Sync after both, so they are one transaction. */
export function queryAfter(client: pg.ClientBase, { name, values }: Ahead, query: pg.Query): void {
  const own = query as unknown as Internals
  const { prepare, handleDataRow, handleCommandComplete } = own
  let isAhead = false
  own.queryMode = 'extended'
  own.prepare = (to) => {
    isAhead = true
    to.bind({ statement: name, values, valueMapper: unchanged })
    to.execute({})
    prepare.call(own, to)
  }
  own.handleDataRow = (row) => {
    if (!isAhead) handleDataRow.call(own, row)
  }
  own.handleCommandComplete = (complete, from) => {
    if (isAhead) isAhead = false
    else handleCommandComplete.call(own, complete, from)
  }
  client.query(query as pg.Query & pg.Submittable)
}
