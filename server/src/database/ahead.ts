// A statement as it is sent to PostgreSQL, behind small ones that are carried out before it in the same round trip.
import pg from 'pg'

/** What is sent ahead: a statement without a result that matters. Its name is prepared once for each connection. */
export interface Ahead {
  readonly name: string
  readonly text: string
  readonly values: readonly string[]
}

/** What is sent: a statement, how its values are parsed, and the rows of a portion, if it is read in portions. */
export interface Sent {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
  readonly types: pg.CustomTypesConfig
  readonly rows?: number
}

// Internals of the driver's query that its types omit (pg 8.23, lib/query.js).
export interface DriverConnection {
  readonly parsedStatements: Readonly<Record<string, string>>
  bind(message: { statement: string; values: readonly string[] }): void
  execute(message: object): void
  sync(): void
}
interface DriverQuery extends pg.Query {
  queryMode: 'extended'
  name: string | undefined
  values: readonly unknown[]
  rows: number | undefined
  readonly _result: { readonly rows: unknown[] }
  _getRows(connection: DriverConnection, rows: number): void
  prepare(connection: DriverConnection): void
  handleRowDescription(description: RowDescription): void
  handleDataRow(row: { fields: unknown[] }): void
  handleError(error: Error, connection: unknown): void
  handleCommandComplete(message: unknown, connection: DriverConnection): void
}
type RowDescription = { readonly fields: readonly { readonly dataTypeID: number }[] }
type Callback = (error: Error | null | undefined, answer: pg.QueryArrayResult) => void
const Base = pg.Query as unknown as new (text: string, values: readonly unknown[], callback: Callback) => DriverQuery

const connectionOf = (client: pg.ClientBase) => (client as unknown as { connection: DriverConnection }).connection

/** Whether a connection has prepared what is sent ahead. */
export const isPrepared = (client: pg.ClientBase, { name }: Ahead): boolean =>
  connectionOf(client).parsedStatements[name] !== undefined

const ids = /^[0-9a-f]{24}(?:,[0-9a-f]{24})*$/
const idCharacters = 24

/** Ids as the text of an array. In other arrays, the driver looks for characters to escape in each element. */
function withIdsAsText(value: unknown): unknown {
  if (!Array.isArray(value) || value[0]?.length !== idCharacters) return value
  const text = value.join(',')
  // Of this length, it has no other commas than those between the elements.
  return text.length === value.length * (idCharacters + 1) - 1 && ids.test(text) ? `{${text}}` : value
}

/**
 * A statement that is sent after others, which are prepared. One Sync follows them all, so none is carried out after one that failed.
 * The values of a row become the row where they are: with the driver's own query, a batched read costs a quarter more.
 */
export class SentQuery extends Base {
  readonly #types: pg.CustomTypesConfig
  readonly #ahead: readonly Ahead[]
  /** How many of the statements that were sent ahead PostgreSQL has not yet answered. */
  #left = 0
  #parsers: readonly ((value: unknown) => unknown)[] = []

  constructor({ name, text, values, types, rows }: Sent, callback: Callback, ahead: readonly Ahead[]) {
    super(text, values, callback)
    this.name = name
    this.rows = rows
    this.#types = types
    this.#ahead = ahead
    if (ahead.length > 0) this.queryMode = 'extended'
  }

  override prepare(connection: DriverConnection): void {
    for (const { name, values } of this.#ahead) {
      this.#left++
      connection.bind({ statement: name, values })
      connection.execute({})
    }
    this.values = this.values.map(withIdsAsText)
    super.prepare(connection)
  }

  override handleRowDescription({ fields }: RowDescription): void {
    this.#parsers = fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text'))
  }

  override handleDataRow({ fields }: { fields: unknown[] }): void {
    if (this.#left > 0) return
    for (let n = 0; n < fields.length; n++) if (fields[n] !== null) fields[n] = this.#parsers[n]?.(fields[n])
    this._result.rows.push(fields)
  }

  override handleCommandComplete(_: unknown, connection: DriverConnection): void {
    if (this.#left > 0) this.#left--
    else if (this.rows !== undefined) connection.sync()
  }
}
