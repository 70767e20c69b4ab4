// A small statement that is sent ahead of another one, to be carried out in its transaction and in the same round trip.
import pg from 'pg'

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
interface Internals extends pg.Query {
  queryMode: 'extended'
  prepare(connection: Connection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}
type Callback = (error: Error | null | undefined, answer: pg.QueryArrayResult) => void
const Base = pg.Query as unknown as new (config: pg.QueryConfig, values: undefined, callback: Callback) => Internals

const unchanged = (value: string) => value

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: Connection }).connection

/** Whether a connection has prepared what is sent ahead. */
export const isPrepared = (client: pg.ClientBase, { name }: Ahead): boolean =>
  connectionOf(client).parsedStatements[name] !== undefined

/** A statement that is sent after another one, which is prepared. There is one Sync after both, so they are one transaction. */
export class QueryAfter extends Base {
  readonly #ahead: Ahead | undefined
  /** Whether the next that PostgreSQL says is about what was sent ahead. */
  #isAhead = false

  constructor(config: pg.QueryConfig, callback: Callback, ahead: Ahead | undefined) {
    super(config, undefined, callback)
    this.#ahead = ahead
    if (ahead) this.queryMode = 'extended'
  }

  override prepare(connection: Connection): void {
    if (this.#ahead) {
      const { name, values } = this.#ahead
      this.#isAhead = true
      connection.bind({ statement: name, values, valueMapper: unchanged })
      connection.execute({})
    }
    super.prepare(connection)
  }

  override handleDataRow(row: unknown): void {
    if (!this.#isAhead) super.handleDataRow(row)
  }

  override handleCommandComplete(complete: unknown, connection: Connection): void {
    if (this.#isAhead) this.#isAhead = false
    else super.handleCommandComplete(complete, connection)
  }
}
