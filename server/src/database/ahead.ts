// Small statements that are sent ahead of another one, to be carried out before it in the same round trip.
import pg from 'pg'

/** What is sent ahead: a statement without a result that matters. Its name is prepared once for each connection. */
export interface Ahead {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

// Internals of the driver's query that its types omit (pg 8.23, lib/query.js).
interface DriverConnection {
  readonly parsedStatements: Readonly<Record<string, string>>
  bind(message: { statement: string; values: readonly string[]; valueMapper: (value: string) => string }): void
  execute(message: object): void
}
interface DriverQuery extends pg.Query {
  queryMode: 'extended'
  prepare(connection: DriverConnection): void
  handleDataRow(message: unknown): void
  handleError(error: Error, connection: unknown): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
}
type Callback = (error: Error | null | undefined, answer: pg.QueryArrayResult) => void
const Base = pg.Query as unknown as new (config: pg.QueryConfig, values: undefined, callback: Callback) => DriverQuery

const unchanged = (value: string) => value

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: DriverConnection }).connection

/** Whether a connection has prepared what is sent ahead. */
export const isPrepared = (client: pg.ClientBase, { name }: Ahead): boolean =>
  connectionOf(client).parsedStatements[name] !== undefined

/** A statement that is sent after others, which are prepared. One Sync follows them all, so none is carried out after one that failed. */
export class QueryAfter extends Base {
  readonly #ahead: readonly Ahead[]
  /** How many of the statements that were sent ahead PostgreSQL has not yet answered. */
  #left = 0

  constructor(config: pg.QueryConfig, callback: Callback, ahead: readonly Ahead[]) {
    super(config, undefined, callback)
    this.#ahead = ahead
    if (ahead.length > 0) this.queryMode = 'extended'
  }

  override prepare(connection: DriverConnection): void {
    for (const { name, values } of this.#ahead) {
      this.#left++
      connection.bind({ statement: name, values, valueMapper: unchanged })
      connection.execute({})
    }
    super.prepare(connection)
  }

  override handleDataRow(row: unknown): void {
    if (this.#left === 0) super.handleDataRow(row)
  }

  override handleCommandComplete(complete: unknown, connection: DriverConnection): void {
    if (this.#left > 0) this.#left--
    else super.handleCommandComplete(complete, connection)
  }
}
